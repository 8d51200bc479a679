import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { FindingGroup, Report, RuleResult } from '../../../src/conformance/client/types.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { githubAnnotations } from '../../../src/conformance/report/index.js';
import type { RecordedRun } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import { defineRule, type RuleSpec } from '../../../src/conformance/rules/rule.js';
import { patterns } from '../../../src/conformance/run/fields.js';
import { groupsOf } from '../../../src/conformance/run/summary/finding-groups.js';
import { keptValue, valueText } from '../../../src/conformance/run/summary/values.js';
import { altering, resultOf, type Layer } from '../deployment.js';
import { recorded } from '../recorded.js';

async function record(layer?: Layer, rules?: readonly RuleSpec[], only = ['facilities.*']): Promise<RecordedRun> {
  return (await recorded({ only, ...(rules ? { rules } : {}) }, layer)).run;
}

const groupWith = ({ findings }: Report, id: string): FindingGroup =>
  findings.find(({ rules }) => rules.includes(id as never))!;

/** Writes each boolean of the services as a letter. */
const letters = altering(/facilities\/details/, ({ data }) => {
  for (const [name, value] of Object.entries(data.services ?? {}))
    if (typeof value === 'boolean') data.services[name] = value ? 'Y' : 'N';
});

describe('findings that share a cause', () => {
  test('fifteen booleans written as letters are one finding', async () => {
    const run = await record(letters);
    const { report } = run;
    const group = groupWith(report, 'facilities.services.wifi');
    expect(group.rules).toHaveLength(15);
    expect(group).toMatchObject({
      verdict: 'fail',
      cause: 'must be boolean, and is a string (facilities)',
      operations: ['v2.facilityDetails', 'v3.facilityDetails'],
    });
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toHaveLength(15);
    expect(resultOf(report, 'facilities.services.wifi')).toMatchObject({
      expected: 'must be boolean',
      actual: expect.stringMatching(/^[YN]$/),
      at: '/data/services/wifi',
      operations: group.operations,
    });
    const lines: string[] = [];
    new TerminalReporter({ line: (text) => void lines.push(text), colour: false }).onEvent({ type: 'end', report });
    expect(lines.filter((line) => line.startsWith('FAIL'))).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/one cause of 15 rules, in v2\.facilityDetails, v3\.facilityDetails: must be/);
    expect(githubAnnotations(run).filter((line) => line.startsWith('::error'))).toHaveLength(2);
    const page = fileReporters.html(run);
    expect(page).toContain('One cause of 15 rules');
    expect(fileReporters.markdown(run)).toMatch(/One cause of 15 rules[^]*- fail: `facilities\.services\.bar`/);
    for (const id of group.rules) expect(page).toContain(id);
  });

  test('what is missing from a list that is always empty is one finding', async () => {
    const layer = altering(/\/v1\/bookings$/, (body) => (body.data = []));
    const { report } = await recorded({ only: ['bookings.list.*', 'bookings.status.*'], depth: 'quick' }, layer);
    expect(report.findings.map(({ operations }) => operations)).toEqual([['v1.listBookings']]);
    expect(report.findings[0]!.rules.length).toBeGreaterThan(4);
  });

  test('right requests that one operation refuses in one way are one finding', async () => {
    const asks = (id: 'countries.list' | 'facilities.list', operation: 'v3.listCountries' | 'v2.listCountries') =>
      defineRule({
        id,
        run: async ({ session, expect: so }) => so.succeeds(await session.read(operation), `${id} is refused.`),
      });
    const busy: Layer = async (request, through) =>
      request.url.endsWith('/v3/countries')
        ? new Response('{"success":false,"data":null}', { status: 400 })
        : through(request);
    const rules = [asks('countries.list', 'v3.listCountries'), asks('facilities.list', 'v3.listCountries')];
    const { report } = await record(busy, rules, ['*']);
    expect(report.findings).toEqual([
      {
        cause: 'v3.listCountries answers 400',
        verdict: 'fail',
        severity: expect.any(String),
        rules: ['countries.list', 'facilities.list'],
        operations: ['v3.listCountries'],
      },
    ]);
    const [first] = report.rules;
    expect(first).toMatchObject({ expected: 'success', actual: { status: 400, body: { success: false, data: null } } });
  });

  test('other findings are alone', async () => {
    const breaks = (id: 'countries.list' | 'facilities.list') =>
      defineRule({ id, run: ({ expect: so }) => so.equal(2, 1, 'Numbers differ.') });
    const { report } = await record(undefined, [breaks('countries.list'), breaks('facilities.list')], ['*']);
    expect(report.findings.map(({ cause, rules }) => [cause, ...rules])).toEqual([
      ['Numbers differ.', 'countries.list'],
      ['Numbers differ.', 'facilities.list'],
    ]);
  });
});

