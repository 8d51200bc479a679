import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ResultBody } from '../../../../src/engine/callbacks/result-body.js';
import { CallbackTraffic } from '../../../../src/engine/callbacks/traffic.js';
import { createSandbox, createWorlds, type SandboxOptions } from '../../../../src/engine/library.js';
import { textStream } from '../../../../src/cli/network/text-stream.js';
import { serve } from '../../../../src/cli/server.js';
import { adminOf } from '../../../support/admin.js';
import { NOW, open } from '../../../support/client.js';
import { basic } from '../../../support/credentials.js';
import { startReceiver } from '../../../support/network/receiver.js';
import { queryText } from '../../../support/scenes.js';
import { openAtOnce, search, searchQuery, type SearchWish } from '../../../support/views.js';

const ids = (count: number) => Array.from({ length: count }, (_, index) => 1001 + index);
const LARGEST: SearchWish = { facilityIds: ids(50), from: 10, to: 19 };
const BACKLOG = {
  success: false,
  data: null,
  message:
    'Too many results of searches wait to be posted. Please search again after your receiver has answered some of them.',
};

/** A receiver that answers when it is told to, oldest first. */
function hanging() {
  const waiting: (() => void)[] = [];
  const posted: string[] = [];
  const fetch: SandboxOptions['fetch'] = (url, { signal }) =>
    new Promise((resolve, reject) => {
      posted.push(new URL(url).pathname);
      waiting.push(() => resolve(new Response()));
      signal!.addEventListener('abort', () => reject(signal!.reason));
    });
  return { fetch, posted, answer: () => waiting.shift()!() };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('results that wait', () => {
  test('are 500, and then a search is refused until some are over', async () => {
    const { fetch, posted, answer } = hanging();
    const { fairway, sandbox } = await openAtOnce({ fetch });
    const query = searchQuery({ facilityIds: [4] });
    const statuses = new Set<number>();
    for (let count = 0; count < 500; count += 1) statuses.add((await search(fairway, query)).status);
    expect(statuses).toEqual(new Set([200]));
    const { status, rule, headers, body } = await search(fairway, query);
    expect({ status, rule, body }).toEqual({ status: 429, rule: 'limits.rate', body: BACKLOG });
    expect(headers.get('retry-after')).toBe('10');
    expect(sandbox.callbacks.deliveries).toHaveLength(500);
    expect(posted).toHaveLength(16);
    answer();
    await soon();
    expect((await search(fairway, query)).status).toBe(200);
    await sandbox.reset();
    for (let count = 0; count < 500; count += 1) statuses.add((await search(fairway, query)).status);
    expect(statuses).toEqual(new Set([200]));
  });

  test('of the largest searches are 20 in a world and 40 in all', async () => {
    const worlds = await createWorlds({ now: NOW, schedule: () => () => {} });
    const headers = basic('fairway', 'not-a-secret-fairway');
    const path = `/api/v5/teetimes?${queryText(searchQuery(LARGEST))}`;
    const accepted = async (world: string): Promise<number> => {
      for (let count = 0; ; count += 1) {
        const { status } = await worlds.fetch(`http://sandbox.test${world}${path}`, { headers });
        if (status !== 200) return count;
      }
    };
    expect([await accepted(''), await accepted('/w/a'), await accepted('/w/b')]).toEqual([20, 20, 0]);
    await worlds.fetch('http://sandbox.test/w/a/__admin/reset', { method: 'POST' });
    expect([await accepted('/w/b'), await accepted('/w/a')]).toEqual([20, 0]);
    await worlds.fetch('http://sandbox.test/__admin/worlds/b', { method: 'DELETE' });
    await soon();
    expect(await accepted('/w/a')).toBe(20);
  });

  test('are posted in their order, 16 at a time', async () => {
    const { fetch, posted, answer } = hanging();
    const { fairway, sandbox } = await openAtOnce({ fetch });
    for (const id of ids(20)) await search(fairway, searchQuery({ callbackUrl: `http://127.0.0.1:9/${id}` }));
    await soon();
    expect(posted).toEqual(ids(16).map((id) => `/${id}`));
    for (const id of ids(20)) {
      answer();
      await soon();
      expect(posted).toEqual(ids(Math.min(20, id - 1000 + 16)).map((one) => `/${one}`));
    }
    await sandbox.callbacks.settled();
  });

  test('are not posted after a reset', async () => {
    const { fetch, posted } = hanging();
    const { fairway, sandbox } = await openAtOnce({ fetch });
    for (const id of ids(20)) await search(fairway, searchQuery({ facilityIds: [id] }));
    await soon();
    expect(posted).toHaveLength(16);
    await sandbox.reset();
    for (let turn = 0; turn < 50; turn += 1) await soon();
    expect(posted).toHaveLength(16);
  });
});

test('worlds share what all may use, and none holds up another', async () => {
  const one = { waiting: 9, waitingSize: 90, posts: 2, postedSize: 20, keptSize: 10 };
  const traffic = new CallbackTraffic(one, { ...one, posts: 3, postedSize: 30, keptSize: 15 });
  const [a, b] = [traffic.lane(), traffic.lane()];
  const begun: string[] = [];
  const enter = (name: string, lane = a) => void lane.enter(10)?.then(() => begun.push(name));
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name);
  for (const name of ['b1', 'b2']) enter(name, b);
  await soon();
  // At once: a1, a2 and b1.
  expect(begun).toEqual([]);
  b.leave(10);
  await soon();
  expect(begun).toEqual(['b2']);
  a.end();
  await soon();
  expect(begun).toEqual(['b2', 'a3', 'a4']);
  const onlyB2 = { waiting: 0, waitingSize: 0, posts: 1, postedSize: 10, keptSize: 0 };
  expect(traffic.all).toMatchObject(onlyB2);
  // What a world does after its end is counted for nobody.
  a.leave(10);
  a.count(1, 10);
  a.keep({ body: null }, 'x');
  expect(traffic.all).toMatchObject(onlyB2);
  const [c, results] = [traffic.lane(), [1, 2, 3].map(() => ({ body: null as string | null }))];
  b.keep(results[0]!, 'x'.repeat(8));
  c.keep(results[1]!, 'x'.repeat(7));
  c.keep(results[2]!, 'x'.repeat(11));
  expect(results.map(({ body }) => body?.length)).toEqual([8, 7, undefined]);
  c.keep(results[2]!, 'x');
  expect(results.map(({ body }) => body?.length)).toEqual([undefined, 7, 1]);
});

