import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RequestRow } from '../../src/console/data/request-log.js';
import { filtersOf, newestFirst } from '../../src/console/pages/requests/filter.js';
import { halvesOf, outcomeOf } from '../../src/console/pages/requests/words.js';
import { grouped, type ListedScenario } from '../../src/console/pages/scenarios/catalogue.js';
import { createSandbox } from '../../src/engine/library.js';

const row = (more: Partial<RequestRow>): RequestRow =>
  ({
    id: 'req-1',
    at: '2030-06-01T08:00:00.000Z',
    method: 'POST',
    path: '/api/v5/bookings',
    operation: 'v5.createBooking',
    channel: 'fairway',
    state: 'answered',
    status: 400,
    ...more,
  }) as RequestRow;

const struck = (phase: 'after-commit' | 'before-commit') =>
  ({ id: 'server-error', source: 'header', struck: true, phase }) as const;

describe('a failure behind the commit has two halves', () => {
  test.each<[what: string, row: RequestRow, halves: ReturnType<typeof halvesOf>, head: string]>([
    ['after it', row({ scenario: struck('after-commit') }), { told: '400', truth: 'booked' }, 'Told 400, yet booked'],
    [
      'a lost answer',
      row({ scenario: struck('after-commit'), state: 'cut', status: 0, operation: 'v5.createBulkBooking' }),
      { told: 'nothing', truth: 'booked' },
      'Told nothing, yet booked',
    ],
    [
      'a payment',
      row({ scenario: struck('after-commit'), operation: 'v4.confirmPayment.post', status: 500 }),
      { told: '500', truth: 'the payment is confirmed' },
      'Told 500, yet the payment is confirmed',
    ],
    ['before it', row({ scenario: struck('before-commit') }), undefined, 'Refused'],
    ['a late answer', row({ scenario: struck('after-commit'), status: 200 }), undefined, 'Answered'],
    ['none', row({}), undefined, 'Refused'],
  ])('%s', (_what, one, halves, head) => {
    expect([halvesOf(one), outcomeOf(one).head]).toEqual([halves, head]);
  });
});

describe('the text filter of the requests', () => {
  const rows = [
    row({ id: 'req-1', detail: '`teeId` must be a number', rule: 'bookings.request.teeId' }),
    row({ id: 'req-2', scenario: struck('after-commit'), status: 500 }),
    row({ id: 'req-3', method: 'GET', path: '/api/v3/countries', operation: 'v3.listCountries', status: 200 }),
    row({ id: 'req-4', state: 'cut', status: 0, channel: 'links' }),
    row({ id: 'req-5', state: 'open', status: 0 }),
  ];
  test.each([
    ['Refused', ['req-1']],
    ['told 500', ['req-2']],
    ['answered', ['req-3']],
    ['no response', ['req-5', 'req-4']],
    ['cut', ['req-4']],
    ['waiting', ['req-5']],
    ['links', ['req-4']],
    ['get /api', ['req-3']],
    ['400 teeid must', ['req-1']],
    ['`teeId` must', ['req-1']],
    ['after the commit', ['req-2']],
    ['nowhere', []],
  ])('finds what is on the screen: %s', (q, ids) => {
    const filters = filtersOf(new URLSearchParams({ q }));
    expect(newestFirst(rows, filters).map(({ id }) => id)).toEqual(ids);
  });
});

test('the filter of the scenarios finds those for which a word makes a difference', async () => {
  const sandbox = await createSandbox();
  const response = await sandbox.fetch('http://sandbox.test/__admin/scenarios');
  const { scenarios } = (await response.json()) as { scenarios: ListedScenario[] };
  const found = (filter: string) => grouped(scenarios, filter).flatMap((group) => group.scenarios);
  const ids = found('after the commit').map(({ id }) => id);
  expect(ids).toContain('payment-pi-failed');
  for (const { after } of found('commit')) expect(Object.keys(after).length).toBeGreaterThan(1);
  expect(found('commit').length).toBeLessThan(scenarios.length);
  expect(found('outages').length).toBeGreaterThan(0);
});

describe('messages', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:4653/__admin/' });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('end, and the same one is shown once', async () => {
    const { toast, toasts } = await import('../../src/console/data/toasts.js');
    const shown = () => toasts.value.map(({ text }) => text);
    for (const text of ['lost', 'lost', 'other', 'lost']) toast(text, 'bad');
    toast('done');
    expect(shown()).toEqual(['other', 'lost', 'done']);
    vi.advanceTimersByTime(7000);
    expect(shown()).toEqual(['other', 'lost']);
    vi.advanceTimersByTime(9000);
    expect(shown()).toEqual([]);
  });

  test('a server that is gone is named once, without the advice for programs', async () => {
    const { reasonOf } = await import('../../src/console/data/api.js');
    const { AdminError } = await import('../../src/bindings/index.js');
    const words = reasonOf(new AdminError('Failed to reach the admin API at ...', 0, []));
    expect(words).toBe(
      'The server at http://127.0.0.1:4653 does not answer. Start it again, and this page goes on by itself.',
    );
    expect(reasonOf(new AdminError('POST x failed with 409: It is there already.', 409))).toBe('It is there already.');
  });
});
