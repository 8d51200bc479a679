/** @module-tag always */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox } from '../../src/engine/library.js';
import { serve } from '../../src/cli/server.js';
import { NOW } from '../support/client.js';
import { corpus } from '../support/msw/corpus.js';
import { play, type Seen, type Sent } from '../support/msw/play.js';
import { asOnServer } from '../support/msw/server.js';
import { recordedWalk } from './support/recorded-walk.js';
import { Workerd } from './support/workerd.js';
import { type MadeWorld, makeWorld } from './support/world.js';

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

/** Results go to the inbox of the same world: the hosts differ in what else they may reach. */
function toOwnInbox(requests: readonly Sent[], base: string): Sent[] {
  const inbox = encodeURIComponent(`${base}/__admin/inbox/results`);
  return requests.map((sent) => ({ ...sent, path: sent.path.replace(/(?<=callbackUrl=)http[^&]*/, inbox) }));
}

async function onNode(requests: readonly Sent[]): Promise<Seen[]> {
  const { url, close } = await serve(await createSandbox(asOnServer), { port: 0 });
  const seen = await played(toOwnInbox(requests, url), url, fetch);
  await close();
  return seen;
}

function onWorkerd(requests: readonly Sent[], { baseUrl, token }: MadeWorld): Promise<Seen[]> {
  return played(toOwnInbox(requests, baseUrl), baseUrl, (request) => {
    if (request.url.includes('/__admin')) request.headers.set('authorization', `Bearer ${token}`);
    return fetch(request);
  });
}

/** What was seen, without the names of the hosts in what was asked. */
async function played(...[requests, base, send]: Parameters<typeof play>): Promise<Seen[]> {
  const seen = await play(requests, base, send);
  const own = encodeURIComponent(base);
  return seen.map((one) => ({
    ...one,
    asked: one.asked.replaceAll(own, '{base}'),
    text: one.text?.replaceAll(own, '{base}') ?? null,
  }));
}

/** One by one, as a difference of two long lists cannot be read. */
function expectSame(seen: readonly Seen[], due: readonly Seen[]): void {
  expect(seen.length).toBe(due.length);
  for (const [at, one] of seen.entries()) expect(one, `request ${at}`).toEqual(due[at]);
}

test('requests of every kind are answered as by the Node server, byte for byte', async () => {
  const requests = await corpus();
  expect(requests.length).toBeGreaterThan(1000);
  const world = await makeWorld(workerd, { name: 'corpus', now: NOW });
  expectSame(await onWorkerd(requests, world), await onNode(requests));
});

test('a random walk of 1,000 steps with a crash in the middle is answered as by the Node server', async () => {
  const requests = await recordedWalk(1000, 20260601);
  const due = await onNode(requests);
  const booked = due.flatMap(({ status, text }, at) => (status === 200 && text?.includes('"bookingId"') ? [at] : []));
  expect(booked.length).toBeGreaterThan(150);
  const world = await makeWorld(workerd, { name: 'walk', now: NOW });
  // The number of a request that changes nothing is written within a second, so the crash follows a change.
  const crash = requests.findIndex(
    ({ method }, at) => method === 'POST' && at > requests.length / 2 && booked.includes(at),
  );
  const before = await onWorkerd(requests.slice(0, crash + 1), world);
  await workerd.restart();
  expectSame([...before, ...(await onWorkerd(requests.slice(crash + 1), world))], due);
});
