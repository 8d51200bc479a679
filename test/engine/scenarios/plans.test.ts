import { describe, expect, test } from 'vitest';
import { type Client, open } from '../../support/client.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf } from '../../support/scenes.js';
import type { PlanOptions } from '../../../src/engine/library.js';

/** Books one place after the other and tells which attempts were struck. */
async function attempts(client: Client, count: number, changes: Record<string, unknown> = {}): Promise<string> {
  const teeTimes = (await teeTimesOf(client, { players: 3 })).slice(0, count);
  let seen = '';
  for (const teeTime of teeTimes) {
    const { status } = await client.post('/api/v5/bookings', bookingFor(teeTime, changes));
    seen += status === 200 ? '.' : 'x';
  }
  return seen;
}

describe('when a plan strikes', () => {
  const rows: readonly [options: PlanOptions, seen: string, state: string][] = [
    [{}, 'x.....', 'spent'],
    [{ times: 2 }, 'xx....', 'spent'],
    [{ times: 'always' }, 'xxxxxx', 'armed'],
    [{ after: 2 }, '..x...', 'spent'],
    [{ after: 1, times: 3 }, '.xxx..', 'spent'],
    [{ steps: ['fail', 'fail', 'ok'] }, 'xx....', 'spent'],
    [{ steps: ['ok', 'fail', 'ok', 'fail'] }, '.x.x..', 'spent'],
    [{ probability: 0, times: 'always' }, '......', 'armed'],
    [{ probability: 1 }, 'x.....', 'spent'],
    [{ channel: 'fairway' }, 'x.....', 'spent'],
    [{ channel: 'links' }, '......', 'armed'],
    [{ facilityId: 1001 }, 'x.....', 'spent'],
    [{ facilityId: 1002 }, '......', 'armed'],
    [{ operation: 'createBooking' }, 'x.....', 'spent'],
    [{ operation: 'v5.createBooking' }, 'x.....', 'spent'],
    [{ operation: 'v2.createBooking' }, '......', 'armed'],
    [{ match: { contactEmail: 'ada@partner.example', players: 1 } }, 'x.....', 'spent'],
    [{ match: { players: 2 } }, '......', 'armed'],
    [{ match: { nothing: 1 } }, '......', 'armed'],
    [{ item: 2 }, '......', 'armed'],
  ];
  test.each(rows)('%j: %s, then %s', async (options, seen, state) => {
    const { fairway, sandbox } = await open();
    const plan = sandbox.scenarios.arm('booking-failed', options);
    expect(plan).toMatchObject({ ...options, scenario: 'booking-failed', matched: 0, struck: 0, state: 'armed' });
    expect(await attempts(fairway, 6)).toBe(seen);
    const struck = [...seen].filter((one) => one === 'x').length;
    expect(sandbox.scenarios.plans).toMatchObject([{ id: plan.id, struck, state }]);
  });

  test('by chance, drawn from the seed, the same each time', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const { sandbox, fairway } = await open();
        sandbox.scenarios.arm('booking-failed', { probability: 0.5, times: 'always' });
        return attempts(fairway, 30);
      }),
    );
    expect(runs[1]).toBe(runs[0]);
    expect(runs[0]).toMatch(/x/);
    expect(runs[0]).toMatch(/\./);
  });

  test('until its time is over', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('booking-failed', { ttl: 60, times: 'always' });
    expect(await attempts(fairway, 1)).toBe('x');
    sandbox.clock.advance(59_999);
    expect(await attempts(fairway, 1)).toBe('x');
    sandbox.clock.advance(1);
    expect(await attempts(fairway, 1)).toBe('.');
    expect(sandbox.scenarios.plans).toMatchObject([{ state: 'expired', struck: 2 }]);
  });

  test('twice under a hundred requests at once, and on the two that came first', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('booking-failed', { steps: ['fail', 'fail'] });
    const teeTimes: TeeTime[] = [];
    for (let days = 10; teeTimes.length < 100; days += 1) teeTimes.push(...(await teeTimesOf(fairway, { days })));
    const bodies = teeTimes.slice(0, 100).map((teeTime) => bookingFor(teeTime));
    const replies = await Promise.all(bodies.map((body) => fairway.post('/api/v5/bookings', body)));
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(2);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(98);
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 2, struck: 2, state: 'spent' }]);
  });

  test('a reset leaves what was armed at the start, and nothing else', async () => {
    const { fairway, sandbox } = await open({ scenarios: ['rate-limited'] });
    sandbox.scenarios.arm('booking-failed');
    await sandbox.reset();
    expect(sandbox.scenarios.plans).toMatchObject([{ id: 'plan-1', scenario: 'rate-limited', times: 'always' }]);
    expect((await fairway.get('/api/v4/bookings')).status).toBe(429);
  });

  test('two sandboxes do not meet', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    one.sandbox.scenarios.arm('booking-failed');
    expect(await attempts(other.fairway, 1)).toBe('.');
    expect(await attempts(one.fairway, 1)).toBe('x');
  });
});

