import { describe } from 'vitest';
import { type GivenCall, judges, type Sessions } from '../../support/obligations/traffic.js';

const json = { 'content-type': 'application/json' };
const refused = { status: 401, answer: { success: false, message: 'no' } };
const lost = { status: 0 };

/** A refresh with a token that gives the pair of a number. */
function refresh(
  token: string,
  gives: number,
  rest: Partial<GivenCall> = {},
  expires_in: number | null = 3600,
): GivenCall {
  const data = { access_token: `access-${gives}`, refresh_token: `refresh-${gives}`, expires_in };
  const answer = { success: true, data };
  return { request: 'POST /api/v5/token/refreshToken', headers: json, body: { refresh_token: token }, answer, ...rest };
}
function call(access: number, rest: Partial<GivenCall> = {}): GivenCall {
  return { request: 'GET /api/v3/countries', headers: { authorization: `Bearer access-${access}` }, ...rest };
}
const basic: GivenCall = {
  request: 'GET /api/v3/countries',
  headers: { authorization: `Basic ${btoa('demo:password')}` },
};
const struck = { ...refused, struck: { scenario: 'token-expired', committed: false } };

const chain = [refresh('start', 1), call(1), refresh('refresh-1', 2, { at: 3600 }), call(2)] as const;
const twice: Sessions = {
  'the newest each time': ['pass', ...chain],
  'one refresh': ['not-seen', refresh('start', 1), call(1)],
  'Basic credentials': ['not-seen', basic, basic],
  'the first token again': ['fail', refresh('start', 1), call(1), refresh('start', 0, { at: 3600, ...refused })],
  'the first token after two': ['fail', ...chain, refresh('start', 0, { at: 7200, ...refused })],
  'a used token at once, after a call with its successor': [
    'fail',
    refresh('start', 1, { takes: 0 }),
    call(1, { at: 1, takes: 0 }),
    refresh('start', 0, { at: 1, takes: 0, ...refused }),
  ],
  'again, since the answer was lost': [
    'not-seen',
    refresh('start', 1, lost),
    refresh('start', 0, { at: 60, ...refused }),
  ],
  'again, since the answer was cut': [
    'not-seen',
    refresh('start', 1, { answer: '{"success":tr' }),
    refresh('start', 0, { at: 60, ...refused }),
  ],
  'again, since the client had given up waiting': [
    'not-seen',
    refresh('start', 1, { takes: 2 }),
    refresh('start', 0, { at: 60, ...refused }),
  ],
  'again at once, although the answer came fast': [
    'fail',
    refresh('start', 1, { takes: 0.1 }),
    refresh('start', 0, { at: 60, ...refused }),
  ],
  'again, although the client had the slow answer': [
    'fail',
    refresh('start', 1, { takes: 2 }),
    refresh('start', 0, { at: 60, ...refused }),
    call(1, { at: 61 }),
  ],
  'again, although the client had the next refresh token': [
    'fail',
    refresh('start', 1, { takes: 2 }),
    refresh('start', 0, { at: 60, ...refused }),
    refresh('refresh-1', 2, { at: 61 }),
  ],
  'again, since the service failed': [
    'pass',
    refresh('start', 1, { status: 503, answer: '' }),
    refresh('start', 1),
    refresh('refresh-1', 2),
  ],
  'used by somebody else': ['not-seen', refresh('start', 0, refused), refresh('start', 0, { at: 60, ...refused })],
  'accepted again, since the service was reset': ['pass', ...chain, refresh('start', 3), refresh('refresh-3', 4)],
  'an answer that says nothing about the token': [
    'not-seen',
    refresh('start', 1),
    refresh('start', 0, { at: 60, status: 429, answer: '' }),
  ],
  'two channels': ['pass', refresh('a', 1), refresh('b', 2), refresh('refresh-1', 3), refresh('refresh-2', 4)],
};

describe('refresh tokens', () => {
  judges('tokens.newest', twice);
  judges('tokens.no-reuse', twice);
});

