import { describe, expect, test } from 'vitest';
import { createWorlds, type Worlds, type WorldsOptions } from '../../../src/engine/library.js';
import { asDescribed, expectedProblem } from '../../support/admin.js';
import { ORIGIN, readReply } from '../../support/client.js';
import { EventReader } from '../../support/network/sse.js';

const IDLE = 60_000;

/** Worlds of which the test moves the clock, and what is told of those that end. */
async function open(options: WorldsOptions = {}) {
  let now = Date.UTC(2026, 5, 1, 8);
  const ended: [world: string, reason: string][] = [];
  const worlds: Worlds = await createWorlds({
    clock: () => now,
    idle: IDLE,
    onWorldEnd: (world, reason) => void ended.push([world, reason]),
    ...options,
  });
  const send = async (path: string, method = 'GET', body?: unknown) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await readReply(await worlds.fetch(ORIGIN + path, init));
    return asDescribed(method, path.split('/__admin/')[1]!, reply);
  };
  const use = (name: string) => send(`/w/${name}/__admin/plans`, 'DELETE');
  const follow = async (name: string) => {
    const reader = new EventReader(await worlds.fetch(`${ORIGIN}/w/${name}/__admin/events`));
    expect(await reader.next()).toHaveProperty('comment');
    return reader;
  };
  const verify = (name: string) =>
    send(`/w/${name}/__admin/requests/verify`, 'POST', { operation: 'createBooking', timeoutMs: 50_000 });
  const names = async () => (await send('/__admin/worlds')).body.worlds.map((world: { name: string }) => world.name);
  const pass = (milliseconds: number) => void (now += milliseconds);
  return { worlds, send, use, follow, verify, names, pass, ended };
}

const idle = (name: string) => `The world \`${name}\` has ended: it had no request for 60 seconds.`;
const taken = (name: string, most: number) =>
  `The world \`${name}\` has ended: another world took its place, as there is room for ${most}.`;
const deleted = (name: string) => `The world \`${name}\` has ended: it was deleted.`;

describe('a world that ends', () => {
  test('tells its streams and those who wait, and is reported', async () => {
    const { send, follow, verify, use, ended } = await open();
    const reader = await follow('a');
    const waiting = verify('a');
    await use('a');
    expect((await send('/__admin/worlds/a', 'DELETE')).body).toEqual({ status: 'deleted' });
    const reason = deleted('a');
    expect(await reader.next()).toEqual({ event: 'end', data: { reason } });
    expect(await reader.next()).toBeUndefined();
    const { status, body } = await waiting;
    expect({ status, body }).toEqual({ status: 410, body: expectedProblem(410, reason) });
    expect(ended).toEqual([['a', reason]]);
  });

  test('is made anew by the next request, and has nothing of before', async () => {
    const { send, use, ended } = await open();
    await send('/w/a/__admin/plans', 'POST', { scenario: 'rate-limited' });
    await send('/__admin/worlds/a', 'DELETE');
    await use('a');
    expect((await send('/w/a/__admin/plans')).body.count).toBe(0);
    expect(ended).toHaveLength(1);
  });

  test('drops its pending callbacks', async () => {
    const posted: string[] = [];
    const held: (() => void)[] = [];
    const { worlds, send } = await open({
      fetch: async (url) => (posted.push(url), new Response()),
      schedule: (work) => (held.push(work), () => {}),
    });
    const query = { facilityIds: '1001', fromDate: '11-06-2026', toDate: '11-06-2026', players: '1', holes: '18' };
    const headers = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}` };
    const search = `/w/a/api/v5/teetimes?${new URLSearchParams({ ...query, callbackUrl: 'http://127.0.0.1:9/' })}`;
    expect((await worlds.fetch(ORIGIN + search, { headers })).status).toBe(200);
    await send('/__admin/worlds/a', 'DELETE');
    for (const work of held.splice(0)) work();
    expect(posted).toEqual([]);
  });
});

describe('idle worlds', () => {
  test('end with the reason', async () => {
    const { use, names, pass, ended } = await open();
    await use('a');
    pass(IDLE + 1);
    expect(await names()).toEqual([]);
    expect(ended).toEqual([['a', idle('a')]]);
  });

  test.each(['stream', 'verification'])('are not those with a %s, until it is over', async (what) => {
    const { use, follow, verify, names, pass, ended } = await open();
    const reader = what === 'stream' ? await follow('a') : undefined;
    const waiting = reader ? undefined : verify('a');
    await use('b');
    pass(IDLE + 1);
    expect(await names()).toEqual(['a']);
    pass(IDLE + 1);
    expect(await names()).toEqual(['a']);
    if (!reader) return void waiting;
    await reader.close();
    pass(IDLE);
    expect(await names()).toEqual(['a']);
    pass(1);
    expect(await names()).toEqual([]);
    expect(ended).toEqual([
      ['b', idle('b')],
      ['a', idle('a')],
    ]);
  });
});

describe('where there is no room', () => {
  test('the least recently used that nobody follows goes first', async () => {
    const { use, follow, names, ended } = await open({ maxWorlds: 2 });
    await follow('a');
    await use('b');
    await use('c');
    expect(await names()).toEqual(['a', 'c']);
    expect(ended).toEqual([['b', taken('b', 2)]]);
  });

  test('one that is followed goes too if all are, and its reader is told', async () => {
    const { use, follow, names, ended } = await open({ maxWorlds: 2 });
    const readers = [await follow('a'), await follow('b')];
    await use('c');
    expect(await readers[0]!.next()).toEqual({ event: 'end', data: { reason: taken('a', 2) } });
    expect(await names()).toEqual(['b', 'c']);
    expect(ended).toHaveLength(1);
  });
});
