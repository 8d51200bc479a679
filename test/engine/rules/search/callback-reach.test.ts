import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWorlds, type WorldsOptions } from '../../../../src/engine/library.js';
import { type RunningServer, serve, type ServeOptions } from '../../../../src/cli/server.js';
import { basic } from '../../../support/credentials.js';
import { parseAnswer, raw } from '../../../support/network/raw.js';
import { startReceiver } from '../../../support/network/receiver.js';
import { queryText } from '../../../support/scenes.js';
import { searchQuery } from '../../../support/views.js';

const { authorization } = basic('fairway', 'not-a-secret-fairway');
const OWN = 'names this sandbox itself';

async function start({ options = {}, server = {} }: { options?: WorldsOptions; server?: ServeOptions } = {}) {
  const worlds = await createWorlds({ version: '1.2.3', ...options });
  const running = await serve(worlds, { port: 0, ...server });
  onTestFinished(() => running.close());
  return { ...running, worlds };
}

async function ask(server: Pick<RunningServer, 'url'>, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { method = 'GET', ...given } = headers;
  const all = { host: new URL(server.url).host, connection: 'close', 'content-length': '0', authorization, ...given };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = await raw(
    server.url.replace('0.0.0.0', '127.0.0.1'),
    `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`,
  );
  const { status, body } = text.includes('\r\n\r\n{')
    ? parseAnswer(text)
    : { status: Number(text.slice(9, 12)), body: {} };
  return { status, body: body as { message?: string; detail?: string; count?: number } };
}

const search = (server: Pick<RunningServer, 'url'>, callbackUrl: string, headers = {}, world = '') =>
  ask(server, `${world}/api/v5/teetimes?${queryText(searchQuery({ callbackUrl }))}`, headers);

const own = Object.values(networkInterfaces()).flatMap((all) =>
  (all ?? []).map(({ address, family }) => (family === 'IPv4' ? address : `[${address}]`)),
);
const spellings = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '127.1',
  '127.9.9.9',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '0.0.0.0',
  '0',
  '[::]',
  '1２７.0.0.1',
  ...own.filter((address) => !address.includes('%')),
];

const paths = [
  '/api/v3/countries',
  '/',
  '/w/a/__admin/inbox/x',
  '/__admin/inbox',
  '/__admin/inbox/a/b',
  '/__admin/inbox/%2e%2e%2freset',
  '/__admin/x/../reset',
  '//__admin/inbox/x',
];

describe('the sandbox itself is no target', () => {
  test.each(['127.0.0.1', '0.0.0.0'])('however it is spelled; it listens on %s', async (hostname) => {
    const server = await start({ server: { hostname }, options: { allowCallback: 'any' } });
    const targets = [
      ...spellings.map((host) => [host, '/__admin/reset'] as const),
      ...paths.map((path) => ['127.0.0.1', path] as const),
    ];
    for (const [host, path] of targets) {
      const { status, body } = await search(server, `http://${host}:${server.port}${path}`);
      const got = { host, path, status, body };
      expect(got).toMatchObject({ status: 400, body: { message: expect.stringContaining(OWN) } });
    }
    expect(server.worlds.main.callbacks.deliveries).toEqual([]);
  });

  test('by the name in `Host`, as behind a proxy', async () => {
    const server = await start({ server: { hostname: '0.0.0.0' }, options: { allowCallback: 'any' } });
    for (const [host, target] of [
      ['tee.example', 'http://tee.example/__admin/reset'],
      ['tee.example:8443', 'https://TEE.example.:8443/__admin/reset'],
      ['tee.example', 'https://tee.example/__admin/reset'],
    ] as const) {
      const { status, body } = await search(server, target, { host });
      expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringContaining(OWN) } });
    }
  });

  test('and the refusal says what is', async () => {
    const server = await start();
    const { body } = await search(server, `${server.url}/w/a/__admin/reset`, {}, '/w/a');
    expect(body.message).toBe(
      '`callbackUrl` names this sandbox itself, where only the inbox of the same world takes callbacks: /w/a/__admin/inbox/NAME.',
    );
  });
});

