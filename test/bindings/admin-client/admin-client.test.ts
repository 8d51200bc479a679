import { describe, expect, onTestFinished, test } from 'vitest';
import { type Admin, AdminError, createAdmin } from '../../../src/bindings/admin-client/library.js';
import { createWorlds } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { asDescribed } from '../../support/admin.js';
import { NOW, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { bookingFor, queryText, teeTimesPath } from '../../support/scenes.js';
import { atOnce, searchQuery } from '../../support/views.js';

const ORIGIN = 'http://127.0.0.1:4653';
const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };

/** The client of a world of a server in this process; each answer that it gets is one that the document describes. */
async function open(base = '') {
  const worlds = await createWorlds({ now: NOW, ...atOnce });
  const sent: string[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET' } = init;
    sent.push(`${method} ${url.slice(ORIGIN.length)}`);
    const response = await worlds.fetch(url, init);
    asDescribed(method, url.split('/__admin/')[1]!, await readReply(response.clone()));
    return response;
  };
  const admin = createAdmin(`${ORIGIN}${base}/`, { fetch });
  const call = async (path: string, body?: unknown) => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return readReply(await worlds.fetch(ORIGIN + base + path, init));
  };
  return { admin, call, sent };
}

describe.each(['', '/w/run-7'])('the sandbox at "%s"', (base) => {
  test('scenarios and the journal', async () => {
    const { admin, call } = await open(base);
    const plan = await admin.arm('rate-limited', { operation: 'listCountries', times: 1 });
    expect(plan).toMatchObject({ id: 'plan-1', scenario: 'rate-limited', struck: 0, state: 'armed' });
    expect((await call('/api/v3/countries')).status).toBe(429);
    expect((await admin.plans()).map(({ struck, state }) => [struck, state])).toEqual([[1, 'spent']]);
    expect(await admin.verify({ scenario: 'rate-limited' })).toMatchObject({ count: 1, requests: ['req-1'] });
    expect((await admin.requests({ status: 429 })).map(({ id }) => id)).toEqual(['req-1']);
    const { rules } = await admin.explain('req-1');
    expect(rules.map(({ scenario }) => scenario)).toContain('rate-limited');
    await admin.arm('slow');
    await admin.disarm('plan-2');
    await admin.disarm();
    expect((await admin.plans()).filter(({ state }) => state === 'armed')).toEqual([]);
  });

  test('chaos', async () => {
    const { admin, call } = await open(base);
    expect(await admin.chaos.get()).toBeNull();
    const mix = [{ scenario: 'rate-limited', weight: 4 }];
    const chaos = await admin.chaos.start({ rate: 1, seed: 7, only: ['rate-limited'] });
    expect(chaos).toEqual({ rate: 1, seed: 7, mix, seen: 0, struck: 0 });
    expect((await call('/api/v3/countries')).status).toBe(429);
    expect(await admin.chaos.get()).toEqual({ ...chaos, seen: 1, struck: 1 });
    await admin.chaos.stop();
    expect((await call(teeTimesPath('v4'))).status).toBe(200);
    expect(await admin.chaos.get()).toBeNull();
    await expect(admin.chaos.start({ rate: '500%' })).rejects.toThrow(/POST .*\/chaos failed with 400: .*`rate`/);
  });

  test('the clock', async () => {
    const { admin } = await open(base);
    const shown = async (moved: Promise<{ now: string }>) => (await moved).now.slice(0, 19);
    expect(await shown(admin.clock.get())).toBe('2026-06-01T08:00:00');
    expect(await shown(admin.clock.advance('PT49H'))).toBe('2026-06-03T09:00:00');
    expect(await shown(admin.clock.advance(1500))).toBe('2026-06-03T09:00:01');
    expect(await shown(admin.clock.advance(0))).toBe('2026-06-03T09:00:01');
    expect(await shown(admin.clock.set('2026-07-01T08:00:00Z'))).toBe('2026-07-01T08:00:00');
    expect(await shown(admin.clock.set(new Date(NOW)))).toBe('2026-06-01T08:00:00');
    expect((await admin.clock.freeze()).mode).toBe('standing');
    await expect(admin.clock.resume()).rejects.toThrow(/409: This clock has no source/);
  });

  test('bookings, state and snapshots', async () => {
    const { admin, call } = await open(base);
    const [teeTime] = (await call(teeTimesPath('v4'))).body.data.teeTimeV3;
    await admin.snapshots.take('before');
    const state = await admin.state.export();
    const { bookingId } = (await call('/api/v5/bookings', bookingFor(teeTime))).body.data;
    const mine = async () => (await admin.bookings({ channel: 'fairway' })).some((one) => one.bookingId === bookingId);
    expect(await mine()).toBe(true);
    expect((await admin.cancel(bookingId, { force: true })).booking.status).toBe('CANCELED');
    await admin.snapshots.restore('before');
    expect(await mine()).toBe(false);
    expect((await admin.snapshots.list()).map(({ name }) => name)).toEqual(['before']);
    await admin.snapshots.delete('before');
    await admin.state.restore(state);
    expect(await admin.state.export()).toEqual(state);
    await admin.reset();
    expect(await admin.requests()).toEqual([]);
  });

  test('another world', async () => {
    const { admin, call } = await open(base);
    expect((await admin.world.get()).world).toBeNull();
    const course = { id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] };
    const file = { facilities: [{ id: 1042, name: 'Golf de Vallon', country: 'France', courses: [course] }] };
    const [teeTime] = (await call(teeTimesPath('v4'))).body.data.teeTimeV3;
    await call('/api/v5/bookings', bookingFor(teeTime));
    await expect(admin.world.replace(file)).rejects.toThrow(/409: Clients have made 1 booking/);
    expect((await admin.world.replace(file, { reset: true })).world).toEqual(file);
    expect((await admin.facilities()).facilities.map(({ facilityId }) => facilityId)).toEqual([1042]);
  });

  test('facilities, tee sheets and their changes', async () => {
    const { admin, call } = await open(base);
    const { facilities } = await admin.facilities({ text: 'wassenaar' });
    expect(facilities.map(({ facilityId }) => facilityId)).toEqual([1001]);
    const [teeTime] = (await call(teeTimesPath('v4'))).body.data.teeTimeV3;
    const { booking } = await admin.teeSheets.change(1001, { change: 'rival', teeId: teeTime.teeid, players: 1 });
    const { courses } = await admin.teeSheets.get(1001, { date: teeTime.time.slice(0, 10) });
    const shown = courses[0]!.teeTimes.find(({ teeId }) => teeId === teeTime.teeid)!;
    expect(shown.bookings).toEqual([booking]);
    expect((await admin.history(booking!.bookingId)).events.map(({ kind }) => kind)).toEqual(['created']);
    await admin.teeSheets.change(1001, { change: 'tee-time-withdrawn', teeId: teeTime.teeid });
    expect(await admin.teeSheets.changes(1001)).toMatchObject([{ teeId: teeTime.teeid }]);
    expect((await admin.teeSheets.undo(1001, { teeId: teeTime.teeid })).undone).toBe(1);
    expect((await admin.teeSheets.undo(1001)).undone).toBe(0);
  });

  test('callbacks and inboxes', async () => {
    const { admin, call } = await open(base);
    const callbackUrl = admin.callbacks.inboxUrl('tests');
    expect(callbackUrl).toBe(`${ORIGIN}${base}/__admin/inbox/tests`);
    await call(`/api/v5/teetimes?${queryText(searchQuery({ callbackUrl }))}`);
    const [delivery] = await admin.callbacks.list();
    expect(delivery).toMatchObject({ id: 'callback-1', url: callbackUrl });
    expect((await admin.callbacks.redeliver('callback-1')).attempts).toHaveLength(2);
    expect(JSON.parse((await admin.callbacks.get('callback-1')).body!)).toMatchObject({ success: true });
    expect(await admin.callbacks.inbox('tests')).toEqual({ name: 'tests', count: 0, messages: [] });
    await admin.callbacks.emptyInbox('tests');
  });

  test('channels and version', async () => {
    const { admin } = await open(base);
    expect((await admin.channels()).map(({ name }) => name)).toEqual(['fairway', 'links', 'caddie']);
    expect(await admin.version()).toMatchObject({ name: 'teebox', facilities: 81 });
  });
});

