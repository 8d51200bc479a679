import { readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { State } from '../../../src/engine/library.js';
import {
  bookUntilKilled,
  checkBookings,
  checkGroups,
  type KilledClient,
  placesOf,
  refresh,
} from '../../support/network/kill-clients.js';
import { figures, KILLS, moments } from '../../support/network/kills.js';
import { CLI, startCli } from '../../support/network/process.js';
import { ask, folders, listed, NOW, readState, teeTimes } from '../../support/network/state-server.js';
import type { TeeTime } from '../../support/scenes.js';

const newFolder = folders();
const CLIENTS = 6;
const MODES = ['interval', 'always'] as const;

/** The numbers of requests that were answered. */
const requestsOf = (clients: readonly KilledClient[]) =>
  clients.flatMap(({ answered }) => answered.map(({ request }) => request));

/** Each booking took one place of its tee time. */
function checkPlaces(before: readonly TeeTime[], now: readonly TeeTime[], made: State['store']['bookings']): void {
  const left = placesOf(now);
  for (const [teeId, places] of placesOf(before)) {
    const taken = made.filter((booking) => booking.teeId === teeId).length;
    expect({ teeId, left: left.get(teeId) ?? 0 }).toEqual({ teeId, left: places - taken });
  }
}

test(
  'a server that is killed at any moment loses nothing that it answered, and leaves nothing half',
  { tags: ['always'] },
  async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    const start = (round: number) => startCli([...NOW, '--state', file], { TEEBOX_STATE_SYNC: MODES[round % 2]! });
    let server = await start(0);
    let answers = 0;
    let token = server.ready.channels[0]!['refreshToken']!;
    const { groups: ofSeed } = ((await ask(server, '/__admin/state')) as State).store;
    for (const [round, moment] of moments(700).entries()) {
      const day = 11 + (round % 19);
      const before = await listed(server);
      const free = await teeTimes(server, day);
      const { access, next } = await refresh(server, token);
      token = next;
      const { clients, ended } = bookUntilKilled(server, free, CLIENTS);
      await sleep(moment);
      await server.stop('SIGKILL');
      await ended;
      const { store } = readState(file);
      const saved = store.bookings.map(({ bookingId }) => bookingId);
      checkBookings(saved, before, clients);
      checkGroups(store, ofSeed);
      if (round % 4 === 3) await killAtStart(file, moment / 2);
      server = await start(round + 1);
      checkPlaces(free, await teeTimes(server, day), store.bookings.slice(before.length));
      expect(await listed(server)).toEqual(saved);
      const own = await fetch(`${server.baseUrl}/api/v3/countries`, { headers: { authorization: `Bearer ${access}` } });
      expect(own.status).toBe(200);
      const requests = requestsOf(clients);
      const number = Number(own.headers.get('teebox-request-id')!.slice('req-'.length));
      expect(number).toBeGreaterThan(Math.max(0, ...requests));
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      answers += requests.length;
    }
    await server.stop();
    figures(() => `${KILLS} kills: ${answers} answered requests that booked, all of them kept`);
  },
);

async function killAtStart(file: string, moment: number): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...NOW, '--state', file], { stdio: 'ignore' });
  const closed = once(child, 'close');
  await sleep(moment);
  child.kill('SIGKILL');
  await closed;
}
