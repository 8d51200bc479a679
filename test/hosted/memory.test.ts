import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic } from '../support/credentials.js';
import { Workerd } from './support/workerd.js';
import { type MadeWorld, makeWorld } from './support/world.js';

const MIB = 1_048_576;
const WORLDS = 8;
const fairway = basic('fairway', 'not-a-secret-fairway');

let workerd: Workerd;
const worlds: MadeWorld[] = [];
beforeAll(async () => {
  workerd = await Workerd.start();
  for (let index = 0; index < WORLDS; index += 1) worlds.push(await makeWorld(workerd, { name: `partner-${index}` }));
});
afterAll(() => workerd?.close());

/** MiB of memory that the process had at most. */
const peak = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${workerd.pid}/status`, 'utf8'))![1]) / 1024;

async function post({ baseUrl }: MadeWorld, path: string, size: number, headers: Record<string, string> = {}) {
  const body = `€${'x'.repeat(size - 3)}`;
  try {
    const response = await fetch(baseUrl + path, { method: 'POST', body, headers });
    await response.text();
    return response.status;
  } catch {
    // workerd closes the connection of a body that is refused by its length, and its answer may be lost with it.
    return 413;
  }
}

test.each([
  ['a stranger', () => ({}), MIB, 204],
  ['a stranger', () => ({}), MIB + 1, 413],
  ['the owner', ({ token }: MadeWorld) => ({ authorization: `Bearer ${token}` }), 8 * MIB, 204],
  ['the owner', ({ token }: MadeWorld) => ({ authorization: `Bearer ${token}` }), 20 * MIB, 413],
] as const)('the inbox takes a limited message from %s', async (_, headers, size, status) => {
  expect(await post(worlds[0]!, '/__admin/inbox/x', size, headers(worlds[0]!))).toBe(status);
});

test('all worlds of an isolate together keep what fits into it', async () => {
  const before = peak();
  const json = { ...fairway, 'content-type': 'application/json' };
  const fill = async (world: MadeWorld) => {
    for (let count = 0; count < 40; count += 1) await post(world, '/__admin/inbox/x', MIB);
    for (let count = 0; count < 50; count += 1) await post(world, '/api/v5/bookings', 60_000, json);
  };
  for (let index = 0; index < WORLDS; index += 4) await Promise.all(worlds.slice(index, index + 4).map(fill));
  const most = await Promise.all(
    worlds.map(async ({ baseUrl, token }) => {
      const headers = { authorization: `Bearer ${token}` };
      const shown = (await (await fetch(`${baseUrl}/__admin/inbox`, { headers })).json()) as {
        names: { count: number }[];
      };
      return shown.names.reduce((sum, { count }) => sum + count, 0);
    }),
  );
  const kept = most.reduce((sum, count) => sum + count, 0);
  expect(kept).toBeLessThan(64);
  expect(peak() - before).toBeLessThan(400);
});
