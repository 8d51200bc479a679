import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Agenda } from '../../../../src/engine/model/agenda.js';
import { runningClock } from '../../../../src/engine/model/clock.js';
import { expectedProblem } from '../../../support/admin.js';
import { NOW } from '../../../support/client.js';
import { sampled } from '../../../support/sampled.js';
import { seconds, soon, stage, START } from '../../../support/scenarios/clock-stage.js';
import { search, searchQuery } from '../../../support/views.js';

const retried = (at: number, callbackId = 'callback-1') => ({
  at: new Date(START + at * 1000).toISOString(),
  event: 'callback-retried',
  channel: 'fairway',
  callbackId,
});

describe('a move of the clock runs what falls due within it', () => {
  test.each([{ advance: 'PT10S' }, { set: '2026-06-01T08:00:10Z' }])('%j', async (body) => {
    const { ask, move, sandbox, attempts, noted } = await stage({ a: 3 });
    await ask('a');
    await soon();
    const { now, fired, firedCount } = await move(body);
    expect(now).toBe('2026-06-01T08:00:10.000Z');
    expect({ fired, firedCount }).toEqual({ fired: [retried(1), retried(3), retried(7)], firedCount: 3 });
    expect(attempts()).toEqual([[0, 1, 3, 7]]);
    // A receiver that looks at the clock sees the instant of its result.
    expect(noted.map(({ shown }) => shown)).toEqual([0, 1, 3, 7]);
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered' }]);
  });

  test('also if the first attempt is not made yet', async () => {
    const { ask, move, attempts } = await stage({ a: 9 });
    await ask('a');
    await move({ advance: 'PT1H' });
    expect(attempts()).toEqual([[0, 1, 3, 7, 15, 31]]);
  });

  test('several deliveries in the order of their instants', async () => {
    const { ask, move, noted } = await stage({ a: 3, c: 1 });
    await ask('a');
    await ask('b', 'callback-late; delay=5000ms');
    await ask('c');
    const { fired } = await move({ advance: 'PT10S' });
    expect(noted.map(({ to, shown }) => `${to}${shown}`)).toEqual(['a0', 'c0', 'a1', 'c1', 'a3', 'b5', 'a7']);
    expect(fired.map(({ event, callbackId }: any) => `${event} ${callbackId}`)).toEqual([
      'callback-retried callback-1',
      'callback-retried callback-3',
      'callback-retried callback-1',
      'callback-posted callback-2',
      'callback-retried callback-1',
    ]);
  });

  sampled('however the way is divided', [8, 30], async (numRuns) => {
    const way = async (parts: readonly number[]) => {
      const { ask, move, attempts, sandbox, noted } = await stage({ a: 4, b: 2 });
      await ask('a');
      await ask('b', 'callback-late; delay=2500ms');
      for (const part of parts) await move({ advance: `PT${part / 1000}S` });
      const states = sandbox.callbacks.deliveries.map(({ state }) => state);
      return { attempts: attempts(), noted, states, now: sandbox.clock.now() };
    };
    const whole = await way([20_000]);
    expect(whole.attempts).toEqual([
      [0, 1, 3, 7, 15],
      [2.5, 3.5, 5.5],
    ]);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 19_999 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (all) => {
        const stops = [0, ...all.sort((a, b) => a - b), 20_000];
        expect(await way(stops.slice(1).map((stop, index) => stop - stops[index]!))).toEqual(whole);
      }),
      { seed: 15, numRuns },
    );
  });

  test('a duplicate follows the first success', async () => {
    const { ask, move, attempts, sandbox } = await stage({ a: 2 });
    await ask('a', 'callback-duplicate');
    await move({ advance: 'PT10S' });
    expect(attempts()).toEqual([[0, 1, 3, 3]]);
    expect(sandbox.callbacks.deliveries[0]!.attempts.map(({ status }) => status)).toEqual([500, 500, 204, 204]);
  });

  test('a result shows the tee times of its own instant', async () => {
    const { ask, move, sandbox } = await stage({});
    await ask('a', 'callback-late; delay=5000ms');
    await move({ advance: 'P30D' });
    await ask('b', 'callback-late; delay=5000ms');
    await soon();
    const [first, second] = sandbox.callbacks.deliveries.map(({ body }) => body && JSON.parse(body).data[0]);
    expect(first.teeTimeV3.length).toBeGreaterThan(10);
    expect(second).toBeNull();
    await move({ advance: 'PT5S' });
    expect(JSON.parse(sandbox.callbacks.deliveries[1]!.body!).data[0].teeTimeV3).toEqual([]);
  });

  test('two moves at once are made one after the other', async () => {
    const { ask, move, attempts, sandbox } = await stage({ a: 3 });
    await ask('a');
    const [one, other] = await Promise.all([move({ advance: 'PT2S' }), move({ advance: 'PT8S' })]);
    expect([one.now, other.now].map(seconds)).toEqual([2, 10]);
    expect([one, other].map(({ fired }) => fired)).toEqual([[retried(1)], [retried(3), retried(7)]]);
    expect(attempts()).toEqual([[0, 1, 3, 7]]);
    expect(seconds(sandbox.clock.now())).toBe(10);
  });

  test('back in time nothing is due', async () => {
    const { ask, move, attempts } = await stage({ a: 3 });
    await ask('a');
    await soon();
    expect((await move({ set: '2026-05-01T08:00:00Z' })).fired).toEqual([]);
    const { fired } = await move({ set: NOW });
    expect(fired.filter(({ callbackId }: any) => callbackId)).toEqual([]);
    expect(attempts()).toEqual([[0]]);
  });

  test('a reset on the way ends the move', async () => {
    const waiting: (() => void)[] = [];
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
        for (const arrived of waiting.splice(0)) arrived();
      });
    const { ask, admin, sandbox } = await stage({}, { fetch });
    const arrived = new Promise<void>((resolve) => waiting.push(resolve));
    await ask('a', 'callback-late; delay=5000ms');
    const moved = admin('POST', 'clock', { advance: 'PT10S' });
    await arrived;
    await admin('POST', 'reset');
    const { status, body } = await moved;
    expect({ status, body }).toEqual({ status: 409, body: expectedProblem(409, expect.stringContaining('reset')) });
    expect(seconds(sandbox.clock.now())).toBe(0);
  });
});