describe('what does not fit is refused, and nothing is armed', () => {
  const rows: readonly [id: string, options: Record<string, unknown>, message: RegExp, fits: RegExp][] = [
    ['payment-failed', {}, /no scenario `payment-failed`/, /payment-pi-failed/],
    ['cart-problem', { phase: 'after-commit' }, /phase `after-commit`/, /phase=before-commit/],
    [
      'booking-failed',
      { item: 0 },
      /`item` must be the number of a booking in the request, from 1 to 1000; got 0\.$/,
      /1 to 1000/,
    ],
    ['rate-limited', { item: 1 }, /cannot have an `item`/, /phase/],
    [
      'booking-failed',
      { delay: -1 },
      /`delay` must be a whole number of milliseconds from 0 to 600000, .*; got -1\.$/,
      /lognormal/,
    ],
    ['booking-failed', { times: 0 }, /`times` must be a whole number of at least 1 or "always"; got 0\.$/, /always/],
    ['booking-failed', { steps: [] }, /`steps` must be a list of "fail" and "ok"; got \[\]\.$/, /"fail"/],
    ['booking-failed', { steps: ['fail'], times: 2 }, /cannot have `times`/, /steps/],
    ['booking-failed', { probability: 2 }, /`probability` must be a number from 0 to 1; got 2\.$/, /0 to 1/],
    ['booking-failed', { ttl: 'PT5M' }, /`ttl` must be a number of seconds greater than 0; got "PT5M"\.$/, /seconds/],
    [
      'booking-failed',
      { chanel: 'links' },
      /`chanel` is not known here; the known names are scenario, operation, channel, /,
      /channel/,
    ],
    ['booking-failed', { operation: 'v4.listBookings' }, /does not apply to `v4.listBookings`/, /createBooking/],
    ['token-expired', { operation: 'refreshToken' }, /does not apply to `refreshToken`/, /\*/],
    ['slow', { probability: '0.5' }, /`probability` must be a number from 0 to 1; got "0\.5"\.$/, /0 to 1/],
    ['slow', { probability: null }, /`probability` must be .*; got null\.$/, /0 to 1/],
    ['slow', { probability: [] }, /`probability` must be .*; got \[\]\.$/, /0 to 1/],
    ['slow', { probability: NaN }, /`probability` must be .*; got NaN\.$/, /0 to 1/],
    ['slow', { match: [] }, /`match` must be an object with at least one field .*; got \[\]/, /Lovelace/],
    ['slow', { match: {} }, /`match` must be an object with at least one field .*; got \{\}/, /Lovelace/],
    ['slow', { match: null }, /`match` must be .*; got null/, /Lovelace/],
    ['slow', { times: null }, /`times` must be .*; got null/, /always/],
    ['slow', { times: '2' }, /`times` must be .*; got "2"/, /always/],
    ['slow', { times: 1.5 }, /`times` must be .*; got 1\.5/, /always/],
    ['slow', { after: '1' }, /`after` must be .*; got "1"/, /at least 0/],
    ['slow', { steps: null }, /`steps` must be .*; got null/, /"fail"/],
    ['slow', { steps: ['fail', 'FAIL'] }, /`steps\[1\]` must be "fail" or "ok"; got "FAIL"/, /fail/],
    ['slow', { ttl: null }, /`ttl` must be .*; got null/, /seconds/],
    ['slow', { ttl: Infinity }, /`ttl` must be .*; got Infinity/, /seconds/],
    ['slow', { operation: null }, /`operation` must be .*; got null/, /createBooking/],
    ['slow', { operation: '' }, /`operation` must be .*; got ""/, /createBooking/],
    ['slow', { channel: ['fairway'] }, /`channel` must be .*; got \["fairway"\]/, /channel/],
    ['slow', { facilityId: '1001' }, /`facilityId` must be .*; got "1001"/, /at least 1/],
    ['slow', { facilityId: null }, /`facilityId` must be .*; got null/, /at least 1/],
    ['slow', { phase: null }, /`phase` must be .*; got null/, /before-commit/],
    ['booking-failed', { item: '1' }, /`item` must be .*; got "1"/, /1000/],
    ['booking-failed', { item: null }, /`item` must be .*; got null/, /1000/],
    ['slow', { delay: '800' }, /`delay` must be .*; got "800"/, /lognormal/],
    ['slow', { operation: 'bookTeeTime' }, /no operation `bookTeeTime`/, /v5.createBooking/],
    ['slow', { operation: 'v9.createBooking' }, /no operation `v9.createBooking`/, /v5.createBooking/],
    ['booking-failed', { channel: 'fairways' }, /no channel `fairways`/, /fairway/],
    ['booking-failed', { facilityId: 5 }, /no facility 5/, /facilityId/],
  ];
  test.each(rows)('arm(%j, %j)', async (id, options, message, fits) => {
    const { sandbox } = await open();
    const arm = () => sandbox.scenarios.arm(id, options);
    expect(arm).toThrow(message);
    expect(arm).toThrow(expect.objectContaining({ fits: expect.arrayContaining([expect.stringMatching(fits)]) }));
    expect(sandbox.scenarios.plans).toEqual([]);
  });

  const headers: readonly [path: string, header: string, message: RegExp][] = [
    ['/api/v5/bookings', 'nothing', /no scenario/],
    ['/api/v5/bookings', '', /no scenario/],
    [
      '/api/v5/bookings',
      'booking-failed; phase=later',
      /`phase` must be "before-commit" or "after-commit"; got "later"/,
    ],
    ['/api/v5/bookings', 'booking-failed; phases=before-commit', /not an option/],
    ['/api/v5/bookings', 'booking-failed; item=2', /no booking 2/],
    ['/api/v5/bookings', 'booking-failed; item=two', /`item` must be .*; got "two"/],
    ['/api/v5/bookings', 'booking-failed; item=1; item=1', /must not be repeated/],
    ['/api/v5/bookings', 'booking-failed; delay=1e9', /`delay`/],
    ['/api/v4/bookings', 'booking-failed', /does not apply to `listBookings`/],
  ];
  test.each(headers)('%s with `%s`', async (path, header, message) => {
    const { fairway } = await open();
    const options = { headers: { 'teebox-scenario': header } };
    const body = bookingFor(await findTeeTime(fairway));
    const reply = await (path.includes('v5') ? fairway.post(path, body, options) : fairway.get(path, options));
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply).toMatchObject({ status: 400, body: { status: 400, detail: expect.stringMatching(message) } });
    expect(reply.body.fits.length).toBeGreaterThan(0);
    expect((await fairway.post('/api/v5/bookings', body)).status).toBe(200);
  });

  test('a comment that asks for nothing there is', async () => {
    const { fairway } = await open();
    const body = bookingFor(await findTeeTime(fairway), { comments: '#teebox nothing' });
    expect((await fairway.post('/api/v5/bookings', body)).headers.get('content-type')).toBe('application/problem+json');
  });

  test('a sandbox that starts with one', async () => {
    await expect(open({ scenarios: ['nothing'] })).rejects.toThrow(/no scenario `nothing`/);
  });
});

test('the answer is late by the delay of what struck', async () => {
  const waited: number[] = [];
  const { fairway } = await open({
    schedule: (work, delay) => {
      waited.push(delay);
      queueMicrotask(work);
      return () => {};
    },
  });
  const teeTime = await findTeeTime(fairway);
  const asked = { headers: { 'teebox-scenario': 'booking-failed; delay=800ms' } };
  await fairway.post('/api/v5/bookings', bookingFor(teeTime, { players: 5 }), asked);
  expect(waited).toEqual([]);
  await fairway.post('/api/v5/bookings', bookingFor(teeTime), asked);
  expect(waited).toEqual([800]);
});