test('worlds: of one server, each with its own admin', async () => {
  const { admin, sent } = await open();
  const world = admin.worlds.of('run 7');
  await expect(world.reset()).rejects.toThrow(AdminError);
  const [a, b] = ['a', 'b'].map((name) => admin.worlds.of(name)) as [Admin, Admin];
  expect(a.baseUrl).toBe(`${ORIGIN}/w/a`);
  await a.arm('slow');
  // To read makes no world.
  expect(await b.plans()).toEqual([]);
  expect((await admin.worlds.list()).map(({ name }) => name)).toEqual(['a']);
  await b.reset();
  expect((await admin.worlds.list()).map(({ name }) => name)).toEqual(['a', 'b']);
  await admin.worlds.delete('a');
  expect((await admin.worlds.list()).map(({ name }) => name)).toEqual(['b']);
  expect(sent).toContain('POST /w/a/__admin/plans');
});

describe('an error says what failed', () => {
  const rows: readonly [what: string, ask: (admin: Admin) => Promise<unknown>, message: RegExp, status: number][] = [
    [
      'a wrong name',
      (admin) => admin.arm('payment-pi-faild'),
      /POST .*\/plans failed with 400: .*payment-pi-failed/,
      400,
    ],
    ['an unknown id', (admin) => admin.explain('req-9'), /GET .*\/req-9\/explain failed with 404: There is no/, 404],
    [
      'an expectation that is not met',
      (admin) => admin.verify({ operation: 'createBooking' }),
      /verify failed with 409: The number of matching requests must be at least 1; got 0/,
      409,
    ],
    ['a duration that is none', (admin) => admin.clock.advance('49 hours'), /failed with 400: `advance` must be/, 400],
  ];
  test.each(rows)('%s', async (_, ask, message, status) => {
    const { admin } = await open();
    const error = await ask(admin).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AdminError);
    expect(error).toMatchObject({ name: 'AdminError', message: expect.stringMatching(message), status });
  });

  test('with what would fit', async () => {
    const { admin } = await open();
    const error = (await admin.arm('nothing').catch((thrown: unknown) => thrown)) as AdminError;
    expect(error.fits).toContain('payment-pi-failed');
  });

  const elsewhere: readonly [what: string, answer: () => Promise<Response>, message: RegExp][] = [
    [
      'nobody listens',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
      /^Failed to reach the admin API at http:\/\/127\.0\.0\.1:4653\/__admin: ECONNREFUSED\. Start the sandbox with/,
    ],
    [
      'a page answers',
      async () => new Response('<p>Hello</p>'),
      /answered with 200, but not with JSON\. Check the base/,
    ],
    [
      'another server refuses',
      async () => new Response('no', { status: 502 }),
      /failed with 502, not as a sandbox does/,
    ],
    [
      'an answer breaks off',
      async () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error('terminated')) })),
      /failed: the answer with 200 broke off: terminated\. Check the base URL\./,
    ],
  ];
  test.each(elsewhere)('%s', async (_, answer, message) => {
    await expect(createAdmin(ORIGIN, { fetch: answer }).plans()).rejects.toThrow(message);
  });

  test.each(['', '127.0.0.1:4653', '/api', 'ftp://127.0.0.1'])('`%s` is no base URL', (baseUrl) => {
    expect(() => createAdmin(baseUrl)).toThrow(/must be an absolute http or https URL/);
  });
});

test('over a socket, with the token of the server', async () => {
  const token = 'a-token-of-the-operator';
  const server = await serve(await createWorlds({ now: NOW }), { port: 0, adminToken: token });
  onTestFinished(() => server.close());
  expect((await createAdmin(server.url, { token }).clock.get()).now).toBe('2026-06-01T08:00:00.000Z');
  await expect(createAdmin(server.url).clock.get()).rejects.toThrow(/failed with 401: The admin API requires/);
  await expect(createAdmin('http://127.0.0.1:9').reset()).rejects.toMatchObject({ status: 0, name: 'AdminError' });
});
