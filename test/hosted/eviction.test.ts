import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic } from '../support/credentials.js';
import { NOW } from '../support/client.js';
import { bookingFor, type Json, teeTimesPath } from '../support/scenes.js';
import { Workerd } from './support/workerd.js';
import { admin, type MadeWorld, makeWorld } from './support/world.js';

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
/** workerd evicts an object that nobody has used for 10 s. */
const IDLE_MS = 12_000;

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

async function call({ baseUrl }: MadeWorld, path: string, body?: unknown): Promise<{ status: number; data: Json }> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const { data } = (await response.json()) as { data: Json };
  return { status: response.status, data };
}

test('a world that was evicted from memory returns as it was', async () => {
  const world = await makeWorld(workerd, { name: 'idle', now: NOW });
  const { data } = await call(world, teeTimesPath('v4'));
  for (const teeTime of data.teeTimeV3.slice(0, 3)) await call(world, '/api/v5/bookings', bookingFor(teeTime));
  await admin(world, 'POST', 'clock', { advance: 'PT90M' });
  await admin(world, 'POST', 'plans', { scenario: 'server-error', operation: 'listBookings', times: 2 });
  expect((await call(world, '/api/v4/bookings')).status).toBe(500);
  const sheet = await call(world, teeTimesPath('v4'));
  const { requests, ...before } = await admin(world, 'GET', 'state');
  expect((await admin(world, 'GET', 'requests')).count).toBeGreaterThan(0);
  await sleep(IDLE_MS);
  // The journal is kept in memory only, so an empty one shows that the world was made anew from its storage.
  expect((await admin(world, 'GET', 'requests')).count).toBe(0);
  expect(await admin(world, 'GET', 'state')).toEqual({ ...before, requests });
  expect(await call(world, teeTimesPath('v4'))).toEqual(sheet);
  const lists = [await call(world, '/api/v4/bookings'), await call(world, '/api/v4/bookings')];
  expect(lists.map(({ status }) => status)).toEqual([500, 200]);
});
