import { describe, expect, test } from 'vitest';
import { forms } from '../../dialect/forms.js';
import { listOf, listedIds, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

const PATH = '/api/v5/bookings';
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const single = { bookingId: expect.stringMatching(/\S/) };
const group = { groupId: expect.any(Number), bookingIds: [expect.objectContaining(single)] };

const everyBooking = (client: Client) => listedIds(client, 'v4', { fromDate: LONG_AGO });

/** Bodies of v5 by shape, each with one booking of the tee time. */
const shapes: readonly { shape: string; body: (teeTime: TeeTime) => Json; data: Json }[] = [
  { shape: 'one booking', body: (teeTime) => bookingFor(teeTime), data: single },
  { shape: 'an array', body: (teeTime) => [bookingFor(teeTime)], data: group },
  { shape: 'details', body: (teeTime) => ({ details: [bookingFor(teeTime)] }), data: group },
  {
    shape: 'details and a payment intent',
    body: (teeTime) => ({ details: [bookingFor(teeTime)], paymentIntent: 'pi_3NqX' }),
    data: group,
  },
];

describe('the shapes of a v5 body', () => {
  for (const { shape, body, data } of shapes) {
    rule(['bookings.create', 'bookings.create.shapes'], `${shape}: books once`, async () => {
      const { fairway } = await open();
      const teeTime = await findTeeTime(fairway);
      const before = await everyBooking(fairway);
      const reply = await fairway.post(PATH, body(teeTime));
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
      expect(reply.body).toEqual({ success: true, data });
      const { bookingId } = reply.body.data.bookingIds?.[0] ?? reply.body.data;
      expect(await everyBooking(fairway)).toEqual([...before, bookingId].sort());
    });
  }

  rule('bookings.create.shapes', 'no other body is taken', async () => {
    const { fairway } = await open();
    const booking = bookingFor(await findTeeTime(fairway));
    const before = await everyBooking(fairway);
    const bodies: readonly [string, unknown][] = [
      ['nothing', {}],
      ['null', 'null'],
      ['a text', '"booking"'],
      ['a number', '1'],
      ['true', 'true'],
      ['no list', []],
      ['null in a list', [null]],
      ['a list in a list', [[booking]]],
      ['a text in a list', [booking, 'booking']],
      ['details that are one booking', { details: booking }],
      ['details of nothing', { details: [] }],
      ['null as details', { details: null }],
      ['a text as details', { details: 'booking' }],
      ['null in details', { details: [booking, null] }],
      ['another name than details', { bookings: [booking], paymentIntent: 'pi_1' }],
      ['details inside a list', [{ details: [booking] }]],
    ];
    for (const [what, body] of bodies) {
      const reply = await fairway.post(PATH, body);
      expect({ status: reply.status, body: reply.body }, what).toEqual({ status: 400, body: failure });
    }
    expect(await everyBooking(fairway)).toEqual(before);
  });

  rule('bookings.create', 'is known in v5 and v2 alone, and by POST', async () => {
    const { fairway } = await open();
    const booking = bookingFor(await findTeeTime(fairway));
    for (const [version, want] of [
      ['v1', 405],
      ['v3', 404],
      ['v4', 405],
    ] as const) {
      expect(await fairway.post(`/api/${version}/bookings`, booking), version).toMatchObject({ status: want });
    }
    expect((await fairway.send('PUT', PATH, { body: booking })).status).toBe(405);
    expect((await fairway.post(PATH, booking)).status).toBe(200);
  });
});

describe('a single booking', () => {
  rule('bookings.create.single', 'is answered with its identifier and nothing else', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const { status, body } = await fairway.post(PATH, bookingFor(teeTime));
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { bookingId: expect.any(String) } } });
    const listed = (await listOf(fairway, 'v4')).find(({ bookingId }) => bookingId === body.data.bookingId);
    expect(listed).toMatchObject({ teeId: teeTime.teeid, teetime: teeTime.time, course: teeTime.course });
  });

  rule('bookings.create.v2', 'of v2 too, whose body names a round and no product', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway);
    const { status, body } = await fairway.post('/api/v2/bookings', forms.v2(teeTime, { players: 1 }));
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { bookingId: expect.any(String) } } });
    const listed = (await listOf(fairway, 'v2')).find(({ bookingId }) => bookingId === body.data.bookingId);
    expect(listed).toMatchObject({ teeId: teeTime.teeid, teetime: teeTime.time, round: teeTime.course });
  });

  rule('bookings.create.v2', 'v2 takes no list and no details', async () => {
    const { fairway } = await open();
    const booking = forms.v2(await findTeeTime(fairway), {});
    const before = await everyBooking(fairway);
    for (const body of [[booking], [], { details: [booking] }, 'null']) {
      const reply = await fairway.post('/api/v2/bookings', body);
      expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: failure });
    }
    expect(await everyBooking(fairway)).toEqual(before);
  });

  test('every number of players that fits is taken', async () => {
    const { fairway } = await open();
    const teeTimes = await teeTimesOf(fairway, { players: 4 });
    for (const players of [1, 2, 3, 4]) {
      const { body } = await fairway.post(PATH, bookingFor(teeTimes[players]!, { players }));
      const listed = (await listOf(fairway, 'v4')).find(({ bookingId }) => bookingId === body.data.bookingId);
      expect(listed.players).toBe(players);
    }
  });
});

describe('identifiers', () => {
  for (const form of ['composite', 'short'] as const) {
    rule('bookings.create.unique-id', `${form}: no two bookings of any channel or version share one`, async () => {
      const { sandbox, fairway, links } = await open({ dialect: { answers: { 'booking.id-form': form } } });
      const [teeTime, other] = await teeTimesOf(fairway, { players: 4 });
      const ids: string[] = [];
      const keep = ({ data }: Json) => {
        ids.push(...(data.bookingIds ?? [data]).map(({ bookingId }: Json) => bookingId));
      };
      for (const client of [fairway, links]) {
        keep((await client.post(PATH, bookingFor(teeTime!))).body);
        keep((await client.post('/api/v2/bookings', forms.v2(teeTime!, {}))).body);
        keep((await client.post('/api/v3/bulkbookings', [forms.v3(other!, {}), forms.v3(other!, {})])).body);
      }
      const next = await findTeeTime(fairway, { days: 40, players: 4 });
      for (let time = 0; time < 4; time += 1) keep((await fairway.post(PATH, [bookingFor(next)])).body);
      expect(ids).toHaveLength(12);
      const all = sandbox.db.bookings.findMany().map(({ code, bookingId }) => (form === 'short' ? code : bookingId));
      expect(all).toEqual(expect.arrayContaining(ids));
      expect(new Set(all).size).toBe(all.length);
      expect(new Set(ids).size).toBe(ids.length);
    });
  }

  test('the next group of either kind has a number of its own', async () => {
    const { fairway } = await open();
    const teeTime = await findTeeTime(fairway, { players: 4 });
    const groups = [
      (await fairway.post(PATH, [bookingFor(teeTime)])).body.data.groupId,
      (await fairway.post('/api/v3/bulkbookings', [forms.v3(teeTime, {})])).body.data.bulkBookingId,
      (await fairway.post(PATH, { details: [bookingFor(teeTime)] })).body.data.groupId,
    ];
    expect(new Set(groups).size).toBe(3);
  });
});
