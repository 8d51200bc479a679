import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { createSandbox, Unverified } from '../../../src/engine/library.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { adminOf, expectedProblem } from '../../support/admin.js';
import { NOW, open } from '../../support/client.js';
import { hurriedTimers } from '../../support/network/receiver.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

/** A list, a refused list of another channel, two bookings of which one is in a list. */
async function visited() {
  const clients = await open();
  const { fairway, links, sandbox } = clients;
  await fairway.get('/api/v3/countries');
  await links.get('/api/v3/countries?connected=maybe');
  const teeTime = await findTeeTime(fairway, { players: 4 });
  sandbox.journal.clear();
  await fairway.get('/api/v3/countries');
  await links.get('/api/v3/countries?connected=maybe');
  const second = { players: 2, additionalPlayers: [{ firstName: 'Alan', lastName: 'Turing' }] };
  await fairway.post('/api/v5/bookings', bookingFor(teeTime, { contactLastName: 'Hopper', ...second }));
  await fairway.post('/api/v5/bookings', [bookingFor(teeTime)], {
    headers: { 'teebox-scenario': 'payment-pi-failed' },
  });
  return { ...clients, verify: (body: unknown) => adminOf(sandbox)('POST', 'requests/verify', body) };
}

test('the refusal says why a plan for the scenario was not triggered', async () => {
  const { sandbox, fairway } = await open();
  const admin = adminOf(sandbox);
  const expectation = { operation: 'listCountries', scenario: 'token-expired' };
  const verify = async () => (await admin('POST', 'requests/verify', expectation)).body.detail as string;
  await fairway.get('/api/v3/countries');
  expect(await verify()).toMatch(/`scenario` is null, not "token-expired"\. No plan for `token-expired` is armed\.$/);
  await admin('POST', 'plans', { scenario: 'token-expired' });
  await fairway.get('/api/v3/countries');
  const why = 'the request carries no access token that could expire (Basic credentials have none)';
  expect(await verify()).toContain(`"token-expired". Plan plan-1 was not triggered by req-2: ${why}.`);
  const [plan] = (await admin('GET', 'plans')).body.plans;
  expect(plan).toMatchObject({ struck: 0, near: { reasons: [{ why, last: 'req-2' }] } });
});

