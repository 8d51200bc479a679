import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorlds } from '../../src/engine/library.js';
import { type RunningServer, serve } from '../../src/cli/server.js';
import { raw } from '../support/network/raw.js';

const TOKEN = 'correct-horse-battery';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const worlds = await createWorlds();
const servers = new Map<string, RunningServer>();
beforeAll(async () => {
  servers.set('local', await serve(worlds, { port: 0 }));
  servers.set('local, token', await serve(worlds, { port: 0, adminToken: TOKEN }));
  servers.set('wide, token', await serve(worlds, { port: 0, hostname: '0.0.0.0', adminToken: TOKEN }));
  servers.set('wide, none', await serve(worlds, { port: 0, hostname: '0.0.0.0' }));
  servers.set('no admin', await serve(worlds, { port: 0, admin: false }));
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.close()));
});

const origin = (name: string): string => `http://127.0.0.1:${servers.get(name)!.port}`;

function get(path: string, headers: Record<string, string> = { accept: BROWSER }, server = 'local'): Promise<Response> {
  return fetch(`${origin(server)}${path}`, { headers, redirect: 'manual' });
}

async function assets(): Promise<string[]> {
  const html = await (await get('/__admin/')).text();
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, name]) => name!);
}

describe('where a browser gets to', () => {
  test.each<[path: string, status: number, location?: string]>([
    ['/', 302, '/__admin/'],
    ['/?utm=1', 302, '/__admin/'],
    ['/__admin', 302, '/__admin/'],
    ['/__admin/', 200],
    ['/w/run-7', 302, '/w/run-7/__admin/'],
    ['/w/run-7/', 302, '/w/run-7/__admin/'],
    ['/w/run-7/__admin', 302, '/w/run-7/__admin/'],
    ['/w/run-7/__admin/', 200],
    ['/w/.run/__admin/', 404],
    ['/api', 404],
    ['/__admin/nothing', 404],
    ['/__admin/console/', 404],
    ['/__admin/console/nothing.js', 404],
    ['/__admin/console/..%2f..%2fpackage.json', 404],
    ['/__admin/console/%2e%2e%2fcli.js', 404],
    ['/__admin/console/cli.js', 404],
    ['/__admin/console/chunks/', 404],
    ['/__admin/console/chunks/nothing.js', 404],
    ['/__admin/console/chunks/..%2fcli.js', 404],
    ['/__admin/console/docs/', 404],
    ['/__admin/console/docs/quick-starts', 404],
    ['/__admin/console/docs/nothing.md', 404],
    ['/__admin/console/docs/..%2fteebox.1', 404],
  ])('%s: %i %s', async (path, status, to) => {
    const response = await get(path);
    const location = response.headers.get('location');
    const goal = location === null ? undefined : new URL(location, `${origin('local')}${path}`).pathname;
    expect([response.status, goal]).toEqual([status, to]);
    expect(response.headers.get('content-type')?.startsWith('text/html') ?? false).toBe(status === 200);
  });

  test('none of it is in the journal, and no world is made for it', async () => {
    await worlds.main.reset();
    for (const path of ['/', '/__admin/', '/w/unseen/', '/w/unseen/__admin/']) await get(path);
    expect(worlds.main.journal.entries).toEqual([]);
    const list = await (await get('/__admin/worlds', {})).text();
    expect(list).not.toContain('unseen');
  });
});

