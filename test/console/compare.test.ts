import { expect, test } from 'vitest';
import type { RequestRow } from '../../src/console/data/request-log.js';
import { changesBetween, compareJson, counterpartOf, targetOf } from '../../src/console/pages/requests/compare.js';

test.each<[one: unknown, other: unknown, found: unknown[], same: number]>([
  [{ a: 1, b: [1, 2] }, { a: 1, b: [1, 2] }, [], 3],
  [{ a: 1 }, { a: '1' }, [{ where: 'a', one: 1, other: '1' }], 0],
  [{ a: 1 }, {}, [{ where: 'a', one: 1, other: undefined }], 0],
  [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, [{ where: 'a.b[1].c', one: 2, other: 3 }], 1],
  [[1], { 0: 1 }, [{ where: '', one: [1], other: { 0: 1 } }], 0],
  ['x', 'x', [], 1],
  [null, {}, [{ where: '', one: null, other: {} }], 0],
  [[1, 2], [1], [{ where: '[1]', one: 2, other: undefined }], 1],
])('%j and %j', (one, other, found, same) => {
  expect(compareJson(one, other)).toEqual({ found, same });
});

test('a target is its method, path and parameters', () => {
  expect(targetOf({ method: 'GET', path: '/api/v4/bookings?from=1&to=2' })).toEqual({
    method: 'GET',
    path: '/api/v4/bookings',
    '?from': '1',
    '?to': '2',
  });
});

const row = (number: number, status: number, more: Partial<RequestRow> = {}): RequestRow => ({
  id: `req-${number}`,
  state: 'answered',
  at: '2026-06-01T08:00:00.000Z',
  method: 'POST',
  path: '/api/v5/bookings',
  operation: 'v5.createBooking',
  channel: 'fairway',
  status,
  ...more,
});

test.each<[what: string, rows: readonly RequestRow[], want: string | undefined]>([
  ['the nearest that succeeded', [row(1, 200), row(3, 200), row(9, 400)], 'req-3'],
  ['one of another version', [row(1, 200, { operation: 'v4.createBooking' }), row(9, 400)], 'req-1'],
  ['one of its channel before a nearer one', [row(1, 200), row(8, 200, { channel: 'links' }), row(9, 400)], 'req-1'],
  ['one that comes later', [row(9, 400), row(12, 200)], 'req-12'],
  ['none of another operation', [row(1, 200, { operation: 'v5.listCountries' }), row(9, 400)], undefined],
  ['none that failed too', [row(1, 400), row(9, 400)], undefined],
  ['none that is open', [row(1, 0, { state: 'open' }), row(9, 400)], undefined],
])('a bad request is compared with %s', (_what, rows, want) => {
  expect(
    counterpartOf(
      rows.find(({ id }) => id === 'req-9')!,
      rows,
    )?.id,
  ).toBe(want);
});

test('changes between two are what was written and kept, the first of the two with them', () => {
  const late = { scenario: { id: 'booking-failed', source: 'plan', struck: true, phase: 'after-commit' } } as const;
  const rows = [row(1, 200), row(2, 200, { method: 'GET' }), row(3, 400), row(4, 400, late), row(5, 200), row(6, 400)];
  const found = (one: string, other: string) => changesBetween(one, other, rows).map(({ id }) => id);
  expect(found('req-1', 'req-6')).toEqual(['req-1', 'req-4', 'req-5']);
  expect(found('req-6', 'req-5')).toEqual(['req-5']);
});
