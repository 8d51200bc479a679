import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate } from '../support/operator.js';
import { Workerd } from '../support/workerd.js';

/** Whether the data of any world is on the disk. */
function hasData({ folder }: Workerd): boolean {
  const place = join(folder, 'teebox-worlds');
  return readdirSync(place).some((name) => readFileSync(join(place, name)).includes('"tokenHash"'));
}

test.each<[what: string, environment: Record<string, string>, settings: object, status: string, why: string]>([
  ['that expires', {}, { expiresIn: 'PT2S' }, 'expired', 'has expired'],
  ['that nobody uses', { TEEBOX_IDLE_DAYS: String(2 / 86_400) }, {}, 'idle', 'nobody used it'],
])('a world %s answers 410, and its data is deleted', async (_what, environment, settings, status, why) => {
  const workerd = await Workerd.start(environment);
  try {
    const { body } = await operate(workerd, 'POST', '/worlds', { name: 'brief', ...settings });
    const ask = (path: string) =>
      fetch(`${body.baseUrl}${path}`, { headers: { authorization: `Bearer ${body.token}` } });
    expect((await ask('/__admin/clock')).status).toBe(200);
    // Whoever asks an idle world keeps it awake, so the list is asked.
    const listed = async () => (await operate(workerd, 'GET', '/worlds')).body.worlds[0];
    await expect.poll(async () => (await listed()).status).toBe(status);
    await expect.poll(() => hasData(workerd)).toBe(false);
    for (const restart of [false, true]) {
      if (restart) await workerd.restart();
      const [service, admin] = [await ask('/api/v3/countries'), await ask('/__admin/clock')];
      expect([service.status, admin.status]).toEqual([410, 410]);
      expect(await service.json()).toMatchObject({ success: false, message: expect.stringContaining(why) });
      expect(admin.headers.get('content-type')).toBe('application/problem+json');
    }
    expect(await operate(workerd, 'GET', '/worlds/brief')).toMatchObject({
      status: 200,
      body: { status, usage: null },
    });
    expect((await listed()).endedAt).not.toBeNull();
    const changes = [
      await operate(workerd, 'PATCH', '/worlds/brief', { expiresAt: null }),
      await operate(workerd, 'POST', '/worlds/brief/token'),
      await operate(workerd, 'POST', '/worlds', { name: 'brief' }),
    ];
    expect(changes.map((reply) => reply.status)).toEqual([409, 409, 409]);
    expect((await operate(workerd, 'DELETE', '/worlds/brief')).status).toBe(200);
    expect((await ask('/__admin/clock')).status).toBe(404);
    expect((await operate(workerd, 'POST', '/worlds', { name: 'brief' })).status).toBe(201);
  } finally {
    await workerd.close();
  }
});

test('a later expiry keeps a world', async () => {
  const workerd = await Workerd.start();
  try {
    const { body } = await operate(workerd, 'POST', '/worlds', { name: 'kept', expiresIn: 'PT5S' });
    await operate(workerd, 'PATCH', '/worlds/kept', { expiresIn: 'P1D' });
    await new Promise((resolve) => setTimeout(resolve, Date.parse(body.expiresAt) - Date.now() + 500));
    expect((await fetch(`${body.baseUrl}/__admin/health`)).status).toBe(200);
    expect(hasData(workerd)).toBe(true);
  } finally {
    await workerd.close();
  }
});
