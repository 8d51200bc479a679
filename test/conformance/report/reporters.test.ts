import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckOptions, RunOptions } from '../../../src/conformance/run/check-options.js';
import { readKnown } from '../../../src/conformance/run/known.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { githubAnnotations } from '../../../src/conformance/report/index.js';
import { html, prose } from '../../../src/conformance/report/markup.js';
import { KeptExchanges, type RecordedRun } from '../../../src/conformance/report/recorder.js';
import { defineRule } from '../../../src/conformance/rules/rule.js';
import type { RuleResult } from '../../../src/conformance/client/types.js';
import { anyCharacter } from '../../support/any-text.js';
import { harFaults } from '../../support/network/har.js';
import { idsWith, type Layer } from '../deployment.js';
import { recorded } from '../recorded.js';
import { type Element, junitFaults, parseXml } from './junit-schema.js';
import { sarifFaults } from './sarif-schema.js';

const EVIL = `</script><img src=x onerror=alert(1)> "Links" & 'Dunes' ]]> -->\u0007\uD800 \`x\` | [a](javascript:b)`;

/** Breaks a type, adds a property, and answers with what would be markup, a workflow command or a table's end. */
const broken: Layer = async (request, through) => {
  const { pathname } = new URL(request.url);
  const response = await through(request);
  if (!response.ok || !/countries$|facilities/.test(pathname)) return response;
  const body = (await response.json()) as any;
  if (pathname.endsWith('/v3/countries')) body.data = [EVIL, '\n::error::planted', ...body.data, 7];
  const [first] = [body.data].flat();
  if (typeof first === 'object' && first) Object.assign(first, { name: 5, rating: EVIL, website: EVIL });
  return Response.json(body, { status: response.status });
};

async function record(layer?: Layer, changes: Partial<RunOptions> = {}): Promise<RecordedRun> {
  return (await recorded({ depth: 'quick', ...changes }, layer)).run;
}

const known = readKnown({ known: [{ id: 'facilities.item.name' }, { id: 'facilities.item.id' }] });
const nobody: Layer = async () => {
  throw new TypeError('fetch failed');
};
const card = { 'country.unknown': 404 } as const;
const written: Partial<CheckOptions> = {
  allow: ['bookings', 'callbacks', 'tokens'],
  only: ['countries.*', 'facilities.*', 'bookings.create*', 'tokens.*'],
  known,
  card,
};

const runs: Record<string, RecordedRun> = {};
beforeAll(async () => {
  runs['broken'] = await record(broken, written);
  runs['correct'] = await record(undefined, { only: ['countries.*', 'auth.*'] });
  runs['strict'] = await record(broken, { failOn: 'minor', only: ['countries.*'] });
  runs['absent'] = await record(nobody);
  runs['empty'] = await record(undefined, { only: ['no.such'] });
});
const names = ['broken', 'correct', 'strict', 'absent', 'empty'];
const findings = ({ report }: RecordedRun): RuleResult[] =>
  report.rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));

test('SARIF has bodies cut where they get long', async () => {
  const long: Layer = async () => Response.json({ success: true, data: ['x'.repeat(12_000), 7] });
  const run = await record(long, { only: ['countries.item'] });
  const [result] = JSON.parse(fileReporters.sarif(run)).runs[0].results;
  expect(result.webResponse.body.text).toMatch(/^.{10000}\n\.\.\. \(12\d\d\d characters in all\)$/);
});

test('an answer that is too long to keep leaves the others their bodies', () => {
  const kept = new KeptExchanges();
  const [first] = runs['strict']!.exchanges.values();
  const { response, ...others } = first!;
  kept.keep({ ...others, id: 'x1', response: { ...response!, body: 'x'.repeat(5000), length: 1e9, isCut: true } });
  kept.keep({ ...others, id: 'x2', response: { ...response!, body: 'y'.repeat(5000), length: 5000 } });
  expect([...kept.values()].map((one) => one.response!.body.length)).toEqual([5000, 5000]);
});

test('the runs differ in what they have to tell', () => {
  expect(names.map((name) => runs[name]!.report.exitCode)).toEqual([1, 0, 1, 3, 4]);
  const { report } = runs['broken']!;
  expect(idsWith(report, 'fail')).toEqual(expect.arrayContaining(['countries.item', 'facilities.item.name']));
  expect(idsWith(report, 'warn').length).toBeGreaterThan(0);
  expect(report.stale).toEqual(['facilities.item.id']);
  expect(report.litter.length).toBeGreaterThan(0);
  expect(report.unknownProperties.length).toBeGreaterThan(0);
});

