import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { ORIGIN } from '../../support/client.js';
import { EventReader } from '../../support/network/sse.js';

const verify = { operation: 'createBooking', timeoutMs: 60_000 };
const init = { method: 'POST', body: JSON.stringify(verify) };

/** A sandbox whose timers never fire, with the delays of those that wait. */
async function open() {
  const timers = new Set<{ readonly delay: number }>();
  const schedule = (_: () => void, delay: number) => {
    const timer = { delay };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const sandbox = await createSandbox({ schedule });
  const waiting = () => [...timers].filter(({ delay }) => delay === verify.timeoutMs).length;
  return { sandbox, waiting };
}

test('those who wait and those who read have places of their own', async () => {
  const { sandbox, waiting } = await open();
  const admin = adminOf(sandbox);
  for (let count = 0; count < 100; count += 1) void sandbox.journal.verify(verify).catch(() => {});
  await expect.poll(() => waiting()).toBe(100);
  const full = '100 verifications wait already. Try again when one is over.';
  expect((await admin('POST', 'requests/verify', verify)).body).toEqual(expectedProblem(429, full));
  await expect(sandbox.journal.verify(verify)).rejects.toThrow('100 verifications wait already.');
  // One that does not wait needs no place.
  expect((await admin('POST', 'requests/verify', { atMost: 0 })).status).toBe(200);
  for (let count = 0; count < 100; count += 1) {
    const reader = new EventReader(await sandbox.fetch(`${ORIGIN}/__admin/events`));
    expect(await reader.next()).toHaveProperty('comment');
  }
  expect((await admin('GET', 'events')).status).toBe(409);
});

test('who gives up waiting gives its place and its timer up', async () => {
  const { sandbox, waiting } = await open();
  for (let round = 0; round < 3; round += 1) {
    const leaving = new AbortController();
    const all = Array.from({ length: 100 }, () =>
      sandbox.fetch(`${ORIGIN}/__admin/requests/verify`, { ...init, signal: leaving.signal }).catch(() => 'left'),
    );
    await expect.poll(() => waiting()).toBe(100);
    leaving.abort();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['left']));
    await expect.poll(() => waiting()).toBe(0);
  }
});

test('over a socket too', async () => {
  const { sandbox, waiting } = await open();
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const leaving = new AbortController();
  const left = fetch(`${server.url}/__admin/requests/verify`, { ...init, signal: leaving.signal }).catch(() => 'left');
  await expect.poll(() => waiting()).toBe(1);
  leaving.abort();
  expect(await left).toBe('left');
  await expect.poll(() => waiting()).toBe(0);
});
