import { describe, expect, test } from 'vitest';
import { createSandbox, type State } from '../../../src/engine/library.js';
import { pauseBy, slicesBy } from '../../../src/common/slices.js';
import { adminOf } from '../../support/admin.js';
import { listReply } from '../../support/booking-list.js';
import { open } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { manyBookings } from '../../support/many-bookings.js';

test('work in slices pauses between them, and not for a few items', async () => {
  for (const [items, pauses] of [
    [0, 0],
    [200, 0],
    [201, 1],
    [1000, 4],
  ] as const) {
    let paused = 0;
    const done: number[] = [];
    const inSlices = slicesBy(
      pauseBy((work) => {
        paused += 1;
        queueMicrotask(work);
      }),
    );
    await inSlices(
      Array.from({ length: items }, (_, index) => index),
      (item) => void done.push(item),
    );
    expect({ paused, done: done.length }).toEqual({ paused: pauses, done: items });
  }
});

/** A sandbox whose pauses end when the test says so. */
async function withHeldPauses() {
  const waiting: (() => void)[] = [];
  const opened = await open({ schedule: (work) => (waiting.push(work), () => {}) });
  /** Ends one pause, and lets what waited for it come to its next one. */
  const goOn = async (): Promise<boolean> => {
    for (let turn = 0; turn < 20 && waiting.length === 0; turn += 1)
      await new Promise((resolve) => void setTimeout(resolve));
    const work = waiting.shift();
    work?.();
    return work !== undefined;
  };
  return { ...opened, goOn };
}

describe('a state of many bookings', async () => {
  const many: State = await manyBookings(650);

  test('is taken at once: until then requests see the old one, and then the new one', async () => {
    const { sandbox, fairway, goOn } = await withHeldPauses();
    const before = (await listReply(fairway, 'v4', {})).text;
    const twin = await open({ state: many });
    const after = (await listReply(twin.fairway, 'v4', {})).text;
    expect(after).not.toBe(before);
    const restoring = sandbox.restore(many);
    const seen: string[] = [];
    do seen.push((await listReply(fairway, 'v4', {})).text);
    while (await goOn());
    await restoring;
    expect(seen.filter((text) => text !== after).length).toBeGreaterThanOrEqual(3);
    expect([...new Set([...seen, after])]).toEqual([before, after]);
    expect(seen.slice(seen.lastIndexOf(before) + 1).every((text) => text === after)).toBe(true);
    expect((await listReply(fairway, 'v4', {})).text).toBe(after);
    expect(JSON.stringify(sandbox.snapshot())).toBe(JSON.stringify({ ...many, requests: sandbox.snapshot().requests }));
    expect(sandbox.db.bookings.count()).toBe(many.store.bookings.length);
  });

  test('that fits up to its last booking changes nothing, and what is booked meanwhile is reported', async () => {
    const waiting: (() => void)[] = [];
    let told = 0;
    const { sandbox, fairway } = await open({
      schedule: (work) => (waiting.push(work), () => {}),
      onChange: () => void (told += 1),
    });
    const bookings = many.store.bookings.map((one, index) => (index === 649 ? { ...one, players: 9 } : one));
    const restoring = sandbox
      .restore({ ...many, store: { ...many.store, bookings } })
      .catch((error: Error) => error.message);
    while (waiting.length === 0) await new Promise((resolve) => void setTimeout(resolve));
    const { status } = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    expect({ status, told }).toEqual({ status: 200, told: 1 });
    const booked = JSON.stringify(sandbox.snapshot().store);
    const ended = restoring.then(() => true);
    while (!(await Promise.race([ended, new Promise((resolve) => void setTimeout(() => resolve(false)))])))
      waiting.shift()?.();
    expect(await restoring).toMatch(/^`store\.bookings\[649\]\.players` must be/);
    expect(JSON.stringify(sandbox.snapshot().store)).toBe(booked);
  });

  test('comes by PUT and goes by GET, byte for byte', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    expect(await admin('PUT', 'state', JSON.stringify(many))).toMatchObject({ status: 200 });
    const { text } = await admin('GET', 'state');
    expect(text).toBe(JSON.stringify(sandbox.snapshot()));
    expect(JSON.parse(text).store).toEqual(JSON.parse(JSON.stringify(many.store)));
    await admin('PUT', 'snapshots/one');
    expect((await admin('GET', 'snapshots/one')).text).toBe(JSON.stringify(sandbox.snapshot()));
  });
});

describe('what is equal is shared', () => {
  test('by all snapshots, a restored sandbox and what it exports', async () => {
    const many = await manyBookings(10);
    const { sandbox, fairway } = await open({ state: many });
    const [one, two] = [sandbox.snapshot(), sandbox.snapshot()];
    expect(two.store.bookings).toBe(one.store.bookings);
    await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    const { bookingId } = one.store.bookings[0]!;
    const admin = adminOf(sandbox);
    await admin('POST', `bookings/${bookingId}/cancel?force=true`);
    const three = sandbox.snapshot();
    const differing = three.store.bookings.filter((booking, index) => booking !== one.store.bookings[index]);
    expect(differing.map(({ status }) => status)).toEqual(['CANCELED', 'BOOKED']);
    expect(one.store.bookings[0]!.status).toBe('BOOKED');
    await sandbox.restore(one);
    const four = sandbox.snapshot();
    expect(four.store.bookings.every((booking, index) => booking === one.store.bookings[index])).toBe(true);
    expect((await createSandbox({ state: one })).snapshot().store.bookings[3]).toBe(one.store.bookings[3]);
  });

  test('in the right order, whichever of many is changed', async () => {
    const { sandbox } = await open({ state: await manyBookings(1100) });
    const admin = adminOf(sandbox);
    const before = sandbox.snapshot().store.bookings;
    for (const index of [0, 499, 500, 501, 999, 1000, 1099]) {
      const { status } = await admin('POST', `bookings/${before[index]!.bookingId}/cancel?force=true`);
      expect({ index, status }).toEqual({ index, status: 200 });
    }
    const after = sandbox.snapshot().store.bookings;
    expect(after.map(({ sequence }) => sequence)).toEqual(before.map(({ sequence }) => sequence));
    const changed = after.flatMap((booking, index) => (booking === before[index] ? [] : [index]));
    expect(changed).toEqual([0, 499, 500, 501, 999, 1000, 1099]);
    expect(changed.map((index) => after[index]!.status)).toEqual(changed.map(() => 'CANCELED'));
  });

  test('so that nobody can change it', async () => {
    const { bookings } = (await createSandbox()).snapshot().store;
    const [one] = bookings as unknown as { status: string; additionalPlayers: object[] }[];
    expect(() => (one!.status = 'CANCELED')).toThrow(TypeError);
    expect(() => one!.additionalPlayers.push({})).toThrow(TypeError);
    expect(() => (bookings as unknown[]).push({})).toThrow(TypeError);
  });

  test('but a value of the caller is copied', async () => {
    const state = JSON.parse(JSON.stringify(await manyBookings(3)));
    const { sandbox } = await open({ state });
    state.store.bookings[0].additionalPlayers.push({ firstName: 'A', lastName: 'B' });
    state.store.bookings[0].status = 'CANCELED';
    state.store.tokens.families[0].current = null;
    expect(sandbox.snapshot().store.bookings[0]).toMatchObject({ status: 'BOOKED', additionalPlayers: [] });
    expect(sandbox.snapshot().store.tokens.families[0]!.current).not.toBeNull();
  });
});
