import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { State } from '../../src/engine/library.js';
import { NOW } from '../support/client.js';
import { basic, bearer } from '../support/credentials.js';
import { bookUntilKilled, GROUP, type KilledClient, placesOf, refresh } from '../support/network/kill-clients.js';
import { type Json, type TeeTime, teeTimesPath } from '../support/scenes.js';
import { figures, KILLS, moments } from '../support/network/kills.js';
import { Workerd } from './support/workerd.js';
import { admin, type MadeWorld, makeWorld } from './support/world.js';

const CLIENTS = 6;
const headers = basic('fairway', 'not-a-secret-fairway');

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

type Booked = State['store']['bookings'];

async function sheetOf({ baseUrl }: MadeWorld, days: number): Promise<TeeTime[]> {
  const response = await fetch(baseUrl + teeTimesPath('v4', { days }), { headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Json }).data.teeTimeV3;
}

const idsOf = (bookings: Booked): string[] => bookings.map(({ bookingId }) => bookingId);

/** Cancels bookings one after the other until the process is gone; gives those whose cancellation was answered. */
async function cancelUntilKilled(world: MadeWorld, ids: readonly string[]): Promise<string[]> {
  const answered: string[] = [];
  for (const id of ids) {
    const url = `${world.baseUrl}/__admin/bookings/${id}/cancel?force=true`;
    const status = await fetch(url, { method: 'POST', headers: bearer(world.token) }).then(
      async (response) => (await response.text(), response.status),
      () => 'killed',
    );
    if (status === 'killed') break;
    expect(status).toBe(200);
    answered.push(id);
  }
  return answered;
}

/** Trades a token several times; gives the newest that was answered, and whether a trade was under way at the kill. */
async function refreshSome(world: MadeWorld, first: string, times: number) {
  let token = first;
  try {
    for (let count = 0; count < times; count += 1) token = (await refresh(world, token)).next;
    return { token, interrupted: false };
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return { token, interrupted: true };
  }
}

/** The bookings are those of before and the answered ones, and at most the request under way of each client. */
function checkBookings(now: Booked, before: Booked, clients: readonly KilledClient[]): number {
  expect(idsOf(now.slice(0, before.length))).toEqual(idsOf(before));
  const more = new Set(idsOf(now.slice(before.length)));
  expect(more.size).toBe(now.length - before.length);
  const answered = clients.flatMap((client) => client.answered.flatMap(({ ids }) => ids));
  for (const id of answered) expect(more.delete(id), `the answered booking ${id}`).toBe(true);
  expect(more.size).toBeLessThanOrEqual(clients.reduce((sum, { atOnce }) => sum + atOnce, 0));
  return answered.length;
}

/** Each group of a client is whole, and no sequence is missing or repeated. */
function checkWhole({ bookings, sequence, groups }: State['store'], ofSeed: number): void {
  expect(bookings.map((booking) => booking.sequence)).toEqual(bookings.map((_, index) => index + 1));
  expect(sequence).toBe(bookings.length);
  expect(new Set(idsOf(bookings)).size).toBe(bookings.length);
  const sizes = new Map<number, number>();
  for (const { groupId } of bookings) if (groupId !== null) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
  expect(sizes.size).toBe(groups);
  expect([...sizes.values()].slice(ofSeed).filter((size) => size !== GROUP)).toEqual([]);
}

/** Each active booking takes one place of its tee time. */
function checkPlaces(before: readonly TeeTime[], now: readonly TeeTime[], made: Booked): void {
  const left = placesOf(now);
  for (const [teeId, places] of placesOf(before)) {
    const taken = made.filter((booking) => booking.teeId === teeId && booking.canceledAt === null).length;
    expect({ teeId, left: left.get(teeId) ?? 0 }).toEqual({ teeId, left: places - taken });
  }
}

async function stateOf(world: MadeWorld): Promise<State> {
  return admin(world, 'GET', 'state');
}

test(
  'a workerd that is killed while it books loses nothing that it answered',
  { timeout: 60_000 + KILLS * 5000 },
  async () => {
    const world = await makeWorld(workerd, { name: 'killed', now: NOW });
    let before = (await stateOf(world)).store;
    const { groups: ofSeed, bookings: seeded } = before;
    const canceled = new Set<string>();
    let answers = 0;
    for (const [round, moment] of moments(600, 12).entries()) {
      const days = 10 + round;
      const free = await sheetOf(world, days);
      const [{ refreshToken }] = (await admin(world, 'GET', 'channels')).channels;
      const own = before.bookings.slice(seeded.length).filter(({ canceledAt }) => canceledAt === null);
      const { clients, ended } = bookUntilKilled(world, free, CLIENTS);
      const cancels = cancelUntilKilled(world, idsOf(own.slice(0, 40)));
      const newest = refreshSome(world, refreshToken, 1 + (round % 5));
      await sleep(moment);
      await workerd.restart();
      await ended;
      for (const id of await cancels) canceled.add(id);
      const { store } = await stateOf(world);
      answers += checkBookings(store.bookings, before.bookings, clients);
      checkWhole(store, ofSeed);
      const active = new Set(idsOf(store.bookings.filter(({ canceledAt }) => canceledAt === null)));
      expect([...canceled].filter((id) => active.has(id))).toEqual([]);
      checkPlaces(free, await sheetOf(world, days), store.bookings.slice(before.bookings.length));
      const { token, interrupted } = await newest;
      // A trade that was under way may have spent the token.
      if (!interrupted) await refresh(world, token);
      before = store;
    }
    figures(() => `${answers} answered bookings and ${canceled.size} cancellations, all of them kept`);
  },
);
