import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../support/scenes.js';
import { operate, type OperatorReply } from '../support/operator.js';
import { OPERATOR_TOKEN, Workerd } from '../support/workerd.js';

let workerd: Workerd;
beforeAll(async () => {
  workerd = await Workerd.start();
});
afterAll(() => workerd?.close());

const ask = (method: string, path: string, body?: unknown, token?: string | null): Promise<OperatorReply> =>
  operate(workerd, method, path, body, token);
const version = (world: Json, token: string) =>
  fetch(`${world.baseUrl}/__admin/version`, { headers: { authorization: `Bearer ${token}` } });

describe('a new world', () => {
  test('has the properties that were given, and works with its token and credentials', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const limits = { requestsPerMinute: 60, bookings: 5, storageBytes: 1_000_000, callbacksPerDay: 0 };
    const dialect = { name: 'staging', answers: { 'error.validation': 422 } };
    const asked = { name: 'given', seed: 7, facilities: 90, now: '2026-06-01T08:00:00Z', dialect, expiresAt, limits };
    const { status, headers, body } = await ask('POST', '/worlds', asked);
    expect([status, headers.get('location')]).toEqual([201, '/worlds/given']);
    expect(body).toMatchObject({
      name: 'given',
      baseUrl: `${workerd.url}/w/given`,
      status: 'active',
      endedAt: null,
      seed: 7,
      facilities: 90,
      dialect: 'staging',
      expiresAt,
      limits,
    });
    const shown = await version(body, body.token);
    expect(await shown.json()).toMatchObject({ seed: 7, facilities: 90 });
    const [{ username, password }] = body.channels;
    const authorization = `Basic ${btoa(`${username}:${password}`)}`;
    const countries = await fetch(`${body.baseUrl}/api/v3/countries`, { headers: { authorization } });
    expect(countries.status).toBe(200);
  });

  test('has the facilities of a world file, and says what does not fit in one', async () => {
    const courses = [{ id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] }];
    const world = { facilities: [{ id: 1042, name: 'Golf de Vallon', country: 'France', courses }] };
    const { status, body } = await ask('POST', '/worlds', { name: 'own', world });
    expect(status).toBe(201);
    const [{ username, password }] = body.channels;
    const authorization = `Basic ${btoa(`${username}:${password}`)}`;
    const found = await fetch(`${body.baseUrl}/api/v3/facilities/1042`, { headers: { authorization } });
    expect(await found.json()).toMatchObject({ success: true, data: [{ id: 1042, name: 'Golf de Vallon' }, {}] });
    const [facility] = world.facilities;
    const wrong = await ask('POST', '/worlds', { world: { facilities: [{ ...facility, country: 'Atlantis' }] } });
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('needs a `timeZone`')]);
  });

  test('has the defaults and a name that nobody can guess', async () => {
    const [one, other] = await Promise.all([ask('POST', '/worlds', {}), ask('POST', '/worlds', {})]);
    expect(one.body).toMatchObject({ status: 'active', expiresAt: null, seed: null, facilities: null, dialect: null });
    for (const { name } of [one.body, other.body]) expect(name).toMatch(/^[a-z2-9]{20}$/);
    expect(one.body.name).not.toBe(other.body.name);
    expect(one.body.token).not.toBe(other.body.token);
    expect((await version(one.body, other.body.token)).status).toBe(401);
  });

  test('expires after the given duration', async () => {
    const { body } = await ask('POST', '/worlds', { expiresIn: 'P1DT1H' });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBeCloseTo(25 * 3_600_000, -4);
  });

  test('is made once by requests of the same name', async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask('POST', '/worlds', { name: 'one' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const made = replies.find(({ status }) => status === 201)!.body;
    expect((await version(made, made.token)).status).toBe(200);
    expect((await ask('POST', '/worlds', { name: 'one' })).body.detail).toContain('Choose another name');
  });

  const refused: [body: unknown, status: number, words: string][] = [
    ['', 400, 'empty'],
    ['{"name"', 400, 'not well-formed JSON'],
    ['[]', 400, 'The body must be a JSON object'],
    [{ nmae: 'x' }, 400, 'the known names are name, seed'],
    [{ name: '' }, 400, '`name` must be 1 to 64 letters'],
    [{ name: 'a/b' }, 400, '`name` must be 1 to 64 letters'],
    [{ name: '.a' }, 400, '`name` must be 1 to 64 letters'],
    [{ name: 'a'.repeat(65) }, 400, '`name` must be 1 to 64 letters'],
    [{ name: 7 }, 400, '`name` must be'],
    [{ seed: -1 }, 400, '`seed` must be a whole number'],
    [{ facilities: 100_001 }, 400, '`facilities` must be a whole number from 1 to 100000'],
    [{ now: 'today' }, 400, '`now` must be an instant'],
    [{ now: '1999-01-01T00:00:00Z' }, 400, '2000-01-01'],
    [{ dialect: 'staging' }, 400, '`dialect` must be a dialect card'],
    [{ dialect: { answers: { 'no.question': 1 } } }, 400, 'is not a question'],
    [{ dialect: { scenarios: ['no-scenario'] } }, 400, 'no-scenario'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 400, 'in the future and at most ten years ahead'],
    [{ expiresAt: '2126-01-01T00:00:00Z' }, 400, 'in the future and at most ten years ahead'],
    [{ expiresAt: 'soon' }, 400, '`expiresAt` must be an instant'],
    [{ expiresIn: 'P1M' }, 400, '`expiresIn` must be a duration such as P90D'],
    [{ expiresIn: 'PT0S' }, 400, 'in the future'],
    [{ expiresIn: 'P1D', expiresAt: null }, 400, 'not both'],
    [{ limits: { bookings: -1 } }, 400, '`limits.bookings` must be a whole number'],
    [{ limits: { requests: 1 } }, 400, '`limits.requests` is not known here'],
    [{ limits: { requestsPerMinute: 0 } }, 400, '`limits.requestsPerMinute` must be a whole number from 1'],
    [`"${'x'.repeat(1_048_576)}"`, 413, 'larger than 1048576 bytes'],
    ['['.repeat(100), 400, 'at most 64 levels'],
  ];
  test.each(refused)('is not made of %j: %i', async (body, status, words) => {
    const before = (await ask('GET', '/worlds')).body.count;
    const reply = await ask('POST', '/worlds', body);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(reply.body.detail).toContain(words);
    expect((await ask('GET', '/worlds')).body.count).toBe(before);
  });

  test('that does not fit leaves its name free', async () => {
    expect((await ask('POST', '/worlds', { name: 'again', dialect: { scenarios: ['no-scenario'] } })).status).toBe(400);
    expect((await fetch(`${workerd.url}/w/again/__admin/health`)).status).toBe(404);
    expect((await ask('POST', '/worlds', { name: 'again' })).status).toBe(201);
  });
});

