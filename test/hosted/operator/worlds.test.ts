import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../support/scenes.js';
import { operate, type OperatorReply } from '../support/operator.js';
import { Workerd } from '../support/workerd.js';

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start({ TEEBOX_MAX_WORLDS: '60' });
});
afterAll(() => workerd?.close());

const ask = (method: string, path: string, body?: unknown): Promise<OperatorReply> =>
  operate(workerd, method, path, body);
const make = async (name: string, settings: object = {}): Promise<Json> =>
  (await ask('POST', '/worlds', { name, ...settings })).body;
const statusWith = async (name: string, token: string): Promise<number> =>
  (await fetch(`${workerd.url}/w/${name}/__admin/clock`, { headers: { authorization: `Bearer ${token}` } })).status;

async function pages(limit: number, between: (page: number) => Promise<unknown> = async () => {}): Promise<string[]> {
  const names: string[] = [];
  let path = `/worlds?limit=${limit}`;
  for (let page = 1; ; page += 1) {
    const { body } = await ask('GET', path);
    names.push(...body.worlds.map(({ name }: Json) => name));
    if (body.next === null) return names;
    path = `/worlds?limit=${limit}&cursor=${body.next}`;
    await between(page);
  }
}

describe('the list', () => {
  const names = Array.from({ length: 12 }, (_, at) => `list-${at}`);
  beforeAll(async () => {
    for (const name of names) await make(name);
  });

  test('has every world, oldest first, in pages of any size', async () => {
    for (const limit of [1, 5, 12, 1000]) expect(await pages(limit)).toEqual(names);
    const { body } = await ask('GET', '/worlds');
    expect([body.count, body.worlds[0]]).toEqual([12, expect.objectContaining({ name: 'list-0', status: 'active' })]);
    expect(body.worlds[0]).not.toHaveProperty('usage');
  });

  test('misses no world and repeats none while worlds are made and deleted', async () => {
    const seen = await pages(4, async (page) => {
      if (page === 1) await Promise.all([ask('DELETE', '/worlds/list-3'), ask('DELETE', '/worlds/list-9')]);
      if (page === 2) await make('list-12');
    });
    expect(seen).toEqual([...names.filter((name) => name !== 'list-9'), 'list-12']);
    expect((await ask('GET', '/worlds')).body.count).toBe(11);
  });
});

describe('a change', () => {
  test.each<[body: object, want: object]>([
    [{ expiresAt: '2030-01-01T00:00:00Z' }, { expiresAt: '2030-01-01T00:00:00.000Z' }],
    [{ limits: { bookings: 7 } }, { limits: { requestsPerMinute: 600, bookings: 7, storageBytes: 100_000_000 } }],
    [
      { limits: { callbacksPerDay: 0 }, expiresAt: null },
      { limits: { bookings: 7, callbacksPerDay: 0 }, expiresAt: null },
    ],
  ])('%j', async (body, want) => {
    await make('changed');
    expect(await ask('PATCH', '/worlds/changed', body)).toMatchObject({ status: 200, body: want });
    expect(await ask('GET', '/worlds/changed')).toMatchObject({ status: 200, body: want });
    await workerd.restart();
    expect(await ask('GET', '/worlds/changed')).toMatchObject({ status: 200, body: want });
  });

  test.each<[body: unknown, words: string]>([
    [{}, 'The body must be a JSON object such as'],
    [{ name: 'other' }, 'the known names are expiresAt, expiresIn, limits'],
    [{ limits: { storageBytes: 1 } }, '`limits.storageBytes` must be a whole number from 65536'],
    [{ expiresIn: 'P1D', expiresAt: null }, 'not both'],
    ['{', 'not well-formed JSON'],
  ])('%j is refused', async (body, words) => {
    await make('unchanged');
    const before = (await ask('GET', '/worlds/unchanged')).body;
    expect(await ask('PATCH', '/worlds/unchanged', body)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(words) },
    });
    expect((await ask('GET', '/worlds/unchanged')).body).toEqual(before);
  });
});

test('a new token replaces the old one at once, also after a restart', async () => {
  const { token } = await make('tokens');
  expect(await statusWith('tokens', token)).toBe(200);
  const { status, body } = await ask('POST', '/worlds/tokens/token');
  expect([status, body.name]).toEqual([200, 'tokens']);
  const statuses = async () => [await statusWith('tokens', token), await statusWith('tokens', body.token)];
  expect(await statuses()).toEqual([401, 200]);
  await workerd.restart();
  expect(await statuses()).toEqual([401, 200]);
});

test('a deleted world is gone, and its name is free for another', async () => {
  const { token } = await make('gone');
  expect(await ask('DELETE', '/worlds/gone')).toMatchObject({ status: 200, body: { status: 'deleted' } });
  expect(await statusWith('gone', token)).toBe(404);
  expect((await ask('GET', '/worlds/gone')).status).toBe(404);
  expect((await ask('DELETE', '/worlds/gone')).status).toBe(404);
  const again = await make('gone', { seed: 7 });
  expect([await statusWith('gone', token), await statusWith('gone', again.token)]).toEqual([401, 200]);
});

test('the maximum of worlds holds, also for requests at the same time', async () => {
  const { count } = (await ask('GET', '/worlds')).body;
  const left = 60 - count;
  const replies = await Promise.all(Array.from({ length: left + 3 }, () => ask('POST', '/worlds', {})));
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused.map(({ status }) => status)).toEqual([507, 507, 507]);
  expect(refused[0]!.body.detail).toContain('raise the variable `MAX_WORLDS`');
  expect((await ask('GET', '/worlds')).body.count).toBe(60);
  await ask('DELETE', '/worlds/list-0');
  expect((await ask('POST', '/worlds', {})).status).toBe(201);
});
