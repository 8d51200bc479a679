import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../src/engine/model/world.js';
import { createSandbox } from '../../src/engine/library.js';
import { type RunningServer, serve } from '../../src/cli/server.js';
import { connectTo, parseAnswer, raw, rawAnswer } from '../support/network/raw.js';
import { sampled } from '../support/sampled.js';

const sandbox = await createSandbox();
const credentials = `Authorization: ${basicCredentials(sandbox.channels[0]!)}\r\n`;
const post = `POST /api/v5/bookings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${credentials}`;

let server: RunningServer;
beforeAll(async () => {
  server = await serve(sandbox, { port: 0 });
});
afterAll(() => server.close());

const limit = 1_048_576;
const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;

describe('a body over the limit is refused', () => {
  const bodies: [string, string][] = [
    ['declared and sent', `Content-Length: ${limit + 1}\r\n\r\n${'x'.repeat(limit + 1)}`],
    ['declared and never sent', `Content-Length: ${limit + 1}\r\n\r\nx`],
    ['sent in chunks', `Transfer-Encoding: chunked\r\n\r\n${chunk(limit)}${chunk(1)}0\r\n\r\n`],
    ['sent in chunks without an end', `Transfer-Encoding: chunked\r\n\r\n${chunk(limit + 1)}`],
  ];
  test.concurrent.each(bodies)('%s', async (_title, rest) => {
    expect(parseAnswer(await rawAnswer(server.url, post + rest))).toEqual({
      status: 413,
      body: { success: false, data: null, message: `The request body is larger than ${limit} bytes.` },
    });
  });

  const rounds = async (how: 'declared' | 'sent in chunks', count: number) => {
    const whole = new Uint8Array(4 * limit);
    for (let round = 0; round < count; round += 1) {
      const body = how === 'declared' ? whole : new Blob([whole]).stream();
      const headers = { authorization: basicCredentials(sandbox.channels[0]!), 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
      expect((await fetch(`${server.url}/api/v5/bookings`, init)).status).toBe(413);
    }
  };
  for (const how of ['declared', 'sent in chunks'] as const) {
    sampled(`${how}, and a client that is still sending gets a response`, [2, 12], (count) => rounds(how, count));
  }

  test.concurrent.each([
    ['declared', `Content-Length: ${3 * limit}\r\n\r\n`, 'x'.repeat(limit), ''],
    ['sent in chunks', 'Transfer-Encoding: chunked\r\n\r\n', chunk(limit), '0\r\n\r\n'],
  ])('%s, and a client that sends the rest later keeps its connection', async (_title, head, part, end) => {
    const socket = connectTo(server.url);
    const closed = once(socket, 'close');
    let text = '';
    socket.on('data', (data) => (text += data));
    socket.write(post + head + part + part);
    while (!text.startsWith('HTTP/1.1 413 ')) await once(socket, 'data');
    await sleep(1000);
    socket.write(`${part}${end}GET /__admin/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    await closed;
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('a body of exactly the limit is read', async () => {
    const body = `${' '.repeat(limit - 2)}[]`;
    const text = await raw(server.url, `${post}Connection: close\r\nContent-Length: ${limit}\r\n\r\n${body}`);
    const message = expect.stringContaining('bookings.create.multiple');
    expect(parseAnswer(text)).toMatchObject({ status: 400, body: { message } });
  });
});

test.each([
  ['what is no JSON', 'PUT /__admin/state', 'x', 400],
  ['too many levels', 'PUT /__admin/state', '['.repeat(200), 400],
  ['a body over the limit', 'PUT /__admin/dialect', '', 413],
  ['a body over the limit of the API', 'POST /api/v5/bookings', '', 401],
])('a client that reads when it has sent all of %s gets a response', async (_, line, start, status) => {
  const body = start + ' '.repeat(20 * limit);
  const socket = connectTo(server.url);
  const headers = `Host: 127.0.0.1\r\nContent-Length: ${body.length}`;
  await new Promise((sent) => socket.write(`${line} HTTP/1.1\r\n${headers}\r\n\r\n${body}`, sent));
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

describe('what is no request gets an envelope', () => {
  const messages: [string, string, number][] = [
    ['a tunnel', 'CONNECT partner.example:443 HTTP/1.1\r\nHost: partner.example:443\r\n\r\n', 405],
    ['an unknown expectation', `${post}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`, 417],
    ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`, 431],
    ['an address without end', `GET /?${'x'.repeat(20_000)}`, 431],
    ['a chunk without size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000', 400],
  ];
  test.each(messages)('%s', async (_title, bytes, want) => {
    const text = await raw(server.url, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${want} `));
    expect(text).toContain('{"success":false,"data":null,"message":"');
  });
});

describe('the admin API', () => {
  const reset = (path: string, host: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
  const spellings = [
    '/__admin/reset',
    '/%5f_admin/reset',
    '/__%61dmin/reset',
    '/api/../__admin/reset',
    '/__admin/health/../reset',
  ];

  test.each(spellings)('%s is closed to a foreign host name and open to this machine', async (path) => {
    const { port } = server;
    const hosts = [
      ['rebound.example', 403],
      [`127.0.0.1.rebound.example:${port}`, 403],
      [`localhost:${port}`, 200],
    ] as const;
    for (const [host, want] of hosts) {
      expect({ host, ...parseAnswer(await raw(server.url, reset(path, host))) }).toMatchObject({ host, status: want });
    }
  });

  test('is closed when the server listens wider and has no token, but for health', async () => {
    const wide = await serve(sandbox, { port: 0, hostname: '0.0.0.0' });
    const local = `http://127.0.0.1:${wide.port}`;
    for (const path of spellings) expect(parseAnswer(await raw(local, reset(path, 'localhost'))).status).toBe(403);
    expect((await fetch(`${local}/__admin/health`)).status).toBe(200);
    await wide.close();
  });

  test('is reached through a reverse proxy as its refusal says', async () => {
    const guarded = await serve(sandbox, { port: 0, adminToken: 'a-token-for-the-proxy' });
    const reach = async (host: string) => {
      const headers = `Host: ${host}\r\nX-Forwarded-For: 10.1.2.3\r\nAuthorization: Bearer a-token-for-the-proxy\r\nConnection: close`;
      return parseAnswer(await raw(guarded.url, `GET /__admin/version HTTP/1.1\r\n${headers}\r\n\r\n`));
    };
    const refused = await reach('tools.example.com');
    expect([refused.status, JSON.stringify(refused)]).toEqual([
      403,
      expect.stringContaining('let it send `Host: 127.0.0.1`'),
    ]);
    expect((await reach('127.0.0.1')).status).toBe(200);
    await guarded.close();
  });

  test('is no hindrance to a query that names it', async () => {
    const host = { authorization: basicCredentials(sandbox.channels[0]!) };
    const answer = await fetch(`${server.url}/api/v3/facilities?country=/__admin/&connected=true`, { headers: host });
    expect(answer.status).toBe(200);
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
test.each(['127.1', '2130706433', 'localhost'])('the admin API is open on %s, which is loopback', async (hostname) => {
  const other = await serve(sandbox, { port: 0, hostname });
  const reset = await fetch(`http://127.0.0.1:${other.port}/__admin/reset`, { method: 'POST' });
  await other.close();
  expect(reset.status).toBe(200);
});

test.skipIf(!hasIpv6).each(['::1', '[::1]'])('listens on %s', async (hostname) => {
  const other = await serve(sandbox, { port: 0, hostname });
  expect(other.url).toBe(`http://[::1]:${other.port}`);
  expect((await fetch(`${other.url}/__admin/reset`, { method: 'POST' })).status).toBe(200);
  expect(await raw(other.url, 'GET /__admin/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  await other.close();
});

test('a client that pauses at a breakpoint keeps its connection for more than a minute', async () => {
  const { headers } = await fetch(`${server.url}/__admin/health`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});

test('two servers cannot have one port', async () => {
  await expect(serve(sandbox, { port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test.each([
  ['idle', ''],
  ['in the middle of a body', `${post}Content-Length: 100\r\n\r\n{`],
  ['answered for nonsense, and not closed by the peer', 'nonsense\r\n\r\n'],
  ['refused as a tunnel, and not closed by the peer', 'CONNECT partner.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('closing ends a connection that is %s', async (_title, bytes) => {
  const other = await serve(sandbox, { port: 0 });
  const socket = connectTo(other.url);
  socket.allowHalfOpen = true;
  socket.resume();
  await once(socket, 'connect');
  if (bytes) socket.write(bytes);
  await fetch(`${other.url}/__admin/health`);
  await other.close();
  await expect(fetch(`${other.url}/__admin/health`)).rejects.toThrow();
  socket.destroy();
});
