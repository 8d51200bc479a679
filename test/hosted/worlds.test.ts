/** @module-tag always */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../src/engine/model/world.js';
import { createWorlds } from '../../src/engine/library.js';
import { type RunningServer, serve } from '../../src/cli/server.js';
import { Workerd } from './support/workerd.js';
import { type MadeWorld, makeWorld } from './support/world.js';

const fairway = basicCredentials({ username: 'fairway', password: 'not-a-secret-fairway' });
let workerd: Workerd;
let world: MadeWorld;
beforeAll(async () => {
  workerd = await Workerd.start();
  world = await makeWorld(workerd, { name: 'links', now: '2026-06-01T08:00:00Z' });
});
afterAll(() => workerd?.close());

describe('a world that was not made', () => {
  test.each<[path: string, status: number, type: string]>([
    ['/', 404, 'application/problem+json'],
    ['/__admin/health', 200, 'application/json'],
    ['/w/none/api/v3/countries', 404, 'application/json'],
    ['/w/none/__admin/health', 404, 'application/problem+json'],
    ['/w/.none/__admin/health', 404, 'application/problem+json'],
  ])('%s: %i', async (path, status, type) => {
    const response = await fetch(`${workerd.url}${path}`, { headers: { authorization: fairway } });
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
  });

  test('leaves nothing on the disk', async () => {
    const files = () => readdirSync(join(workerd.folder, 'teebox-worlds')).filter((name) => name.endsWith('.sqlite'));
    const before = files();
    await Promise.all(['x', 'y', 'z'].map((name) => fetch(`${workerd.url}/w/${name}/__admin/health`)));
    expect(files()).toEqual(before);
  });
});

describe('the admin API of a world', () => {
  const ask = (path: string, token?: string) =>
    fetch(`${world.baseUrl}/__admin/${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});

  test.each<[path: string, token: 'none' | 'wrong' | 'right', status: number]>([
    ['health', 'none', 200],
    ['clock', 'none', 401],
    ['clock', 'wrong', 401],
    ['clock', 'right', 200],
    ['%63lock', 'none', 401],
    ['inbox/results', 'none', 401],
  ])('%s with %s token: %i', async (path, given, status) => {
    const token = { none: undefined, wrong: 'not-the-token-of-it', right: world.token }[given];
    expect((await ask(path, token)).status).toBe(status);
  });

  test('its inbox takes callbacks without a token', async () => {
    const response = await fetch(`${world.baseUrl}/__admin/inbox/results`, { method: 'POST', body: '{}' });
    expect(response.status).toBeLessThan(300);
  });
});

test('the service of a world answers its channels', async () => {
  const response = await fetch(`${world.baseUrl}/api/v3/countries`, { headers: { authorization: fairway } });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ success: true, data: expect.arrayContaining(['Austria']) });
});

describe('the console of a world', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(await createWorlds(), { port: 0, adminToken: world.token });
  });
  afterAll(() => server.close());

  async function shown(origin: string, path: string, headers: Record<string, string>): Promise<unknown[]> {
    const response = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
    const kept = [...response.headers].filter(
      ([name]) => !/^(connection|content-encoding|content-length|date|keep-alive|transfer-encoding)$/.test(name),
    );
    return [response.status, Object.fromEntries(kept), await response.text()];
  }

  test.each(['/w/links', '/w/links/', '/w/links/__admin', '/w/links/__admin/'])(
    '%s is as at the Node server',
    async (path) => {
      expect(await shown(workerd.url, path, browser)).toEqual(await shown(server.url, path, browser));
    },
  );

  test.each(['gzip', 'identity'])(
    'its files are as at the Node server, for a browser that takes %s',
    async (coding) => {
      const packed = readdirSync(new URL('../../dist/console/', import.meta.url));
      const capsules = readFileSync(new URL('../../dist/capsules.js', import.meta.url), 'utf8');
      const [, chunk] = /from"\.\/(chunks\/[^"]+)"/.exec(capsules)!;
      // They are packed compressed; a browser asks for their own names.
      const names = [
        ...packed.map((name) => name.replace(/\.gz$/, '')),
        'capsules.js',
        chunk!,
        'openapi.json',
        'docs/failures.md',
      ];
      expect(names.length).toBeGreaterThan(4);
      for (const name of [...names, 'nothing.js', '..%2fcli.js']) {
        const path = `/w/links/__admin/console/${name}`;
        const headers = { accept: '*/*', 'accept-encoding': coding };
        const files = await Promise.all([workerd, server].map(({ url }) => shown(url, path, headers)));
        if (names.includes(name)) expect(files[0]).toEqual(files[1]);
        else expect(files[0]).toContain(401);
      }
    },
  );
});
