import { describe, expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { readKnown } from '../../../src/conformance/run/known.js';
import { Inconclusive } from '../../../src/conformance/client/outcome.js';
import { defineRule, ruleTable, type RuleSpec } from '../../../src/conformance/rules/rule.js';
import type { RuleId } from '../../../src/contract/generated/rule-basis.js';
import { deploy } from '../deployment.js';

const STATED = 'countries.list' satisfies RuleId;
const IMPLIED = 'facilities.details.not-in-oldest' satisfies RuleId;
const CRITICAL = 'auth.required' satisfies RuleId;
const OPEN = 'countries.unknown' satisfies RuleId;

const says = (id: RuleId, run: RuleSpec['run'], needs: RuleSpec['needs'] = []): RuleSpec =>
  defineRule({ id, needs, run });
const holds = (id: RuleId): RuleSpec => says(id, ({ expect }) => expect.equal(1, 1, 'Numbers differ.'));
const breaks = (id: RuleId): RuleSpec => says(id, ({ expect }) => expect.equal(2, 1, 'Numbers differ.'));

async function judged(rules: readonly RuleSpec[], changes: Partial<CheckOptions> = {}) {
  return (await deploy()).check({ rules, ...changes });
}

describe('a verdict follows from what the rule does and what it rests on', () => {
  const observes = says(OPEN, ({ observe }) => observe('country.unknown', 'empty'));
  const lacks = says(STATED, () => {
    throw new Inconclusive('no-data', 'a country');
  });
  const stumbles = says(STATED, () => {
    throw new TypeError('no such thing');
  });
  const malformed = says(STATED, async ({ session }) => void (await session.send({ operation: 'v3.findFacility' })));
  const card = (answer: 'empty' | 404): Partial<CheckOptions> => ({ card: { 'country.unknown': answer } });
  test.each<[what: string, rule: RuleSpec, changes: Partial<CheckOptions>, want: object]>([
    ['an assertion that holds', holds(STATED), {}, { verdict: 'pass', assertions: 1 }],
    ['a breach of what is stated', breaks(STATED), {}, { verdict: 'fail', expected: 1, actual: 2 }],
    ['a breach of what is implied and minor', breaks(IMPLIED), {}, { verdict: 'warn', message: 'Numbers differ.' }],
    ['a breach of what is implied and critical', breaks(CRITICAL), {}, { verdict: 'fail', severity: 'critical' }],
    ['a minor breach, with the line below it', breaks(IMPLIED), { failOn: 'minor' }, { verdict: 'fail' }],
    ['a stated breach, with the line above it', breaks(STATED), { failOn: 'critical' }, { verdict: 'warn' }],
    ['a critical breach, with the line at it', breaks(CRITICAL), { failOn: 'critical' }, { verdict: 'fail' }],
    ['an open breach, with the lowest line', breaks(OPEN), { failOn: 'minor' }, { verdict: 'observed' }],
    ['the same in a strict run', breaks(IMPLIED), { failOn: 'minor' }, { verdict: 'fail' }],
    ['a breach of what is open', breaks(OPEN), { failOn: 'minor' }, { verdict: 'observed' }],
    ['no assertion', says(STATED, () => {}), {}, { verdict: 'inconclusive', reason: 'no-data' }],
    ['what is lacking', lacks, {}, { verdict: 'inconclusive', reason: 'no-data', missing: 'a country' }],
    ['an observation', observes, {}, { verdict: 'observed', answers: { 'country.unknown': 'empty' } }],
    ['one that the card has', observes, card('empty'), { verdict: 'observed' }],
    [
      'one that the card has not',
      observes,
      card(404),
      { verdict: 'warn', message: expect.stringMatching(/404.*"empty"/) },
    ],
    ['a rule that stumbles', stumbles, {}, { verdict: 'error', message: expect.stringContaining('no such thing') }],
    ['a request of the suite that is wrong', malformed, {}, { verdict: 'error' }],
    ['no leave', says(STATED, () => {}, ['payments']), {}, { verdict: 'not-run', reason: 'not-allowed' }],
    [
      'no second channel',
      says(STATED, () => {}, ['second-channel']),
      { second: undefined } as object,
      { verdict: 'inconclusive', reason: 'not-given' },
    ],
  ])('%s', async (_, rule, changes, want) => {
    const { rules } = await judged([rule], changes);
    expect(rules).toMatchObject([{ id: rule.id, ...want }]);
  });

  test('a rule that stumbles over an answer of the wrong form blames the answer', async () => {
    const rule = says(STATED, async ({ session, expect }) => {
      const data = (await session.data('v3.listCountries')) as string[];
      expect.every(data, (name) => name.trim() !== '', 'A country has no name.');
    });
    const { check } = await deploy({}, async (request, through) =>
      request.url.endsWith('/v3/countries') ? Response.json({ success: true, data: [7] }) : through(request),
    );
    const { rules } = await check({ rules: [rule] });
    expect(rules).toMatchObject([{ verdict: 'inconclusive', reason: 'precondition' }]);
    expect(rules[0]!.missing).toMatch(/\/data\/0 must be string, see countries.response/);
  });
});

describe('a negative probe', () => {
  const probe = { operation: 'v3.findFacility', params: { facilityId: 'abc' } } as const;
  const rule = (facilityId: number): RuleSpec =>
    says('facilities.find', async (context) => {
      await context.refuses(probe, { ...probe, params: { facilityId } }, 'It is taken.');
    });

  test('passes on a refusal beside a twin that succeeds, and names both', async () => {
    const { rules } = await judged([rule(1001)]);
    expect(rules).toMatchObject([{ verdict: 'pass', assertions: 1 }]);
    // The right request is sent before the probe and after it.
    expect(rules[0]!.exchanges).toHaveLength(3);
  });

  test('proves nothing beside a twin that fails', async () => {
    const { rules } = await judged([rule(2_000_000_000)]);
    expect(rules).toMatchObject([{ verdict: 'inconclusive', reason: 'control-failed' }]);
  });

  test.each([
    ['is taken', () => Response.json({ success: true, data: [] }), 'It is taken.'],
    [
      'is answered with a 500',
      () => Response.json({ success: false, data: null }, { status: 500 }),
      'GET /api/v3/facilities/abc returns a server error instead of a refusal.',
    ],
  ])('fails where it %s', async (_, answer, message) => {
    const { check } = await deploy({}, async (request, through) =>
      request.url.endsWith('abc') ? answer() : through(request),
    );
    expect((await check({ rules: [rule(1001)] })).rules).toMatchObject([{ verdict: 'fail', message }]);
  });
});

describe('the exit code', () => {
  const known = (...entries: object[]) => ({ known: readKnown({ known: entries }) });
  test.each<[what: string, rules: RuleSpec[], changes: Partial<CheckOptions>, exitCode: number]>([
    ['all holds', [holds(STATED)], {}, 0],
    ['a warning', [holds(STATED), breaks(IMPLIED)], {}, 0],
    ['a failure', [holds(STATED), breaks(IMPLIED)], { failOn: 'minor' }, 1],
    ['a failure that is known', [breaks(STATED)], known({ id: STATED, until: '2026-06-01' }), 0],
    ['one that was known until yesterday', [breaks(STATED)], known({ id: STATED, until: '2026-05-31' }), 1],
    ['a known failure that is gone', [holds(STATED)], known({ id: STATED }), 1],
    ['a known failure that was not judged', [holds(OPEN), says(STATED, () => {})], known({ id: STATED }), 0],
    ['no rule', [], {}, 4],
    ['nothing judged', [says(STATED, () => {})], {}, 4],
    ['no rule that is selected', [holds(STATED)], { only: ['x.*'] }, 4],
    ['none left', [holds(STATED)], { skip: ['countries.*'] }, 4],
    ['enough of all rules judged', [holds(STATED), says(IMPLIED, () => {})], { minConclusive: 0.2 }, 0],
    ['less than is asked for', [holds(STATED), says(IMPLIED, () => {})], { minConclusive: 50 }, 4],
    [
      'an error of the suite',
      [
        holds(STATED),
        says(IMPLIED, () => {
          throw new RangeError('x');
        }),
      ],
      {},
      4,
    ],
  ])('%s', async (_, rules, changes, exitCode) => {
    expect(await judged(rules, changes)).toMatchObject({ exitCode });
  });

  test.each<[what: string, answer: () => Response, verdict: string]>([
    ['credentials that are refused', () => Response.json({ success: false, data: null }, { status: 401 }), 'refused'],
    ['the same with a 200', () => Response.json({ success: false, data: null }), 'refused'],
    ['another service', () => new Response('<html>', { status: 404 }), 'unreachable'],
    [
      'no service',
      () => {
        throw new TypeError('fetch failed');
      },
      'unreachable',
    ],
  ])('%s: 3', async (_, answer, verdict) => {
    const { check } = await deploy({}, async () => answer());
    expect(await check()).toMatchObject({ exitCode: 3, verdict, rules: [] });
  });
});

test.each([
  [{}, /a baseline must be/],
  [{ known: [{ id: 'no.such' }] }, /entry 1: `no.such` is not a rule/],
  [{ known: [{ id: STATED, untill: 'x' }] }, /entry 1 has `untill`/],
  [{ known: [{ id: STATED, until: 'soon' }] }, /`until` must be a valid date/],
])('a baseline %j is refused', (value, message) => {
  expect(() => readKnown(value)).toThrow(message);
});

test('two rules of one id, and one about what cannot be seen, are refused at once', () => {
  expect(() => ruleTable([holds(STATED), holds(STATED)])).toThrow('countries.list has two rules.');
  expect(() => ruleTable([holds('bookings.id.opaque')])).toThrow(/cannot be seen from outside/);
});

test('a run that fails only what is known says so', async () => {
  const report = await judged([breaks(STATED), holds(IMPLIED)], { known: [{ id: STATED }] });
  expect(report).toMatchObject({
    exitCode: 0,
    message: 'No rule is broken except the 1 in the baseline; 2 were evaluated.',
  });
});
