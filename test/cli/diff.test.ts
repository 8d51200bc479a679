import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareReports, type ComparedReport } from '../../src/conformance/run/summary/compare.js';
import type { RuleResult } from '../../src/conformance/client/types.js';
import { altering, deploy, type Layer } from '../conformance/deployment.js';
import { runCli } from '../support/network/process.js';

const only = ['countries.*', 'facilities.item.*'];

async function report(layer?: Layer, changes: object = {}): Promise<ComparedReport> {
  return (await deploy({}, layer)).check({ only, ...changes });
}

const nameless = (version: string): Layer =>
  altering(new RegExp(`${version}/facilities$`), ({ data }) => data.forEach((item: any) => (item.name = 5)));
const both = nameless('v[23]');

/** A report with some rules changed. */
const altered = (base: ComparedReport, id: string, change: Partial<RuleResult>): ComparedReport => ({
  ...base,
  rules: base.rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)),
});

const NAME = 'facilities.item.name';
let good: ComparedReport;
let bad: ComparedReport;
let folder: string;
beforeAll(async () => {
  good = await report();
  bad = await report(both);
  folder = await mkdtemp(join(tmpdir(), 'diff-'));
  await writeFile(join(folder, 'good.json'), JSON.stringify(good));
  await writeFile(join(folder, 'bad.json'), JSON.stringify(bad));
  await writeFile(join(folder, 'newer.json'), JSON.stringify({ ...good, form: 2 }));
  await writeFile(join(folder, 'other.json'), '{"rules":[{}]}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('two reports', () => {
  test('of one deployment do not differ', async () => {
    expect(compareReports(good, await report())).toMatchObject({
      isRegression: false,
      newFindings: [],
      fixed: [],
      answers: [],
      coverage: { before: good.coverage.conclusive, after: good.coverage.conclusive, lost: [], gained: [] },
    });
  });

  test('a new finding is a regression', () => {
    const { isRegression, newFindings } = compareReports(good, bad);
    expect(isRegression).toBe(true);
    expect(newFindings).toMatchObject([
      { id: NAME, before: 'pass', after: 'fail', operations: ['v2.listFacilities', 'v3.listFacilities'] },
    ]);
  });

  test('a fixed one is none', () => {
    expect(compareReports(bad, good)).toMatchObject({
      isRegression: false,
      newFindings: [],
      fixed: [{ id: NAME, before: 'fail', after: 'pass' }],
    });
  });

  test('a finding that spreads to another version is new there', async () => {
    const one = await report(nameless('v2'));
    expect(compareReports(one, bad).newFindings).toMatchObject([{ id: NAME, operations: ['v3.listFacilities'] }]);
    expect(compareReports(bad, one)).toMatchObject({ isRegression: false, newFindings: [] });
  });

  test.each<[what: string, before: Partial<RuleResult>, after: Partial<RuleResult>, found: number]>([
    ['a warning', { verdict: 'pass' }, { verdict: 'warn' }, 1],
    ['a warning that fails now', { verdict: 'warn' }, { verdict: 'fail' }, 1],
    ['a failure that only warns now', { verdict: 'fail' }, { verdict: 'warn' }, 0],
    ['a failure that is known', { verdict: 'pass' }, { verdict: 'fail', known: [{ id: NAME }] }, 0],
  ])('%s', (_, before, after, found) => {
    const { newFindings } = compareReports(altered(good, NAME, before), altered(good, NAME, after));
    expect(newFindings).toHaveLength(found);
  });

  test('a rule that is no longer judged is a regression, and none that is judged now', () => {
    const less = altered(good, NAME, { verdict: 'inconclusive' });
    expect(compareReports(good, less)).toMatchObject({ isRegression: true, coverage: { lost: [NAME], gained: [] } });
    expect(compareReports(less, good)).toMatchObject({ isRegression: false, coverage: { lost: [], gained: [NAME] } });
    const gone = { ...good, rules: good.rules.filter(({ id }) => id !== NAME) };
    expect(compareReports(good, gone).coverage.lost).toEqual([NAME]);
  });

  test('an answer that changed is shown, and one that a run did not see is not', () => {
    const answering = (answers: object) => ({ ...good, dialect: { name: 'x', answers } });
    const [before, after] = [answering({ 'country.unknown': 'empty' }), answering({ 'country.unknown': 404 })];
    expect(compareReports(before, after)).toMatchObject({
      isRegression: false,
      answers: [{ question: 'country.unknown', before: 'empty', after: 404 }],
    });
    expect(compareReports(before, answering({})).answers).toEqual([]);
  });

  test.each<[before: number, after: number, shown: boolean]>([
    [100, 160, true],
    [160, 100, true],
    [100, 140, false],
    [2, 20, false],
  ])('a latency of %d ms, and of %d ms now', (p95, now, shown) => {
    const timed = (value: number) => ({
      ...good,
      latency: [{ operation: 'v5.listPrices', count: 1, median: value, p95: value, max: value }] as const,
    });
    const { latency } = compareReports(timed(p95), timed(now));
    expect(latency).toEqual(shown ? [{ operation: 'v5.listPrices', before: p95, after: now }] : []);
  });
});

describe('the command', () => {
  const diff = (...args: string[]) => runCli(['diff', ...args.map((one) => one.replace(/^@/, `${folder}/`))]);
  test('1: a regression, in words', async () => {
    const { code, stdout } = await diff('@good.json', '@bad.json');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^New findings:\n {2}facilities\.item\.name \(pass, now fail, in v2\.listFacilities, v3/);
    expect(stdout).toMatch(/regression: 1 new finding, 0 newly seen, 0 rules no longer evaluated\n$/);
  });

  test('what is judged for the first time is counted, and a finding among it is newly seen, by cause', async () => {
    const unjudged = (one: RuleResult): RuleResult => ({ ...one, verdict: 'inconclusive' });
    const cause = 'one cause';
    const broken = ['facilities.item.id', NAME, 'countries.list'];
    const after = broken.reduce((base, id) => altered(base, id, { verdict: 'fail', message: `${id}!`, cause }), good);
    await writeFile(join(folder, 'unjudged.json'), JSON.stringify({ ...good, rules: good.rules.map(unjudged) }));
    await writeFile(join(folder, 'judged.json'), JSON.stringify(after));
    const { code, stdout } = await diff('@unjudged.json', '@judged.json');
    expect(code).toBe(1);
    const judged = good.rules.filter(({ verdict }) => ['pass', 'observed'].includes(verdict)).length;
    expect(stdout).toMatch(new RegExp(`^Now evaluated:\\n  ${judged} rules: [a-z]+ \\d+, [a-z]+ \\d+\\n`));
    expect(stdout).toMatch(
      /^Newly seen findings.*\n {2}\S+ \(inconclusive, now fail\)\n {2} {2}\S+!\n {2} {2}with the same cause: \S+, \S+$/m,
    );
    expect(stdout).not.toMatch(/^New findings/m);
    expect(stdout.split('\n').length).toBeLessThan(15);
    expect(stdout).toMatch(/regression: 0 new findings, 3 newly seen, 0 rules no longer evaluated\n$/);
  });

  test('4: nothing was evaluated, in neither', async () => {
    const unreachable = { ...good, rules: [], coverage: { ...good.coverage, conclusive: 0 } };
    await writeFile(join(folder, 'nothing.json'), JSON.stringify(unreachable));
    const { code, stdout } = await diff('@nothing.json', '@nothing.json');
    expect(code).toBe(4);
    expect(stdout).toMatch(/nothing to compare: the new report evaluated no rule\n$/);
  });

  test('0: no regression, as JSON', async () => {
    const { code, stdout } = await diff('@bad.json', '@good.json', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ isRegression: false, fixed: [{ id: NAME }] });
  });

  test.each<[args: string[], message: RegExp]>([
    [['@good.json'], /diff needs two reports: teebox diff OLD\.json NEW\.json; got 1/],
    [['@good.json', '@none.json'], /Failed to load report \S+none\.json: the file does not exist/],
    [['@good.json', '@newer.json'], /newer\.json: it is of form 2, and this version of teebox reads form 1/],
    [['@good.json', '@other.json'], /Failed to load report \S+other\.json: it is not a report/],
    [['@good.json', '@bad.json', '--jsn'], /Did you mean --json\?/],
  ])('2: %j', async (args, message) => {
    const { code, stdout, stderr } = await diff(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  test('--help', async () => {
    expect((await diff('--help')).stdout).toMatch(/^Usage: teebox diff OLD\.json NEW\.json \[FLAGS\]/);
  });
});
