import { expect, test } from 'vitest';
import { KEPT_REQUESTS, RequestLog, type RequestRow } from '../../src/console/data/request-log.js';
import { filtersOf, newestFirst } from '../../src/console/pages/requests/filter.js';
import { folded, outcomeOf } from '../../src/console/pages/requests/words.js';

const row = (number: number, more: Partial<RequestRow> = {}): RequestRow => ({
  id: `req-${number}`,
  state: 'answered',
  at: '2026-06-01T08:00:00.000Z',
  method: 'GET',
  path: `/api/v3/countries?n=${number}`,
  operation: 'v3.listCountries',
  channel: 'fairway',
  status: 200,
  ...more,
});
const ids = (rows: readonly RequestRow[]) => rows.map(({ id }) => id);
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => row(from + index));

test('a page left open overnight remembers a bounded number, and finds those', () => {
  const log = new RequestLog();
  for (const one of many(4 * KEPT_REQUESTS)) log.take(one);
  log.flush();
  const { length } = log.rows;
  expect(length).toBeGreaterThan(KEPT_REQUESTS * 0.9);
  expect(length).toBeLessThanOrEqual(KEPT_REQUESTS);
  expect(log.rows.at(-1)!.id).toBe(`req-${4 * KEPT_REQUESTS}`);
  for (const one of log.rows) expect(log.find(one.id)).toBe(one);
  expect(log.find('req-1')).toBeUndefined();
});

test('an event changes the row of its request, and an older list does not change it back', () => {
  const log = new RequestLog();
  log.take(row(1, { state: 'open', status: 0 }));
  log.take(row(2));
  log.take(row(1, { status: 201 }));
  log.replace([row(1, { state: 'open', status: 0 })]);
  log.flush();
  expect(log.rows.map(({ id, state, status }) => [id, state, status])).toEqual([
    ['req-1', 'answered', 201],
    ['req-2', 'answered', 200],
  ]);
});

test('the time since the request before is on the clock of the page, where it heard of both', () => {
  let now = 100;
  const log = new RequestLog(() => now);
  log.replace([row(1)]);
  log.take(row(2, { state: 'open', status: 0 }));
  now = 140;
  log.take(row(2));
  now = 350;
  log.take(row(3));
  log.flush();
  expect(['req-1', 'req-2', 'req-3', 'req-4'].map((id) => log.sinceLast(id))).toEqual([
    undefined,
    undefined,
    250,
    undefined,
  ]);
});

test('many events are shown together', () => {
  const log = new RequestLog();
  const before = log.version.value;
  for (const one of many(100)) log.take(one);
  expect(log.version.value).toBe(before);
  log.flush();
  expect([log.version.value, log.rows.length]).toEqual([before + 1, 100]);
  log.clear();
  expect(log.rows).toEqual([]);
});

const rows = [
  row(1),
  row(2, { operation: 'v5.createBooking', method: 'POST', path: '/api/v5/bookings', status: 400, channel: 'links' }),
  row(3, {
    operation: 'v5.createBooking',
    status: 502,
    scenario: { id: 'booking-failed', source: 'plan', struck: true },
  }),
  row(4, { operation: undefined as never, status: 404, path: '/api/v9' }),
  row(5, { state: 'cut', status: 0, detail: 'The client left.' }),
];

test.each<[query: string, ids: string[]]>([
  ['', ['req-5', 'req-4', 'req-3', 'req-2', 'req-1']],
  ['operation=createBooking', ['req-3', 'req-2']],
  ['version=v3', ['req-5', 'req-1']],
  ['channel=links', ['req-2']],
  ['status=4xx', ['req-4', 'req-2']],
  ['status=404', ['req-4']],
  ['status=none', ['req-5']],
  ['scenario=any', ['req-3']],
  ['scenario=booking-failed', ['req-3']],
  ['scenario=rate-limited', []],
  ['q=LEFT', ['req-5']],
  ['q=post+/api/v5', ['req-2']],
  ['q=req-4', ['req-4']],
  ['operation=createBooking&status=5xx', ['req-3']],
])('the filter %j', (query, want) => {
  expect(ids(newestFirst(rows, filtersOf(new URLSearchParams(query))))).toEqual(want);
});

const struck = { id: 'cart-problem', source: 'plan', struck: true } as const;

test.each<[row: Partial<RequestRow>, want: string]>([
  [{}, 'Answered'],
  [{ warnings: ['Two spellings.'] }, 'Answered: Two spellings.'],
  [{ state: 'open', status: 0 }, 'Waiting: there is no response yet'],
  [{ status: 400, detail: '2 free slots, not 3' }, 'Refused: 2 free slots, not 3'],
  [{ status: 404 }, 'Refused'],
  [{ status: 502, detail: 'x', scenario: struck }, 'Failed: scenario `cart-problem`, by a plan'],
  [
    { status: 400, scenario: { ...struck, source: 'header', phase: 'after-commit' } },
    'Told 400, yet carried out: scenario `cart-problem` after the commit, by its header',
  ],
  [{ scenario: { ...struck, source: 'chaos' } }, 'Answered: scenario `cart-problem`, by chaos'],
  [{ scenario: { ...struck, struck: false } }, 'Answered'],
  [{ state: 'cut', status: 0, detail: 'The client left.' }, 'No response: The client left.'],
  [{ state: 'cut', status: 0 }, 'No response: the connection ended'],
])('what came of %j', (more, want) => {
  const { head, reason } = outcomeOf(row(1, more));
  expect(reason === undefined ? head : `${head}: ${reason}`).toBe(want);
});

test.each<[what: string, statuses: readonly (readonly [status: number, rule?: string])[], keys: string[]]>([
  [
    'two',
    [
      [400, 'a'],
      [400, 'a'],
    ],
    ['req-2', 'req-1'],
  ],
  [
    'three',
    [
      [400, 'a'],
      [400, 'a'],
      [400, 'a'],
    ],
    ['fold-req-1'],
  ],
  ['three among others', [[200], [400, 'a'], [400, 'a'], [400, 'a'], [200]], ['req-5', 'fold-req-2', 'req-1']],
  [
    'another rule',
    [
      [400, 'a'],
      [400, 'a'],
      [400, 'b'],
      [400, 'a'],
    ],
    ['req-4', 'req-3', 'req-2', 'req-1'],
  ],
  [
    'another status',
    [
      [400, 'a'],
      [400, 'a'],
      [401, 'a'],
    ],
    ['req-3', 'req-2', 'req-1'],
  ],
  [
    'those that did not fail',
    [
      [200, 'a'],
      [200, 'a'],
      [200, 'a'],
    ],
    ['req-3', 'req-2', 'req-1'],
  ],
])('%s of one failure', (_what, statuses, want) => {
  const made = statuses.map(([status, rule], index) => row(index + 1, { status, ...(rule && { rule }) }));
  expect(folded(made.toReversed(), new Set()).map(({ key }) => key)).toEqual(want);
});

test('a fold that is open has its members below it', () => {
  const made = [3, 2, 1].map((number) => row(number, { status: 400, scenario: struck }));
  const found = folded(made, new Set(['fold-req-1']));
  expect(found.map(({ key, member }) => [key, member])).toEqual([
    ['fold-req-1', undefined],
    ['req-3', true],
    ['req-2', true],
    ['req-1', true],
  ]);
});
