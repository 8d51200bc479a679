import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allRules, check } from '../../src/conformance/check.js';
import type { CheckOptions } from '../../src/conformance/check-options.js';
import { memoryJournal } from '../../src/conformance/credentials.js';
import { spareRules } from '../../src/conformance/order.js';
import type { Report, RuleResult } from '../../src/conformance/types.js';
import type { RuleId } from '../../src/generated/rule-basis.js';
import { deploy, type Layer, loudIn, resultOf } from './deployment.js';
import { mutants } from './mutants/index.js';
import { asking, listing, param, swapped } from './mutants/layers.js';

type Changes = Partial<CheckOptions>;

const judged = ({ rules }: Report): string[] =>
  rules.filter(({ verdict }) => ['pass', 'observed'].includes(verdict)).map(({ id }) => id);
const cut = ({ rules }: Report): RuleResult[] => rules.filter(({ reason }) => reason === 'budget');

/** The credentials that a run may have been given. */
const given = { basic: true, token: false, second: false };
type Given = typeof given;

/** A run with some credentials, its requests as the deployment saw them, and what its journal of tokens was told. */
async function runWith({ basic, token, second }: Given, changes: Changes) {
  const { sandbox, sent, options } = await deploy();
  const told: string[] = [];
  const [first, other] = sandbox.channels.map(({ username, password, refreshToken }) => {
    const kept = memoryJournal(refreshToken!);
    const journal = {
      ...kept,
      intent: async (spent: string) => (told.push('intent'), kept.intent(spent)),
      result: async (pair: Parameters<typeof kept.result>[0]) => (told.push('result'), kept.result(pair)),
    };
    return { ...(basic ? { basic: { username, password } } : {}), ...(token ? { journal } : {}) };
  });
  const { second: _, ...alone } = options;
  const report = await check({ ...alone, first: first!, ...(second ? { second: other! } : {}), ...changes });
  return { report, sent, told };
}

const credentials = fc.record({ basic: fc.boolean(), token: fc.boolean(), second: fc.boolean() });
const usable = credentials.filter(({ basic, token }) => basic || token);