describe('programs are answered as before', () => {
  test.each<[path: string, accept: string | undefined, type: string]>([
    ['/', undefined, 'application/json'],
    ['/', '*/*', 'application/json'],
    ['/', 'application/json, text/plain, */*', 'application/json'],
    ['/', 'application/json, text/html;q=0', 'application/json'],
    ['/__admin', '*/*', 'application/problem+json'],
    ['/__admin/', 'application/json', 'application/problem+json'],
  ])('%s with %s', async (path, accept, type) => {
    const response = await get(path, accept === undefined ? {} : { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringContaining(type)]);
  });

  test('other methods too', async () => {
    const response = await fetch(`${origin('local')}/__admin/`, { method: 'POST', headers: { accept: BROWSER } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });
});

test('the page and its files have a strict policy, and their names change with their content', async () => {
  const page = await get('/__admin/');
  const policy = page.headers.get('content-security-policy')!.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding');
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);

  const names = await assets();
  expect([...new Set(names.map((name) => name.replace(/-\w{8}\./, '.')))]).toEqual([
    'console/icon.svg',
    'console/style.css',
    'console/chunk.js',
    'console/console.js',
  ]);
  for (const name of names) {
    const file = await get(`/w/run-7/__admin/${name}`, { accept: '*/*' });
    expect([name, file.status]).toEqual([name, 200]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'cache-control': 'max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  }
});

describe('its files are compressed for who accepts that', () => {
  /** Status line, headers and size of the body as they are on the wire. */
  const wire = async (
    path: string,
    accepted: string | undefined,
  ): Promise<{ encoding: string | null; size: number }> => {
    const headers = { accept: BROWSER, 'accept-encoding': accepted ?? '' };
    const response = await new Promise<IncomingMessage>((resolve) => {
      request(`${origin('local')}${path}`, { headers }, resolve).end();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    expect(response.headers.vary).toContain('Accept-Encoding');
    const body = Buffer.concat(chunks);
    const encoding = response.headers['content-encoding'] ?? null;
    const plain = encoding === 'gzip' ? gunzipSync(body) : body;
    expect(plain.equals(await rawFile(path))).toBe(true);
    return { encoding, size: body.length };
  };
  const rawFile = async (path: string) =>
    gunzipSync(
      await readFile(new URL(`../../dist/console/${path.split('/').at(-1) || 'index.html'}.gz`, import.meta.url)),
    );

  test.each<[accepted: string | undefined, encoding: string | null]>([
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br;q=1.0, GZIP;q=0.5', 'gzip'],
    ['gzip;q=0, identity', null],
    ['identity', null],
    ['br', null],
    [undefined, null],
  ])('%s: %s', async (accepted, encoding) => {
    for (const name of ['', ...(await assets())]) {
      const path = `/__admin/${name}`;
      const { encoding: got, size } = await wire(path, accepted);
      expect([path, got]).toEqual([path, encoding]);
      const { length } = await rawFile(path);
      // What fits into one packet has little to gain.
      if (encoding !== null && /\.(js|css)$/.test(name) && length > 1400) expect(size).toBeLessThan(length / 2);
    }
  });
});

test.each([
  ['capsules.js', 'no-cache'],
  ['capsules.js?0a1b2c3d', 'max-age=31536000, immutable'],
  ['openapi.json', 'no-cache'],
  ['docs/failures.md', 'no-cache'],
  ['docs/quick-starts/curl.md?1', 'max-age=31536000, immutable'],
])('a browser keeps %s: %s', async (name, caching) => {
  const { headers } = await get(`/__admin/console/${name}`, { accept: '*/*' });
  expect(headers.get('cache-control')).toBe(caching);
});

describe.each(['capsules.js', 'explorer.js'])('%s, which a page imports when it is used', (entry) => {
  test.each(['gzip', 'identity'])('comes with all that it imports, for a browser that takes %s', async (coding) => {
    const paths = new Set([entry]);
    for (const path of paths) {
      const response = await get(`/w/run-7/__admin/console/${path}`, { accept: '*/*', 'accept-encoding': coding });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': path.startsWith('chunks/') ? 'max-age=31536000, immutable' : 'no-cache',
        'content-type': 'text/javascript; charset=utf-8',
        ...(coding === 'gzip' && { 'content-encoding': 'gzip' }),
      });
      const text = await response.text();
      expect(text).toBe(await readFile(new URL(`../../dist/${path}`, import.meta.url), 'utf8'));
      for (const [, next] of text.matchAll(/(?:\bfrom|\bimport\(?)"([^"]+\.js)"/g)) {
        const { pathname } = new URL(next!, `http://page/${path}`);
        paths.add(pathname.slice(1));
      }
      expect(text).not.toMatch(/\bfrom"node:/);
    }
    expect(paths.size).toBeGreaterThan(10);
  });
});

test.each(['openapi.json', 'admin-openapi.json'])('%s is that of the package', async (name) => {
  const response = await get(`/w/run-7/__admin/console/${name}`, { accept: '*/*' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe(await readFile(new URL(`../../dist/${name}`, import.meta.url), 'utf8'));
});

describe('who gets it', () => {
  const ask = (name: string, path: string, headers: Record<string, string>): Promise<string> => {
    const all = { Host: `127.0.0.1:${servers.get(name)!.port}`, Connection: 'close', Accept: BROWSER, ...headers };
    const lines = Object.entries(all).map(([header, value]) => `${header}: ${value}\r\n`);
    return raw(origin(name), `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  };

  test.each<[server: string, headers: Record<string, string>, page: number, root: number, api: number]>([
    ['local', {}, 200, 302, 200],
    ['local', { 'Sec-Fetch-Site': 'cross-site' }, 200, 302, 403],
    ['local', { Host: 'rebound.example' }, 403, 404, 403],
    ['local, token', {}, 200, 302, 401],
    ['local, token', { Authorization: `Bearer ${TOKEN}` }, 200, 302, 200],
    ['wide, token', {}, 200, 302, 401],
    ['wide, token', { Host: 'sandbox.example' }, 200, 302, 401],
    ['wide, none', {}, 403, 404, 403],
    ['no admin', {}, 404, 404, 404],
  ])('%s, %j', async (server, headers, page, root, api) => {
    const [script] = (await assets()).slice(-1);
    const statuses: number[] = [];
    for (const path of ['/__admin/', `/__admin/${script}`, '/', '/__admin/version']) {
      statuses.push(Number((await ask(server, path, headers)).slice(9, 12)));
    }
    expect(statuses).toEqual([page, page, root, api]);
  });
});

test.each<[path: string, accept: string, type: string]>([
  ['/', BROWSER, 'text/html'],
  ['/__admin/', BROWSER, 'text/html'],
  ['/w/run-7/__admin/', BROWSER, 'text/html'],
  ['/', '*/*', 'application/json'],
  ['/__admin/', 'application/json', 'application/problem+json'],
  ['/__admin/plans', BROWSER, 'application/problem+json'],
])('without the admin API, %s says so in words to a browser alone: %s', async (path, accept, type) => {
  const response = await get(path, { accept }, 'no admin');
  expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringContaining(type)]);
  const text = await response.text();
  if (type === 'text/html') expect(text).toMatch(/turned off by --no-admin.*start the server without --no-admin/s);
});

describe('who may change what', () => {
  test.each<[server: string, origin: string, headers: Record<string, string>, status: number]>([
    ['local', 'own', {}, 200],
    ['local', 'http://127.0.0.1:1', {}, 403],
    ['local', 'http://elsewhere.example', {}, 403],
    ['local', 'null', {}, 403],
    ['local', 'own', { 'sec-fetch-site': 'cross-site' }, 403],
    ['wide, token', 'own', { authorization: `Bearer ${TOKEN}` }, 200],
    ['wide, token', 'http://elsewhere.example', { authorization: `Bearer ${TOKEN}` }, 403],
    ['wide, token', 'own', {}, 401],
  ])('%s: the origin %s with %j gets %i', async (server, from, headers, status) => {
    const own = from === 'own' ? origin(server) : from;
    const init = { method: 'POST', headers: { ...headers, origin: own } };
    expect((await fetch(`${origin(server)}/__admin/reset`, init)).status).toBe(status);
  });

  test('in process, an origin is enough to read, and to write only on loopback', async () => {
    const statusOf = async (host: string, method: string, path: string) =>
      (await worlds.fetch(`${host}${path}`, { method, headers: { origin: host } })).status;
    expect(await statusOf('http://sandbox.test', 'GET', '/__admin/version')).toBe(200);
    expect(await statusOf('http://sandbox.test', 'POST', '/__admin/reset')).toBe(403);
    expect(await statusOf('http://localhost:80', 'POST', '/__admin/reset')).toBe(200);
  });
});
