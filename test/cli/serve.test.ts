import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../src/engine/model/world.js';
import { runCli, type Started, startCli } from '../support/network/process.js';
import { connectTo, raw } from '../support/network/raw.js';

const fairway = { authorization: basicCredentials({ username: 'fairway', password: 'not-a-secret-fairway' }) };

describe('a running server', () => {
  let server: Started;
  beforeAll(async () => {
    server = await startCli(['--now', '2026-06-01T08:00:00Z', '--log-format', 'json'], { TEEBOX_EXPIRES_IN: '60s' });
  });
  afterAll(() => server.stop());

  test('tells where it is and how to log in, in one line', { tags: ['always'] }, () => {
    expect(server.output().stdout.trim().split('\n')).toHaveLength(1);
    expect(server.ready).toMatchObject({ event: 'ready', adminUrl: `${server.baseUrl}/__admin` });
    expect(server.ready.channels.map(({ name }) => name)).toEqual(['fairway', 'links', 'caddie']);
    for (const channel of server.ready.channels) {
      expect(Object.keys(channel)).toEqual(['name', 'username', 'password', 'refreshToken']);
    }
  });

  test('is healthy', { tags: ['always'] }, async () => {
    const response = await fetch(`${server.baseUrl}/__admin/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok' });
  });

  test('goes back to its baseline', { tags: ['always'] }, async () => {
    const { refreshToken } = server.ready.channels[2]!;
    const refresh = () =>
      fetch(`${server.baseUrl}/api/v5/token/refreshToken`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: refreshToken }),
      });
    const first = await refresh();
    expect(await first.json()).toMatchObject({ success: true, data: { expires_in: 60 } });
    expect((await refresh()).status).toBe(401);
    expect((await fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' })).status).toBe(200);
    expect((await refresh()).status).toBe(200);
  });

  const notAdmin: [string, string, Record<string, string>][] = [
    ['a host name pointed at this machine', 'rebound.example', {}],
    ['a page of another site', '127.0.0.1', { Origin: 'http://elsewhere.example' }],
  ];
  test.each(notAdmin)('does not reset for %s', async (_title, host, headers) => {
    const lines = Object.entries({ Host: host, Connection: 'close', 'Content-Length': '0', ...headers });
    const text = await raw(
      server.baseUrl,
      `POST /__admin/reset HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1.1 403 /);
    expect(text).toContain('application/problem+json');
  });

  const malformed: [string, string][] = [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['a host that is no host', 'GET /api/v3/countries HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['an absolute address that is none', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST /api/v5/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ];
  test.each(malformed)('answers %s with 400 in the envelope', async (_title, bytes) => {
    const text = await raw(server.baseUrl, bytes);
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ success: false, data: null });
  });

  test('answers without a Host header, as HTTP/1.0 has it', async () => {
    const authorization = `Authorization: ${fairway.authorization}`;
    const text = await raw(server.baseUrl, `GET /api/v3/countries HTTP/1.0\r\n${authorization}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 200 /);
  });

  test('logs a client that went away in the middle of a body as its own doing', async () => {
    const socket = connectTo(server.baseUrl);
    socket.write(`POST /api/v5/bookings HTTP/1.1\r\nHost: x\r\nAuthorization: ${fairway.authorization}\r\n`);
    socket.end('Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{');
    while (!server.output().stderr.includes('must arrive whole')) await once(server.child.stderr!, 'data');
    expect(JSON.parse(server.output().stderr.trim().split('\n').at(-1)!)).toMatchObject({ level: 'info', status: 0 });
  });

  test('logs one line a request on stderr, without secrets and without health', async () => {
    await fetch(`${server.baseUrl}/api/v3/countries?access_token=s3cret&connected=maybe`, { headers: fairway });
    // The log is written in batches.
    while (!server.output().stderr.includes('countries.query.connected')) await once(server.child.stderr!, 'data');
    const lines = server
      .output()
      .stderr.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      msg: 'GET /api/v3/countries?access_token=***&connected=maybe 400',
      status: 400,
      operation: 'v3.listCountries',
      channel: 'fairway',
      rule: 'countries.query.connected',
      detail: expect.stringContaining('`connected` must be true or false'),
      durationMs: expect.any(Number),
    });
    const text = server.output().stderr;
    for (const secret of ['s3cret', 'not-a-secret', fairway.authorization.slice(6), '7eeb0ef5', 'health']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('starting and stopping', () => {
  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('%s ends it, also with a connection that stays open', async (signal, want) => {
    const server = await startCli();
    const idle = connectTo(server.baseUrl);
    await once(idle, 'connect');
    expect(await server.stop(signal)).toBe(want);
  });

  test('a signal does not wait for a callback that nobody receives', async () => {
    const card = join(mkdtempSync(join(tmpdir(), 'teebox-serve-')), 'patient.json');
    writeFileSync(card, '{"answers":{"callback.timeout-seconds":60}}');
    const server = await startCli(['--dialect', card]);
    const receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const arrived = once(receiver, 'connection');
    const { port } = receiver.address() as AddressInfo;
    const query = 'facilityIds=1001&fromDate=01-06-2026&toDate=01-06-2026&players=1&holes=18';
    const callback = `callbackUrl=http://127.0.0.1:${port}/`;
    await fetch(`${server.baseUrl}/api/v5/teetimes?${query}&${callback}`, { headers: fairway });
    const [socket] = await arrived;
    const ended = once(socket, 'close');
    socket.resume();
    expect(await server.stop()).toBe(0);
    await ended;
    receiver.close();
  });

  // Tried again when the machine was too busy to send the second within the grace of the first.
  test('a second signal ends it at once', { retry: 2 }, async () => {
    const server = await startCli();
    const busy = connectTo(server.baseUrl);
    busy.write('POST /api/v5/token/refreshToken HTTP/1.1\r\nHost: x\r\n');
    busy.write('Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{');
    const isListening = () =>
      fetch(`${server.baseUrl}/__admin/health`).then(
        () => true,
        () => false,
      );
    expect(await isListening()).toBe(true);
    server.child.kill('SIGTERM');
    while (await isListening());
    expect(await server.stop('SIGINT')).toBe(130);
  });

  test('a port in use is explained', async () => {
    const server = await startCli();
    const { port } = new URL(server.baseUrl);
    const { code, stderr } = await runCli(['--port', port]);
    await server.stop();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `teebox: Failed to listen on 127.0.0.1:${port}: the port is in use. Use --port 0 for a free one.\n`,
    });
  });

  test('a flag overrides the environment, the environment overrides the default', async () => {
    const env = { TEEBOX_SEED: '9', TEEBOX_FACILITIES: '3', TEEBOX_LOG_LEVEL: 'silent', PORT: '1' };
    const server = await startCli(['--seed', '5'], env);
    const list = await fetch(`${server.baseUrl}/api/v3/countries`, { headers: fairway });
    const other = await startCli(['--seed', '5', '--facilities', '3', '--pure']);
    const same = await fetch(`${other.baseUrl}/api/v3/countries`, { headers: fairway });
    expect(await list.text()).toBe(await same.text());
    expect([list.headers.has('teebox-rule'), same.headers.has('teebox-rule')]).toEqual([true, false]);
    expect(server.output().stderr).toBe('');
    await Promise.all([server.stop(), other.stop()]);
  });

  test('the banner begins with the address and a curl that works', { tags: ['always'] }, async () => {
    const { spawn, execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const { CLI } = await import('../support/network/process.js');
    const child = spawn(process.execPath, [CLI, '--port', '0', '--log-level', 'silent']);
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    while (!text.includes('teebox list rules')) await once(child.stdout, 'data');
    const [url, curl] = text.split('\n');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
    child.kill();
    await once(child, 'close');
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    for (const credential of ['fairway:not-a-secret-fairway', 'links:', 'caddie:', '7eeb0ef5-']) {
      expect(text).toContain(credential);
    }
  });
});
