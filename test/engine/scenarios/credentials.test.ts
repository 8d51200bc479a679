import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../../src/engine/library.js';
import { adminOf } from '../../support/admin.js';
import { type Client, open, type Reply } from '../../support/client.js';
import { accessTokenOf, bare, basic, bearer, initialTokenOf, knock, refreshWith } from '../../support/credentials.js';
import { bodyOf, dataOperations, pathOf } from '../../support/operations.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

type Dialect = NonNullable<SandboxOptions['dialect']>['answers'] & object;

/** All of an answer that a client can see of a refusal. */
function refusal({ status, text, rule, headers }: Reply): unknown {
  return { status, text, rule, challenge: headers.get('www-authenticate') };
}

async function openWith(answers: Dialect = {}) {
  const clients = await open({ dialect: { answers } });
  return { ...clients, admin: adminOf(clients.sandbox) };
}

/** One operation of each version that authenticates, and every operation of the newest. */
const everyVersion = dataOperations.map((operation) => ({ name: operation.id, operation }));

/** Sends an operation with credentials and, maybe, a scenario. */
function call(client: Client, operation: (typeof dataOperations)[number], headers: Record<string, string>) {
  return bare(client, operation.method, pathOf(operation), { ...bodyOf(operation), headers });
}

const asked = (id: string) => ({ 'teebox-scenario': id });

const failures: readonly [name: string, answers: Dialect][] = [
  ['the default', {}],
  ['400', { 'auth.failure': 400, 'token.failure': 400 }],
  ['403', { 'auth.failure': 403, 'token.failure': 403 }],
  ['200', { 'auth.failure': 200, 'token.failure': 200 }],
  ['another error body', { 'error.body': 'errors' }],
  ['another header', { 'auth.bearer-header': 'X-Access-Token' }],
];

describe('token-expired', () => {
  test.each(everyVersion)('$name refuses as it does a token whose time is over', async ({ operation }) => {
    const real = await openWith();
    const old = await accessTokenOf(real.fairway);
    real.sandbox.clock.advance(3_600_000);
    const due = await call(real.fairway, operation, bearer(old));
    const { fairway } = await openWith();
    const token = await accessTokenOf(fairway);
    const struck = await call(fairway, operation, { ...bearer(token), ...asked('token-expired') });
    expect(refusal(struck)).toEqual(refusal(due));
    expect(struck.headers.get('teebox-scenario')).toBe('token-expired; source=header');
  });

  test.each(failures)('in a dialect with %s', async (_, answers) => {
    const name = (answers as Record<string, unknown>)['auth.bearer-header'];
    const carry = (token: string): Record<string, string> =>
      typeof name === 'string' ? { [name]: token } : { ...bearer(token) };
    const real = await openWith(answers);
    const old = await accessTokenOf(real.fairway);
    real.sandbox.clock.advance(3_600_000);
    const { fairway } = await openWith(answers);
    const token = await accessTokenOf(fairway);
    const struck = await knock(fairway, { ...carry(token), ...asked('token-expired') });
    expect(refusal(struck)).toEqual(refusal(await knock(real.fairway, carry(old))));
    expect(struck.body.success).toBe(false);
  });

  test('lasts for that token, and the refresh token leads out of it', async () => {
    const { fairway } = await openWith();
    const first = (await refreshWith(fairway, initialTokenOf(fairway))).body.data;
    const struck = await knock(fairway, { ...bearer(first.access_token), ...asked('token-expired') });
    expect(refusal(await knock(fairway, bearer(first.access_token)))).toEqual(refusal(struck));
    const next = (await refreshWith(fairway, first.refresh_token)).body.data;
    expect((await knock(fairway, bearer(next.access_token))).status).toBe(200);
  });

  test('does not apply to Basic credentials, and says what would fit', async () => {
    const { fairway } = await openWith();
    const reply = await fairway.get('/api/v3/countries', { headers: asked('token-expired') });
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply).toMatchObject({ status: 400, body: { detail: expect.stringContaining('no access token') } });
    expect(reply.body.fits).toEqual([expect.stringContaining('access token')]);
  });

  test('a plan waits for a token', async () => {
    const { fairway, sandbox } = await openWith();
    const token = await accessTokenOf(fairway);
    sandbox.scenarios.arm('token-expired');
    expect((await fairway.get('/api/v3/countries')).status).toBe(200);
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, state: 'armed' }]);
    expect((await knock(fairway, bearer(token))).headers.get('teebox-scenario')).toBe('token-expired; source=plan');
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 1, struck: 1, state: 'spent' }]);
  });

  test('what is asked for is not done', async () => {
    const { fairway } = await openWith();
    const token = await accessTokenOf(fairway);
    const teeTime = await findTeeTime(fairway);
    const headers = { ...bearer(token), ...asked('token-expired') };
    const before = (await fairway.get('/api/v4/bookings')).text;
    const reply = await bare(fairway, 'POST', '/api/v5/bookings', { headers, body: bookingFor(teeTime) });
    expect([reply.status, (await fairway.get('/api/v4/bookings')).text]).toEqual([401, before]);
  });
});

