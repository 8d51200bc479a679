import { beforeAll, describe, expect, test } from 'vitest';
import type { PlanOptions, SandboxOptions } from '../../../src/engine/library.js';
import { type Client, open, type Reply } from '../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime } from '../../support/scenes.js';
import { pricesOf, searchQuery } from '../../support/views.js';

/** A sandbox that waits for nothing, and what it would have waited for. */
async function openQuick(options: SandboxOptions = {}) {
  const waited: number[] = [];
  const clients = await open({
    schedule: (work, delay) => {
      waited.push(delay);
      queueMicrotask(work);
      return () => {};
    },
    ...options,
  });
  return { ...clients, waited };
}

let teeTime: TeeTime;
beforeAll(async () => {
  teeTime = await findTeeTime((await open()).fairway);
});

/** No answer came. */
const LOST: Reply = { status: 0, headers: new Headers(), text: '', body: undefined, rule: undefined };

interface Asked {
  readonly header?: string;
  readonly fields?: Record<string, unknown>;
  readonly scenarios?: readonly string[];
  readonly plans?: readonly (readonly [id: string, options?: PlanOptions])[];
}

async function bookWith({ header, fields = {}, scenarios = [], plans = [] }: Asked) {
  const clients = await openQuick({ scenarios });
  for (const [id, options] of plans) clients.sandbox.scenarios.arm(id, options);
  const headers: Record<string, string> = header === undefined ? {} : { 'teebox-scenario': header };
  const reply = await clients.fairway
    .post('/api/v5/bookings', bookingFor(teeTime, fields), { headers })
    .catch((): Reply => LOST);
  clients.sandbox.scenarios.disarm();
  const bookings = clients.sandbox.db.bookings.findMany((q) => q.where({ teeId: teeTime.teeid, channel: 'fairway' }));
  return { ...clients, reply, made: bookings.length, entry: clients.sandbox.journal.entries[0]! };
}

const met = (reply: Reply) => reply.headers.get('teebox-scenario');

describe('several sources act on one request', () => {
  const PI = 'payment-pi-failed';
  const rows: readonly [what: string, asked: Asked, status: number, met: string, waited: number[]][] = [
    [
      'a header and a plan that delays',
      { header: PI, plans: [['slow', { delay: 300 }]] },
      400,
      `${PI}; source=header, slow; source=plan`,
      [300],
    ],
    [
      'a header and a scenario of the start',
      { header: 'slow; delay=5ms', scenarios: [PI] },
      400,
      `${PI}; source=plan, slow; source=header`,
      [5],
    ],
    [
      'a name and a plan',
      { fields: { contactLastName: 'SLOW' }, plans: [[PI]] },
      400,
      `${PI}; source=plan, slow; source=body`,
      [2000],
    ],
    [
      'a name and a comment',
      { fields: { contactLastName: 'SLOW', comments: `#teebox ${PI}; delay=7ms` } },
      400,
      `${PI}; source=body, slow; source=body`,
      [2007],
    ],
    [
      'an outage and a delay, armed after it',
      { plans: [['maintenance'], ['slow', { delay: 9 }]] },
      503,
      'maintenance; source=plan, slow; source=plan',
      [9],
    ],
    [
      'two delays',
      { header: 'slow; delay=5ms', plans: [['slow', { delay: 6 }]] },
      200,
      'slow; source=header, slow; source=plan',
      [11],
    ],
    [
      'a wait before the work, and a refusal that is late',
      { header: `${PI}; delay=4ms`, plans: [['slow', { phase: 'before-commit', delay: 3 }]] },
      400,
      `slow; source=plan, ${PI}; source=header`,
      [3, 4],
    ],
    [
      'a change of the price by a plan, and a refusal by the header',
      { header: PI, plans: [['price-changed']] },
      400,
      `price-changed; source=plan, ${PI}; source=header`,
      [],
    ],
    [
      'a rival by a plan, so that the payment is never reached',
      { header: PI, plans: [['rival']] },
      400,
      `rival; source=plan, ${PI}; source=header; struck=no`,
      [],
    ],
    [
      'two refusals: the header comes before the body',
      { header: PI, fields: { contactLastName: 'BOOKING-FAILED' } },
      400,
      `${PI}; source=header`,
      [],
    ],
    [
      'two refusals: the body comes before plans',
      { fields: { contactLastName: 'PAYMENT-PV-FAILED' }, scenarios: [PI] },
      400,
      'payment-pv-failed; source=body',
      [],
    ],
  ];
  test.each(rows)('%s', async (_, asked, status, header, waited) => {
    const got = await bookWith(asked);
    expect([got.reply.status, met(got.reply), got.waited]).toEqual([status, header, waited]);
    const struck = header.split(', ').filter((one) => !one.endsWith('struck=no'));
    const ids = struck.map((one) => one.split(';')[0]!);
    expect([got.entry.scenario!.id, ...(got.entry.scenario!.also ?? [])].sort()).toEqual([...ids].sort());
    for (const scenario of ids) await expect(got.sandbox.journal.verify({ scenario })).resolves.toBeTruthy();
    expect(got.made).toBe(status === 200 ? 1 : 0);
  });

  test('a plan behind the end of the request stays armed', async () => {
    const { sandbox, fairway } = await openQuick();
    for (const id of ['maintenance', 'server-error', 'booking-failed']) sandbox.scenarios.arm(id);
    const seen: number[] = [];
    for (const _ of [1, 2, 3, 4]) seen.push((await fairway.post('/api/v5/bookings', bookingFor(teeTime))).status);
    expect(seen).toEqual([503, 500, 400, 200]);
    expect(sandbox.scenarios.plans.map(({ matched, struck }) => [matched, struck])).toEqual(
      [1, 2, 3].map(() => [1, 1]),
    );
  });

  test('a header on one request leaves the plans of others alone', async () => {
    const { sandbox, fairway } = await openQuick();
    sandbox.scenarios.arm('payment-pi-failed');
    const headers = { 'teebox-scenario': 'cart-problem' };
    await fairway.post('/api/v5/bookings', bookingFor(teeTime), { headers });
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, state: 'armed' }]);
  });

  test('one refusal at most breaks, and its response at most one time', async () => {
    const { sandbox, fairway } = await openQuick();
    for (const id of ['malformed-json', 'slow-body']) sandbox.scenarios.arm(id);
    const first = await fairway.get('/api/v3/countries');
    const second = await fairway.get('/api/v3/countries');
    expect([met(first), first.body]).toEqual(['malformed-json; source=plan', undefined]);
    expect([met(second), second.body.success]).toEqual(['slow-body; source=plan', true]);
  });
});

