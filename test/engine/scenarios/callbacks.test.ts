import { describe, expect, test } from 'vitest';
import type { CallbackDelivery, CallbackFault } from '../../../src/engine/callbacks/delivery.js';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open } from '../../support/client.js';
import { heldTimers } from '../../support/scenarios/held-timers.js';
import { resultOf, search, searchQuery, openAtOnce } from '../../support/views.js';
import { waysToArm } from '../../support/scenarios/ways-to-arm.js';

const WISH = { facilityIds: [1001, 1007] };
const striking = scenarios.flatMap(({ id, effect }) => (effect.kind === 'callback' ? [{ id, effect }] : []));
/** Bodies have none that a name or a comment could stand in. */
const someWays = Object.entries(waysToArm).filter(([, { fields }]) => !fields);

/** What is to be seen when one search was struck and nothing was waited for. */
const wanted: Readonly<
  Record<CallbackFault, { posted: (whole: string) => unknown[]; state: CallbackDelivery['state']; order: string[] }>
> = {
  late: { posted: () => [], state: 'pending', order: ['acknowledged'] },
  'out-of-order': { posted: () => [], state: 'pending', order: ['acknowledged'] },
  never: { posted: () => [], state: 'withheld', order: ['acknowledged'] },
  duplicate: {
    posted: (whole) => [whole, whole],
    state: 'delivered',
    order: ['acknowledged', 'posted', 'posted'],
  },
  partial: {
    posted: (whole) => {
      const { data, ...rest } = JSON.parse(whole);
      return [JSON.stringify({ ...rest, data: data.slice(0, 1) })];
    },
    state: 'delivered',
    order: ['acknowledged', 'posted'],
  },
  malformed: {
    posted: (whole) => [whole.slice(0, Math.ceil((whole.length * 2) / 3))],
    state: 'delivered',
    order: ['acknowledged', 'posted'],
  },
  'before-response': { posted: (whole) => [whole], state: 'delivered', order: ['posted', 'acknowledged'] },
};

/** A sandbox whose posts are noted down in their order, and whose long waits last until the clock is moved. */
async function openNoted(options: SandboxOptions = {}) {
  const timers = heldTimers();
  const order: string[] = [];
  const posted: { readonly url: string; readonly body: string }[] = [];
  const { fairway, links, sandbox } = await open({
    schedule: timers.schedule,
    fetch: async (url, { body }) => {
      order.push('posted');
      posted.push({ url, body: body as string });
      return new Response(null, { status: 204 });
    },
    ...options,
  });
  return { fairway, links, sandbox, order, posted, timers, bodies: () => posted.map(({ body }) => body) };
}

