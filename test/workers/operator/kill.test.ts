import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Json } from '../../support/scenes.js';
import { operate } from '../support/operator.js';
import { Workerd } from '../support/workerd.js';

/** Answers of requests that the kill did not cut off. */
async function answered<T>(requests: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(requests);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
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
    await vi.waitFor(() => expect(worldsOnDisk(workerd)).toBe(standing.length), { timeout: 20_000, interval: 100 });
  } finally {
    await workerd.close();
  }
});