describe('the library moves the clock', () => {
  test.each([
    ['advance', 10_000],
    ['set', START + 10_000],
  ] as const)('%s: the same attempts at the same instants', async (how, value) => {
    const { ask, attempts, sandbox } = await stage({ a: 3 });
    await ask('a');
    sandbox.clock[how](value);
    expect(seconds(sandbox.clock.now())).toBe(10);
    await sandbox.callbacks.settled();
    expect(attempts()).toEqual([[0, 1, 3, 7]]);
  });

  test('while a receiver takes its time', async () => {
    let answer: (response: Response) => void = () => {};
    const { ask, attempts, sandbox } = await stage(
      {},
      { fetch: () => new Promise<Response>((resolve) => (answer = resolve)) },
    );
    await ask('a');
    await soon();
    sandbox.clock.advance(1500);
    answer(new Response(null, { status: 503 }));
    await soon();
    answer(new Response(null, { status: 204 }));
    await sandbox.callbacks.settled();
    expect(attempts()).toEqual([[0, 1]]);
  });
});

describe('real time', () => {
  test('retries nothing on a frozen clock', async () => {
    const { ask, attempts, timers } = await stage({ a: 3 });
    await ask('a');
    await soon();
    timers.release();
    await soon();
    expect({ attempts: attempts(), held: timers.count }).toEqual({ attempts: [[0]], held: 0 });
  });

  test('retries on a running clock, until it is frozen and again when it is resumed', async () => {
    let now = START;
    const { ask, attempts, timers, admin } = await stage({ a: 9 }, { clock: () => now });
    const pauses = () => timers.delays.filter((delay) => delay >= 1000 && delay < 10_000);
    const pass = async (milliseconds: number) => {
      now += milliseconds;
      timers.release();
      await soon();
    };
    await ask('a');
    await soon();
    await pass(1000);
    await pass(2000);
    expect({ attempts: attempts(), pauses: pauses() }).toEqual({ attempts: [[0, 1, 3]], pauses: [1000, 2000, 4000] });
    now += 1000;
    await admin('POST', 'clock', { freeze: true });
    expect(timers.count).toBe(0);
    await pass(60_000);
    await admin('POST', 'clock', { resume: true });
    expect({ attempts: attempts(), pauses: pauses().slice(3) }).toEqual({ attempts: [[0, 1, 3]], pauses: [3000] });
    await pass(3000);
    expect(attempts()).toEqual([[0, 1, 3, 7]]);
  });

  test('a running clock that is moved goes on by as much, and what is due later comes earlier', async () => {
    let now = START;
    const { ask, attempts, timers, move } = await stage({ a: 9 }, { clock: () => now });
    await ask('a');
    await soon();
    expect(seconds((await move({ advance: 'PT5S' })).now)).toBe(5);
    expect(attempts()).toEqual([[0, 1, 3]]);
    expect(timers.delays.at(-1)).toBe(2000);
    now += 2000;
    timers.release();
    await soon();
    expect(attempts()).toEqual([[0, 1, 3, 7]]);
  });
});

test('a search is answered while the clock is on its way', async () => {
  let answer: (response: Response) => void = () => {};
  const { ask, fairway, admin } = await stage(
    {},
    { fetch: () => new Promise<Response>((resolve) => (answer = resolve)) },
  );
  await ask('a', 'callback-late; delay=5000ms');
  const moved = admin('POST', 'clock', { advance: 'PT10S' });
  await soon();
  expect((await search(fairway, searchQuery())).status).toBe(200);
  answer(new Response(null, { status: 204 }));
  await soon();
  answer(new Response(null, { status: 204 }));
  expect((await moved).status).toBe(200);
});

test('work that is due later than a timer can wait is waited for in parts', async () => {
  const longest = 2 ** 31 - 1;
  let now = START;
  const timers: { readonly work: () => void; readonly delay: number }[] = [];
  const agenda = new Agenda(
    runningClock(() => now),
    (work, delay) => {
      timers.push({ work, delay });
      return () => {};
    },
  );
  const ran: number[] = [];
  agenda.add({ due: START + longest + 1, order: 1, run: async (at) => void ran.push(at) });
  for (const wait of [longest, 1]) {
    expect({ delay: timers.at(-1)!.delay, ran }).toEqual({ delay: wait, ran: [] });
    now += wait;
    timers.at(-1)!.work();
  }
  expect(ran).toEqual([START + longest + 1]);
});
