import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refresh } from '../../support/network/kill-clients.js';
import { startCli, type Started } from '../../support/network/process.js';
import { ask, book, folders, idsIn, listed, NOW, readState, teeTimes } from '../../support/network/state-server.js';

const newFolder = folders();
/** Hours of the clock; `TEEBOX_SOAK` sets more by hand. */
const HOURS = Number(process.env['TEEBOX_SOAK'] ?? 24);
/** Steps of an hour of the clock. */
const STEPS = 60;
const MIB = 1_048_576;

/** KiB of memory that a process has taken. */
const residentOf = ({ child }: Started): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);

/** What a low rate of callers asks for in an hour: sheets, bookings, lists, searches with a callback, tokens. */
async function anHour(server: Started, hour: number, token: string): Promise<{ ids: string[]; token: string }> {
  const ids: string[] = [];
  const inbox = `${server.baseUrl}/__admin/inbox/hour${hour}`;
  for (let step = 0; step < STEPS; step += 1) {
    await ask(server, '/__admin/clock', { advance: `PT${3600 / STEPS}S` });
    const free = await teeTimes(server, 12 + (hour % 18));
    if (step % 5 === 0) ids.push(await book(server, free[(hour + step) % free.length]!));
    if (step % 7 === 0) await ask(server, '/api/v4/bookings?fromDate=01-06-2026&toDate=30-06-2026');
    if (step === 30) {
      const search = `facilityIds=1001&fromDate=12-06-2026&toDate=13-06-2026&players=2&holes=18`;
      await ask(server, `/api/v5/teetimes?${search}&callbackUrl=${encodeURIComponent(inbox)}`);
    }
  }
  const { next, access } = await refresh(server, token);
  const own = await fetch(`${server.baseUrl}/api/v3/countries`, { headers: { authorization: `Bearer ${access}` } });
  expect(own.status).toBe(200);
  return { ids, token: next };
}

test('a day of the clock at a low rate loses nothing, leaves nothing pending, and takes no more memory at its end', async () => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli([...NOW, '--state', file]);
  const before = await listed(server);
  const made: string[] = [];
  const resident: number[] = [];
  const sizes: number[] = [];
  let token = server.ready.channels[0]!['refreshToken']!;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const { ids, token: next } = await anHour(server, hour, token);
    token = next;
    made.push(...ids);
    resident.push(residentOf(server));
    sizes.push(statSync(file).size);
    expect(await listed(server)).toEqual([...before, ...made]);
    const { callbacks } = await ask(server, '/__admin/callbacks');
    expect(callbacks.filter(({ state }: { state: string }) => state !== 'delivered')).toEqual([]);
  }
  expect(made).toHaveLength(HOURS * (STEPS / 5));
  const half = resident[Math.floor(HOURS / 2)]!;
  expect((resident.at(-1)! - half) * 1024).toBeLessThan(32 * MIB);
  // Each hour leaves much the same in the file.
  expect(sizes.at(-1)! / HOURS).toBeLessThan(2 * (sizes[Math.floor(HOURS / 2)]! / (HOURS / 2)));
  await server.stop('SIGKILL');
  expect(idsIn(readState(file))).toEqual([...before, ...made]);
});
