import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.js';
import { bookingFor, findTeeTime, type Json } from '../../support/scenes.js';
import { operate } from '../support/operator.js';
import { WorldClient } from '../support/world-client.js';
import { OPERATOR_TOKEN, Workerd } from '../support/workerd.js';

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start({ TEEBOX_REQUESTS_PER_MINUTE: '100000', TEEBOX_MAX_BOOKINGS: '77' });
});
afterAll(() => workerd?.close());

interface Owned {
  readonly name: string;
  readonly client: WorldClient;
  admin(method: string, path: string, body?: unknown): Promise<Response>;
}

async function make(settings: object): Promise<Owned> {
  const { body } = await operate(workerd, 'POST', '/worlds', { now: '2026-06-01T08:00:00Z', ...settings });
  const headers = { authorization: `Bearer ${body.token}` };
  const admin = (method: string, path: string, sent?: unknown) =>
    fetch(`${body.baseUrl}/__admin/${path}`, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
  return { name: body.name, client: new WorldClient(body.baseUrl, body.channels), admin };
}

function isOnDisk(text: string): boolean {
  const place = join(workerd.folder, 'teebox-worlds');
  return readdirSync(place).some((name) => readFileSync(join(place, name)).includes(text));
}

const book = async ({ client }: Owned): Promise<Reply> =>
  client.post('/api/v5/bookings', bookingFor(await findTeeTime(client)));
const usage = async ({ name }: Owned): Promise<Json> => (await operate(workerd, 'GET', `/worlds/${name}`)).body.usage;

test('the deployment decides the limits that the operator leaves out', async () => {
  const { body } = await operate(workerd, 'POST', '/worlds', { limits: { bookings: 5 } });
  const limits = { requestsPerMinute: 100_000, bookings: 5, storageBytes: 100_000_000, callbacksPerDay: 1000 };
  expect(body.limits).toEqual(limits);
});

test('a deployment with a limit that is no number says so', async () => {
  const wrong = await Workerd.start({ TEEBOX_MAX_BOOKINGS: 'many' });
  try {
    const { status, body } = await operate(wrong, 'POST', '/worlds', {});
    expect([status, body.detail]).toEqual([503, expect.stringContaining('`MAX_BOOKINGS`')]);
  } finally {
    await wrong.close();
  }
});

test('requests beyond those of a minute get a 429 in the form of their API, until the limit is raised', async () => {
  const dialect = { answers: { 'error.body': 'errors', 'error.code': 'code' } };
  const world = await make({ dialect, limits: { requestsPerMinute: 5 } });
  for (let at = 0; at < 5; at += 1) expect((await world.client.get('/api/v3/countries')).status).toBe(200);
  const refused = await world.client.get('/api/v3/countries', { headers: { origin: 'https://partner.example' } });
  expect([refused.status, refused.body]).toEqual([
    429,
    {
      success: false,
      data: null,
      errors: [{ message: expect.stringContaining('This world answers 5 requests a minute. Try again after') }],
      code: 'limit-requests-per-minute',
    },
  ]);
  expect(refused.headers.get('teebox-limit')).toBe('requests-per-minute');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  const admin = await world.admin('GET', 'clock');
  expect([admin.status, admin.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
  expect((await usage(world)).requests).toEqual({ today: 5, total: 5 });
  await operate(workerd, 'PATCH', `/worlds/${world.name}`, { limits: { requestsPerMinute: 1_000_000 } });
  await expect.poll(async () => (await world.client.get('/api/v3/countries')).status).toBe(200);
});

test('tokens that are tried at the hosts of a world count as its requests; those of the operator do not', async () => {
  const world = await make({ limits: { requestsPerMinute: 5 } });
  const tried = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${workerd.url}/worlds/${world.name}/hosts`, { headers })).status;
  };
  const statuses: number[] = [];
  for (let guess = 0; guess < 6; guess += 1) statuses.push(await tried(`a-guess-of-the-token-${guess}`));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await world.client.get('/api/v3/countries')).status).toBe(429);
  expect(await tried(OPERATOR_TOKEN)).toBe(200);
  expect((await usage(world)).requests).toEqual({ today: 5, total: 5 });
});

test('a world that has its bookings still answers, cancels and resets', async () => {
  const world = await make({ limits: { bookings: 2 } });
  const [first, second, third] = [await book(world), await book(world), await book(world)];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 507]);
  expect(third.body.message).toContain('This world has 2 bookings; its limit is 2.');
  expect(third.headers.get('teebox-limit')).toBe('bookings');
  expect((await world.client.get('/api/v4/bookings')).status).toBe(200);
  const { bookingId } = first.body.data;
  expect((await world.admin('POST', `bookings/${bookingId}/cancel?force=true`)).status).toBe(200);
  expect((await book(world)).status).toBe(507);
  expect((await usage(world)).bookings).toBe(2);
  await workerd.restart();
  expect((await book(world)).status).toBe(507);
  expect((await world.admin('POST', 'reset')).status).toBe(200);
  expect((await book(world)).status).toBe(200);
});

test('a world that has stored its bytes still answers and resets', async () => {
  const world = await make({ limits: { storageBytes: 65_536 } });
  let last = await book(world);
  for (let at = 0; at < 400 && last.status === 200; at += 1) last = await book(world);
  expect([last.status, last.headers.get('teebox-limit')]).toEqual([507, 'storage-bytes']);
  expect(last.body.message).toContain('its limit is 65536');
  const plan = await world.admin('POST', 'plans', { scenario: 'rate-limited' });
  expect([plan.status, plan.headers.get('content-type')]).toEqual([507, 'application/problem+json']);
  expect((await world.client.get('/api/v4/bookings')).status).toBe(200);
  const state = await (await world.admin('GET', 'state')).json();
  expect((await world.admin('PUT', 'state', state)).status).toBe(507);
  expect((await world.admin('POST', 'reset')).status).toBe(200);
  expect((await book(world)).status).toBe(200);
  expect((await usage(world)).storageBytes).toBeLessThan(65_536);
});

test('the usage counts requests and bookings, and survives a stop', async () => {
  const world = await make({});
  expect(await usage(world)).toMatchObject({ requests: { today: 0, total: 0 }, bookings: 0, lastUsedAt: null });
  await book(world);
  const { requests, bookings, storageBytes, lastUsedAt } = await usage(world);
  expect([requests.today, requests.total, bookings]).toEqual([requests.total, expect.any(Number), 1]);
  expect(requests.total).toBeGreaterThanOrEqual(2);
  expect(storageBytes).toBeGreaterThan(4096);
  expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(120_000);
  // Counts are stored within a second.
  await expect.poll(() => isOnDisk(`"lastUsedAt":${Date.parse(lastUsedAt)}`)).toBe(true);
  await workerd.restart();
  expect(await usage(world)).toMatchObject({ requests, bookings, lastUsedAt });
});
