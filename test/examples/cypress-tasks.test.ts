import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorlds } from '../../src/engine/library.js';
import { type RunningServer, serve } from '../../src/cli/server.js';
import { sandboxTasks } from './cypress-tasks.js';

let server: RunningServer;
beforeAll(async () => {
  server = await serve(await createWorlds({ now: '2026-06-01T08:00:00Z' }), { port: 0 });
});
afterAll(() => server.close());

test('the tasks give a test a world, make it fail, and tell what was asked', async () => {
  const tasks = sandboxTasks(server.url);
  const world = 'service-is-down';
  const baseUrl = await tasks['teebox:world'](world);
  expect(baseUrl).toBe(`${server.url}/w/${world}`);
  const authorization = `Basic ${btoa('fairway:not-a-secret-fairway')}`;
  const ask = async () => (await fetch(`${baseUrl}/api/v3/countries`, { headers: { authorization } })).status;
  expect(await tasks['teebox:arm']({ world, scenario: 'maintenance', times: 1 })).toBeNull();
  expect([await ask(), await ask()]).toEqual([503, 200]);
  const seen = { world, operation: 'listCountries', scenario: 'maintenance' };
  expect(await tasks['teebox:verify']({ ...seen, atLeast: 1 })).toBeNull();
  await expect(tasks['teebox:verify']({ ...seen, atLeast: 2 })).rejects.toThrow('must be at least 2; got 1');
  expect(await tasks['teebox:world'](world)).toBe(baseUrl);
  await expect(tasks['teebox:verify']({ ...seen, atLeast: 1 })).rejects.toThrow();
});