test('every pattern of an answer has words', async () => {
  const text = await readFile('src/contract/generated/built/response-validators-open.js', 'utf8');
  const all = [...text.matchAll(/\{pattern: ("(?:\\.|[^"\\])*")\}/g)].map(([, one]) => JSON.parse(one!));
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter((one) => !(one in patterns))).toEqual([]);
});

describe('expected and actual are values', () => {
  const found = async (judge: RuleSpec['run']): Promise<unknown[]> => {
    const { report } = await record(undefined, [defineRule({ id: 'countries.list', run: judge })], ['*']);
    const [{ expected, actual }] = report.rules as [Report['rules'][number]];
    return [expected, actual];
  };
  test.each<[what: string, judge: RuleSpec['run'], expected: unknown, actual: unknown]>([
    ['text', ({ expect: so }) => so.equal('b', 'a', ''), 'a', 'b'],
    ['an object', ({ expect: so }) => so.equal({ a: 1 }, { a: '1' }, ''), { a: '1' }, { a: 1 }],
    ['a part', ({ expect: so }) => so.subset(['x', 'a'], ['a', 'b'], ''), 'all 2 items', { missing: ['x'] }],
    [
      'too much',
      ({ expect: so }) => so.subset(['x'], ['a'], '', 'unexpected'),
      { oneOf: ['a'] },
      { unexpected: ['x'] },
    ],
    ['nothing', ({ expect: so }) => so.subset(['x'], [], '', 'unexpected'), 'no items', { unexpected: ['x'] }],
    [
      'an order',
      ({ expect: so }) => so.equal([1, 3, 2], [1, 2, 3], ''),
      '2 at position 2',
      'the same items in the wrong order: 3 at position 2',
    ],
    [
      'lists',
      ({ expect: so }) => so.sameItems(['x', 'a'], ['a', 'b'], ''),
      'the same 2 items',
      { missing: ['b'], unexpected: ['x'] },
    ],
    ['JSON in a text', ({ expect: so }) => so.that(false, '', { actual: '{"a":[1]}' }), undefined, { a: [1] }],
    ['null', ({ expect: so }) => so.that(false, '', { expected: null, actual: 0 }), null, 0],
  ])('%s', async (_, judge, expected, actual) => {
    expect(await found(judge)).toEqual([expected, actual]);
  });

  test('what is long is cut', () => {
    const long = { text: 'x'.repeat(1000), list: Array.from({ length: 30 }, (_, index) => index) };
    expect(keptValue(long)).toEqual({
      text: `${'x'.repeat(300)}...`,
      list: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, '... 20 more'],
    });
  });

  test.each<[value: unknown, text: string]>([
    ['a refusal', 'a refusal'],
    ['5', '"5"'],
    [5, '5'],
    ['null', '"null"'],
    [null, 'null'],
    ['', '""'],
    [' x', '" x"'],
    ['a\nb', '"a\\nb"'],
    [{ oneOf: ['a', 'b'] }, 'one of a, b'],
    [{ missing: ['a', { b: 1 }], unexpected: ['c'] }, 'missing: a, {"b":1}; unexpected: c'],
    [{ missing: 'a', other: [1] }, '{"missing":"a","other":[1]}'],
    [{ status: 400 }, '{"status":400}'],
  ])('%j is written as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});

describe('a finding is below its cause', () => {
  const row = (id: string, operation: string, more: Partial<RuleResult> = {}): RuleResult =>
    ({
      id,
      verdict: 'fail',
      severity: 'major',
      concern: 'meaning',
      message: `${id} is broken.`,
      shownBy: 'x1',
      operations: [operation],
      exchanges: [],
      ...more,
    }) as unknown as RuleResult;
  const [sheet, prices] = ['v4.listTeeTimes', 'v5.listPrices'];
  const form = { concern: 'form', cause: 'must be integer' } as const;
  const agreement = { concern: 'agreement', shownBy: 'x7' } as const;
  const refused = { concern: 'access', cause: `${prices} answers 500` } as const;

  test.each<[what: string, rules: readonly RuleResult[], groups: readonly (readonly string[])[]]>([
    [
      'what two answers say differently, in the operation that is wrong',
      [row('teetimes.same-across-versions', sheet, agreement), row('teetimes.filter.bookingDate', sheet)],
      [['teetimes.filter.bookingDate', 'teetimes.same-across-versions']],
    ],
    [
      'and in another operation by itself',
      [row('prices.agrees-availability', prices, agreement), row('teetimes.filter.bookingDate', sheet)],
      [['teetimes.filter.bookingDate'], ['prices.agrees-availability']],
    ],
    [
      'the meaning of a field of the wrong form',
      [
        row('prices.item.dayOfWeek-matches', prices),
        row('prices.item.dayOfWeek', prices, { concern: 'form', at: '/data/records/0/dayOfWeek' }),
      ],
      [['prices.item.dayOfWeek', 'prices.item.dayOfWeek-matches']],
    ],
    [
      'two fields of one answer by themselves',
      [
        row('prices.item.date', prices, { ...form, cause: 'a' }),
        row('prices.item.price', prices, { ...form, cause: 'b' }),
      ],
      [['prices.item.date'], ['prices.item.price']],
    ],
    [
      'what is not refused because the deployment crashes',
      [
        row('prices.query.fromDate', prices, refused),
        row('errors.server-error', prices, { ...refused, cause: 'crashes', shownBy: 'x0' }),
      ],
      [['errors.server-error', 'prices.query.fromDate']],
    ],
    [
      'a known one never, as its cause may be fixed',
      [
        row('teetimes.same-across-versions', sheet, { ...agreement, known: [{ id: 'teetimes.same-across-versions' }] }),
        row('teetimes.filter.bookingDate', sheet),
      ],
      [['teetimes.filter.bookingDate'], ['teetimes.same-across-versions']],
    ],
  ])('%s', (_, rules, groups) => {
    expect(groupsOf(rules).map((group) => group.rules)).toEqual(groups);
  });
});
