import { describe, expect, test } from 'vitest';
import { type Delay, scenarios } from '../../../src/contract/generated/scenarios.js';
import { ValidationError } from '../../../src/engine/library.js';
import { appliesTo, DELAY_FORMS, drawDelay, readDelay, specOf } from '../../../src/engine/scenarios/spec.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { searchQuery } from '../../support/views.js';

const draws = (delay: Delay, seed = 1, count = 4000) =>
  Array.from({ length: count }, (_, turn) => drawDelay(delay, seed, turn));

const slow = scenarios.find(({ id }) => id === 'slow')!;
const delayOf = (text: string) => specOf(slow, { delay: readDelay(text) }).delay;

describe('how a delay is written', () => {
  const good: readonly [text: string, want: Delay][] = [
    ['0ms', 0],
    ['800ms', 800],
    ['600000ms', 600_000],
    ['250ms', 250],
    ['2s', 2000],
    ['PT1M', 60_000],
    ['0.1h', 360_000],
    ['uniform(100ms, 2s)', { uniform: [100, 2000] }],
    ['lognormal(0.4s,0.5)', { lognormal: { median: 400, sigma: 0.5 } }],
    ['uniform(100ms,900ms)', { uniform: [100, 900] }],
    ['uniform( 0s , 0s )', { uniform: [0, 0] }],
    ['lognormal(400ms,0.5)', { lognormal: { median: 400, sigma: 0.5 } }],
    ['lognormal(1ms, 0)', { lognormal: { median: 1, sigma: 0 } }],
    ['lognormal(600000ms,5)', { lognormal: { median: 600_000, sigma: 5 } }],
  ];
  test.each(good)('%s', (text, want) => {
    expect(delayOf(text)).toEqual(want);
  });

  const bad = [
    '',
    '0',
    '800',
    'uniform(100,900)',
    'uniform(100ms,900)',
    'lognormal(400,0.5)',
    '-1ms',
    '1.5',
    '1e3',
    '600001ms',
    '0x10',
    'soon',
    '11m',
    '-2s',
    'uniform(1s,100ms)',
    'lognormal(1s,1s)',
    'lognormal(1s,0x1)',
    'uniform(900ms,100ms)',
    'uniform(100ms)',
    'uniform(100ms,900ms,1ms)',
    'uniform(0ms,600001ms)',
    'uniform(-1ms,2ms)',
    'normal(1ms,2)',
    'lognormal(0ms,1)',
    'lognormal(400ms,6)',
    'lognormal(400ms,-1)',
    'lognormal(400ms)',
    'Uniform(1ms,2ms)',
    'uniform(1ms,2ms) ',
  ];
  test.each(bad)('`%s` is none', (text) => {
    expect(() => delayOf(text)).toThrow(ValidationError);
  });

  const strange: readonly unknown[] = [
    null,
    '800',
    [],
    {},
    [1, 2],
    { uniform: [1] },
    { uniform: '1,2' },
    { uniform: [1, 2], lognormal: { median: 1, sigma: 1 } },
    { lognormal: null },
    { lognormal: { median: 1 } },
    { lognormal: { median: 1, sigma: 1, mean: 1 } },
    { lognormal: { median: 1, sigma: Infinity } },
    Infinity,
    NaN,
  ];
  test.each(strange)('%j of a plan is none', async (delay) => {
    const { sandbox } = await open();
    const arm = () => sandbox.scenarios.arm('slow', { delay: delay as Delay });
    expect(arm).toThrow(
      expect.objectContaining({ fits: expect.arrayContaining([expect.stringContaining('uniform')]) }),
    );
    expect(sandbox.scenarios.plans).toEqual([]);
  });

  test.each(bad.filter((text) => text.trim() !== ''))('a header with `%s` is answered with what fits', async (text) => {
    const { fairway } = await open();
    const headers = { 'teebox-scenario': `slow; delay=${text.trim()}x` };
    const reply = await fairway.get('/api/v3/countries', { headers });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(reply.body.fits).toContain(DELAY_FORMS[2]);
  });
});

