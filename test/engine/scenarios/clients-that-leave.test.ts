import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { listedIds } from '../../support/booking-list.js';
import { Client, NOW, ORIGIN } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { callOver } from '../../support/network/wire.js';
import { heldTimers } from '../../support/scenarios/held-timers.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

/** A sandbox behind a socket, whose long waits last until their client has gone. */
async function openHeld() {
  const timers = heldTimers();
  const sandbox = await createSandbox({ now: NOW, schedule: timers.schedule });
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  return { sandbox, fairway: new Client(sandbox, 'fairway'), url: server.url, timers };
}

/** What makes a request wait, and whether its work is done when its client has gone. */
const waits: readonly [header: string, made: number][] = [
  ['slow; delay=600000ms', 1],
  ['slow; delay=600000ms; phase=before-commit', 1],
  ['timeout', 0],
  ['timeout; phase=after-commit', 1],
  ['slow-body; delay=600000ms', 1],
  ['payment-pi-failed; delay=600000ms', 0],
];

describe('the timers of a request end with its client', () => {
  test.each(waits)('over a socket: %s', async (header, made) => {
    const { sandbox, fairway, url, timers } = await openHeld();
    const body = bookingFor(await findTeeTime(fairway));
    const before = (await listedIds(fairway, 'v4')).length;
    const wires = Array.from({ length: 5 }, (_, index) => {
      const asked = index === 0 ? body : { ...body, players: 9 };
      return callOver(url, 'POST', '/api/v5/bookings', { headers: { 'teebox-scenario': header }, body: asked });
    });
    await expect.poll(() => sandbox.journal.entries.length).toBeGreaterThan(5);
    await timers.held();
    for (const wire of wires) wire.giveUp();
    await expect.poll(() => timers.count).toBe(0);
    await expect.poll(async () => (await listedIds(fairway, 'v4')).length - before).toBe(made);
    expect(timers.count).toBe(0);
  });

  test.each(waits.filter(([header]) => !header.startsWith('slow-body')))('in process: %s', async (header, made) => {
    const { sandbox, fairway, timers } = await openHeld();
    const body = bookingFor(await findTeeTime(fairway));
    const before = (await listedIds(fairway, 'v4')).length;
    const patience = new AbortController();
    const request = new Request(`${ORIGIN}/api/v5/bookings`, {
      method: 'POST',
      headers: {
        ...basic('fairway', 'not-a-secret-fairway'),
        'content-type': 'application/json',
        'teebox-scenario': header,
      },
      body: JSON.stringify(body),
      signal: patience.signal,
    });
    const answer = Promise.resolve(sandbox.fetch(request));
    await timers.held();
    patience.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(sandbox.journal.entries.at(-1)).toMatchObject({ method: 'POST', status: 0 });
    expect([timers.count, (await listedIds(fairway, 'v4')).length - before]).toEqual([0, made]);
  });

  test('a post to an inbox that answers late', async () => {
    const { url, timers } = await openHeld();
    const wire = callOver(url, 'POST', '/__admin/inbox/tests?delay=30s', { body: {} });
    await timers.held();
    wire.giveUp();
    await expect.poll(() => timers.count).toBe(0);
  });
});
