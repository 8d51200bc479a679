import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Json } from '../../support/scenes.js';
import { operate } from '../support/operator.js';
import { Workerd } from '../support/workerd.js';

/** Milliseconds after which a request is taken for cut off: the process that would answer is gone. */
const PATIENCE = 10_000;

/**
 * Answers of requests that the kill did not cut off. The `fetch` of Node 20 may never end if its connection breaks as the
 * request is sent.
 */
async function answered<T>(requests: readonly Promise<T>[]): Promise<T[]> {
  const late = sleep(PATIENCE, 'late' as const, { ref: false });
  const settled = await Promise.allSettled(requests.map((one) => Promise.race([one, late])));
  return settled.flatMap((one) => (one.status === 'fulfilled' && one.value !== 'late' ? [one.value as T] : []));
}

const healthOf = async (url: string, name: string): Promise<number> =>
  (await fetch(`${url}/w/${name}/__admin/health`)).status;

async function namesIn(workerd: Workerd): Promise<string[]> {
  const { body } = await operate(workerd, 'GET', '/worlds?limit=1000');
  return body.worlds.map(({ name }: Json) => name);
}

/** The number of databases that hold a world. */
function worldsOnDisk({ folder }: Workerd): number {
  const place = join(folder, 'teebox-worlds');
  const holding = readdirSync(place).filter((name) => readFileSync(join(place, name)).includes('"tokenHash"'));
  return new Set(holding.map((name) => name.replace(/\.sqlite.*/, ''))).size;
}

test('a kill while worlds are made and deleted leaves each one whole or not at all', async () => {
  const workerd = await Workerd.start();
  let standing: string[] = [];
  let cut = 0;
  try {
    for (let round = 0; round < 12; round += 1) {
      const made = Array.from({ length: 8 }, (_, at) => `world-${round}-${at}`);
      const deleted = standing.slice(0, 3);
      const creations = made.map((name) => operate(workerd, 'POST', '/worlds', { name }));
      const deletions = deleted.map((name) => operate(workerd, 'DELETE', `/worlds/${name}`).then(() => name));
      const replies = Promise.all([answered(creations), answered(deletions)]);
      await new Promise((resolve) => setTimeout(resolve, 4 * round + 2));
      await workerd.kill();
      const [creating, deleting] = await replies;
      cut += made.length + deleted.length - creating.length - deleting.length;
      await workerd.start();

      standing = await namesIn(workerd);
      // Nothing answered is lost.
      expect(standing).toEqual(expect.arrayContaining(creating.map(({ body }) => body.name)));
      for (const name of deleting) expect(standing).not.toContain(name);
      for (const { body } of creating) {
        const authorization = `Bearer ${body.token}`;
        expect((await fetch(`${body.baseUrl}/__admin/clock`, { headers: { authorization } })).status).toBe(200);
      }
      // Nothing is half: what is in the list works, what is not can be made.
      for (const name of [...made, ...deleted]) {
        expect([name, await healthOf(workerd.url, name)]).toEqual([name, standing.includes(name) ? 200 : 404]);
      }
      const missing = made.find((name) => !standing.includes(name));
      if (missing) {
        expect((await operate(workerd, 'POST', '/worlds', { name: missing })).status).toBe(201);
        expect(await healthOf(workerd.url, missing)).toBe(200);
        standing.push(missing);
      }
    }
    expect(cut).toBeGreaterThan(0);
    await expect.poll(() => worldsOnDisk(workerd)).toBe(standing.length);
  } finally {
    await workerd.close();
  }
});
