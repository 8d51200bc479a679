import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, createWorlds, type DialectCard } from '../../../src/engine/library.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { basic } from '../../support/credentials.js';
import { parseAnswer, raw } from '../../support/network/raw.js';

/** Names that every object has, or that change its prototype. */
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

const { authorization } = basic('fairway', 'not-a-secret-fairway') as { authorization: string };

async function serverOf(dialect: DialectCard = {}): Promise<RunningServer> {
  return serve(await createWorlds({ dialect }), { port: 0 });
}

/** Sends one request with all headers as they are, and reads its status and body. */
async function ask(
  server: RunningServer,
  method: string,
  path: string,
  headers: readonly string[] = [],
  body: unknown = '',
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const own = ['Host: 127.0.0.1', 'Connection: close', 'Content-Type: application/json', ...headers];
  const head = [`${method} ${path} HTTP/1.1`, ...own, `Content-Length: ${Buffer.byteLength(text)}`];
  return parseAnswer(await raw(server.url, `${head.join('\r\n')}\r\n\r\n${text}`));
}

describe('a header that the dialect reads', () => {
  test.each([...names.filter((name) => name !== '__proto__'), 'Set-Cookie'])('%s', async (name) => {
    const server = await serverOf({ answers: { 'auth.bearer-header': name } });
    const path = '/api/v3/countries';
    for (const given of [[], [`${name}: x`], [`${name}: x`, `${name}: y`], ['constructor: x']]) {
      expect(await ask(server, 'GET', path, given)).toMatchObject({ status: 401, body: { success: false } });
    }
    const refresh = { refresh_token: '7eeb0ef5-0000-4000-8000-000000000000' };
    expect((await ask(server, 'POST', '/api/v1/token/refreshToken', [], refresh)).status).toBe(401);
    for (const about of ['', '/req-1', '/req-1/explain', '?format=har']) {
      expect((await ask(server, 'GET', `/__admin/requests${about}`)).status).toBe(200);
    }
    await server.close();
  });
});

describe('where a name of the caller is looked up', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serverOf();
  });
  afterAll(() => server.close());

  const places: readonly (readonly [method: string, path: string, body?: unknown, headers?: readonly string[]])[] = [
    ['GET', '/api/{}/facilities'],
    ['POST', '/api/{}/token/refreshToken', { refresh_token: 'x' }],
    ['GET', '/api/v3/facilities/{}'],
    ['GET', '/api/v2/bookings?{}=1&{}=2'],
    ['GET', '/api/v3/countries?{}=1'],
    ['GET', '/api/v3/countries', '', ['Teebox-Scenario: {}']],
    ['GET', '/api/v3/countries', '', ['Teebox-Scenario: slow; {}=1']],
    ['GET', '/api/v3/countries', '', ['{}: 1']],
    ['POST', '/api/v5/bookings', [{ '{}': 1 }]],
    ['GET', '/w/{}/__admin/health'],
    ['GET', '/__admin/inbox/{}'],
    ['POST', '/__admin/inbox/{}?status=400', { '{}': 1 }, ['{}: 1']],
    ['GET', '/__admin/snapshots'],
    ['PUT', '/__admin/snapshots/{}'],
    ['POST', '/__admin/snapshots/{}/restore'],
    ['DELETE', '/__admin/snapshots/{}'],
    ['GET', '/__admin/plans/{}'],
    ['POST', '/__admin/plans', { scenario: '{}' }],
    ['POST', '/__admin/plans', { scenario: 'slow', '{}': 1 }],
    ['POST', '/__admin/plans', { scenario: 'slow', operation: '{}', channel: '{}', match: { '{}': 1 } }],
    ['POST', '/__admin/requests/verify', { match: { '{}': 1 }, operation: '{}' }],
    ['POST', '/__admin/chaos', { rate: '5%', only: ['{}'], '{}': 1 }],
    ['PUT', '/__admin/dialect', { answers: { '{}': 1 } }],
    ['PUT', '/__admin/dialect', { answers: { 'auth.schemes': { '{}': 'both' } } }],
    ['PUT', '/__admin/state', { '{}': 1 }],
    ['GET', '/__admin/requests?{}=1'],
    ['GET', '/__admin/requests?operation={}&channel={}'],
    ['GET', '/__admin/requests/{}'],
    ['GET', '/__admin/callbacks/{}'],
    ['POST', '/__admin/callbacks/{}/redeliver'],
    ['GET', '/__admin/bookings/{}'],
    ['GET', '/__admin/{}'],
    ['DELETE', '/__admin/worlds/{}'],
  ];
  test.each(places.map(([method, path, body = '', headers = []]) => ({ method, path, body, headers })))(
    '$method $path',
    async ({ method, path, body, headers }) => {
      for (const name of names) {
        const filled = (text: string): string => text.replaceAll('{}', name);
        const text = typeof body === 'string' ? filled(body) : filled(JSON.stringify(body));
        const all = [...headers.map(filled), `Authorization: ${authorization}`];
        const { status } = await ask(server, method, filled(path), all, text);
        expect({ name, status: status < 500 }).toEqual({ name, status: true });
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
    },
  );

  test('and the journal can still be read', async () => {
    for (const about of ['', '?format=har'])
      expect((await ask(server, 'GET', `/__admin/requests${about}`)).status).toBe(200);
  });
});

describe('a method, which `fetch` in process takes as it is', () => {
  test.each(names)('%s', async (method) => {
    const sandbox = await createSandbox();
    for (const path of ['/api/v3/countries', '/api/v5/bookings', '/no-such-path', '/__admin/clock', '/__admin/x']) {
      const { status } = await sandbox.fetch(new Request(`http://sandbox.test${path}`, { method }));
      expect([404, 405]).toContain(status);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.keys(Object)).toEqual([]);
  });
});