describe('several scenarios in one header run in their order', () => {
  test('the price rises, the payment fails, and the answer is lost', async () => {
    const before = await pricesOf((await open()).fairway, [1001], 10);
    const got = await bookWith({ header: 'price-changed, payment-pi-failed, connection-reset' });
    expect([got.reply.status, got.made]).toEqual([0, 0]);
    expect(got.entry).toMatchObject({
      state: 'cut',
      rule: 'errors.create.payment-pi-failed',
      scenario: { id: 'payment-pi-failed', also: ['price-changed', 'connection-reset'], struck: true },
    });
    const after = await pricesOf(got.fairway, [1001], 10);
    const raised = after.filter(({ price }, index) => price > before[index]!.price);
    expect(raised.length).toBeGreaterThan(0);
  });

  const rows: readonly [header: string, status: number, met: string | null, waited: number[]][] = [
    [
      'slow; delay=uniform(7ms,7ms), payment-pi-failed; phase=after-commit',
      400,
      'payment-pi-failed; source=header, slow; source=header',
      [7],
    ],
    ['maintenance, slow; delay=3ms', 503, 'maintenance; source=header, slow; source=header', [3]],
    ['slow; phase=before-commit; delay=2ms, maintenance', 503, 'slow; source=header, maintenance; source=header', [2]],
    ['slow; phase=before-commit; delay=2ms, connection-reset', 0, null, [2]],
    ['payment-pi-failed, connection-reset', 0, null, []],
    [
      'payment-pi-failed , booking-failed',
      400,
      'payment-pi-failed; source=header, booking-failed; source=header; struck=no',
      [],
    ],
    ['sold-out, payment-pi-failed', 400, 'sold-out; source=header, payment-pi-failed; source=header; struck=no', []],
    [
      'payment-pi-failed, maintenance',
      503,
      'maintenance; source=header, payment-pi-failed; source=header; struck=no',
      [],
    ],
    ['price-changed, server-error', 500, 'price-changed; source=header, server-error; source=header', []],
  ];
  test.each(rows)('%s', async (header, status, want, waited) => {
    const { reply, ...got } = await bookWith({ header });
    expect([reply.status, met(reply), got.waited]).toEqual([status, want, waited]);
  });

  test('a list in a comment, in a dialect card and for the start', async () => {
    const list = 'price-changed, payment-pi-failed; delay=4ms';
    const want = (source: string) => `price-changed; source=${source}, payment-pi-failed; source=${source}`;
    const comment = await bookWith({ fields: { comments: `Thanks. #teebox ${list}\nSee you` } });
    const start = await bookWith({ scenarios: [list] });
    expect([met(comment.reply), met(start.reply)]).toEqual([want('body'), want('plan')]);
  });

  const wrong: readonly [header: string, detail: RegExp][] = [
    ['payment-pi-failed,', /no scenario ``/],
    ['payment-pi-failed, nothing', /no scenario `nothing`/],
    ['payment-pi-failed; delay=uniform(1ms,2ms', /`delay` must be|no scenario|not an option/],
    ['slow, callback-late', /`callback-late` does not apply to `createBooking`/],
  ];
  test.each(wrong)('%s is refused with what would fit', async (header, detail) => {
    const { reply, made } = await bookWith({ header });
    expect([reply.status, made]).toEqual([400, 0]);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.body.detail).toMatch(detail);
  });

  test('a search is late, and its result does not come', async () => {
    const { fairway, sandbox, waited } = await openQuick();
    const path = `/api/v5/teetimes?${new URLSearchParams(searchQuery()).toString()}`;
    const reply = await search(fairway, path, 'callback-never, slow; delay=6ms');
    expect([reply.status, met(reply)]).toEqual([200, 'callback-never; source=header, slow; source=header']);
    expect(waited).toEqual([6]);
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'withheld' }]);
  });
});

function search(client: Client, path: string, scenario: string): Promise<Reply> {
  return client.get(path, { headers: { 'teebox-scenario': scenario } });
}
