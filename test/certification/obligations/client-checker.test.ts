import { describe, expect, test } from 'vitest';
import { obligations } from '../../../src/contract/generated/built/obligations.js';
import { ClientChecker, type ObligationBreach } from '../../../src/certification/obligations/client-checker.js';
import type { ClientCall } from '../../../src/certification/obligations/traffic.js';
import { MOST_KINDS } from '../../../src/certification/obligations/usual.js';
import { callsOf, type GivenCall } from '../../support/obligations/traffic.js';

const typed = (type: string): GivenCall => ({
  request: 'POST /api/v2/token/refreshToken',
  headers: { 'content-type': type },
  body: { refresh_token: 'r' },
});
const given = (type: string, count: number): GivenCall[] => Array.from({ length: count }, () => typed(type));
const only = ['requests.content-*'];

describe('a judge of a client', () => {
  test('has a verdict for each obligation of the catalogue, in its order', () => {
    const results = new ClientChecker().end();
    expect(results.map(({ id }) => id).sort()).toEqual(obligations.map(({ id }) => id).sort());
  });

  test('says of what it did not see what the client must do', () => {
    const [result] = new ClientChecker({ only }).end();
    expect(result).toMatchObject({ verdict: 'not-seen', toSee: 'Refresh a token or create a booking.', evidence: [] });
  });

  test('keeps a little evidence of a pass, and that of breaches in its place', () => {
    const checker = new ClientChecker({ only });
    const calls = callsOf([...given('application/json', 30), ...given('text/plain', 30)]);
    for (const call of calls.slice(0, 30)) checker.call(call);
    const evidence = calls.slice(0, 5).map(({ id }) => id);
    expect(checker.results()).toMatchObject([{ verdict: 'pass', evidence }]);
    for (const call of calls.slice(30)) checker.call(call);
    const [result] = checker.end();
    expect(result).toMatchObject({ verdict: 'fail', breaches: 30, severity: 'major', basis: 'stated' });
    expect(result!.source).toEqual({ section: 'What the service does', item: 'list 2' });
    expect(result!.evidence).toEqual(calls.slice(30, 50).map(({ id }) => id));
  });

  test('tells each breach as it happens', () => {
    const told: ObligationBreach[] = [];
    const checker = new ClientChecker({ only, onBreach: (breach) => told.push(breach) });
    for (const call of callsOf([typed('text/plain'), typed('application/json'), typed('text/html')]))
      checker.call(call);
    expect(told).toMatchObject([
      { id: 'requests.content-type', nth: 1, evidence: ['x1'], expected: expect.stringContaining('application/json') },
      { id: 'requests.content-type', nth: 2, evidence: ['x3'], message: expect.stringContaining('text/html') },
    ]);
  });

  test('ends with a mistake that was followed by more calls than it remembers', () => {
    const checker = new ClientChecker({ only, isMeasured: true });
    const refused = { ...typed('text/plain'), status: 415 };
    const others = Array.from({ length: 5001 }, () => ({ request: 'GET /api/v3/countries' }));
    for (const call of callsOf([refused, ...given('application/json', 1), ...others])) checker.call(call);
    const [result] = checker.end({ isHappy: true, clientOk: true });
    expect(result).toMatchObject({ verdict: 'pass', deliberate: { times: 1, evidence: ['x1'] } });
  });

  test('counts so many kinds of requests, and holds none of the others against a client', () => {
    const right = { request: 'POST /api/v5/bookings', headers: { 'content-type': 'application/json' }, status: 400 };
    const names = Array.from({ length: MOST_KINDS + 1 }, (_, nth) => `Guest ${nth}`);
    const kinds = callsOf(names.map((contactName) => ({ ...right, body: { contactName } })));
    const happy = new ClientChecker({ only, isMeasured: true });
    for (const call of kinds) happy.call(call);
    happy.end({ isHappy: true, clientOk: true });
    expect(happy.usual.sent.size).toBe(MOST_KINDS);
    expect(happy.usual.refused.size).toBe(MOST_KINDS);
    const other = new ClientChecker({ only, isMeasured: true });
    other.call({ ...kinds.at(-1)!, headers: new Headers({ 'content-type': 'text/plain' }), status: 415 });
    expect(other.end({ usual: happy.usual, clientOk: true })[0]!.verdict).toBe('not-seen');
  });

  test('reads no long body that was refused', () => {
    const long = { ...typed('text/plain'), body: { refresh_token: 'r'.repeat(20_000) } };
    const verdictOf = (status: number): string => {
      const checker = new ClientChecker({ only });
      for (const call of callsOf([{ ...long, status, answer: { success: status === 200 } }])) checker.call(call);
      return checker.end()[0]!.verdict;
    };
    expect([200, 415].map(verdictOf)).toEqual(['fail', 'not-seen']);
  });

  test('does not say of a body that nobody has read that it is missing', () => {
    const call = { ...callsOf([typed('text/plain')])[0]!, body: undefined };
    const verdictOf = (heard: ClientCall): string => {
      const checker = new ClientChecker({ only: ['requests.documented-body'] });
      checker.call(heard);
      return checker.end()[0]!.verdict;
    };
    expect([call, { ...call, isBodyUnknown: true as const }].map(verdictOf)).toEqual(['fail', 'not-seen']);
  });

  test('starts anew in each session', () => {
    const first = new ClientChecker({ only });
    for (const call of callsOf([typed('text/plain')])) first.call(call);
    expect(first.end()[0]!.verdict).toBe('fail');
    expect(new ClientChecker({ only }).end()[0]!.verdict).toBe('not-seen');
  });
});
