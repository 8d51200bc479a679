import { beforeAll, describe, expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import type { RecordedRun } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import type { CoverageCell } from '../../../src/conformance/client/report-parts.js';
import { permissions } from '../../../src/conformance/client/types.js';
import { rules as catalogue } from '../../../src/contract/generated/built/catalogue.js';
import { operations } from '../../../src/contract/generated/operations.js';
import type { Layer } from '../deployment.js';
import { quickReading, recorded } from '../recorded.js';

const observable = catalogue.filter((rule) => rule.observable).length;

const without =
  (version: string): Layer =>
  async (request, through) =>
    request.url.includes(`/api/${version}/`) ? new Response('', { status: 404 }) : through(request);

const cellOf = ({ report }: RecordedRun, operation: string, version: string): CoverageCell =>
  report.coverage.cells.find((cell) => cell.operation === operation && cell.version === version)!;

const runs: Record<string, RecordedRun> = {};
beforeAll(async () => {
  runs['reading'] = (await quickReading()).run;
  runs['few'] = (await recorded({ only: ['countries.*'] })).run;
  runs['newest'] = (await recorded({ only: ['facilities.*'] }, without('v1'))).run;
});

test.each(['reading', 'few'])('%s: the share is that of all observable rules, also of those not run', (name) => {
  const { rules, coverage, counts } = runs[name]!.report;
  const judged = rules.filter(({ verdict }) => ['pass', 'fail', 'warn', 'observed'].includes(verdict)).length;
  expect(coverage).toMatchObject({ observable, judged });
  expect(coverage.conclusive).toBe(Math.floor((judged / observable) * 1000) / 10);
  expect(judged).toBeLessThan(observable - counts['not-run']);
});

test('the minimum is compared with that share', async () => {
  const { conclusive } = runs['few']!.report.coverage;
  const only = ['countries.*'];
  expect((await recorded({ only, minConclusive: conclusive })).report.exitCode).toBe(0);
  const { exitCode, message } = (await recorded({ only, minConclusive: conclusive + 0.3 })).report;
  expect(exitCode).toBe(4);
  expect(message).toContain(`${conclusive}% of the ${observable} observable rules were evaluated`);
});

test('rules about versions that the deployment does not have are not missing', async () => {
  const versions = ['v1', 'v2'];
  const options = { versions, allow: permissions, depth: 'quick', minConclusive: 80 } as const;
  const { coverage, rules, exitCode } = (await recorded(options)).report;
  const outside = rules.filter(({ reason }) => reason === 'out-of-scope').length;
  expect(outside).toBeGreaterThan(100);
  expect(coverage.observable).toBe(observable - outside);
  expect(coverage.conclusive).toBeGreaterThan(80);
  expect(exitCode).toBe(0);
});

test('the table has a cell for each operation in each version', () => {
  const { cells } = runs['reading']!.report.coverage;
  expect(cells.map(({ operation, version }) => `${version} ${operation}`)).toEqual([
    ...new Set(operations.map(({ name, version }) => `${version} ${name}`)),
  ]);
  for (const { judged, observable: all, extent } of cells) {
    expect(all).toBeGreaterThan(0);
    expect(extent).toBe(judged === 0 ? 'none' : judged === all ? 'all' : 'some');
  }
});

describe('a cell', () => {
  test.each<[run: string, operation: string, version: string, extent: CoverageCell['extent']]>([
    ['few', 'listCountries', 'v3', 'some'],
    ['few', 'listTeeTimes', 'v5', 'none'],
    ['reading', 'createBooking', 'v5', 'none'],
    ['reading', 'findFacility', 'v1', 'some'],
  ])('%s: %s of %s is judged in %s', (run, operation, version, extent) => {
    expect(cellOf(runs[run]!, operation, version).extent).toBe(extent);
  });
});

test('a cell of a version that does not answer has only what is broken there', () => {
  const { rules } = runs['newest']!.report;
  const broken = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').length;
  const [answering, silent] = ['v2', 'v1'].map((version) => cellOf(runs['newest']!, 'findFacility', version).judged);
  expect(answering).toBeGreaterThan(10);
  expect(silent).toBeLessThanOrEqual(broken);
  expect(broken).toBeLessThan(10);
});

describe('a report shows the share and the table', () => {
  const { html, markdown, json } = fileReporters;
  test('json', () => {
    const { coverage } = JSON.parse(json(runs['few']!));
    expect(coverage).toEqual(runs['few']!.report.coverage);
  });

  test.each([
    ['html', html, /<th scope="row">listCountries<\/th>[^]*?>\d+\/\d+</],
    ['markdown', markdown, /\| `listCountries` \|.* \d+\/\d+ /],
  ])('%s', (_, write, row) => {
    const text = write(runs['few']!);
    expect(text).toContain(`${runs['few']!.report.coverage.conclusive}% of the ${observable} observable rules`);
    expect(text).toMatch(row);
  });

  test.each(['bookings', 'countries', 'prices'])('html: the verdicts on %s', (resource) => {
    const text = html(runs['reading']!);
    expect(text.slice(text.indexOf('Coverage'))).toContain(`<b>${resource}</b>`);
  });

  test('terminal: in short', () => {
    const lines: string[] = [];
    const { report } = runs['few']!;
    new TerminalReporter({ line: (text) => void lines.push(text), colour: false }).onEvent({ type: 'end', report });
    const { judged, conclusive } = report.coverage;
    expect(lines.join('\n')).toContain(`${judged} of ${observable} observable rules evaluated (${conclusive}%)`);
    expect(lines.find((line) => /^ {2}listCountries +\d+\/\d+ +\d+\/\d+/.test(line))).toBeDefined();
    expect(lines.find((line) => /^ {2}listTeeTimes +none/.test(line))).toBeDefined();
  });
});