describe('the inbox of the same world is a target', () => {
  const inbox = async (server: RunningServer, world: string) =>
    (await ask({ url: `http://127.0.0.1:${server.port}` }, `${world}/__admin/inbox/x`)).body.count;

  test('however it is spelled', async () => {
    const { worlds, ...server } = await start({ server: { hostname: '0.0.0.0' } });
    const { callbacks } = worlds.main;
    for (const host of spellings) {
      const { status } = await search(server, `http://${host}:${server.port}/__admin/inbox/x`);
      expect({ host, status }).toEqual({ host, status: 200 });
    }
    await callbacks.settled();
    const arrived = { state: 'delivered', attempts: [{ status: 204 }] };
    expect(callbacks.deliveries).toMatchObject(spellings.map(() => arrived));
  });

  test('of a world, by any name, from any machine, with its query', async () => {
    const server = await start();
    const target = 'https://tee.example/w/a/__admin/inbox/x?status=201';
    const from = { host: 'tee.example', 'x-forwarded-for': '10.1.2.3' };
    expect((await search(server, target, from, '/w/a')).status).toBe(200);
    expect((await search(server, target, from)).status).toBe(400);
    const settled = async (): Promise<string> => {
      const { body } = await ask(server, '/w/a/__admin/callbacks/callback-1');
      const { state } = body as { state?: string };
      return state === 'pending' ? settled() : JSON.stringify(body);
    };
    expect(JSON.parse(await settled())).toMatchObject({ url: target, state: 'delivered', attempts: [{ status: 201 }] });
    expect([await inbox(server, '/w/a'), await inbox(server, '')]).toEqual([1, 0]);
  });
});

describe('other services of this machine', () => {
  const rows: readonly [
    who: string,
    headers: Readonly<Record<string, string>>,
    allow: readonly string[],
    status: number,
  ][] = [
    ['a caller on this machine', {}, [], 200],
    ['a page of this machine', { origin: 'http://localhost:3000' }, [], 200],
    ['a page of this machine, by IPv6', { origin: 'http://[::1]:3000', 'sec-fetch-site': 'cross-site' }, [], 200],
    ['a proxy for a caller on this machine', { 'x-forwarded-for': '127.0.0.1' }, [], 200],
    ['a proxy for another machine', { 'x-forwarded-for': '10.1.2.3, 127.0.0.1' }, [], 400],
    ['a proxy for another machine, by the standard', { forwarded: 'for=10.1.2.3' }, [], 400],
    ['a proxy for another machine, by a third name', { 'x-real-ip': '10.1.2.3' }, [], 400],
    ['a proxy that says no more than its name', { via: '1.1 proxy' }, [], 400],
    ['a caller on this machine, by its name', { host: 'localhost:80' }, [], 200],
    ['a caller on this machine, by IPv6', { host: '[::1]' }, [], 200],
    ['a page whose name was rebound to this machine', { host: 'evil.example:26089' }, [], 400],
    ['a page of another site', { origin: 'https://evil.example' }, [], 400],
    ['a page without an origin', { origin: 'null' }, [], 400],
    ['an image of another site', { 'sec-fetch-site': 'cross-site' }, [], 400],
    ['a page of another site, where the host is allowed', { origin: 'https://evil.example' }, ['127.0.0.1'], 200],
    ['another machine, where another port is allowed', { 'x-real-ip': '10.1.2.3' }, ['127.0.0.1:9'], 400],
    ['another machine, where another spelling is allowed', { 'x-real-ip': '10.1.2.3' }, ['127.1'], 200],
  ];
  test.each(rows)('%s', async (_, headers, allowCallback, want) => {
    const receiver = await startReceiver();
    const server = await start({ options: { allowCallback } });
    const { status, body } = await search(server, receiver.url, headers);
    expect(status).toBe(want);
    if (want === 400) {
      expect(body.message).toContain(`\`--allow-callback 127.0.0.1:${receiver.port}\``);
      expect(body.message).toMatch(
        new RegExp(`In a container, .*\`host\\.docker\\.internal:${receiver.port}\`.*host-gateway`),
      );
    }
    await server.worlds.main.callbacks.settled();
    expect(receiver.posted).toHaveLength(want === 200 ? 1 : 0);
  });

  test.each([
    ['not without a flag', [], 400],
    ['with a flag', ['127.0.0.1'], 200],
  ] as const)('credentials for them: %s', async (_, allowCallback, want) => {
    const receiver = await startReceiver();
    const server = await start({ options: { allowCallback } });
    const { status, body } = await search(server, receiver.url.replace('//', '//root:toor@'));
    expect({ status, text: body.message ?? null }).toEqual({
      status: want,
      text:
        want === 200
          ? null
          : '`callbackUrl` contains credentials, which this sandbox sends to no other service. ' +
            `Start the sandbox with \`--allow-callback 127.0.0.1:${receiver.port}\`, or remove them.`,
    });
    await server.worlds.main.callbacks.settled();
    expect(receiver.posted.map(({ headers }) => headers.authorization)).toEqual(
      want === 200 ? [`Basic ${btoa('root:toor')}`] : [],
    );
  });

  test('a caller on another machine', async () => {
    const [address] = own.filter((one) => !one.startsWith('127.') && !one.startsWith('['));
    if (address === undefined) return;
    const server = await start({ server: { hostname: address } });
    expect((await search(server, 'http://127.0.0.1:9/results')).status).toBe(400);
  });
});

