import { describe, expect, test } from 'vitest';
import { createWorlds, type WorldsOptions } from '../../../src/engine/library.js';
import { createSandboxAt, type QueryableSandbox } from '../../../src/engine/sandbox.js';
import { withDatabase } from '../../../src/engine/store/collections.js';
import { Caches } from '../../../src/engine/store/caches.js';
import { createWorld } from '../../../src/engine/store/world.js';
import { NOW, ORIGIN, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { manyBookings } from '../../support/many-bookings.js';
import { bookingFor, teeTimesPath } from '../../support/scenes.js';

const MIB = 1_048_576;
const fairway = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

async function open(options: WorldsOptions) {
  const ended: [world: string, reason: string][] = [];
  const worlds = await createWorlds({ now: NOW, onWorldEnd: (...one) => void ended.push(one), ...options });
  const send = async (base: string, path: string, body?: unknown) => {
    const init = { headers: fairway, ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }) };
    return readReply(await worlds.fetch(`${ORIGIN}${base}${path}`, init));
  };
  const at = (name: string) => {
    const base = `/w/${name}`;
    return {
      use: () => send(base, '/api/v3/countries'),
      /** Makes it hold what nobody can drop. */
      fill: async () => {
        await send(base, '/api/v3/countries');
        await send(base, '/__admin/inbox/a', 'x'.repeat(2 * MIB));
      },
      read: (days: number) => send(base, teeTimesPath('v4', { days })),
      book: async () => {
        const { body } = await send(base, teeTimesPath('v4'));
        expect((await send(base, '/api/v5/bookings', bookingFor(body.data.teeTimeV3[0]))).status).toBe(200);
      },
    };
  };
  const names = async () => (await send('', '/__admin/worlds')).body.worlds.map(({ name }: { name: string }) => name);
  return { worlds, at, send, names, ended };
}

test('bookings that fill the memory of all worlds are refused, and book nothing', async () => {
  const { send } = await open({ bookingBudget: 2 * MIB });
  const sheet = async () => (await send('', teeTimesPath('v4'))).body.data.teeTimeV3;
  const free = await sheet();
  const booked: number[] = [];
  for (const [nth, teeTime] of free.entries()) {
    const long = nth % 2 === 0 ? { comments: 'x'.repeat(40_000) } : { contactLastName: 'y'.repeat(40_000) };
    const { status, body } = await send('', '/api/v5/bookings', bookingFor(teeTime, long));
    if (status === 200) booked.push(teeTime.teeid);
    else
      expect({ status, body }).toMatchObject({
        status: 507,
        body: { message: expect.stringContaining('fill the memory'), success: false },
      });
  }
  expect(booked.length).toBeGreaterThan(3);
  expect(booked.length).toBeLessThan(8);
  const { body } = await send('', '/api/v4/bookings?toDate=31-12-2026');
  expect(body.data.filter(({ teeId }: { teeId: number }) => booked.includes(teeId))).toHaveLength(booked.length);
  expect((await send('', '/__admin/reset', {})).status).toBe(200);
  expect((await send('', '/api/v5/bookings', bookingFor((await sheet())[0]))).status).toBe(200);
});

test('caches count what they hold', () => {
  const caches = new Caches();
  const one = caches.create<string>(2, ({ length }) => length);
  const other = caches.create<string>(2, ({ length }) => length);
  one.set('a', 'xxxxx');
  const alone = caches.bytes;
  other.set('b', 'xxxxx');
  expect(caches.bytes).toBe(2 * alone);
  one.set('a', 'xxxxxxxx');
  expect(caches.bytes).toBe(2 * alone + 3);
  one.set('c', 'xxxxx');
  one.set('d', 'xxxxx');
  expect([one.get('a'), caches.bytes]).toEqual([undefined, 3 * alone]);
  one.clear();
  expect(caches.bytes).toBe(alone);
  caches.clear();
  expect([other.get('b'), caches.bytes]).toEqual([undefined, 0]);
});