describe('a run that only reads', () => {
  test.each<[what: string, given: Given]>([
    ['a user name', given],
    ['a token', { ...given, basic: false, token: true }],
    ['both', { ...given, token: true }],
    ['both, of two channels', { basic: true, token: true, second: true }],
  ])('sends fewer than 60 requests with %s', async (_, given) => {
    const { report, sent } = await runWith(given, {});
    expect(sent.length).toBe(report.requests);
    expect(report.requests).toBeLessThan(60);
    expect(loudIn(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.counts.pass).toBeGreaterThan(210);
    // What matters most is judged by any of them.
    expect(resultOf(report, 'auth.required').verdict).toBe('pass');
  });

  test.each<RuleId>([
    'auth.required',
    'countries.connected-subset',
    'facilities.list.connected-only',
    'facilities.same-across-versions',
    'teetimes.filter.players',
    'teetimes.filter.holes',
    'teetimes.filter.bookingDate',
    'teetimes.same-across-versions',
    'teetimes.cancellation.by-facility',
    'prices.range-union',
    'prices.offset-skips',
    'prices.agrees-availability',
    'bookings.list.from-date-past',
    'bookings.list.future-only',
  ])('finds by %s what is wrong', async (id) => {
    const found: string[] = [];
    for (const { rule, defect, layer, settings = {} } of mutants) {
      if (rule !== id) continue;
      const { verdict } = resultOf(await (await deploy(settings, layer)).check(), id);
      if (verdict === 'fail' || verdict === 'warn') found.push(defect);
    }
    expect(found).not.toEqual([]);
  });

  test.each<[id: RuleId, defect: string, layer: Layer]>([
    [
      'bookings.list.by-teetime',
      'v4 selects by the day on which a booking was made',
      listing('v4', (items, query) => {
        const from = query.get('fromDate')?.split('-').reverse().join('-') ?? '';
        return items.filter(({ createdAt }) => createdAt.slice(0, 10) >= from);
      }),
    ],
    ['bookings.list.to-date-narrows', 'v2 ignores toDate', asking('v2', (query) => query.delete('toDate'))],
    ['bookings.list.toDate', 'v2 reads toDate as mm-dd-yyyy', asking('v2', param('toDate', swapped))],
    ['bookings.list.fromDate', 'v4 reads fromDate as mm-dd-yyyy', asking('v4', param('fromDate', swapped))],
  ])('finds by %s that %s', async (id, _, layer) => {
    expect(resultOf(await (await deploy({}, layer)).check(), id).verdict).toBe('fail');
  });

  test('says of each rule that would take more what it takes', async () => {
    const { report } = await runWith(given, {});
    expect(cut(report).length).toBeGreaterThan(0);
    for (const { id, verdict, missing } of cut(report)) {
      expect({ id, verdict, missing }).toEqual({
        id,
        verdict: 'not-run',
        missing: 'more than 59 requests (--max-requests)',
      });
    }
  });

  test('judges all of them where it is let', async () => {
    const all = { basic: true, token: true, second: true };
    expect(cut((await runWith(all, { maxRequests: 120 })).report)).toEqual([]);
  });

  test('and looks at every version where it may take as many as it takes', async () => {
    const { report, sent } = await runWith(given, { maxRequests: 0 });
    expect(cut(report)).toEqual([]);
    expect(loudIn(report)).toEqual([]);
    const dated = sent.filter((line) => line.includes('bookingDate=2026-'));
    for (const version of ['v2', 'v3', 'v4', 'v5']) {
      expect(dated.filter((line) => line.includes(`/api/${version}/teetimes`))).not.toEqual([]);
    }
  });

  test('judges a rule that it has no request left for where that one is asked for', async () => {
    const last = spareRules.at(-1)!;
    expect(cut((await runWith(given, {})).report).map(({ id }) => id)).toContain(last);
    expect(resultOf((await runWith(given, { only: [last] })).report, last).verdict).toBe('observed');
  });
});

describe('however few requests a run may send', () => {
  test('it sends no more, finds nothing wrong, and journals no token that it does not spend', async () => {
    const limit = fc.integer({ min: 1, max: 120 });
    await fc.assert(
      fc.asyncProperty(limit, usable, async (maxRequests, given) => {
        const { report, sent, told } = await runWith(given, { maxRequests });
        expect(sent.length).toBe(report.requests);
        expect(report.requests).toBeLessThanOrEqual(maxRequests);
        expect(loudIn(report)).toEqual([]);
        expect(told.filter((what) => what === 'intent').length).toBe(told.filter((what) => what === 'result').length);
        // One that is spent on logging in alone leaves nothing to judge.
        expect(report.exitCode).toBe(maxRequests === 1 && !given.basic ? 3 : 0);
      }),
      { numRuns: 40 },
    );
  });

  test('with more of them it judges no rule less', async () => {
    const limit = fc.integer({ min: 2, max: 120 });
    await fc.assert(
      fc.asyncProperty(limit, limit, usable, async (one, other, given) => {
        const [few, more] = [Math.min(one, other), Math.max(one, other)];
        const [less, rest] = [
          (await runWith(given, { maxRequests: few })).report,
          (await runWith(given, { maxRequests: more })).report,
        ];
        expect(judged(less).filter((id) => !judged(rest).includes(id))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test('bookings count among them, and what was booked is told', async () => {
    const { report, sent } = await runWith(given, { allow: ['bookings'], maxRequests: 150 });
    expect(sent.length).toBeLessThanOrEqual(150);
    expect(loudIn(report)).toEqual([]);
    const booked = sent.filter((line) => line.startsWith('POST'));
    expect(booked.length).toBeGreaterThan(0);
    expect(report.litter.length).toBeGreaterThan(0);
  });
});

test('what waits for requests that are left over are rules of the suite that need leave for nothing', () => {
  const all = new Map(allRules(() => undefined as never).map((rule) => [rule.id, rule]));
  expect(spareRules.filter((id) => all.get(id)?.needs.length !== 0)).toEqual([]);
  expect(new Set(spareRules).size).toBe(spareRules.length);
});
