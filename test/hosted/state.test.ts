import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOW, open } from '../support/client.js';
import { bookingFor, findTeeTime } from '../support/scenes.js';
import { basic } from '../support/credentials.js';
import { Workerd } from './support/workerd.js';
import { admin, type MadeWorld, makeWorld } from './support/world.js';

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

/** Books tee times of one day, as many as there are. */
async function book({ baseUrl }: MadeWorld): Promise<void> {
  const teeTime = await findTeeTime((await open()).fairway, { days: 9 });
  const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(bookingFor(teeTime)) };
  expect((await fetch(`${baseUrl}/api/v5/bookings`, init)).status).toBe(200);
}

/** The state after a crash, which must be as before. */
async function stateAfterCrash(world: MadeWorld): Promise<unknown> {
  const before = await admin(world, 'GET', 'state');
  await workerd.restart();
  const after = await admin(world, 'GET', 'state');
  expect(after).toEqual({ ...before, requests: after.requests });
  return after;
}

test('a world returns after crashes with all that was changed, and its snapshot with it', async () => {
  const world = await makeWorld(workerd, { name: 'changed', now: NOW });
  await book(world);
  await admin(world, 'POST', 'plans', { scenario: 'server-error', operation: 'listBookings', times: 2 });
  await admin(world, 'PUT', 'dialect', { name: 'other', answers: { 'callback.retries': 2 } });
  await stateAfterCrash(world);
  // Enough for the snapshot to be brought up to date, with changes after it.
  for (let move = 0; move < 520; move += 1) await admin(world, 'POST', 'clock', { advance: 'PT1S' });
  await book(world);
  const state = await stateAfterCrash(world);
  expect(state).toMatchObject({ clock: { now: Date.parse(NOW) + 520_000 }, dialect: { name: 'other' } });
});

test('a reset and a restore are kept, and the baseline stays that of the settings', async () => {
  const dialect = { name: 'own', answers: { 'callback.retries': 1 } };
  const world = await makeWorld(workerd, { name: 'reset', now: NOW, dialect });
  const first = await admin(world, 'GET', 'state');
  await book(world);
  const booked = await admin(world, 'GET', 'state');
  await admin(world, 'PUT', 'dialect', {});
  await workerd.restart();
  await admin(world, 'POST', 'reset');
  expect(await stateAfterCrash(world)).toMatchObject({ store: first.store, dialect });
  await admin(world, 'PUT', 'state', booked);
  expect(await stateAfterCrash(world)).toMatchObject({ store: booked.store, dialect });
});
