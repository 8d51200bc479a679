import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/engine/library.js';
import { NOW, ORIGIN } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { bookingFor, teeTimesPath } from '../../support/scenes.js';

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

async function book({ fetch }: Sandbox): Promise<number> {
  const sheet = await (await fetch(ORIGIN + teeTimesPath('v4'), { headers })).json();
  const body = JSON.stringify(bookingFor(sheet.data.teeTimeV3[0]));
  return (await fetch(`${ORIGIN}/api/v5/bookings`, { method: 'POST', headers, body })).status;
}

test.each<[what: string, before: (sandbox: Sandbox) => unknown]>([
  ['a request', ({ fetch }) => fetch(`${ORIGIN}/api/v3/countries`, { headers })],
  ['a move of the clock', ({ clock }) => clock.advance(40 * 86_400_000)],
  ['another dialect', ({ fetch }) => fetch(`${ORIGIN}/__admin/dialect`, { method: 'PUT', body: '{"answers":{}}' })],
  ['a reset', (sandbox) => sandbox.reset()],
])('bookings of the start that are read after %s are those that are read at once', async (_what, before) => {
  const [first, late] = [await createSandbox({ now: NOW }), await createSandbox({ now: NOW })];
  const due = first.snapshot().store;
  await before(late);
  expect(late.snapshot().store).toEqual(due);
  expect(late.db.bookings.count()).toBe(due.bookings.length);
});

test('the first booking of a client comes after them', async () => {
  const sandbox = await createSandbox({ now: NOW });
  const { length } = (await createSandbox({ now: NOW })).snapshot().store.bookings;
  expect(await book(sandbox)).toBe(200);
  const { bookings, sequence } = sandbox.snapshot().store;
  expect([bookings.length, bookings.at(-1)!.sequence, sequence]).toEqual([length + 1, length + 1, length + 1]);
});

test('sandboxes share none of them', async () => {
  const [one, other] = [await createSandbox({ now: NOW }), await createSandbox({ now: NOW })];
  const before = other.snapshot();
  const booked = one.db.bookings.findMany((q) => q.where({ status: 'BOOKED' }), { orderBy: { startsAt: 'desc' } });
  const booking = booked[0]!;
  expect(() => (booking.extraProducts as unknown[]).push({})).toThrow(TypeError);
  const { fetch } = one;
  expect((await fetch(`${ORIGIN}/__admin/bookings/${booking.bookingId}/cancel`, { method: 'POST' })).status).toBe(200);
  expect(booking.status).toBe('CANCELED');
  expect(other.snapshot()).toEqual(before);
});
