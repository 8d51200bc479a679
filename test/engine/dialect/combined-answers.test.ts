import { describe, expect, test } from 'vitest';
import type { Answers } from '../../../src/contract/generated/questions.js';
import { accessTokenOf, bare, basic, bearer, initialTokenOf, knock, refreshWith } from '../../support/credentials.js';
import { bookIn } from './forms.js';
import { stage } from './question.js';

const FAIRWAY = basic('fairway', 'not-a-secret-fairway');

describe('how a failure looks', () => {
  const bodies: readonly [Answers['error.body'], (text: unknown) => object][] = [
    ['message', (text) => ({ success: false, data: null, message: text })],
    ['error', (text) => ({ success: false, data: null, error: text })],
    ['errors', (text) => ({ success: false, data: null, errors: [{ message: text }] })],
    ['data', (text) => ({ success: false, data: { message: text } })],
  ];
  const kinds: readonly [code: string, request: string, headers?: Record<string, string>][] = [
    ['unauthorized', 'GET /api/v3/countries', {}],
    ['invalid', 'GET /api/v2/facilities', FAIRWAY],
    ['unknown-facility', 'GET /api/v2/facilities/7', FAIRWAY],
    ['unknown-booking', 'POST /api/v4/bookings/payment/none', FAIRWAY],
    ['unknown-path', 'GET /api/v9/countries', FAIRWAY],
    ['method-not-allowed', 'PUT /api/v3/countries', FAIRWAY],
    ['unsupported-media-type', 'POST /api/v5/bookings', FAIRWAY],
  ];
  for (const [place, shape] of bodies) {
    test.each(kinds)(`the text of %s in ${place}, with a code and without`, async (code, request, headers = {}) => {
      const [method, path] = request.split(' ') as [string, string];
      for (const option of ['none', 'code'] as const) {
        const { fairway } = await stage({ 'error.body': place, 'error.code': option });
        const { body } = await bare(fairway, method, path, { headers });
        expect(body).toEqual({ ...shape(expect.stringMatching(/\w/)), ...(option === 'code' ? { code } : {}) });
      }
    });
  }

  test('credentials refused with 200 and the text in data are still told from a success', async () => {
    const { fairway } = await stage({ 'auth.failure': 200, 'error.body': 'data' });
    const { status, headers, body } = await knock(fairway, {});
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: false, data: { message: expect.stringMatching(/Basic/) } },
    });
    expect(headers.has('www-authenticate')).toBe(false);
    expect((await knock(fairway, FAIRWAY)).body).toMatchObject({ success: true });
  });

  test('a status of its own for malformed bodies leaves failed creations at 400', async () => {
    const { fairway } = await stage({ 'error.validation': 422, 'booking.invalid-body': 'invalid-request' });
    expect((await bookIn(fairway, 'v5', { players: 5 })).status).toBe(422);
    const refused = await bookIn(fairway, 'v5', { teeId: 1 });
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/search and book the tee times again/),
    ]);
  });
});

describe('credentials', () => {
  test('a header of its own for the token leaves Basic where it is', async () => {
    const { fairway } = await stage({ 'auth.bearer-header': 'X-Access-Token', 'auth.schemes': { v3: 'both' } });
    const token = await accessTokenOf(fairway);
    expect(await knock(fairway, FAIRWAY)).toMatchObject({ status: 200 });
    expect(await knock(fairway, { ...basic('fairway', 'wrong'), 'x-access-token': token })).toMatchObject({
      status: 200,
    });
  });

  test('where only bearer is taken, its header is the one that counts', async () => {
    const { fairway } = await stage({ 'auth.bearer-header': 'X-Access-Token', 'auth.schemes': { v3: 'bearer' } });
    const token = await accessTokenOf(fairway);
    const statuses = [FAIRWAY, bearer(token), { 'x-access-token': token }].map(
      async (headers) => (await knock(fairway, headers)).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });

  test('where only Basic is taken, the header of the token is left unread', async () => {
    const { fairway } = await stage({ 'auth.bearer-header': 'X-Access-Token', 'auth.schemes': { v3: 'basic' } });
    expect(await knock(fairway, { ...FAIRWAY, 'x-access-token': 'nonsense' })).toMatchObject({ status: 200 });
  });

  test('tokens refreshed at one version alone are good in all', async () => {
    const { fairway } = await stage({ 'token.versions': ['v1'], 'auth.schemes': { v4: 'bearer' } });
    expect(await refreshWith(fairway, initialTokenOf(fairway), 'v4')).toMatchObject({ status: 404 });
    const { data } = (await refreshWith(fairway, initialTokenOf(fairway), 'v1')).body;
    expect(await bare(fairway, 'GET', '/api/v4/bookings', { headers: bearer(data.access_token) })).toMatchObject({
      status: 200,
    });
  });

  test('a revoked line refuses its access tokens, also where an old one would stay good', async () => {
    const { fairway } = await stage({
      'token.reuse': 'family-revoked',
      'token.old-access': 'valid',
      'token.failure': 403,
      'auth.failure': 401,
    });
    const token = await accessTokenOf(fairway);
    expect((await refreshWith(fairway, initialTokenOf(fairway))).status).toBe(403);
    expect((await knock(fairway, bearer(token))).status).toBe(401);
  });

  test('calls without credentials do not use up the rate of a channel', async () => {
    const { fairway } = await stage({ 'rate-limit.per-minute': 1, 'auth.failure': 403 });
    for (let time = 0; time < 3; time += 1) expect((await knock(fairway, {})).status).toBe(403);
    expect([(await knock(fairway, FAIRWAY)).status, (await knock(fairway, FAIRWAY)).status]).toEqual([200, 429]);
  });
});