/** Lets everything happen that takes no time. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

async function wholeResult(): Promise<string> {
  const { fairway } = await openAtOnce();
  await resultOf(fairway, WISH);
  return fairway.sandbox.callbacks.deliveries[0]!.body!;
}

function ask(client: Client, id?: string, callbackUrl?: string) {
  const headers: Record<string, string> = id === undefined ? {} : { 'teebox-scenario': id };
  const query = searchQuery({ ...WISH, ...(callbackUrl === undefined ? {} : { callbackUrl }) });
  return client.get(`/api/v5/teetimes?${new URLSearchParams(query).toString()}`, { headers });
}

describe.each(someWays)('switched on by %s', (_, way) => {
  test.each(striking)('$id', async ({ id, effect: { fault } }) => {
    const { fairway, sandbox, order, bodies } = await openNoted(way.options?.(id));
    await way.before?.(fairway, id, 'after-commit');
    const reply = await ask(fairway, way.headers?.(id)['teebox-scenario']);
    order.push('acknowledged');
    expect([reply.status, reply.body]).toEqual([200, { success: true, data: null }]);
    expect(reply.headers.get('teebox-scenario')).toBe(`${id}; source=${way.source}`);
    await soon();
    const want = wanted[fault];
    expect(order).toEqual(want.order);
    const due = want.posted(await wholeResult());
    expect(bodies()).toEqual(due);
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: want.state, fault }]);
    expect(sandbox.callbacks.deliveries[0]!.attempts).toHaveLength(due.length);
    const scenario = { id, source: way.source, struck: true, phase: 'after-commit' };
    expect(sandbox.journal.entries).toMatchObject([{ state: 'answered', status: 200, scenario }]);
  });
});

test('a malformed result is no JSON', async () => {
  const { fairway, bodies } = await openNoted();
  await ask(fairway, 'callback-malformed');
  await soon();
  expect(() => JSON.parse(bodies()[0]!)).toThrow(SyntaxError);
});

describe('a result that never comes', () => {
  test('is nothing to wait for, and can be posted by the operator', async () => {
    const { fairway, sandbox, bodies } = await openNoted();
    await ask(fairway, 'callback-never');
    await sandbox.callbacks.settled();
    const admin = adminOf(sandbox);
    const withheld = { id: 'callback-1', state: 'withheld', attempts: [], bodyLength: null };
    expect((await admin('GET', 'callbacks')).body.callbacks).toMatchObject([withheld]);
    const redelivered = await admin('POST', 'callbacks/callback-1/redeliver');
    expect(redelivered.body).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] });
    expect(bodies()).toEqual([await wholeResult()]);
  });
});

describe('a result that waits', () => {
  const rows: readonly [spec: string, advance: string, at: string][] = [
    ['callback-late', 'PT5S', '2026-06-01T08:00:05.000Z'],
    ['callback-late; delay=90000ms', 'PT2M', '2026-06-01T08:01:30.000Z'],
    ['callback-out-of-order', 'PT30S', '2026-06-01T08:00:30.000Z'],
  ];
  test.each(rows)('%s is posted when the clock has gone on by %s', async (spec, advance, at) => {
    const { fairway, sandbox, bodies, timers } = await openNoted();
    const admin = adminOf(sandbox);
    await ask(fairway, spec);
    expect((await admin('POST', 'clock', { advance: 'PT4S' })).body.fired).toEqual([]);
    await soon();
    expect(bodies()).toEqual([]);
    const moved = await admin('POST', 'clock', { advance });
    expect(moved.body.fired).toEqual([{ at, event: 'callback-posted', channel: 'fairway', callbackId: 'callback-1' }]);
    await sandbox.callbacks.settled();
    expect([bodies().length, timers.count]).toEqual([1, 0]);
    expect((await admin('POST', 'clock', { advance: 'PT1H' })).body.fired).toEqual([]);
  });

  test('out of order: follows the result of a later search at once, of whichever channel', async () => {
    const { fairway, links, sandbox, posted, timers } = await openNoted();
    await ask(fairway, 'callback-out-of-order', 'http://127.0.0.1:9/first');
    await ask(links, undefined, 'http://127.0.0.1:9/second');
    await ask(fairway, undefined, 'http://127.0.0.1:9/third');
    await sandbox.callbacks.settled();
    const paths = posted.map(({ url }) => new URL(url).pathname);
    expect(paths).toHaveLength(3);
    expect(paths.indexOf('/first')).toBeGreaterThan(paths.indexOf('/second'));
    expect(timers.count).toBe(0);
    expect(sandbox.callbacks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('a reset drops it', async () => {
    const { fairway, sandbox, bodies, timers } = await openNoted();
    await ask(fairway, 'callback-late');
    await sandbox.reset();
    timers.release();
    await soon();
    expect([bodies(), sandbox.callbacks.deliveries]).toEqual([[], []]);
  });
});

describe('a result that is repeated', () => {
  const rows: readonly [name: string, answers: readonly number[], seen: readonly number[], state: string][] = [
    ['although its first post failed', [503, 204, 204], [503, 204, 204], 'delivered'],
    ['although its repetition failed at first', [204, 503, 204], [204, 503, 204], 'delivered'],
    ['never taken, so never repeated', [503, 503, 503], [503, 503, 503], 'failed'],
  ];
  test.each(rows)('%s', async (_, answers, seen, state) => {
    const statuses = [...answers];
    const { fairway, sandbox } = await openNoted({
      dialect: { answers: { 'callback.retries': 2 } },
      fetch: async () => new Response(null, { status: statuses.shift() ?? 204 }),
    });
    await ask(fairway, 'callback-duplicate');
    await soon();
    await adminOf(sandbox)('POST', 'clock', { advance: 'PT1M' });
    await sandbox.callbacks.settled();
    const [delivery] = sandbox.callbacks.deliveries;
    expect(delivery).toMatchObject({ state, fault: 'duplicate' });
    expect(delivery!.attempts.map(({ status }) => status)).toEqual(seen);
  });
});

test('a plan is not spent on a search that is refused', async () => {
  const { fairway, sandbox } = await openNoted();
  sandbox.scenarios.arm('callback-duplicate');
  const elsewhere = await ask(fairway, undefined, 'http://partner.example/results');
  const nowhere = await ask(fairway, undefined, 'nowhere');
  const backwards = await search(fairway, { ...searchQuery({ from: 12, to: 10 }) });
  expect([elsewhere.status, nowhere.status, backwards.status]).toEqual([400, 400, 400]);
  expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, state: 'armed' }]);
  expect((await ask(fairway)).headers.get('teebox-scenario')).toBe('callback-duplicate; source=plan');
});

test('one search is struck and no other', async () => {
  const { fairway, bodies, sandbox } = await openNoted();
  await ask(fairway, 'callback-never');
  await ask(fairway);
  await sandbox.callbacks.settled();
  expect(bodies()).toEqual([await wholeResult()]);
  expect(sandbox.callbacks.deliveries.map(({ fault, state }) => [fault, state])).toEqual([
    ['never', 'withheld'],
    [undefined, 'delivered'],
  ]);
});