describe.each(names)('the %s run', (name) => {
  test('as JUnit: of the form, its counts right, red exactly where the exit code is', () => {
    const { report, exchanges } = runs[name]!;
    const suites = parseXml(fileReporters.junit({ report, exchanges, version: '1' }));
    expect(junitFaults(suites)).toEqual([]);
    const inside = (element: Element, tag: string): Element[] => element.children.filter((child) => child.tag === tag);
    for (const suite of suites.children) {
      const cases = inside(suite, 'testcase');
      const count = (tag: string): string => String(cases.filter((one) => inside(one, tag).length > 0).length);
      const { tests, failures, errors, skipped } = suite.attributes;
      const counted = [String(cases.length), count('failure'), count('error'), count('skipped')];
      expect([tests, failures, errors, skipped]).toEqual(counted);
    }
    const cases = suites.children.flatMap((suite) => inside(suite, 'testcase'));
    expect(cases.map((one) => one.attributes['name'])).toEqual(
      expect.arrayContaining(report.rules.map(({ id }) => id)),
    );
    const red = cases.filter(({ children }) => children.some(({ tag }) => tag !== 'skipped'));
    expect(red.length > 0).toBe(report.exitCode !== 0);
  });

  test('as SARIF: of the form, a result for each finding', () => {
    const log = JSON.parse(fileReporters.sarif(runs[name]!));
    expect(sarifFaults(log)).toEqual([]);
    const { report } = runs[name]!;
    const [{ results, tool, invocations }] = log.runs;
    expect(results.map(({ ruleId }: any) => ruleId).sort()).toEqual(
      findings(runs[name]!)
        .map(({ id }) => id)
        .sort(),
    );
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    const { exitCode } = report;
    expect(invocations).toMatchObject([{ exitCode, executionSuccessful: exitCode < 3 }]);
  });

  test('as HAR: of the form, every exchange in it', () => {
    const har = JSON.parse(fileReporters.har(runs[name]!));
    expect(harFaults(har)).toEqual([]);
    expect(har.log.entries.map((entry: any) => entry['_id'])).toEqual([...runs[name]!.exchanges.keys()]);
  });

  test('as HTML: nothing that is fetched or run, every tag closed', () => {
    const page = fileReporters.html(runs[name]!);
    const tags = [...page.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/g)];
    const open: string[] = [];
    for (const [, close, tag = '', attributes = ''] of tags) {
      expect(attributes).not.toMatch(/\s(src|href(?!="#[xc]\d+")|on\w+|action|data|srcset)\s*=/i);
      expect(['script', 'link', 'img', 'iframe', 'object', 'form']).not.toContain(tag);
      if (close) expect(open.pop()).toBe(tag);
      else if (tag !== 'meta') open.push(tag);
    }
    expect(open).toEqual([]);
    for (const [, id] of page.matchAll(/href="#(\w+)"/g)) expect(page.split(` id="${id}"`)).toHaveLength(2);
    const style = /<style>([^]*?)<\/style>/.exec(page)![1]!;
    expect(style).not.toMatch(/url\(|@import|:\/\//);
    expect(page).toContain("default-src 'none'");
  });

  test('as annotations: one command a line, none but ours', () => {
    const lines = githubAnnotations(runs[name]!);
    for (const line of lines) expect(line).toMatch(/^::(error|warning) title=[^:,]+::[^\n\r]+$/);
    expect(lines.some((line) => line.startsWith('::error'))).toBe(runs[name]!.report.exitCode !== 0);
    for (const level of ['::error', '::warning']) {
      expect(lines.filter((line) => line.startsWith(level)).length).toBeLessThanOrEqual(10);
    }
  });
});

describe('a finding is reported with the rule in words, expected, actual and a curl command', () => {
  const read: Record<string, (run: RecordedRun) => string> = {
    junit: (run) =>
      JSON.stringify(parseXml(fileReporters.junit(run)))
        .replaceAll('\\"', '"')
        .replaceAll('`', ''),
    sarif: (run) => fileReporters.sarif(run).replaceAll('\\"', '"').replaceAll('`', ''),
    html: (run) => unescaped(fileReporters.html(run)).replace(/<\/?code>/g, ''),
    markdown: (run) => fileReporters.markdown(run).replaceAll('`', ''),
    github: (run) => githubAnnotations(run).join('\n').replaceAll('`', ''),
  };
  test.each(Object.keys(read))('%s', (format) => {
    const text = read[format]!(runs['broken']!);
    const rule = 'The v1 and v2 by-id form MUST be one object with the fields of a listed facility.';
    for (const words of [rule, 'must be string', '5']) expect(text).toContain(words);
    expect(text).toMatch(
      /curl -i 'http:\/\/deployment\.test\/api\/v[123]\/facilities\/(?:details\/)?\d+' -u "\$TEEBOX_BASIC"/,
    );
  });

  test('findings come first, and the gravest first of all', () => {
    for (const format of ['html', 'markdown'] as const) {
      const text = fileReporters[format](runs['broken']!);
      const places = ['countries.item', 'Open questions answered', 'Left behind', 'Not evaluated'].map((words) =>
        text.indexOf(words),
      );
      expect(Math.min(...places)).toBeGreaterThan(0);
      expect(places[0]).toBe(Math.min(...places));
      expect(text.indexOf('countries.same-across-versions')).toBeGreaterThan(places[0]!);
    }
  });

  test('SARIF says when the run began and ended', () => {
    const { report, ...rest } = runs['broken']!;
    const [{ invocations }] = JSON.parse(
      fileReporters.sarif({ ...rest, report: { ...report, durationMs: 1500 } }),
    ).runs;
    const [began, ended] = [invocations[0].startTimeUtc, invocations[0].endTimeUtc].map(Date.parse);
    expect([began, ended! - began!]).toEqual([Date.parse(report.target.startedAt), 1500]);
  });

  test('a known one is no failure and no alert', () => {
    expect(runs['broken']!.report.rules.find(({ id }) => id === 'facilities.item.name')).toHaveProperty(
      'known.0.id',
      'facilities.item.name',
    );
    expect(fileReporters.junit(runs['broken']!)).toMatch(
      /name="facilities\.item\.name"[^>]*>\s*<skipped message="known: /,
    );
    const { results } = JSON.parse(fileReporters.sarif(runs['broken']!)).runs[0];
    expect(results.filter(({ suppressions }: any) => suppressions).map(({ ruleId }: any) => ruleId)).toEqual([
      'facilities.item.name',
    ]);
    expect(githubAnnotations(runs['broken']!).join()).not.toContain('facilities.item.name');
  });
});

describe('what a deployment says stays text', () => {
  test('in HTML', () => {
    const page = fileReporters.html(runs['broken']!);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test.each<[what: string, write: (text: string) => string]>([
    ['a value', (text) => html`<p title="${text}">${text}</p>`.text],
    ['a list', (text) => html`<p>${[html`<b>${text}</b>`]}</p>`.text],
    ['a sentence', (text) => prose(text).text],
  ])('%s adds no tag and no attribute', (_, write) => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const shape = (one: string): string[] => write(one).match(/<\/?(?!code|\/code)[^>]*?(?=[\s>])|"/g) ?? [];
        expect(shape(text)).toEqual(shape(''));
      }),
    );
  });
});