describe('what is drawn', () => {
  test('a fixed delay is itself', () => {
    expect(new Set(draws(800))).toEqual(new Set([800]));
  });

  test('the same seed and turn give the same, another seed others', () => {
    const delay: Delay = { lognormal: { median: 400, sigma: 0.5 } };
    expect(draws(delay)).toEqual(draws(delay));
    expect(draws(delay, 2)).not.toEqual(draws(delay, 1));
  });

  test('evenly, from the least to the most', () => {
    const all = draws({ uniform: [10, 19] });
    const counts = Array.from({ length: 10 }, (_, index) => all.filter((one) => one === 10 + index).length);
    expect(counts.reduce((sum, one) => sum + one)).toBe(all.length);
    // Chi-square with 9 degrees of freedom is beyond 27.9 once in a thousand.
    expect(counts.reduce((sum, one) => sum + (one - 400) ** 2 / 400, 0)).toBeLessThan(27.9);
    expect(new Set(draws({ uniform: [7, 7] }))).toEqual(new Set([7]));
  });

  test('lognormally, round the median and as wide as sigma', () => {
    const logs = draws({ lognormal: { median: 4000, sigma: 0.5 } }).map((one) => Math.log(one / 4000));
    const sorted = logs.sort((a, b) => a - b);
    expect(Math.abs(sorted[2000]!)).toBeLessThan(0.04);
    const variance = logs.reduce((sum, one) => sum + one ** 2, 0) / logs.length;
    expect(Math.abs(Math.sqrt(variance) - 0.5)).toBeLessThan(0.03);
    expect(new Set(draws({ lognormal: { median: 400, sigma: 0 } }))).toEqual(new Set([400]));
  });

  test('never longer than the longest, however wide', () => {
    const all = draws({ lognormal: { median: 600_000, sigma: 5 } });
    expect(Math.max(...all)).toBe(600_000);
    expect(all.every((one) => Number.isSafeInteger(one) && one >= 0)).toBe(true);
  });
});

describe('what the sandbox waits for', () => {
  /** The delays of some requests that a plan strikes. */
  async function waited(seed: number, delay: Delay): Promise<number[]> {
    const delays: number[] = [];
    const { fairway, sandbox } = await open({
      seed,
      schedule: (work, milliseconds) => {
        delays.push(milliseconds);
        queueMicrotask(work);
        return () => {};
      },
    });
    sandbox.scenarios.arm('slow', { delay, times: 'always' });
    for (let turn = 0; turn < 20; turn += 1) await fairway.get('/api/v3/countries');
    return delays;
  }

  test('is drawn for each request, the same from the same seed', async () => {
    const delay: Delay = { uniform: [100, 900] };
    const delays = await waited(1, delay);
    expect(delays).toHaveLength(20);
    expect(delays.every((one) => one >= 100 && one <= 900)).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(15);
    expect(await waited(1, delay)).toEqual(delays);
    expect(await waited(2, delay)).not.toEqual(delays);
  });

  test('begins anew with a reset', async () => {
    const delays: number[] = [];
    const { fairway, sandbox } = await open({
      schedule: (work, milliseconds) => {
        delays.push(milliseconds);
        queueMicrotask(work);
        return () => {};
      },
    });
    const headers = { 'teebox-scenario': 'slow; delay=lognormal(400ms,0.5)' };
    for (const _ of [1, 2, 3]) await fairway.get('/api/v3/countries', { headers });
    await sandbox.reset();
    for (const _ of [1, 2, 3]) await fairway.get('/api/v3/countries', { headers });
    expect(delays.slice(3)).toEqual(delays.slice(0, 3));
  });
});

describe('no scenario leaves its delay out', () => {
  const rows = scenarios.filter((one) => appliesTo(one, 'createBooking') && one.checkpoint !== 'credentials');
  const others = scenarios.filter(({ checkpoint }) => checkpoint === 'callback');
  test.each([...rows, ...others])('$id', async ({ id, effect, checkpoint }) => {
    const delays: number[] = [];
    const { fairway, sandbox } = await open({
      fetch: async () => new Response(null, { status: 204 }),
      schedule: (work, milliseconds) => {
        delays.push(milliseconds);
        if (milliseconds < 1000) queueMicrotask(work);
        return () => {};
      },
    });
    const headers = { 'teebox-scenario': `${id}; delay=770ms` };
    const searching = checkpoint === 'callback';
    const path = searching ? `/api/v5/teetimes?${new URLSearchParams(searchQuery())}` : '/api/v5/bookings';
    const body = searching ? {} : { body: bookingFor(await findTeeTime(fairway)) };
    await fairway.send(searching ? 'GET' : 'POST', path, { ...body, headers }).catch(() => {});
    if (searching) await sandbox.callbacks.settled();
    const pieces = effect.kind === 'network' && effect.fault === 'slow-body';
    expect(delays).toContain(pieces ? 77 : 770);
    expect(delays.filter((one) => one === 770).length).toBeLessThan(2);
  });
});
