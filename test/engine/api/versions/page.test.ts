import { expect, test } from 'vitest';
import { type Client, open } from '../../../support/client.js';
import { bookingFor, dayIn, findTeeTime, type Json, queryText, teeTimesPath } from '../../../support/scenes.js';

/** What docs/versions.md says in words; its tables come from the contract. */
const FAR = 'fromDate=01-06-2026';

async function booked(client: Client): Promise<{ id: string; teeTime: Json }> {
  const teeTime = await findTeeTime(client, { players: 4 });
  const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime, { players: 4 }));
  return { id: body.data.bookingId, teeTime };
}

async function paymentOf(client: Client, id: string): Promise<unknown> {
  const response = await client.sandbox.fetch(`http://sandbox.test/__admin/bookings/${id}`);
  return ((await response.json()) as Json).payment;
}

test('a booking of v5 takes its slots in every version, and each list has it', async () => {
  const { fairway } = await open();
  const { id, teeTime } = await booked(fairway);
  for (const version of ['v2', 'v3', 'v4'] as const) {
    const text = (await fairway.get(teeTimesPath(version))).text;
    expect([version, text.includes(String(teeTime.teeid))]).toEqual([version, false]);
  }
  for (const version of ['v1', 'v2', 'v4']) {
    const { data } = (await fairway.get(`/api/${version}/bookings?${FAR}`)).body;
    expect([version, data.some((one: Json) => one.bookingId === id)]).toEqual([version, true]);
  }
});

test('a tee time has the same id in all versions, under two names', async () => {
  const { fairway } = await open();
  const first = async (version: 'v2' | 'v3' | 'v4') => (await fairway.get(teeTimesPath(version))).body.data;
  const [two, three, four] = [await first('v2'), await first('v3'), await first('v4')];
  const v5 = (
    await fairway.get(
      `/api/v5/teetimes/1001/10011?${queryText({ bookingDate: dayIn(10).query, players: 1, holes: 18 })}`,
    )
  ).body;
  expect(new Set([two[0].id, three.teeTimeV2[0].id, four.teeTimeV3[0].teeid, v5.data.teeTimeV3[0].teeid]).size).toBe(1);
  expect([two[0].pricing[0].players, four.teeTimeV3[0].products[0].pricing[0].quantity]).toEqual(['1', 1]);
});

test('v5 pauses the payment of a booking, and v4 confirms it', async () => {
  const { fairway } = await open();
  const { id } = await booked(fairway);
  const paused = await fairway.post(`/api/v5/bookings/payment/${id}`, undefined);
  const before = await paymentOf(fairway, id);
  const confirmed = await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
  expect([paused.status, paused.body.success, paused.body.message]).toEqual([
    200,
    true,
    expect.stringMatching('paused'),
  ]);
  expect([before, confirmed.body, await paymentOf(fairway, id)]).toEqual([
    'none',
    { success: true, data: null },
    'confirmed',
  ]);
});

test.each(['v3', 'v4', 'v5'])('%s confirms the payment of a group that v5 has booked', async (version) => {
  const { fairway } = await open();
  const teeTime = await findTeeTime(fairway, { players: 1 });
  const { body } = await fairway.post('/api/v5/bookings', [bookingFor(teeTime)]);
  const [{ bookingId }] = body.data.bookingIds;
  const paid = await fairway.post(`/api/${version}/bulkbookings/payment/${body.data.groupId}`, undefined);
  expect([paid.status, await paymentOf(fairway, bookingId)]).toEqual([200, 'confirmed']);
});

test('the v3 record is a list of two, and its address has no second line', async () => {
  const { fairway } = await open();
  const { data } = (await fairway.get('/api/v3/facilities/1001')).body;
  const older = (await fairway.get('/api/v2/facilities/1001')).body.data;
  expect([data.length, 'address2' in data[0].address, 'region' in data[0].address]).toEqual([2, false, true]);
  expect(['address2' in older.address, 'region' in older.address]).toEqual([true, false]);
});
