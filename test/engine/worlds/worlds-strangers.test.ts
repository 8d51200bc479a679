import { describe, expect, test } from 'vitest';
import { createWorlds, type WorldsOptions } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { NOW, ORIGIN, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';

const fairway = basic('fairway', 'not-a-secret-fairway');
const json = { 'content-type': 'application/json' };

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Worlds, and the names of those beside the main one. */
async function open(options: WorldsOptions = {}) {
  const worlds = await createWorlds({ now: NOW, ...options });
  const ask = async (base: string, { path, method = 'GET', headers = {}, body }: Asked) =>
    readReply(
      await worlds.fetch(`${ORIGIN}${base}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
  const names = async () =>
    (await ask('', { path: '/__admin/worlds' })).body.worlds.map(({ name }: { name: string }) => name);
  return { worlds, ask, names };
}

const refresh = (token: string): Asked => ({
  path: '/api/v5/token/refreshToken',
  method: 'POST',
  headers: json,
  body: JSON.stringify({ refresh_token: token }),
});
const crossSite = { 'sec-fetch-site': 'cross-site' };
const sameSite = { 'sec-fetch-site': 'same-site' };

/** What a stranger, or a page that shows images, may ask of a world. */
const strange: readonly [what: string, asked: Asked][] = [
  ['an operation without credentials', { path: '/api/v3/countries' }],
  ['an operation with a wrong password', { path: '/api/v3/countries', headers: basic('fairway', 'guessed') }],
  ['an unknown token', { path: '/api/v3/countries', headers: { authorization: 'Bearer 1' } }],
  ['a scenario', { path: '/api/v3/countries', headers: { 'teebox-scenario': 'rate-limited' } }],
  ['a wrong scenario', { path: '/api/v3/countries', headers: { 'teebox-scenario': 'none' } }],
  ['a booking', { path: '/api/v5/bookings', method: 'POST', headers: json, body: '{"players":1}' }],
  ['an unknown refresh token', refresh('guessed')],
  ['a malformed refresh', { ...refresh(''), body: '{' }],
  ['an image', { path: '/images/1001/logo.svg' }],
  ['an unknown path', { path: '/api/v9/nothing' }],
  ['the path of a world', { path: '/' }],
  ['another method', { path: '/api/v3/countries', method: 'PUT' }],
  [
    'a preflight',
    { path: '/api/v3/countries', method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } },
  ],
  ['the health', { path: '/__admin/health' }],
  ['the version', { path: '/__admin/version' }],
  ['the clock', { path: '/__admin/clock' }],
  ['the bookings', { path: '/__admin/bookings' }],
  ['the state', { path: '/__admin/state' }],
  ['an unknown path of the admin API', { path: '/__admin/nothing' }],
  ['a foreign image of the admin API', { path: '/__admin/clock', headers: crossSite }],
  ['a foreign reset', { path: '/__admin/reset', method: 'POST', headers: { origin: 'http://evil.example' } }],
];

describe('a request that makes no world', () => {
  const shared = open();

  test.each(strange.map(([what, asked], turn) => [what, asked, `none-${turn}`] as const))(
    '%s is answered as in a world',
    async (_, asked, name) => {
      const { ask, names } = await shared;
      const base = `/w/${name}`;
      const first = await ask(base, asked);
      const again = await ask(base, asked);
      expect(await names()).not.toContain(name);
      await ask(base, { path: '/__admin/plans', method: 'DELETE' });
      const inWorld = await ask(base, asked);
      expect(await names()).toContain(name);
      for (const reply of [first, again]) {
        expect([reply.status, reply.text]).toEqual([inWorld.status, inWorld.text]);
        expect([...reply.headers]).toEqual([...inWorld.headers]);
      }
    },
  );

  test('changes nothing for the next one, whatever scenarios are armed', async () => {
    const { ask } = await open({ scenarios: ['server-error; delay=0ms'], chaos: 'rate=50%; seed=7' });
    const seen = new Set<string>();
    for (let turn = 0; turn < 20; turn += 1) {
      const { status, text, headers } = await ask(`/w/w${turn}`, refresh('guessed'));
      seen.add(JSON.stringify([status, text, [...headers]]));
    }
    expect(seen.size).toBe(1);
  });

  test('may be an image on a page of another port, which follows nothing', async () => {
    const { ask, names } = await open();
    expect((await ask('/w/none', { path: '/__admin/events', headers: sameSite })).status).toBe(404);
    expect(await names()).toEqual([]);
  });
});

describe('a request that makes a world', () => {
  const made: readonly [what: string, asked: (token: string) => Asked, status: number][] = [
    ['with credentials', () => ({ path: '/api/v3/countries', headers: fairway }), 200],
    ['with credentials, but refused', () => ({ path: '/api/v3/countries?connected=maybe', headers: fairway }), 400],
    [
      'with credentials, and a scenario that strikes on arrival',
      () => ({ path: '/api/v3/countries', headers: { ...fairway, 'teebox-scenario': 'rate-limited' } }),
      429,
    ],
    ['with a refresh token', refresh, 200],
    ['that arms a plan', () => ({ path: '/__admin/plans', method: 'POST', body: '{"scenario":"slow"}' }), 200],
    ['with a mistake in a plan', () => ({ path: '/__admin/plans', method: 'POST', body: '{' }), 400],
    ['that delivers a callback', () => ({ path: '/__admin/inbox/a', method: 'POST', body: '{}' }), 204],
  ];

  test.each(made)('%s', async (_, asked, status) => {
    const { worlds, ask, names } = await open();
    const request = asked(worlds.main.channels[0]!.refreshToken);
    const reply = await ask('/w/run', request);
    expect([reply.status, await names()]).toEqual([status, ['run']]);
    const { requests } = (await ask('/w/run', { path: '/__admin/requests' })).body;
    expect(requests.map(({ id }: { id: string }) => id)).toEqual(request.path.startsWith('/api/') ? ['req-1'] : []);
    expect((await ask('/w/run', { path: '/__admin/requests' })).text).not.toContain('/w/run');
  });

  test('follows its events', async () => {
    const { worlds, names } = await open();
    const response = await worlds.fetch(`${ORIGIN}/w/run/__admin/events`);
    expect([response.status, await names()]).toEqual([200, ['run']]);
    await response.body!.cancel();
  });

  test('has its body read one time', async () => {
    const { worlds, ask } = await open();
    const body = JSON.stringify({ refresh_token: worlds.main.channels[0]!.refreshToken, note: 'x'.repeat(100) });
    const { status } = await ask('/w/run', { ...refresh(''), body });
    expect(status).toBe(200);
    const entry = (await ask('/w/run', { path: '/__admin/requests/req-1' })).body;
    expect(entry.request.length).toBe(body.length);
  });
});

test('a hundred images evict no world', async () => {
  const { ask, names } = await open({ maxWorlds: 2 });
  await ask('/w/mine', { path: '/api/v3/countries', headers: fairway });
  for (let count = 0; count < 100; count += 1) {
    await ask(`/w/x${count}`, { path: '/api/v3/countries', headers: crossSite });
    await ask(`/w/x${count}`, { path: '/images/1001/1.svg', headers: crossSite });
    await ask(`/w/x${count}`, { path: '/__admin/health', headers: crossSite });
  }
  expect(await names()).toEqual(['mine']);
});

test('a message without the token of the server makes no world, and is not acknowledged', async () => {
  const { worlds, names } = await open();
  const adminToken = 'a-token-of-the-server';
  const server = await serve(worlds, { port: 0, adminToken });
  const post = (headers: Record<string, string> = {}) =>
    fetch(`${server.url}/w/run/__admin/inbox/a`, { method: 'POST', body: '{}', headers });
  expect((await post()).status).toBe(404);
  expect(await names()).toEqual([]);
  expect((await post({ authorization: `Bearer ${adminToken}` })).status).toBe(204);
  expect((await post()).status).toBe(204);
  expect(await names()).toEqual(['run']);
  await server.close();
});
