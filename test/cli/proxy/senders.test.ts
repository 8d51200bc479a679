import { describe, expect, test } from 'vitest';
import { OverheardClients } from '../../../src/cli/proxy/check/overheard.js';
import { TrafficChecker } from '../../../src/cli/proxy/check/traffic-checker.js';
import { terminalOutput } from '../../../src/cli/proxy/output.js';
import { placed } from '../../../src/certification/obligations/traffic.js';
import { callsOf, type GivenCall } from '../../support/obligations/traffic.js';
import { exchanges } from './exchanges.js';

const json = { 'content-type': 'application/json' };
const booking = {
  facilityId: 1001,
  teetime: '2026-06-20 08:00:00',
  course: 'Old',
  players: 1,
  teeId: 17,
  holes: 18,
  productId: 3,
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'ada@partner.example',
};

const book = (agent: string, rest: Partial<GivenCall> = {}): GivenCall => ({
  request: 'POST /api/v5/bookings',
  headers: { ...json, 'user-agent': agent },
  body: booking,
  answer: { success: true, data: { bookingId: 'TBX-1' } },
  ...rest,
});

const refresh = (token: string, gives: string | undefined, rest: Partial<GivenCall> = {}): GivenCall => {
  const data = { access_token: `access-${gives}`, refresh_token: gives, expires_in: 900 };
  const answered = gives === undefined ? { status: 401, answer: { success: false, data: null } } : {};
  const answer = { success: true, data };
  return {
    request: 'POST /api/v5/token/refreshToken',
    headers: json,
    body: { refresh_token: token },
    answer,
    ...answered,
    ...rest,
  };
};

const read: GivenCall = { request: 'GET /api/v3/countries', answer: { success: true, data: ['Spain'] } };

function heard(only: string, calls: readonly GivenCall[]) {
  const clients = new OverheardClients({ only: [only] });
  for (const call of callsOf(calls)) clients.call(call, (path) => ({ ...call, path, ...placed(call.method, path) }));
  const [result] = clients.end();
  return { result: result!, senders: clients.senders };
}

describe('what a proxy holds against a client', () => {
  const looks = 'bookings.looks-before-retry';
  const lost = { status: 0 };

  test('a repeat of one program', () => {
    const { result, senders } = heard(looks, [book('app/1', lost), book('app/1')]);
    expect(result).toMatchObject({ verdict: 'fail', evidence: ['x1', 'x2'] });
    expect(senders).toEqual({ tests: 0, worlds: 0, userAgents: ['app/1'] });
  });

  test('a repeat of two programs is a note', () => {
    const { result } = heard(looks, [book('app/1', lost), book('app/2')]);
    expect(result.verdict).not.toBe('fail');
    expect(result.doubtful).toMatchObject({ times: 1, evidence: ['x1', 'x2'] });
  });

  test.each([
    ['of a test that goes on is a note', [refresh('b', 'c'), read], { test: 'a token works once' }, false],
    ['of a test after which nothing works counts', [], { test: 'renews' }, true],
    ['of a client whose tests have no names counts', [refresh('b', 'c'), read], {}, true],
  ] as const)('a mistake that is refused, %s', (_, after, test, counts) => {
    const { result } = heard('tokens.no-reuse', [refresh('a', 'b', test), refresh('a', undefined, test), ...after]);
    expect(result.verdict === 'fail').toBe(counts);
    expect(result.deliberate === undefined).toBe(counts);
  });

  test('worlds have tokens of their own, and each is judged', () => {
    const inWorld = (name: string, { request, ...rest }: GivenCall): GivenCall => ({
      ...rest,
      request: request.replace(' ', ` /w/${name}`),
    });
    const [first, again] = [refresh('a', 'b'), refresh('a', undefined)];
    const apart = heard('tokens.no-reuse', [inWorld('one', first), inWorld('two', first)]);
    expect(apart.result.verdict).toBe('not-seen');
    expect(apart.senders).toMatchObject({ worlds: 2 });
    const within = heard('tokens.no-reuse', [inWorld('one', first), inWorld('two', first), inWorld('two', again)]);
    expect(within.result).toMatchObject({ verdict: 'fail', breaches: 1, evidence: ['x2', 'x3'] });
    const paths = heard('requests.documented-paths', [inWorld('one', read)]);
    expect(paths.result.verdict).not.toBe('fail');
  });
});

test('the summary says when several programs or tests were heard', async () => {
  const summaryOf = async (...agents: readonly string[]): Promise<string> => {
    const options = {
      baseUrl: 'http://deployment.test',
      deployment: { only: ['countries.*'] },
      obligations: ['tokens.*'],
    };
    const checker = new TrafficChecker(options, () => {});
    checker.take(
      agents.flatMap((agent, at) =>
        exchanges(1, { headers: ['user-agent', agent, 'teebox-test', `test ${at}`] }).map((one) => ({
          ...one,
          id: `x${at}`,
          turn: at,
        })),
      ),
    );
    const { outcome } = await checker.end({ unreachable: 0, unanswered: 0, lost: 0 }, []);
    const lines: string[] = [];
    terminalOutput({ line: (text) => void lines.push(text), colour: false }).summarize(outcome, undefined);
    return lines.join('\n');
  };
  expect(await summaryOf('app/1', 'app/2')).toContain('client: calls of 2 tests, 2 user agents (app/1, app/2);');
  expect(await summaryOf('app/1')).not.toContain('calls of');
});