/** The refusal of a channel whose credentials are gone: like that of a wrong password, with a reason of its own. */
function expectRevoked(struck: Reply, wrongPassword: Reply): void {
  const { text: _, ...due } = refusal(wrongPassword) as { text: string };
  expect(refusal(struck)).toMatchObject(due);
  const saying = (text: string) => text.replace(/The [^."]+ of this channel were revoked\.[^"]*/, 'REASON');
  expect(saying(struck.text)).toContain('REASON');
  expect(saying(struck.text)).toBe(wrongPassword.text.replace('The user name or password is not known.', 'REASON'));
}

describe('credentials-revoked', () => {
  test.each(everyVersion)('$name refuses for a reason of its own', async ({ operation }) => {
    const { fairway } = await openWith();
    const due = await call(fairway, operation, basic('fairway', 'wrong'));
    const good = basic('fairway', 'not-a-secret-fairway');
    expectRevoked(await call(fairway, operation, { ...good, ...asked('credentials-revoked') }), due);
    expectRevoked(await call(fairway, operation, good), due);
  });

  test.each(failures)('in a dialect with %s', async (_, answers) => {
    const { fairway } = await openWith(answers);
    const due = await knock(fairway, basic('fairway', 'wrong'));
    expectRevoked(await fairway.get('/api/v3/countries', { headers: asked('credentials-revoked') }), due);
  });

  test('tells the reason to an access token and a refresh token too', async () => {
    const { fairway } = await openWith();
    const { access_token, refresh_token } = (await refreshWith(fairway, initialTokenOf(fairway))).body.data;
    await fairway.get('/api/v3/countries', { headers: asked('credentials-revoked') });
    const replies = [
      await knock(fairway, bearer(access_token)),
      await refreshWith(fairway, refresh_token),
      await refreshWith(fairway, initialTokenOf(fairway)),
    ];
    for (const { status, body } of replies) {
      expect([status, body.message]).toEqual([
        401,
        expect.stringMatching(/^The credentials of this channel were revoked/),
      ]);
    }
  });

  test('takes everything from the channel, and nothing from another, until the reset', async () => {
    const { fairway, links, sandbox, admin } = await openWith();
    const { access_token, refresh_token } = (await refreshWith(fairway, initialTokenOf(fairway))).body.data;
    const other = await accessTokenOf(links);
    const struck = await knock(fairway, { ...bearer(access_token), ...asked('credentials-revoked') });
    expect([struck.status, struck.rule]).toEqual([401, 'auth.bearer']);
    expect((await knock(fairway, bearer(access_token))).status).toBe(401);
    expect((await fairway.get('/api/v3/countries')).status).toBe(401);
    expect((await refreshWith(fairway, refresh_token)).status).toBe(401);
    expect((await knock(links, bearer(other))).status).toBe(200);
    expect((await links.get('/api/v3/countries')).status).toBe(200);
    await admin('POST', 'reset');
    expect((await fairway.get('/api/v3/countries')).status).toBe(200);
    expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(200);
    expect(sandbox.scenarios.plans).toEqual([]);
  });
});

