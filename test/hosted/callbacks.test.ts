import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/credentials.js';
import { startReceiver } from '../support/network/receiver.js';
import { until } from '../support/network/state-server.js';
import { searchQuery } from '../support/views.js';
import { OPERATOR_TOKEN, Workerd } from './support/workerd.js';
import { type MadeWorld, makeWorld } from './support/world.js';

/** What the resolver of the tests knows. */
const names: Record<string, string> = { 'inside.example': '10.0.0.7', 'partner.example': '192.0.2.7' };
let resolver: Server;
let workerd: Workerd;
beforeAll(async () => {
  resolver = createServer(({ url }, response) => {
    const query = new URL(url!, 'http://resolver').searchParams;
    const data = query.get('type') === 'A' ? names[query.get('name')!] : undefined;
    response.end(JSON.stringify({ Status: 0, Answer: data === undefined ? [] : [{ type: 1, data }] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => void resolver.once('listening', resolve));
  const { port } = resolver.address() as AddressInfo;
  const environment = {
    TEEBOX_ALLOW_CALLBACK: '127.0.0.1',
    TEEBOX_RESOLVER: `http://127.0.0.1:${port}/dns-query`,
  };
  workerd = await Workerd.start(environment, 'local');
});
afterAll(async () => {
  resolver.close();
  await workerd?.close();
});

const headers = basic('fairway', 'not-a-secret-fairway');

async function search({ baseUrl }: MadeWorld, callbackUrl: string) {
  const response = await fetch(`${baseUrl}/api/v5/teetimes?${new URLSearchParams(searchQuery({ callbackUrl }))}`, {
    headers,
  });
  return { status: response.status, body: (await response.json()) as { readonly message?: string } };
}

async function delivery({ baseUrl, token }: MadeWorld): Promise<Record<string, unknown>> {
  const response = await fetch(`${baseUrl}/__admin/callbacks/callback-1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as Record<string, unknown>;
}

describe('a killed process posts by an alarm, without any request', () => {
  test('the retry after a failure, with the same body and id', async () => {
    const receiver = await startReceiver((response, count) => response.writeHead(count === 1 ? 500 : 204).end());
    const world = await makeWorld(workerd, { name: 'retry', dialect: { answers: { 'callback.retries': 3 } } });
    expect((await search(world, receiver.url)).status).toBe(200);
    await until(() => receiver.posted.length === 1);
    while (((await delivery(world))['attempts'] as unknown[]).length === 0);
    await workerd.restart();
    await until(() => receiver.posted.length === 2);
    const [first, second] = receiver.posted;
    expect(second).toMatchObject({ body: first!.body, headers: { 'teebox-callback': 'callback-1' } });
    expect(await delivery(world)).toMatchObject({ state: 'delivered', attempts: [{ status: 500 }, { status: 204 }] });
  });

  test('the first attempt', async () => {
    const receiver = await startReceiver();
    const world = await makeWorld(workerd, {
      name: 'first',
      dialect: { scenarios: ['callback-late; delay=3000ms'] },
    });
    expect((await search(world, receiver.url)).status).toBe(200);
    await workerd.restart();
    expect(receiver.posted).toEqual([]);
    await until(() => receiver.posted.length === 1);
    expect(JSON.parse(receiver.posted[0]!.body)).toMatchObject({ success: true });
  });
});

describe('callbacks from the internet', () => {
  test('the inbox of the same world needs no permission, that of another is refused', async () => {
    const world = await makeWorld(workerd, { name: 'own' });
    expect((await search(world, `${world.baseUrl}/__admin/inbox/mine`)).status).toBe(200);
    for (let state: unknown = 'pending'; state === 'pending'; { state } = await delivery(world));
    expect(await delivery(world)).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] });
    const other = await makeWorld(workerd, { name: 'other' });
    const { status, body } = await search(world, `${other.baseUrl}/__admin/inbox/mine`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('only the inbox of the same world')]);
  });

  test('hosts: the challenge is shown, addresses are checked, tokens are needed', async () => {
    const world = await makeWorld(workerd, { name: 'hosts' });
    const hosts = async (method: string, token: string, body?: unknown, path = '') => {
      const init = {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      const response = await fetch(`${workerd.url}/worlds/hosts/hosts${path}`, init);
      return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
    };
    const { status, body } = await search(world, 'https://partner.example/results');
    expect([status, body.message]).toEqual([400, expect.stringContaining('POST /worlds/hosts/hosts')]);
    expect(await hosts('GET', world.token)).toEqual({ status: 200, count: 0, hosts: [] });
    expect(await hosts('GET', OPERATOR_TOKEN)).toMatchObject({ status: 200 });
    expect(await hosts('GET', 'some-token-of-another-world')).toMatchObject({ status: 401 });
    const rows: readonly (readonly [host: string, status: number, detail: string])[] = [
      ['inside.example', 422, 'inside.example resolves to 10.0.0.7, which is a private address'],
      ['partner.example', 422, 'partner.example resolves to 192.0.2.7, which is a reserved address'],
      ['nowhere.example', 422, 'nowhere.example does not resolve to an address'],
      ['127.0.0.2', 422, '127.0.0.2 is a loopback address'],
      ['127.0.0.1', 409, 'needs no verification'],
      ['https://partner.example', 400, '`host` must be a host name'],
    ];
    for (const [host, want, detail] of rows) {
      expect(await hosts('POST', world.token, { host }), host).toMatchObject({
        status: want,
        detail: expect.stringContaining(detail),
      });
    }
    expect(await hosts('DELETE', world.token, undefined, '/partner.example')).toMatchObject({ status: 404 });
  });
});
