import { describe, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { createWorlds, type Capsule, type CapsuleStep, type Sandbox } from '../../../src/engine/library.js';
import { playCapsule } from '../../../src/engine/play.js';
import { adminOf } from '../../support/admin.js';
import { NOW, open, ORIGIN } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

type Request = Extract<CapsuleStep, { kind: 'request' }>;

const requestsOf = ({ steps }: Capsule) => steps.filter((step): step is Request => step.kind === 'request');
/** As it is read from a file. */
const filed = (capsule: Capsule): Capsule => JSON.parse(JSON.stringify(capsule)) as Capsule;
const differencesOf = async (capsule: Capsule) => (await playCapsule(filed(capsule))).differences;

/** A morning with a token refresh, a booking that is refused, and one that is made, paid and cancelled. */
async function morning() {
  const clients = await open();
  const { sandbox, fairway } = clients;
  const { refreshToken } = sandbox.channels[0]!;
  const { body } = await fairway.post('/api/v3/token/refreshToken', { refresh_token: refreshToken });
  const bearer = { authorization: `Bearer ${body.data.access_token}` };
  const teeTime = await findTeeTime(fairway);
  sandbox.scenarios.arm('payment-pi-failed');
  await fairway.post('/api/v5/bookings', bookingFor(teeTime), { headers: bearer });
  sandbox.clock.advance(60_000);
  const made = await fairway.post('/api/v5/bookings', bookingFor(teeTime), { headers: bearer });
  const { bookingId } = made.body.data;
  await fairway.post(`/api/v4/bookings/payment/${bookingId}`, undefined, { headers: bearer });
  await adminOf(sandbox)('POST', `bookings/${bookingId}/cancel?force=true`);
  await fairway.get('/api/v4/bookings', { headers: bearer });
  return { ...clients, tokens: body.data, bookingId };
}

describe('a capsule', () => {
  test('has the requests and what an operator did, in order, and plays', async () => {
    const { sandbox } = await morning();
    const capsule = await sandbox.capsule();
    expect(capsule).toMatchObject({
      capsule: 1,
      seed: 1,
      facilities: 81,
      now: '2026-06-01T08:00:00.000Z',
      dialect: {},
    });
    expect(capsule.state).toBeUndefined();
    const told = capsule.steps.map((one) =>
      one.kind === 'request' ? `${one.response?.status} ${new URL(one.url).pathname}` : one.kind,
    );
    expect(told[0]).toBe('200 /api/v3/token/refreshToken');
    expect(told.slice(-7)).toEqual([
      'admin',
      '400 /api/v5/bookings',
      'clock',
      '200 /api/v5/bookings',
      expect.stringMatching(/^200 .*payment/),
      'admin',
      '200 /api/v4/bookings',
    ]);
    expect(await differencesOf(capsule)).toEqual([]);
  });

  test('says what came out otherwise, by path', async () => {
    const { sandbox } = await morning();
    const capsule = filed(await sandbox.capsule());
    const last = requestsOf(capsule).at(-1)!;
    const [booking] = (last.response!.json as { data: { status: string }[] }).data;
    booking!.status = 'LOST';
    Object.assign(last.response!, { status: 201, headers: { ...last.response!.headers, 'x-more': 'yes' } });
    expect(await differencesOf(capsule)).toEqual([
      {
        step: capsule.steps.length,
        what: `${last.id} GET /api/v4/bookings`,
        differences: [
          { where: 'status', expected: 201, got: 200 },
          { where: 'headers.x-more', expected: 'yes', got: undefined },
          { where: 'body.data[0].status', expected: 'LOST', got: 'BOOKED' },
        ],
      },
    ]);
  });

  test('has other bytes where the order of members differs', async () => {
    const { sandbox } = await morning();
    const capsule = filed(await sandbox.capsule());
    const { response } = requestsOf(capsule)[0]!;
    const { success, data } = response!.json as { success: boolean; data: unknown };
    Object.assign(response!, { json: { data, success } });
    expect((await differencesOf(capsule))[0]!.differences).toMatchObject([{ where: 'body' }]);
  });

  test('begins at the last reset, and at a state that was restored', async () => {
    const { sandbox, fairway, bookingId } = await morning();
    const saved = sandbox.snapshot();
    await sandbox.reset();
    await fairway.get('/api/v4/bookings');
    const anew = await sandbox.capsule();
    expect([anew.steps.length, anew.state]).toEqual([1, undefined]);
    await sandbox.restore(saved);
    await fairway.get('/api/v4/bookings?fromDate=01-01-2020');
    const restored = await sandbox.capsule();
    expect(restored.state!.store!.bookings!.map((one) => one.bookingId)).toEqual([bookingId]);
    expect(JSON.stringify(requestsOf(restored)[0]!.response)).toContain(bookingId);
    expect([await differencesOf(anew), await differencesOf(restored)]).toEqual([[], []]);
  });

  test('begins at a later save point when there were too many requests', { tags: ['slow'] }, async () => {
    const { sandbox, fairway } = await morning();
    for (let i = 0; i < 1300; i += 1) await fairway.get('/api/v3/countries');
    const { bookingId } = sandbox.snapshot().store.bookings.find(({ status }) => status === 'BOOKED')!;
    await adminOf(sandbox)('POST', `bookings/${bookingId}/cancel?force=true`);
    await fairway.get('/api/v4/bookings?fromDate=01-01-2020');
    const capsule = await sandbox.capsule();
    const requests = requestsOf(capsule);
    expect(requests.length).toBeGreaterThan(700);
    expect(requests.length).toBeLessThan(1300);
    expect(Number(requests[0]!.id.slice(4))).toBe(capsule.state!.requests! + 1);
    // It is cancelled in the capsule, and not before.
    expect(capsule.state!.store!.bookings!.map((one) => one.bookingId)).not.toContain(bookingId);
    expect(await differencesOf(capsule)).toEqual([]);
  });

  test('of a world, and at a running clock, plays too', async () => {
    let now = Date.parse(NOW);
    const worlds = await createWorlds({ clock: () => (now += 7) });
    const send = (path: string, init?: RequestInit) => {
      const authorization = basicCredentials(worlds.main.channels[0]!);
      const headers = { authorization, 'content-type': 'application/json' };
      return worlds.fetch(`${ORIGIN}/w/one/${path}`, { headers, ...init });
    };
    const teeTime = await findTeeTime((await open()).fairway);
    const details = await (await send('api/v3/facilities/details/1001')).text();
    expect(details).toContain(`${ORIGIN}/w/one/images`);
    await send('api/v5/bookings', { method: 'POST', body: JSON.stringify(bookingFor(teeTime)) });
    await send('api/v4/bookings');
    const capsule = (await (await send('__admin/capsule')).json()) as Capsule;
    expect(requestsOf(capsule).map(({ response }) => response?.status)).toEqual([200, 200, 200]);
    expect(await differencesOf(capsule)).toEqual([]);
  });

  test('of a page, whose handlers may have callbacks anywhere and a path of their own, plays too', async () => {
    const { sandbox } = await open({ fetch: async () => new Response(null, { status: 204 }) });
    const query = 'facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026&players=1&holes=18';
    const path = `/api/v5/teetimes?${query}&callbackUrl=https://page.example/in`;
    const headers = { authorization: basicCredentials(sandbox.channels[0]!) };
    const url = `https://page.example/golf${path}`;
    const hints = { anyCallbackTarget: true, url };
    const { status } = await sandbox.handle(new Request(ORIGIN + path, { headers }), hints);
    const capsule = await sandbox.capsule();
    expect([status, requestsOf(capsule)[0]]).toMatchObject([200, { address: url, reachesAll: true }]);
    expect(await differencesOf(capsule)).toEqual([]);
  });

  test('plays where a callback address was refused', async () => {
    const { sandbox, fairway } = await open();
    const query = 'facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026&players=1&holes=18';
    const { status } = await fairway.get(`/api/v5/teetimes?${query}&callbackUrl=https://page.example/in`);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await differencesOf(await sandbox.capsule())).toEqual([]);
  });

  test.each([
    ['a body that is no JSON', '{"refresh_token": '],
    ['an empty one', ''],
    ['one that is too large', `"${'x'.repeat(1_100_000)}"`],
    ['spaces that JSON.stringify leaves out', '{ "refresh_token": "unknown" }'],
    ['text that looks like a placeholder', '{"refresh_token":{"{{secret password fairway}}":"{{secret literal}}"}}'],
  ])('of a request with %s plays', async (_, body) => {
    const { sandbox, fairway } = await open();
    const { status } = await fairway.post('/api/v3/token/refreshToken', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await differencesOf(await sandbox.capsule())).toEqual([]);
  });
});

