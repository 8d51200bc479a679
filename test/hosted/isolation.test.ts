import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW } from '../support/client.js';
import { bearer } from '../support/credentials.js';
import { refresh } from '../support/network/kill-clients.js';
import { bookingFor, type Json, teeTimesPath } from '../support/scenes.js';
import { Workerd } from './support/workerd.js';
import { admin, type MadeWorld, makeWorld } from './support/world.js';

const WORLDS = 200;
const FIRST_TOKEN = '7eeb0ef5-0000-4000-8000-000000000001';

/** A world, what its partner does in it, and what came of it. */
interface Used {
  readonly world: MadeWorld;
  /** Worlds of one seed give the same tokens in the same order, so that only some have come to a later one. */
  readonly refreshes: number;
  readonly bookings: number;
  readonly armed: boolean;
  readonly minutes: number;
  access: string;
  readonly ids: string[];
}

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

async function make(index: number): Promise<Used> {
  const seed = index % 4 === 3 ? { seed: index } : {};
  const world = await makeWorld(workerd, { name: `partner-${index}`, now: NOW, ...seed });
  const own = { refreshes: 1 + (index % 5), bookings: 1 + (index % 3), armed: index % 10 === 0 };
  return { world, ...own, minutes: index % 7, access: '', ids: [] };
}

async function call({ world, access }: Used, path: string, body?: unknown): Promise<{ status: number; data: Json }> {
  const headers = { ...bearer(access), 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(world.baseUrl + path, { headers, ...init });
  const { data } = (await response.json()) as { data: Json };
  return { status: response.status, data };
}

const emailOf = ({ world }: Used): string => `${world.name}@partner.example`;

/** What a partner does, while all others do it too. */
async function use(used: Used): Promise<void> {
  const { world, refreshes, bookings, armed, minutes, ids } = used;
  let next = FIRST_TOKEN;
  for (let count = 0; count < refreshes; count += 1) ({ next, access: used.access } = await refresh(world, next));
  if (minutes > 0) await admin(world, 'POST', 'clock', { advance: `PT${minutes}M` });
  const { data } = await call(used, teeTimesPath('v4'));
  for (const teeTime of data.teeTimeV3.slice(0, bookings)) {
    const body = bookingFor(teeTime, { contactEmail: emailOf(used) });
    const booked = await call(used, '/api/v5/bookings', body);
    expect(booked.status).toBe(200);
    ids.push(booked.data.bookingId);
  }
  if (armed) await admin(world, 'POST', 'plans', { scenario: 'server-error', operation: 'listBookings', times: 1 });
  const struck = await call(used, '/api/v4/bookings');
  expect(struck.status).toBe(armed ? 500 : 200);
}

async function checkOwn(used: Used): Promise<void> {
  const { bookings } = await admin(used.world, 'GET', 'bookings?text=partner.example&limit=10000');
  const made = bookings.map(({ bookingId, contactEmail }: Json) => [bookingId, contactEmail]);
  expect(made).toEqual(used.ids.map((id) => [id, emailOf(used)]));
  const { status, data } = await call(used, '/api/v4/bookings');
  expect(status).toBe(200);
  expect(data.map(({ bookingId }: Json) => bookingId)).toEqual(expect.arrayContaining(used.ids));
  const { now } = await admin(used.world, 'GET', 'clock');
  expect(Date.parse(now)).toBe(Date.parse(NOW) + used.minutes * 60_000);
  expect((await admin(used.world, 'GET', 'plans')).count).toBe(used.armed ? 1 : 0);
}

/** No token of a world, of its channel or of its owner, opens another. */
async function checkForeign(used: Used, other: Used): Promise<void> {
  const foreign = await call({ ...used, access: other.access }, '/api/v4/bookings');
  expect(foreign.status).toBe(401);
  const headers = bearer(other.world.token);
  expect((await fetch(`${used.world.baseUrl}/__admin/state`, { headers })).status).toBe(401);
}

test(`${WORLDS} worlds that are used at once know nothing of each other`, async () => {
  const all: Used[] = [];
  for (let index = 0; index < WORLDS; index += 1) all.push(await make(index));
  expect(new Set(all.map(({ world }) => world.token)).size).toBe(WORLDS);
  await Promise.all(all.map(use));
  await Promise.all(all.map(checkOwn));
  // The next world has traded its token one time more, or is of another seed.
  await Promise.all(all.map((used, index) => (used.refreshes < 5 ? checkForeign(used, all[index + 1]!) : undefined)));
});
