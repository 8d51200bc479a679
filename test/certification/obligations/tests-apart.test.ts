import { describe, expect, test } from 'vitest';
import { ClientChecker, type ClientCheckerOptions } from '../../../src/certification/obligations/client-checker.js';
import { testOf } from '../../../src/certification/obligations/traffic.js';
import { callsOf, type GivenCall } from '../../support/obligations/traffic.js';

test.each([
  ['books', { test: 'books' }],
  ['books; deliberate', { test: 'books', isDeliberate: true }],
  ['books ;Deliberate ', { test: 'books', isDeliberate: true }],
  ['; deliberate', { isDeliberate: true }],
  ['deliberate', { test: 'deliberate' }],
  ['x'.repeat(300), { test: 'x'.repeat(200) }],
])('the header %s', (header, wanted) => {
  expect(testOf(new Headers({ 'teebox-test': header }))).toEqual(wanted);
});

test('without the header, no test is known', () => expect(testOf(new Headers())).toEqual({}));

describe('a repeat before the time of Retry-After, where two tests send the same on the happy day', () => {
  const reads = (at: number, rest: Partial<GivenCall> = {}) => ({
    request: 'GET /api/v3/countries',
    at,
    takes: 0.01,
    ...rest,
  });
  const others = [1, 2, 3, 4, 5].map((at) => reads(at, { request: `GET /api/v3/facilities/${at}` }));
  const limited = { status: 429, answer: '', responseHeaders: { 'retry-after': '2' } };
  const checkerOf = (...calls: readonly GivenCall[]): ClientChecker => {
    const checker = new ClientChecker({ only: ['limits.retry-after'], isMeasured: true });
    for (const call of callsOf([...others, ...calls])) checker.call(call);
    return checker;
  };
  const { usual } = checkerOf(reads(10), reads(11));
  const rows: readonly [what: string, calls: readonly GivenCall[], verdict: string][] = [
    ['is one of the client', [reads(10, limited), reads(10.5), reads(11)], 'fail'],
    ['is one of the client, twice', [reads(10, limited), reads(10.1, limited), reads(10.5), reads(15)], 'fail'],
    ['may be the other test, if the client waits', [reads(10, limited), reads(10.5), reads(12.5)], 'not-seen'],
    ['may be the other test, if both wait', [reads(10, limited), reads(10.5, limited), reads(13), reads(13)], 'pass'],
    ['may be the other test, if the client gives up', [reads(10, limited), reads(10.5)], 'not-seen'],
  ];
  test.each(rows)('%s', (_, calls, verdict) => {
    const facts = { exam: 'rate-limited', isHappy: false, clientOk: true, usual };
    expect(checkerOf(...calls).end(facts)).toMatchObject([{ verdict }]);
  });
});

describe('a request that is refused many times at once', () => {
  const usualCalls = Array.from({ length: 40 }, (_, at) => ({
    request: `GET /api/v3/facilities/${at}`,
    at,
    takes: 0.01,
  }));
  const refused = (count: number, rest: Partial<GivenCall> = {}): GivenCall[] =>
    Array.from({ length: count }, (_, nth) => ({
      request: 'POST /api/v5/token/refreshToken',
      status: 401,
      answer: { success: false },
      at: 50 + nth * 0.05,
      takes: 0.01,
      ...rest,
    }));
  const checkerOf = (calls: readonly GivenCall[]): ClientChecker => {
    const checker = new ClientChecker({ only: ['limits.backs-off'], isMeasured: true });
    for (const call of callsOf(calls)) checker.call(call);
    return checker;
  };
  const { usual } = checkerOf([...usualCalls, ...refused(1, { status: 200, answer: { success: true } })]);
  const rows: readonly [what: string, calls: readonly GivenCall[], verdict: string][] = [
    ['is the first one of each test, if they do nothing else', [...usualCalls.slice(0, 6), ...refused(30)], 'not-seen'],
    ['is one of the client, if its tests go on', [...usualCalls, ...refused(30)], 'fail'],
    ['is one of the client, if there are more than tests', [...usualCalls.slice(0, 6), ...refused(60)], 'fail'],
    [
      'is one of the client, if one test sends it',
      [...usualCalls.slice(0, 6), ...refused(30, { test: 'one' })],
      'fail',
    ],
    [
      'is the first one of each test, by name',
      [...usualCalls.slice(0, 6), ...refused(30).map((call, nth) => ({ ...call, test: `test ${nth}` }))],
      'not-seen',
    ],
  ];
  test.each(rows)('%s', (_, calls, verdict) => {
    const facts = { exam: 'refresh-token-used', isHappy: false, clientOk: false, usual };
    expect(checkerOf(calls).end(facts)).toMatchObject([{ verdict }]);
  });
});