describe('what was sent', () => {
  const rows: readonly [expectation: object, count: number][] = [
    [{}, 4],
    [{ operation: 'listCountries' }, 2],
    [{ operation: 'v5.createBooking', atLeast: 2, atMost: 2 }, 2],
    [{ method: 'get', path: '/api/v3/countries' }, 2],
    [{ path: '/api/v3/countries?connected=*' }, 1],
    [{ path: '/api/*', channel: 'fairway' }, 3],
    [{ channel: 'links', status: 400, rule: 'countries.query.connected' }, 1],
    [{ scenario: 'payment-pi-failed' }, 1],
    [{ match: { contactLastName: 'Hopper' } }, 1],
    [{ match: { contactLastName: 'Lovelace', players: 1 } }, 1],
    [{ match: { additionalPlayers: [{ lastName: 'Turing', firstName: 'Alan' }] } }, 1],
    [{ match: {} }, 4],
    [{ state: 'answered', atLeast: 4 }, 4],
    [{ state: 'open', atMost: 0 }, 0],
    [{ channel: 'caddie', atLeast: 0 }, 0],
  ];
  test.each(rows)('%j is verified', async (expectation, count) => {
    const { verify } = await visited();
    const { status, body } = await verify(expectation);
    expect({ status, body }).toEqual({ status: 200, body: { verified: true, count, requests: expect.any(Array) } });
    expect(body.requests).toHaveLength(count);
  });

  const misses: readonly [expectation: object, count: number, detail: string, nearest: readonly object[]][] = [
    [{ atLeast: 9 }, 4, 'The number of matching requests must be at least 9; got 4.', []],
    [{ operation: 'listBookings' }, 0, 'at least 1; got 0.', []],
    [{ operation: 'listCountries', atMost: 1 }, 2, 'The number of matching requests must be at most 1; got 2.', []],
    [
      { operation: 'createBooking', status: 200, match: { contactLastName: 'Curie', players: 2 } },
      0,
      '`match.contactLastName` is "Hopper", not "Curie"',
      [
        { matched: 3, of: 4, differs: { field: 'match.contactLastName', wanted: 'Curie', got: 'Hopper' } },
        { matched: 1, of: 4, differs: { field: 'status', wanted: 200, got: 400 } },
        { matched: 1, of: 4, differs: { field: 'operation', wanted: 'createBooking', got: 'v3.listCountries' } },
      ],
    ],
    [
      { path: '/api/v5/*', rule: 'countries.response', match: { password: 's3cret' } },
      0,
      '`rule` is "errors.create.payment-pi-failed", not "countries.response"',
      [
        { matched: 1, of: 3, differs: { field: 'rule' } },
        { matched: 1, of: 3, differs: { field: 'rule' } },
        { matched: 1, of: 3, differs: { field: 'path', wanted: '/api/v5/*', got: '/api/v3/countries' } },
      ],
    ],
  ];
  test.each(misses)('%j is not', async (expectation, count, detail, nearest) => {
    const { verify, sandbox } = await visited();
    const { status, headers, body } = await verify(expectation);
    expect(body).toMatchObject({ ...expectedProblem(409, expect.stringContaining(detail)), count });
    expect([status, headers.get('content-type')]).toEqual([409, 'application/problem+json']);
    expect(body.nearest.slice(0, nearest.length)).toMatchObject(nearest);
    expect(body.nearest.length).toBeLessThanOrEqual(5);
    const thrown = await sandbox.journal.verify(expectation).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Unverified);
    expect(thrown).toMatchObject({ message: body.detail, count, nearest: body.nearest });
  });

  test('no secret comes back in what was found instead', async () => {
    const { verify, fairway } = await visited();
    await fairway.post('/api/v5/token/refreshToken', { refresh_token: 's3cret' });
    await fairway.get('/api/v3/countries?access_token=s3cret');
    for (const expectation of [
      { operation: 'refreshToken', match: { refresh_token: 'other' } },
      { operation: 'listCountries', path: '/api/v3/countries?connected=true' },
    ]) {
      const { status, text } = await verify(expectation);
      expect(status).toBe(409);
      expect(text).toContain('***');
      expect(text).not.toContain('s3cret');
    }
  });
});

test.each<[expectation: unknown, detail: string]>([
  [[], 'The expectation must be an object such as {"operation": "createBooking", "atLeast": 1}; got [].'],
  ['text', 'not well-formed JSON'],
  [null, 'The expectation must be an object such as '],
  [{ who: 1 }, '`who` is not known here; the known names are operation, method'],
  [{ operation: 'book' }, 'There is no operation `book`'],
  [{ method: 7 }, '`method` must be the name of a method'],
  [{ path: 'api' }, '`path` must be a path that begins with a slash; got "api"'],
  [{ channel: 'nobody' }, 'There is no channel `nobody`. What fits: `fairway`, `links`, `caddie`'],
  [{ status: '200' }, '`status` must be the status of a response'],
  [{ rule: 'none' }, 'There is no rule `none`'],
  [{ scenario: 'none' }, 'There is no scenario `none`'],
  [{ match: [] }, '`match` must be an object'],
  [{ state: 'done' }, '`state` must be "open" or "answered" or "cut"; got "done".'],
  [{ atLeast: -1 }, '`atLeast` must be a whole number'],
  [{ atMost: 1.5 }, '`atMost` must be a whole number'],
  [{ atLeast: 2, atMost: 1 }, '`atLeast` is more than `atMost`'],
  [{ timeoutMs: 60_001 }, '`timeoutMs` must be a whole number of milliseconds from 0 to 60000; got 60001.'],
])('%j is refused', async (expectation, detail) => {
  const { sandbox } = await open();
  const { fits = ['something'], ...problem } = (await adminOf(sandbox)('POST', 'requests/verify', expectation)).body;
  expect(problem).toEqual(expectedProblem(400, expect.stringContaining(detail)));
  expect(fits).not.toEqual([]);
});