describe('a post names the sandbox', () => {
  test('with its version, and what it is about', async () => {
    const receiver = await startReceiver();
    const server = await start({ options: { pure: true } });
    await search(server, receiver.url);
    await server.worlds.main.callbacks.settled();
    expect(receiver.posted[0]!.headers).toMatchObject({
      'user-agent': 'teebox/1.2.3',
      'teebox-callback': 'callback-1',
    });
  });

  test('and another sandbox refuses it', async () => {
    const server = await start();
    const text = 'This request is a callback of a sandbox, and only an inbox takes those: /__admin/inbox/NAME.';
    for (const path of [
      '/__admin/reset',
      '/%5f_admin/reset',
      '/w/a/__admin/clock',
      '/api/v5/bookings',
      ...paths.filter((path) => !/inbox\/(x|%)/.test(path) || path.startsWith('//')),
    ]) {
      const { status, body } = await ask(server, path, { method: 'POST', 'teebox-callback': 'callback-1' });
      expect({ path, status, text: body.message ?? body.detail }).toEqual({ path, status: 403, text });
    }
  });

  test('but takes it in its inbox', async () => {
    const server = await start();
    const other = await start();
    await search(server, `${other.url}/__admin/reset`);
    await search(server, `${other.url}/__admin/inbox/x`);
    await server.worlds.main.callbacks.settled();
    expect(server.worlds.main.callbacks.deliveries.map(({ attempts }) => attempts[0]!.status)).toEqual([403, 204]);
  });
});

describe('hosts that are allowed', () => {
  test.each([
    [['partner.example:443'], 'https://partner.example/a', 200],
    [['partner.example:80'], 'http://partner.example/a', 200],
    [['partner.example:443'], 'http://partner.example/a', 400],
    [['partner.example.'], 'http://partner.example/a', 200],
    [['partner.example'], 'http://partner.example./a', 200],
    [['[::ffff:10.0.0.1]:9'], 'http://[::ffff:a00:1]:9/', 200],
    [['10.1'], 'http://10.0.0.1/', 200],
    [['my_service'], 'http://my_service/', 200],
  ] as const)('%j: %s gives %s', async (allowCallback, url, status) => {
    const fetch = async () => new Response();
    const server = await start({ options: { allowCallback, fetch } });
    expect((await search(server, url)).status).toBe(status);
  });
});