describe('a body', () => {
  test('is made as it is read, and no further', async () => {
    let made = 0;
    const pieces = function* () {
      for (; ; made += 1) yield `${made},`;
    };
    const source = new ResultBody({ pieces, size: 50_000_000, fault: undefined, stream: textStream });
    const { held, body } = source.begin(0, false);
    const stream = (await body(
      () => {},
      AbortSignal.abort(),
      () => {},
    )) as ReadableStream<Uint8Array>;
    expect({ held, made }).toEqual({ held: 1_000_000, made: 0 });
    const reader = stream.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('0,1,2,3,');
    await soon();
    expect(made).toBeLessThan(5);
    await reader.cancel();
  });

  test('may have many pieces without text', async () => {
    const pieces = [...Array(40).fill(''), 'a', ...Array(40).fill(''), 'b', ...Array(40).fill('')];
    expect(await new Response(textStream(pieces, (text) => expect(text).toBe('ab'))).text()).toBe('ab');
  });

  test('is made in turns, one of all streams at a time', async () => {
    const made: string[] = [];
    const text = function* (name: string) {
      for (let count = 0; count < 8; count += 1) yield (made.push(name), name);
    };
    const turns: number[] = [];
    const next = (): void => void setImmediate(() => turns.push(made.length) < 12 && next());
    next();
    const streams = ['a', 'b'].map((name) => new Response(textStream(text(name), undefined)).text());
    expect(await Promise.all(streams)).toEqual(['aaaaaaaa', 'bbbbbbbb']);
    const steps = turns.map((count, index) => count - (turns[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(4);
  });

  test('lets others have their turn while it is made', async () => {
    const { fairway, sandbox } = await openAtOnce();
    let turns = 0;
    let isOver = false;
    const count = (): void => void (isOver || setImmediate(() => ((turns += 1), count())));
    count();
    await search(fairway, searchQuery({ facilityIds: ids(10), from: 10, to: 19 }));
    await sandbox.callbacks.settled();
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  test.each(['none', 'hmac-sha256'] as const)(
    'has the same bytes in pieces and whole: signature %s',
    async (signature) => {
      const dialect = { answers: { 'callback.signature': signature } };
      const receiver = await startReceiver();
      const timers = new Set<object>();
      let begun = 0;
      const schedule: SandboxOptions['schedule'] = (work, delay) => {
        const timer = setTimeout(work, delay);
        if (delay === 10_000) begun += Number(timers.add(timer).size > 0);
        return () => {
          timers.delete(timer);
          clearTimeout(timer);
        };
      };
      const sandbox = await createSandbox({ now: NOW, dialect, schedule });
      const server = await serve(sandbox, { port: 0 });
      onTestFinished(() => server.close());
      const wish = { facilityIds: ids(10), from: 10, to: 12 };
      const query = queryText(searchQuery({ ...wish, callbackUrl: receiver.url }));
      const headers = { ...basic('fairway', 'not-a-secret-fairway'), connection: 'close' };
      expect((await fetch(`${server.url}/api/v5/teetimes?${query}`, { headers })).status).toBe(200);
      await sandbox.callbacks.settled();
      const whole = await openAtOnce({ dialect });
      await search(whole.fairway, searchQuery(wish));
      await whole.sandbox.callbacks.settled();
      const want = whole.sandbox.callbacks.deliveries[0]!.body!;
      expect(want.length).toBeGreaterThan(1_000_000);
      const [{ body, headers: came }] = receiver.posted as [(typeof receiver.posted)[number]];
      expect([body === want, sandbox.callbacks.deliveries[0]!.body === want]).toEqual([true, true]);
      // The receiver of a stream has the whole time again whenever it reads on: 21 days of the connected ones, and the end.
      expect([timers.size, begun]).toEqual([0, signature === 'none' ? 23 : 1]);
      const length = String(Buffer.byteLength(want));
      const hmac = createHmac('sha256', 'not-a-secret-fairway').update(want).digest('hex');
      const signed = { 'content-length': length, 'x-signature': `sha256=${hmac}` };
      expect(came).toMatchObject(signature === 'none' ? { 'transfer-encoding': 'chunked' } : signed);
    },
  );
});

test('receivers that are due at one instant are waited for together, and told in order', async () => {
  const waiting: (() => void)[] = [];
  let status = 500;
  const { fairway, sandbox } = await openAtOnce({
    dialect: { answers: { 'callback.retries': 1 } },
    // The last of ten is the first to be answered.
    fetch: () =>
      new Promise((resolve) => {
        waiting.unshift(() => resolve(new Response(null, { status })));
        if (waiting.length === 10) for (const answer of waiting.splice(0)) answer();
      }),
  });
  for (const id of ids(10)) await search(fairway, searchQuery({ facilityIds: [id] }));
  await soon();
  status = 204;
  const { body } = await adminOf(sandbox)('POST', 'clock', { advance: 'PT10S' });
  const told = body.fired.map(({ at, callbackId }: Record<string, string>) => [at, callbackId]);
  expect(told).toEqual(ids(10).map((id) => ['2026-06-01T08:00:01.000Z', `callback-${id - 1000}`]));
  expect(sandbox.callbacks.deliveries.map(({ state }) => state)).toEqual(Array(10).fill('delivered'));
});

test('a reset lets go of what waits for others', async () => {
  const { fetch, posted } = hanging();
  const { fairway, sandbox } = await open({ fetch });
  for (const id of ids(20)) await search(fairway, searchQuery({ facilityIds: [id] }));
  const moved = adminOf(sandbox)('POST', 'clock', { advance: 'PT10S' });
  while (posted.length < 16) await soon();
  await sandbox.reset();
  expect((await moved).status).toBe(409);
  expect(posted).toHaveLength(16);
});