test('a value of the most levels is compared and told', async () => {
  const { verify, fairway } = await visited();
  const deep = (levels: number) => `{"comments":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  await fairway.post('/api/v5/bookings', deep(62));
  expect((await verify(`{"match":${deep(62)}}`)).status).toBe(200);
  expect((await verify(`{"operation":"createBooking","match":${deep(61)}}`)).status).toBe(409);
  expect((await verify(`{"match":${deep(5000)}}`)).status).toBe(400);
});

describe('waiting', () => {
  test('ends at once when enough has come, at its time when it has not', async () => {
    const { schedule, delays } = hurriedTimers();
    const { fairway, sandbox } = await open({ schedule });
    const expectation = { operation: 'listCountries', status: 200, atLeast: 2, timeoutMs: 60_000 };
    const waiting = sandbox.journal.verify(expectation);
    // Its validator is loaded on first use.
    await expect.poll(() => delays).toEqual([60_000]);
    await fairway.get('/api/v3/countries');
    await fairway.get('/api/v3/countries?connected=maybe');
    await fairway.get('/api/v3/countries');
    expect(await waiting).toEqual({ verified: true, count: 2, requests: ['req-1', 'req-3'] });
    const late = sandbox.journal.verify({ ...expectation, atLeast: 3, timeoutMs: 5000 });
    await expect(late).rejects.toThrow('The number of matching requests must be at least 3; got 2 within 5000 ms.');
    expect(delays).toEqual([60_000, 5000]);
  });

  test('with a most it is waited out, unless there are more', async () => {
    const { fairway, sandbox } = await open({ schedule: hurriedTimers().schedule });
    await fairway.get('/api/v3/countries');
    expect(await sandbox.journal.verify({ atMost: 1, timeoutMs: 1000 })).toMatchObject({ count: 1 });
    const tooMany = sandbox.journal.verify({ atMost: 1, timeoutMs: 60_000 });
    await fairway.get('/api/v3/countries');
    await expect(tooMany).rejects.toThrow('The number of matching requests must be at most 1; got 2.');
  });

  test('a request under way counts, unless its answer is asked for', async () => {
    const { fairway, sandbox } = await open();
    let send = (): void => {};
    const body = new ReadableStream({
      start: (controller) => {
        send = () => {
          controller.enqueue(new TextEncoder().encode('{}'));
          controller.close();
        };
      },
    });
    const request = new Request('http://sandbox.test/api/v5/bookings', {
      method: 'POST',
      headers: {
        authorization: basicCredentials(sandbox.channels.find(({ name }) => name === fairway.channel)!),
        'content-type': 'application/json',
      },
      body,
      duplex: 'half',
    } as RequestInit);
    const answer = sandbox.fetch(request);
    expect(await sandbox.journal.verify({ operation: 'createBooking', state: 'open' })).toMatchObject({ count: 1 });
    expect(await sandbox.journal.verify({ operation: 'createBooking' })).toMatchObject({ count: 1 });
    await expect(sandbox.journal.verify({ operation: 'createBooking', status: 400 })).rejects.toThrow(
      'at least 1; got 0.',
    );
    const answered = sandbox.journal.verify({ operation: 'createBooking', status: 400, timeoutMs: 60_000 });
    send();
    expect((await answer).status).toBe(400);
    expect(await answered).toMatchObject({ count: 1 });
  });
});

describe('over a socket', () => {
  const { schedule } = hurriedTimers();
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(await createSandbox({ now: NOW, schedule }), { port: 0 });
  });
  afterAll(() => server.close());

  test('the request that is waited for may come after the question', async () => {
    const asked = fetch(`${server.url}/__admin/requests/verify`, {
      method: 'POST',
      body: JSON.stringify({ operation: 'listCountries', rule: 'auth.required', timeoutMs: 60_000 }),
    });
    // Whether the question is there already or not, the answer is the same.
    expect((await fetch(`${server.url}/api/v3/countries`)).status).toBe(401);
    const answer = await asked;
    expect([answer.status, await answer.json()]).toEqual([200, { verified: true, count: 1, requests: ['req-1'] }]);
  });
});
