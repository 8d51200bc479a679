import { expect, test } from 'vitest';
import { type MeteredRequest, WorldMeter } from '../../../src/hosted/operator/meter.js';

const limits = { requestsPerMinute: 60, bookings: 2, storageBytes: 100_000, callbacksPerDay: 2 };
const noon = Date.UTC(2026, 5, 1, 12);
const facts: MeteredRequest = {
  method: 'GET',
  path: '/api/v4/bookings',
  now: noon,
  length: 0,
  bookings: () => 0,
  storageBytes: () => 0,
};

test.each<[what: string, requests: number, pause: number, wait: number | undefined]>([
  ['a minute at once', 60, 0, undefined],
  ['one more', 61, 0, 1],
  ['one more after a second', 61, 1000, undefined],
  ['one more after half a second', 61, 500, 1],
  ['two more after a second', 62, 1000, 1],
  ['as many after a minute', 120, 60_000, undefined],
  ['no more than those of a minute after an hour', 121, 3_600_000, 1],
])('requests a minute: %s', (_what, requests, pause, wait) => {
  const meter = new WorldMeter(limits);
  for (let at = 0; at < 60; at += 1) expect(meter.refuses(facts)).toBeUndefined();
  let last: ReturnType<WorldMeter['refuses']>;
  for (let at = 60; at < requests; at += 1) last = meter.refuses({ ...facts, now: noon + pause });
  expect(last?.retryAfter).toBe(wait);
  expect(last?.status).toBe(wait === undefined ? undefined : 429);
});

test('a clock that goes back takes no requests away, and gives none', () => {
  const meter = new WorldMeter(limits);
  for (let at = 0; at < 60; at += 1) meter.refuses({ ...facts, now: noon - at * 1000 });
  expect(meter.refuses({ ...facts, now: noon - 60_000 })?.limit).toBe('requests-per-minute');
});

/** What is refused at the limit of bookings, and at that of the storage. */
test.each<[method: string, path: string, full: boolean, stuffed: boolean]>([
  ['POST', '/api/v5/bookings', true, true],
  ['POST', '/api/v5/bookings/', true, true],
  ['POST', '/api/v2/bookings', true, true],
  ['POST', '/api/v3/bulkbookings', true, true],
  ['GET', '/api/v4/bookings', false, false],
  ['DELETE', '/api/v2/bookings/7', false, false],
  ['PUT', '/__admin/state', false, true],
  ['PUT', '/__admin/snapshots/before', false, true],
  ['PUT', '/__admin/dialect', false, true],
  ['POST', '/__admin/plans', false, true],
  ['POST', '/__admin/tee-sheets/1001/changes', false, true],
  ['POST', '/__admin/bookings/7/cancel', false, false],
  ['POST', '/__admin/reset', false, false],
  ['POST', '/__admin/clock', false, false],
  ['POST', '/__admin/snapshots/before/restore', false, false],
  ['DELETE', '/__admin/snapshots/before', false, false],
  ['DELETE', '/__admin/plans', false, false],
  ['POST', '/__admin/inbox/results', false, false],
])('%s %s at the limit of bookings: %s, of storage: %s', (method, path, full, stuffed) => {
  const refused = (change: Partial<MeteredRequest>) =>
    new WorldMeter(limits).refuses({ ...facts, method, path, ...change })?.limit;
  expect(refused({ bookings: () => 1, storageBytes: () => 99_999 })).toBeUndefined();
  expect(refused({ bookings: () => 2 })).toBe(full ? 'bookings' : undefined);
  expect(refused({ storageBytes: () => 100_000 })).toBe(stuffed ? 'storage-bytes' : undefined);
});

test.each<[length: number | undefined, refused: boolean]>([
  [100_000, false],
  [100_001, true],
  [undefined, true],
])('a state of %s bytes is refused: %s', (length, refused) => {
  const meter = new WorldMeter(limits);
  const refusal = meter.refuses({ ...facts, method: 'PUT', path: '/__admin/state', length });
  expect(refusal?.limit).toBe(refused ? 'storage-bytes' : undefined);
});

test('callbacks are counted by the day in UTC', () => {
  const meter = new WorldMeter(limits);
  expect([meter.takeCallback(noon), meter.takeCallback(noon)]).toEqual([undefined, undefined]);
  expect(meter.takeCallback(noon)).toBe('The world has posted 2 callbacks today; its limit is 2 a day (UTC).');
  expect(meter.takeCallback(Date.UTC(2026, 5, 2))).toBeUndefined();
  expect(meter.usage(Date.UTC(2026, 5, 2), 0, 0).callbacks).toEqual({ today: 1, total: 3 });
});

test('the counts go on after they were stored, and today begins anew', () => {
  const first = new WorldMeter(limits);
  for (let at = 0; at < 3; at += 1) first.refuses(facts);
  first.takeCallback(noon);
  const meter = new WorldMeter(limits, first.counts);
  meter.refuses({ ...facts, now: noon + 1 });
  const usage = { bookings: 5, storageBytes: 6, callbacks: { today: 1, total: 1 }, lastUsedAt: noon + 1 };
  expect(meter.usage(noon, 5, 6)).toEqual({ ...usage, requests: { today: 4, total: 4 } });
  const tomorrow = noon + 86_400_000;
  expect(meter.usage(tomorrow, 5, 6)).toMatchObject({ requests: { today: 0, total: 4 }, callbacks: { today: 0 } });
});