const only = ['requests.content-type'];
const plain = (rest: Partial<GivenCall> = {}): GivenCall => ({
  request: 'POST /api/v5/token/refreshToken',
  body: { refresh_token: 'x' },
  status: 415,
  answer: { success: false, data: null },
  ...rest,
});
const right = plain({ headers: { 'content-type': 'application/json' }, status: 200, answer: { success: true } });

describe('a refused mistake', () => {
  const happy = { exam: 'happy-day', isHappy: true, clientOk: true };
  const evaluated = (calls: readonly GivenCall[], facts = happy, options: ClientCheckerOptions = {}) => {
    const checker = new ClientChecker({ only, isMeasured: true, ...options });
    for (const call of callsOf(calls)) checker.call(call);
    const [result] = checker.end(facts);
    return { checker, verdict: result!.verdict, times: result!.deliberate?.times };
  };
  const rows: readonly [what: string, calls: readonly GivenCall[], verdict: string, times: number | undefined][] = [
    ['among right requests', [right, plain()], 'pass', 1],
    ['that is the only request of its kind', [plain()], 'not-seen', 1],
    ['that is sent three times', [right, plain(), plain(), plain()], 'fail', undefined],
    ['that is accepted', [right, plain({ status: 200, answer: { success: true } })], 'fail', undefined],
  ];
  test.each(rows)('on a happy day, %s', (_, calls, verdict, times) => {
    expect(evaluated(calls)).toMatchObject({ verdict, times });
  });

  test('is a breach if the tests fail, unless the client sends right requests of its kind', () => {
    const unhappy = { ...happy, clientOk: false };
    expect(evaluated([plain()], unhappy)).toMatchObject({ verdict: 'fail', times: undefined });
    expect(evaluated([right, plain()], unhappy)).toMatchObject({ verdict: 'pass', times: 1 });
  });

  test.each([
    ['the same mistake', { status: 400 }, '2026-06-11'],
    ['a right request', {}, '11-06-2026'],
  ] as const)('is a breach if the tests fail, though %s is sent on purpose', (_, how, date) => {
    const sheet = (bookingDate: string): GivenCall => ({
      request: `GET /api/v4/teetimes/1001?bookingDate=${bookingDate}&players=1&holes=18`,
      answer: { success: false, data: null },
    });
    const calls = [
      { ...sheet('2026-06-11'), status: 400 },
      { ...sheet(date), ...how, isDeliberate: true as const },
    ];
    const unhappy = { ...happy, clientOk: false };
    expect(evaluated(calls, unhappy, { only: ['requests.dates'] })).toMatchObject({
      verdict: 'fail',
      times: undefined,
    });
  });

  test('is a consequence in an exam whose answers the client cannot read', () => {
    const { usual } = evaluated([right]).checker;
    const facts = { exam: 'unknown-fields', isHappy: false, clientOk: false, usual } as const;
    expect(evaluated([right, plain()], facts as never).verdict).toBe('fail');
    expect(evaluated([right, plain()], { ...facts, blames: 'robust.unknown-fields' } as never).verdict).toBe('pass');
  });

  test('is no breach in another exam if it was none on the happy day', () => {
    const { usual } = evaluated([right, plain()]).checker;
    const other = { exam: 'outage', isHappy: false, clientOk: false };
    const again = [right, plain(), plain(), plain({ status: 500, answer: '' })];
    expect(evaluated(again, { ...other, usual } as never).verdict).toBe('pass');
    const none = evaluated([right]).checker.usual;
    expect(evaluated(again, { ...other, usual: none } as never).verdict).toBe('fail');
  });

  test.each([['books'], ['requests.content-*']])('is marked by %s', (glob) => {
    const calls = [right, plain({ test: 'books' })];
    expect(evaluated(calls, happy, { deliberate: [glob] })).toMatchObject({ verdict: 'pass', times: undefined });
  });

  test('is a breach at once where no happy day measures the client', () => {
    expect(evaluated([right, plain()], happy, { isMeasured: false }).verdict).toBe('fail');
  });
});