describe('the token of the operator', () => {
  const paths: [method: string, path: string][] = [
    ['GET', '/worlds'],
    ['POST', '/worlds'],
    ['PUT', '/worlds'],
    ['GET', '/worlds/given'],
    ['PATCH', '/worlds/given'],
    ['DELETE', '/worlds/given'],
    ['POST', '/worlds/given/token'],
    ['GET', '/worlds/given/nothing'],
  ];
  const tokens = [null, '', 'wrong', `${OPERATOR_TOKEN}x`, OPERATOR_TOKEN.slice(0, -1)];
  test.each(paths)('is needed for %s %s', async (method, path) => {
    for (const token of tokens) {
      const { status, headers } = await ask(method, path, method === 'GET' ? undefined : {}, token);
      expect({ token, status, scheme: headers.get('www-authenticate') }).toEqual({
        token,
        status: 401,
        scheme: 'Bearer realm="teebox operator"',
      });
    }
  });

  test.each(['', 'too-short', `${'x'.repeat(24)} y`, 'x'.repeat(513)])('that is `%s` closes the API', async (token) => {
    const closed = await Workerd.start({ TEEBOX_OPERATOR_TOKEN: token });
    try {
      const { status, body } = await operate(closed, 'GET', '/worlds', undefined, token.trim());
      expect([status, body.detail]).toEqual([503, expect.stringContaining('Set OPERATOR_TOKEN to 24 to 512 letters')]);
    } finally {
      await closed.close();
    }
  });
});

test.each<[method: string, path: string, status: number, words: string]>([
  ['PUT', '/worlds', 405, 'it takes GET and POST'],
  ['POST', '/worlds/given', 405, 'it takes GET and PATCH and DELETE'],
  ['GET', '/worlds/given/nothing', 404, 'the operator API has `GET /worlds`'],
  ['GET', '/worlds?limit=0', 400, '`limit` must be a whole number from 1 to 1000'],
  ['GET', '/worlds?limit=1001', 400, '`limit` must be a whole number from 1 to 1000'],
  ['GET', '/worlds?cursor=x', 400, '`cursor` must be the `next` of a page'],
  ['GET', '/worlds?page=2', 400, '`page` is not a parameter of this path'],
  ['GET', '/worlds?limit=1&limit=2', 400, 'is in the query twice'],
  ['GET', '/worlds/none', 404, 'There is no world `none`'],
  ['DELETE', '/worlds/none', 404, 'There is no world `none`'],
  ['PATCH', '/worlds/none', 404, 'There is no world `none`'],
  ['POST', '/worlds/none/token', 404, 'There is no world `none`'],
])('%s %s: %i', async (method, path, status, words) => {
  const reply = await ask(method, path, method === 'PATCH' ? { expiresAt: null } : undefined);
  expect([reply.status, reply.body.detail]).toEqual([status, expect.stringContaining(words)]);
});
