import { describe, expect, test } from 'vitest';
import { TrafficChecker, type TrafficCheckerOptions } from '../../../src/cli/proxy/check/traffic-checker.js';
import { readKnownOfBoth } from '../../../src/cli/proxy/outcome.js';
import type { PassedExchange } from '../../../src/cli/proxy/wire/passed.js';
import { exchanges } from './exchanges.js';

/** Breaks one obligation of the client, and no rule. */
const plain = exchanges(1, {
  method: 'POST',
  path: '/api/v5/bookings',
  headers: ['content-type', 'text/plain'],
  body: '{}',
});
const obligation = 'requests.content-type';
const right = exchanges(1);
const struck = [...right, ...exchanges(2).slice(1)].map((one) => ({
  ...one,
  injected: one.turn === 1 ? { scenarios: ['unauthorized'], wasSent: false, changed: true } : undefined,
}));

async function verdictOn(
  passed: readonly PassedExchange[],
  options: Partial<TrafficCheckerOptions> = {},
  unanswered = 0,
) {
  const deployment = { only: ['countries.*'] };
  const all = { baseUrl: 'http://deployment.test', deployment, obligations: [obligation], ...options };
  const checker = new TrafficChecker(all, () => {});
  checker.take(passed);
  const { outcome } = await checker.end({ unreachable: 0, unanswered, lost: 0 }, []);
  return outcome;
}

/** What `--known FILE` makes of a baseline. */
function knownAs(known: readonly object[]): Pick<TrafficCheckerOptions, 'deployment' | 'knownObligations'> {
  const { rules, obligations } = readKnownOfBoth({ known });
  return { deployment: { only: ['countries.*'], known: rules }, knownObligations: obligations };
}

describe('the verdict of a proxy', () => {
  test.for([
    ['nothing came', [], {}, 4, 'No request came.'],
    ['nothing is judged', right, { onlyRecord: true }, 4, 'Nothing was evaluated.'],
    [
      'too few rules are judged',
      right,
      { deployment: { minConclusive: 90 } },
      4,
      /% of the \d+ observable rules were evaluated; the minimum is 90%/,
    ],
    ['enough rules are judged', right, {}, 0, /^Nothing is wrong: /],
    [
      'something was injected',
      struck,
      {},
      0,
      /^Nothing is wrong besides what was injected into 1 exchange: 1 rule was evaluated/,
    ],
    ['an obligation is violated', plain, {}, 1, 'Client: 1 obligation is violated.'],
    ['it is known', plain, knownAs([{ id: obligation, issue: 'C-7' }]), 0, /^Nothing is wrong: /],
    [
      'it was known until a day',
      plain,
      knownAs([{ id: obligation, until: '2001-01-01' }]),
      1,
      /1 obligation is violated/,
    ],
  ] as const)('where %s', async ([, passed, options, exitCode, message]) => {
    const due = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await verdictOn(passed, options)).toMatchObject({ exitCode, message: due });
  });

  test('marks a known obligation, and says when an entry of the baseline is met again', async () => {
    const known = knownAs([{ id: obligation, issue: 'C-7' }]);
    const { client } = await verdictOn(plain, known);
    expect(client).toMatchObject([{ id: obligation, verdict: 'fail', known: [{ issue: 'C-7' }] }]);
    const json = exchanges(1, {
      method: 'POST',
      path: '/api/v5/bookings',
      headers: ['content-type', 'application/json'],
      body: '{}',
    });
    const met = await verdictOn(json, known);
    expect(met).toMatchObject({ exitCode: 1, stale: [obligation] });
  });
});

/** An answer that came whole, and of which nothing can be read. */
const unread = (one: PassedExchange, coding = 'zstd'): PassedExchange => ({
  ...one,
  answer: { ...one.answer!, headers: ['content-type', 'application/json', 'content-encoding', coding] },
});
/** One that is too long to be kept. */
const long = (one: PassedExchange): PassedExchange => ({
  ...one,
  answer: { ...one.answer!, body: undefined, size: 5e9 },
});
const [all, three, one] = [exchanges(1), exchanges(5), exchanges(5)];

test.for([
  ['too long, all', all.map(long), 4, '1 of 1 request could not be checked (more than 2%): 1 with an answer that'],
  ['too long, more than one', three.map((passed) => (passed.turn > 1 ? long(passed) : passed)), 4, '3 of 5 requests'],
  ['too long, one', one.map((passed) => (passed.turn === 1 ? long(passed) : passed)), 0, 'Nothing is wrong'],
  ['in an unknown encoding', all.map((passed) => unread(passed)), 4, '1 of 1 request could not be checked'],
  ['in a broken encoding', all.map((passed) => unread(passed, 'gzip')), 4, '1 of 1 request could not be checked'],
] as const)('answers that are %s', async ([, passed, exitCode, message]) => {
  const outcome = await verdictOn(passed);
  expect(outcome).toMatchObject({ exitCode, message: expect.stringContaining(message) });
});

test('answers without room', async () => {
  const outcome = await verdictOn(exchanges(3), { deployment: { only: ['countries.*'], maxEvidence: 10 } });
  expect(outcome).toMatchObject({ exitCode: 4, traffic: { unread: 3 } });
});

test.for([
  ['no request', 5, 5, 3, 'The target answered none of 5 requests.'],
  ['most requests', 5, 3, 4, 'The target did not answer 3 of 5 requests (more than 2%).'],
  ['all requests but one', 5, 1, 0, /^Nothing is wrong/],
] as const)('a target that answers %s', async ([, count, unanswered, exitCode, message]) => {
  const outcome = await verdictOn(exchanges(count), {}, unanswered);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.message).toMatch(message);
});