test('a sandbox counts its caches, journal, bookings, tokens and inbox', async () => {
  const world = await createSandboxAt({}, { now: NOW });
  const ask = async (path: string, body?: unknown) =>
    readReply(
      await world.fetch(`${ORIGIN}${path}`, {
        headers: fairway,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
  const grows = async (least: number, work: () => Promise<unknown>) => {
    const before = world.bytes;
    await work();
    expect(world.bytes - before).toBeGreaterThan(least);
  };
  const list = await ask(teeTimesPath('v4'));
  await grows(list.text.length, () => ask(teeTimesPath('v4', { days: 11 })));
  await grows(2500, () => ask('/api/v5/bookings', bookingFor(list.body.data.teeTimeV3[0])));
  await grows(50_000, () => ask('/__admin/inbox/a', 'x'.repeat(50_000)));
  const refresh_token = world.credentials()[0]!.refreshToken;
  await grows(800, () => ask('/api/v5/token/refreshToken', { refresh_token }));
  const full = world.bytes;
  world.dropCaches();
  expect(world.bytes).toBeLessThan(full - list.text.length);
  // What is read again is the same as before.
  expect((await ask(teeTimesPath('v4', { days: 11 }))).status).toBe(200);
  const kept = world.bytes;
  world.dropBodies();
  expect(world.bytes).toBeLessThan(kept - list.text.length);
  await world.reset();
  expect(world.bookings).toBe(0);
});

describe('worlds that need more memory than there is', () => {
  test('lose their caches first, and answer the same', async () => {
    const { worlds, at, names, ended } = await open({ memoryBudget: 7 * MIB });
    const texts = new Map<number, string>();
    for (const name of ['a', 'b', 'a', 'c', 'b'])
      for (let days = 1; days <= 25; days += 1) {
        const { text } = await at(name).read(days);
        expect(text).toBe(texts.get(days) ?? text);
        texts.set(days, text);
      }
    expect(ended).toEqual([]);
    expect(await names()).toEqual(['a', 'c', 'b']);
    expect(worlds.main.journal.entries).toEqual([]);
  });

  test('keep some caches where bookings alone fill the memory, or each request would make everything anew', async () => {
    const { worlds, send } = await open({ memoryBudget: 8 * MIB });
    await worlds.main.restore(await manyBookings(3000));
    const world = worlds.main as QueryableSandbox;
    expect(world.bytes).toBeGreaterThan(8 * MIB);
    let read = 0;
    for (let days = 1; days <= 3; days += 1) read += (await send('', teeTimesPath('v4', { days }))).text.length;
    expect(world.droppableBytes).toBeGreaterThan(read);
    for (let days = 4; days <= 24; days += 1) await send('', teeTimesPath('v4', { days }));
    expect(world.droppableBytes).toBeLessThan(2 * MIB);
  });

  test('end if that is not enough: the least recently used first, and those with bookings last', async () => {
    const { at, names, ended } = await open({ memoryBudget: 6 * MIB });
    await at('booked').book();
    await at('booked').fill();
    for (const name of ['a', 'b', 'c', 'd']) await at(name).fill();
    expect(await names()).toEqual(['booked', 'd']);
    expect(ended.map(([name]) => name)).toEqual(['a', 'b', 'c']);
    expect(ended[0]![1]).toBe('The world `a` has ended: other worlds needed its memory, as all together have 6 MiB.');
  });

  test('never end while they are asked, whatever they hold', async () => {
    const { at, names, send } = await open({ memoryBudget: 4 * MIB });
    for (let turn = 0; turn < 3; turn += 1) {
      await send('/w/big', '/__admin/inbox/a', 'x'.repeat(3 * MIB));
      await at('big').use();
    }
    expect(await names()).toEqual(['big']);
  });
});

test('worlds share a catalogue, which no one can change', async () => {
  const catalogue = createWorld({ facilities: 200 });
  const coursesIn = async () => {
    const { db } = withDatabase(await createSandboxAt({ catalogue }, { now: NOW }));
    return db.facilities.findFirst((q) => q.where({ id: 1150 }))!.courses;
  };
  const courses = await coursesIn();
  expect(await coursesIn()).toBe(courses);
  expect(Object.isFrozen(courses[0]!.products[0])).toBe(true);
  const { worlds, at } = await open({ facilities: 200 });
  await at('a').use();
  const reply = await worlds.fetch(`${ORIGIN}/w/a/__admin/version`);
  expect(await reply.json()).toMatchObject({ facilities: 200 });
});

describe('where there is room for two', () => {
  test('a world with bookings stays as long as there is one without', async () => {
    const { at, names } = await open({ maxWorlds: 2 });
    await at('booked').book();
    for (const name of ['a', 'b', 'c']) await at(name).use();
    expect(await names()).toEqual(['booked', 'c']);
    await at('c').book();
    await at('d').use();
    expect(await names()).toEqual(['c', 'd']);
  });

  test('also if the other is followed', async () => {
    const { worlds, at, names } = await open({ maxWorlds: 2 });
    await at('booked').book();
    const { body } = await worlds.fetch(`${ORIGIN}/w/followed/__admin/events`);
    await at('new').use();
    expect(await names()).toEqual(['booked', 'new']);
    expect(await new Response(body).text()).toContain('event: end');
  });
});