describe('secrets', () => {
  const hidden = ['s3cret-of-mine', 'hunter2', 'c00kie', 'k3y', 'wr0ng-password'];

  /** Sends secrets of all kinds, wherever they may be. */
  async function leak(sandbox: Sandbox): Promise<void> {
    const callbackUrl = encodeURIComponent('http://me:s3cret-of-mine@127.0.0.1:9/in?token=hunter2');
    const query = `facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026&players=1&holes=18&callbackUrl=${callbackUrl}`;
    const ask = (path: string, headers: Record<string, string>, body?: string) =>
      sandbox.fetch(ORIGIN + path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
    const good = { authorization: basicCredentials(sandbox.channels[0]!) };
    await ask(`/api/v5/teetimes?${query}`, good);
    await ask(`/api/v3/countries?api_key=k3y`, { ...good, cookie: 'session=c00kie' });
    await ask('/api/v3/countries', { authorization: basicCredentials({ username: 'me', password: 'wr0ng-password' }) });
    await ask('/api/v3/countries', { authorization: 'Bearer hunter2' });
    const json = { 'content-type': 'application/json' };
    await ask('/api/v3/token/refreshToken', json, '{"refresh_token":"s3cret-of-mine"}');
    await ask('/api/v3/token/refreshToken', json, '{"refresh_token": "s3cret-of-mine"');
  }

  test('are in no capsule, and it plays', async () => {
    const { sandbox, tokens } = await morning();
    await leak(sandbox);
    const capsule = await sandbox.capsule();
    const text = JSON.stringify(capsule);
    for (const channel of sandbox.channels) hidden.push(channel.password, channel.refreshToken);
    hidden.push(tokens.access_token, tokens.refresh_token, basicCredentials(sandbox.channels[0]!).slice(6));
    hidden.push(btoa('me:wr0ng-password'), encodeURIComponent('me:s3cret-of-mine'));
    expect(hidden.filter((secret) => text.includes(secret))).toEqual([]);
    expect(await differencesOf(capsule)).toEqual([]);
  });

  test('have the same placeholder wherever they are', async () => {
    const { sandbox } = await morning();
    const requests = requestsOf(await sandbox.capsule());
    const { access_token: token } = (requests[0]!.response!.json as { data: Record<string, string> }).data;
    expect(token).toMatch(/^\{\{secret access-token \d+\}\}$/);
    expect(requests.at(-1)!.headers['authorization']).toBe(`Bearer ${token}`);
    expect(requests[0]!.json).toEqual({ refresh_token: '{{secret first-refresh-token fairway}}' });
  });
});

describe('what is no capsule is refused', () => {
  test.each([
    [null, 'A capsule must be an object.'],
    [{ log: {} }, /no capsule/],
    [{ capsule: 2, teebox: '9.0.0' }, /form 2; this Teebox plays form 1.*update/],
    [{ capsule: 1, teebox: '1', seed: 'x' }, /`seed` must be a whole number/],
    [{ capsule: 1, teebox: '1', seed: 1, facilities: 1, now: 'today' }, /`now` must be an instant/],
  ])('%j', async (value, reason) => {
    await expect(playCapsule(value)).rejects.toThrow(reason);
  });

  test.each([
    [{ kind: 'guess' }, /`steps\[0\]\.kind` must be one of/],
    [{ url: '/api' }, /`steps\[0\]\.url` must be an absolute URL/],
    [{ headers: { a: 1 } }, /`steps\[0\]\.headers`/],
    [{ response: { status: '200' } }, /`steps\[0\]\.response\.status`/],
  ])('with a step %j', async (change, reason) => {
    const capsule = filed(await (await morning()).sandbox.capsule());
    Object.assign(capsule.steps[0]!, change);
    await expect(playCapsule(capsule)).rejects.toThrow(reason);
  });
});