describe('refresh-token-used', () => {
  /** Answers to the scenario, and to a token that was really used. */
  async function both(answers: Dialect, version = 'v5'): Promise<[struck: Reply, real: Reply]> {
    const [one, other] = [await openWith(answers), await openWith(answers)];
    await refreshWith(other.fairway, initialTokenOf(other.fairway));
    const body = { refresh_token: initialTokenOf(one.fairway) };
    const path = `/api/${version}/token/refreshToken`;
    return [
      await bare(one.fairway, 'POST', path, { headers: asked('refresh-token-used'), body }),
      await refreshWith(other.fairway, initialTokenOf(other.fairway), version),
    ];
  }

  test.each(['v1', 'v2', 'v3', 'v4', 'v5'])('%s refuses as it does a used one', async (version) => {
    const [struck, real] = await both({}, version);
    expect(refusal(struck)).toEqual(refusal(real));
    expect([struck.status, struck.headers.get('teebox-scenario')]).toEqual([401, 'refresh-token-used; source=header']);
  });

  const reuses: readonly (readonly [string, Dialect])[] = [
    ...failures,
    ['the family revoked', { 'token.reuse': 'family-revoked' }],
    ['the old access token revoked', { 'token.old-access': 'revoked' }],
  ];
  test.each(reuses)('in a dialect with %s', async (_, answers) => {
    const [struck, real] = await both(answers);
    expect(refusal(struck)).toEqual(refusal(real));
    expect(struck.body.success).toBe(false);
  });

  const rows: readonly [name: string, answers: Dialect, status: number][] = [
    ['stay good', {}, 200],
    ['are revoked with the family', { 'token.reuse': 'family-revoked' }, 401],
    ['are revoked by the refresh', { 'token.old-access': 'revoked' }, 401],
  ];
  test.each(rows)(
    'the channel is locked out until a reset; its running access tokens %s',
    async (_, answers, status) => {
      const { fairway, admin } = await openWith(answers);
      const { access_token, refresh_token } = (await refreshWith(fairway, initialTokenOf(fairway))).body.data;
      await admin('POST', 'plans', { scenario: 'refresh-token-used' });
      expect((await refreshWith(fairway, refresh_token)).status).toBe(401);
      expect((await refreshWith(fairway, refresh_token)).status).toBe(401);
      expect((await knock(fairway, bearer(access_token))).status).toBe(status);
      await admin('POST', 'reset');
      expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(200);
    },
  );

  test('a token that is not known, or was used, leaves a plan unspent', async () => {
    const { fairway, sandbox } = await openWith();
    await refreshWith(fairway, initialTokenOf(fairway));
    sandbox.scenarios.arm('refresh-token-used');
    expect((await refreshWith(fairway, 'nothing')).status).toBe(401);
    expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(401);
    expect((await refreshWith(fairway, 7)).status).toBe(400);
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, state: 'armed' }]);
  });
});

describe('a plan for one channel', () => {
  const rows: readonly [id: string, use: (client: Client) => Promise<Reply>][] = [
    ['token-expired', async (client) => knock(client, bearer(await accessTokenOf(client)))],
    ['credentials-revoked', (client) => client.get('/api/v3/countries')],
    ['refresh-token-used', (client) => refreshWith(client, initialTokenOf(client))],
  ];
  test.each(rows)('%s passes the others by', async (id, use) => {
    const { fairway, links, sandbox } = await openWith();
    sandbox.scenarios.arm(id, { channel: 'links' });
    expect((await use(fairway)).status).toBe(200);
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0 }]);
    const struck = await use(links);
    expect([struck.status, struck.headers.get('teebox-scenario')]).toEqual([401, `${id}; source=plan`]);
    expect(sandbox.journal.entries.at(-1)).toMatchObject({
      status: 401,
      scenario: { id, source: 'plan', plan: 'plan-1', struck: true, phase: 'before-commit' },
    });
  });
});