describe('expiry', () => {
  const late = { at: 4000, ...refused };
  const table: Sessions = {
    'a refresh after the end': ['pass', ...chain],
    'a refresh a little before the end': ['pass', refresh('start', 1), call(1), refresh('refresh-1', 2, { at: 3400 })],
    'a refresh after a refusal': ['pass', refresh('start', 1), call(1, struck), refresh('refresh-1', 2), call(2)],
    'no end in sight': ['not-seen', refresh('start', 1), call(1), call(1)],
    'a refresh in the middle': ['not-seen', refresh('start', 1), call(1), refresh('refresh-1', 2, { at: 600 })],
    'other refusals': [
      'not-seen',
      refresh('start', 1),
      ...[1, 1, 1, 1].map((one) => call(one, { status: 404, answer: '' })),
    ],
    'an expired token that is accepted': [
      'not-seen',
      refresh('start', 1),
      ...[1, 1, 1, 1].map((one) => call(one, { at: 4000 })),
    ],
    'the expired token again and again': [
      'fail',
      refresh('start', 1),
      call(1, late),
      call(1, { ...refused, at: 4001 }),
      call(1, { ...refused, at: 4002 }),
    ],
    'many calls in flight when it expired': [
      'pass',
      refresh('start', 1),
      ...[1, 1, 1, 1].map((one) => call(one, late)),
      refresh('refresh-1', 2),
      call(2),
    ],
    'a refresh that failed': [
      'not-seen',
      refresh('start', 1),
      call(1, late),
      refresh('refresh-1', 0, { status: 503, answer: '' }),
      call(1, refused),
      call(1, refused),
    ],
  };
  judges('tokens.on-expiry', table);
  const anew = (nth: number, token: number): readonly GivenCall[] => [
    call(token, { request: `GET /api/v3/countries?nth=${nth}`, ...struck }),
    refresh(`refresh-${nth}`, nth + 1),
  ];
  judges('tokens.on-expiry', {
    'refreshes, and goes on with the expired token': [
      'fail',
      refresh('start', 1),
      ...[1, 2, 3].flatMap((nth) => [...anew(nth, 1), call(1, { takes: 0, ...struck })]),
    ],
    'refreshes while other requests are on their way': [
      'pass',
      refresh('start', 1),
      ...anew(1, 1),
      ...[2, 3, 4, 5].map((nth) => call(1, { request: `GET /api/v3/countries?nth=${nth}`, ...struck })),
      ...[1, 2, 3, 4, 5].map((nth) => call(2, { request: `GET /api/v3/countries?nth=${nth}` })),
    ],
    'refreshes, and goes on with the new token': [
      'pass',
      refresh('start', 1),
      ...[1, 2, 3].flatMap((nth) => [...anew(nth, nth), call(nth + 1)]),
    ],
  });
  const gaveUp: Sessions = {
    'gave up when it expired': ['fail', refresh('start', 1), call(1), call(1, late)],
    'refreshed, sent the expired token again, and gave up': [
      'fail',
      refresh('start', 1),
      call(1, struck),
      refresh('refresh-1', 2),
      call(1, struck),
    ],
  };
  judges('tokens.on-expiry', gaveUp, { facts: { exam: 'expiry', clientOk: false } });
  judges('tokens.on-expiry', { 'stopped at a proxy': ['not-seen', refresh('start', 1), call(1, late)] });
});

describe('refreshes before each call', () => {
  const each = (count: number, calls: number, life: number | null = 3600): GivenCall[] =>
    Array.from({ length: count }, (_, index) => [
      refresh(index === 0 ? 'start' : `refresh-${index}`, index + 1, {}, life),
      ...Array.from({ length: calls }, () => call(index + 1)),
    ]).flat();
  judges('tokens.not-each-call', {
    'several calls with one token': ['pass', ...each(1, 3)],
    'one call each': ['fail', ...each(7, 1)],
    'no call at all': ['fail', ...each(7, 0)],
    'one call each, of few': ['not-seen', ...each(5, 1)],
    'two calls each': ['pass', ...each(9, 2)],
    'one call each, but for a few': ['fail', ...each(13, 1), ...each(2, 2)],
    'one call each, or three': ['pass', ...each(9, 1), ...each(3, 3)],
    'one call each of a short life': ['not-seen', ...each(9, 1, 240)],
    'a life that is not told': ['not-seen', ...each(9, 1, null)],
    'each token is rejected': [
      'not-seen',
      ...each(9, 1).map((one) => (one.body === undefined ? { ...one, ...refused } : one)),
    ],
    'Basic credentials': ['not-seen', basic, basic, basic],
  });
});

describe('refreshes at the same time', () => {
  const at = (seconds: number, takes: number, rest: Partial<GivenCall> = {}) => ({ at: seconds, takes, ...rest });
  judges('tokens.one-at-a-time', {
    'one after the other': ['pass', ...chain],
    'two with one token': ['fail', refresh('start', 1, at(1, 0.5)), refresh('start', 0, at(1.2, 0.5, refused))],
    'the second is answered first': ['fail', refresh('start', 1, at(1, 2)), refresh('start', 0, at(1.2, 0.1, refused))],
    'both arrive before the first is over, in one instant': [
      'fail',
      refresh('start', 1, at(1, 0, { arrived: 2 })),
      refresh('start', 0, at(1, 0, { ...refused, arrived: 2 })),
    ],
    'one 12 ms after the answer to the other': [
      'pass',
      refresh('start', 1, at(1, 0.002, { arrived: 1 })),
      refresh('start', 0, at(1.014, 0.002, { ...refused, arrived: 2 })),
    ],
    'two tokens': ['pass', refresh('a', 1, at(1, 0.5)), refresh('b', 2, at(1.2, 0.5))],
    'again after a failure, the end of which is noted late': [
      'pass',
      refresh('start', 1, at(1, 0.51, { status: 503, answer: '' })),
      refresh('start', 2, at(1.5, 0.5)),
    ],
    'again after a timeout': ['pass', refresh('start', 1, at(1, 5, lost)), refresh('start', 2, at(3, 0.5))],
    'again after a failure': [
      'pass',
      refresh('start', 1, at(1, 0.5, { status: 500 })),
      refresh('start', 2, at(3, 0.5)),
    ],
    'a reuse, much later': ['pass', refresh('start', 1), call(1), refresh('start', 0, { at: 3600, ...refused })],
    'Basic credentials': ['not-seen', basic],
  });
});