/** Answers a refresh with a pair, and all else with the secrets that it was sent, and those that it issued to it. */
const echo =
  (pair: { access_token: string; refresh_token: string }, at: number): Layer =>
  async (request) => {
    if (request.method === 'POST') return Response.json({ success: true, data: { ...pair, expires_in: 3600 } });
    const sent = request.headers.get('authorization') ?? '';
    const secrets = sent.startsWith('Basic ') ? [atob(sent.slice(6))] : Object.values(pair);
    const body = { success: true, data: [' '.repeat(at), ...secrets].join(''), note: [sent, ...secrets] };
    return Response.json(body, { headers: { 'x-sent': sent, 'x-note': secrets.join(' ') } });
  };

test('no report holds a password or a token, not even the start of one', async () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{24,60}$/);
  const rule = defineRule({
    id: 'countries.list',
    async run({ session, expect: so }) {
      const { text } = await session.send({ operation: 'v3.listCountries' });
      so.equal(text, 'nothing', `It says ${text}.`);
    },
  });
  await fc.assert(
    fc.asyncProperty(fc.array(secret, { minLength: 4, maxLength: 4 }), fc.nat(170), async (secrets, at) => {
      const [password, refreshToken, access, next] = secrets as [string, string, string, string];
      for (const first of [{ basic: { username: 'channel', password } }, { refreshToken }]) {
        const layer = echo({ access_token: access, refresh_token: next }, at);
        const run = await record(layer, { first, rules: [rule] });
        expect(idsWith(run.report, 'fail')).toEqual(['countries.list']);
        const texts = Object.values(fileReporters).map((write) => write(run));
        for (const text of [...texts, githubAnnotations(run).join('\n')]) {
          for (const one of secrets) expect(text).not.toContain(one.slice(0, 10));
        }
      }
    }),
    { numRuns: 10 },
  );
});

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
