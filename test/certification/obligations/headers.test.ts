import { describe, expect, test } from 'vitest';
import { type GivenCall, judgedBy } from '../../support/obligations/traffic.js';

type Verdict = 'pass' | 'fail' | 'not-seen';
type Row = readonly [what: string, calls: readonly GivenCall[], want: Verdict, message?: string];
const whole = (rows: readonly Row[]) =>
  rows.map(([what, calls, want, message = '']) => ({ what, calls, want, message }));

const json = { 'content-type': 'application/json' };
const refresh: GivenCall = {
  request: 'POST /api/v5/token/refreshToken',
  headers: json,
  body: { refresh_token: 'refresh-0001' },
  answer: { success: true, data: { access_token: 'access-0001', refresh_token: 'refresh-0002', expires_in: 60 } },
};

describe('requests.content-type', () => {
  const typed = (type: string | undefined): GivenCall => ({
    ...refresh,
    headers: type === undefined ? {} : { 'content-type': type },
  });
  const rows: readonly Row[] = [
    ['JSON', [typed('application/json')], 'pass'],
    ['JSON with a charset, in capitals', [typed('Application/JSON; charset=UTF-8')], 'pass'],
    ['no body', [{ request: 'GET /api/v3/countries' }], 'not-seen'],
    ['an empty body', [{ request: 'POST /api/v4/bookings/payment/b1', body: '' }], 'not-seen'],
    [
      'a form',
      [typed('application/x-www-form-urlencoded')],
      'fail',
      'has a body with the content type `application/x-',
    ],
    ['no type', [typed(undefined)], 'fail', 'POST /api/v5/token/refreshToken has a body without a content type.'],
    ['text after JSON', [typed('application/json'), typed('text/plain')], 'fail', '`text/plain`'],
  ];
  test.each(whole(rows))('$what: $want', ({ calls, want, message }) => {
    const result = judgedBy('requests.content-type', calls);
    expect(result.verdict).toBe(want);
    expect(result.message ?? '').toContain(message);
  });
});

describe('requests.no-secret-in-url', () => {
  const get = (path: string, headers: Record<string, string> = {}): GivenCall => ({ request: `GET ${path}`, headers });
  const bearer = { authorization: 'Bearer access-0001' };
  const basic = { authorization: `Basic ${btoa('demo:long-password')}` };
  const callback = (url: string) => get(`/api/v5/teetimes?callbackUrl=${encodeURIComponent(url)}`, bearer);
  const rows: readonly Row[] = [
    ['a bearer token in its header', [get('/api/v3/countries', bearer)], 'pass'],
    ['Basic credentials', [get('/api/v3/countries', basic)], 'pass'],
    ['no credentials at all', [get('/api/v3/countries')], 'not-seen'],
    ['a secret of its own for its callbacks', [callback('https://me.example/hook?token=my-own-secret')], 'pass'],
    ['a number against caching', [get('/api/v3/countries?cacheKey=1234567890', bearer)], 'pass'],
    ['the token in the query', [refresh, get('/api/v3/countries?t=access-0001')], 'fail', 'the parameter `t`'],
    ['the token in the path', [refresh, get('/api/v3/facilities/access-0001')], 'fail', 'in its path'],
    ['the next refresh token', [refresh, get('/api/v3/countries?x=refresh-0002')], 'fail', 'the parameter `x`'],
    ['a refresh token by its name', [{ request: 'POST /api/v5/token/refreshToken?refresh_token=r' }], 'fail'],
    ['the password', [get('/api/v3/countries?p=long-password', basic)], 'fail'],
    ['the token in the callback address', [callback('https://me.example/?t=access-0001')], 'fail', 'callbackUrl'],
    ['a percent sign alone in the path', [get('/api/v3/facilities/%', bearer)], 'pass'],
  ];
  test.each(whole(rows))('$what: $want', ({ calls, want, message }) => {
    const result = judgedBy('requests.no-secret-in-url', calls);
    expect(result.verdict).toBe(want);
    expect(result.message ?? '').toContain(message);
    expect(result.message ?? '').not.toMatch(/access-0001|refresh-0002|long-password/);
  });
});
