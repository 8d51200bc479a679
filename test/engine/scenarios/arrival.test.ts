import { describe, expect, test } from 'vitest';
import { scenarios } from '../../../src/contract/generated/scenarios.js';
import { type CallOptions, open } from '../../support/client.js';
import { bare, initialTokenOf, refreshWith } from '../../support/credentials.js';
import { bodyOf, dataOperations, pathOf } from '../../support/operations.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { openAtOnce, search, searchQuery } from '../../support/views.js';

const arriving = scenarios.flatMap(({ id, checkpoint, effect }) =>
  checkpoint === 'arrival' && effect.kind === 'refusal' ? [{ id, refusal: effect }] : [],
);
const statuses: Readonly<Record<string, number>> = { 'rate-limited': 429, 'server-error': 500, maintenance: 503 };

describe.each(arriving)('$id', ({ id, refusal }) => {
  test('strikes every operation of a channel, whatever is in it', async () => {
    const { fairway } = await open();
    for (const operation of dataOperations) {
      const { method } = operation;
      const headers = { 'teebox-scenario': id };
      const reply = await fairway.send(method, pathOf(operation), { ...bodyOf(operation), headers });
      expect(reply, operation.id).toMatchObject({ status: statuses[id], rule: refusal.rule });
      expect(reply.body).toEqual({ success: false, data: null, message: expect.stringMatching(/\w/) });
    }
  });

  test('strikes the refresh of tokens, and the token stays good', async () => {
    const { fairway } = await open();
    const path = '/api/v5/token/refreshToken';
    const body = { refresh_token: initialTokenOf(fairway) };
    const reply = await bare(fairway, 'POST', path, { body, headers: { 'teebox-scenario': id } });
    expect(reply).toMatchObject({ status: statuses[id], rule: refusal.rule, body: { success: false } });
    expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(200);
  });

  const wrong: readonly [what: string, method: string, path: string, options: CallOptions][] = [
    ['no credentials', 'GET', '/api/v4/bookings', {}],
    ['wrong credentials', 'GET', '/api/v4/bookings', { headers: { authorization: 'Basic x' } }],
    ['a missing parameter', 'GET', '/api/v3/facilities', {}],
    ['a malformed parameter', 'GET', '/api/v3/facilities/none', {}],
    ['a malformed query', 'GET', '/api/v3/facilities?country=%', {}],
    [
      'a body that is no JSON',
      'POST',
      '/api/v5/bookings',
      { body: '{', headers: { 'content-type': 'application/json' } },
    ],
    ['a body of another type', 'POST', '/api/v5/bookings', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['an invalid booking', 'POST', '/api/v5/bookings', { body: [7, null, 'x', []] }],
    ['an unknown refresh token', 'POST', '/api/v5/token/refreshToken', { body: { refresh_token: 'none' } }],
  ];
  test.each(wrong)('comes before %s', async (_, method, path, options) => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm(id, { times: 'always' });
    const reply = await bare(fairway, method, path, options);
    expect(reply).toMatchObject({ status: statuses[id], rule: refusal.rule });
    expect(reply.headers.get('teebox-scenario')).toBe(`${id}; source=plan`);
  });
});

const lost = ['connection-reset', 'empty-response'];
describe.each(lost)('%s', (id) => {
  test('comes before credentials and parameters', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm(id, { times: 3 });
    for (const path of ['/api/v4/bookings', '/api/v3/facilities', '/api/v3/facilities/none']) {
      await expect(bare(fairway, 'GET', path), path).rejects.toThrow(TypeError);
    }
    expect(sandbox.journal.entries.map(({ state, rule }) => [state, rule])).toEqual(
      [1, 2, 3].map(() => ['cut', undefined]),
    );
    expect(sandbox.scenarios.plans).toMatchObject([{ struck: 3, state: 'spent' }]);
  });

  test('loses the refusal of a request, too', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm(id, { phase: 'after-commit' });
    await expect(bare(fairway, 'GET', '/api/v4/bookings')).rejects.toThrow(TypeError);
    expect(sandbox.scenarios.plans).toMatchObject([{ struck: 1 }]);
  });
});

describe('a service that fails after it did what was asked', () => {
  const headers = { 'teebox-scenario': 'server-error; phase=after-commit' };

  test('a payment is confirmed', async () => {
    const { fairway, sandbox } = await open();
    const booked = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    const { bookingId } = booked.body.data;
    const paid = await fairway.send('POST', `/api/v4/bookings/payment/${bookingId}`, { headers });
    expect([paid.status, paid.headers.get('teebox-scenario')]).toEqual([500, 'server-error; source=header']);
    const booking = sandbox.db.bookings.findFirst((q) => q.where({ bookingId }));
    expect(booking!.paymentConfirmedAt).toMatch(/^2026-06-01T/);
  });

  test('a search delivers', async () => {
    const { fairway, sandbox } = await openAtOnce();
    const query = new URLSearchParams(searchQuery()).toString();
    expect((await fairway.get(`/api/v5/teetimes?${query}`, { headers })).status).toBe(500);
    await sandbox.callbacks.settled();
    expect(sandbox.callbacks.deliveries).toMatchObject([{ state: 'delivered' }]);
    expect((await search(fairway, searchQuery())).status).toBe(200);
  });

  test('a request that would be refused anyway is not struck', async () => {
    const { fairway } = await open();
    const reply = await fairway.get('/api/v3/facilities/999', { headers });
    expect([reply.status, reply.rule]).toEqual([404, 'facilities.unknown']);
  });

  test('a plan is not used up by a request that would be refused anyway', async () => {
    const { fairway, sandbox } = await open();
    sandbox.scenarios.arm('server-error', { phase: 'after-commit' });
    expect((await fairway.get('/api/v3/facilities/999')).status).toBe(404);
    expect(sandbox.scenarios.plans).toMatchObject([{ matched: 0, struck: 0, state: 'armed' }]);
    expect((await fairway.get('/api/v3/facilities/1001')).status).toBe(500);
  });
});

describe('the rules that decided', () => {
  const failed = 'errors.body chosen';
  const authed = ['auth.required held', 'auth.basic chosen'];
  const rows: readonly [header: string, want: readonly string[]][] = [
    ['maintenance, slow; delay=1ms', ['errors.service-status refused', failed]],
    ['slow; phase=before-commit; delay=1ms', [...authed, 'countries.response held']],
    ['server-error; phase=after-commit', [...authed, 'errors.service-status refused', failed]],
  ];
  test.each(rows)('of a request with %s', async (header, want) => {
    const { fairway, sandbox } = await open();
    await fairway.get('/api/v3/countries', { headers: { 'teebox-scenario': header } });
    const { rules } = await sandbox.journal.explain('req-1');
    expect(rules.map(({ rule, outcome }) => `${rule} ${outcome}`)).toEqual(want);
  });
});
