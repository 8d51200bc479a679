import { existsSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { figures, KILLS, moments } from '../../support/network/kills.js';
import { CLI, type Started, startCli } from '../../support/network/process.js';
import { book, folders, idsIn, listed, NOW, readState, teeTimes } from '../../support/network/state-server.js';

const newFolder = folders();
const CLIENTS = 3;

interface Answered {
  readonly id: string;
  readonly at: number;
}

/** Books with one client after the other until the server is gone; what each was answered, in order. */
function bookUntilKilled(server: Started, free: Awaited<ReturnType<typeof teeTimes>>) {
  const answered: Answered[][] = Array.from({ length: CLIENTS }, () => []);
  const clients = answered.map(async (list, client) => {
    for (let index = client; index < free.length; index += CLIENTS) {
      list.push({ id: await book(server, free[index]!), at: performance.now() });
    }
  });
  const ended = Promise.all(clients).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  return { answered, ended };
}

/** The ids in the file as it was last seen while the server ran. */
function watch(file: string) {
  const stop = new AbortController();
  const ended = (async () => {
    let seen: string[] = [];
    while (!stop.signal.aborted) {
      if (existsSync(file)) seen = idsIn(readState(file));
      await sleep(40);
    }
    return seen;
  })();
  return () => {
    stop.abort();
    return ended;
  };
}

test('a server that is killed at any moment leaves a whole state, from which the next one goes on', async () => {
  const folder = newFolder();
  const file = join(folder, 'state.json');
  let [bookings, lost, oldest] = [0, 0, 0];
  let server = await startCli([...NOW, '--state', file]);
  for (const [round, moment] of moments(900).entries()) {
    const before = await listed(server);
    const free = await teeTimes(server, 11 + (round % 19));
    const seen = watch(file);
    const { answered, ended } = bookUntilKilled(server, free);
    await sleep(moment);
    const killedAt = performance.now();
    await server.stop('SIGKILL');
    await ended;
    const state = existsSync(file) ? readState(file) : undefined;
    const saved = state ? idsIn(state) : before;
    // What was in the file before is in it now, in the same order.
    expect(saved.slice(0, before.length)).toEqual(before);
    const watched = await seen();
    expect(saved.slice(0, watched.length)).toEqual(watched);
    // It is the state of one moment: no booking is missing between others, and of each client there are the first ones.
    const sequences = state?.store.bookings.map(({ sequence }) => sequence) ?? [];
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    const more = new Set(saved.slice(before.length));
    for (const list of answered) {
      const kept = list.filter(({ id }) => more.delete(id));
      expect(kept).toEqual(list.slice(0, kept.length));
      bookings += list.length;
      lost += list.length - kept.length;
      oldest = Math.max(oldest, ...list.slice(kept.length).map(({ at }) => killedAt - at));
    }
    // The answers to the very last ones may have been lost.
    expect(more.size).toBeLessThanOrEqual(CLIENTS);
    if (round % 4 === 3) await killAtStart(file, moment / 2);
    server = await startCli([...NOW, '--state', file]);
    expect(await listed(server)).toEqual(saved);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }
  await server.stop();
  figures(() => `${KILLS} kills: ${bookings} answered, ${lost} not in the file, at most ${Math.round(oldest)} ms old`);
});

async function killAtStart(file: string, moment: number): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...NOW, '--state', file], { stdio: 'ignore' });
  const closed = once(child, 'close');
  await sleep(moment);
  child.kill('SIGKILL');
  await closed;
}
