import { describe, expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { baselineOf, readKnown } from '../../../src/conformance/run/known.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import type { RecordedRun } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import { altering, resultOf } from '../deployment.js';
import { recorded } from '../recorded.js';

const NAME = 'facilities.item.name';
const ISSUE = 'https://tracker.test/17';

/** The names of listed facilities are numbers, in v2 and v3 and not in v1. */
const wrong = altering(/v[23]\/facilities$/, ({ data }) => data.forEach((item: any) => (item.name = 5)));

async function record(entries: readonly object[], changes: Partial<CheckOptions> = {}): Promise<RecordedRun> {
  return (await recorded({ only: [NAME], known: readKnown({ known: entries }), ...changes }, wrong)).run;
}

describe('a finding is known only when all its operations are listed', () => {
  const at = (version: string, more: object = {}) => ({ id: NAME, operation: 'listFacilities', version, ...more });
  test.each<[what: string, entries: object[], exitCode: number, known: object[] | undefined]>([
    ['the rule', [{ id: NAME, issue: ISSUE }], 0, [{ id: NAME, issue: ISSUE }]],
    ['the operation', [{ id: NAME, operation: 'listFacilities' }], 0, [{ id: NAME, operation: 'listFacilities' }]],
    ['both versions', [at('v2'), at('v3')], 0, [at('v2'), at('v3')]],
    [
      'versions without an operation',
      [{ id: NAME, version: 'v2' }, at('v3')],
      0,
      [{ id: NAME, version: 'v2' }, at('v3')],
    ],
    ['more versions than needed', [at('v1'), at('v2'), at('v3')], 0, [at('v2'), at('v3')]],
    ['one version of two', [at('v2')], 1, undefined],
    ['another operation', [{ id: NAME, operation: 'findFacility' }], 1, undefined],
    ['one of two entries has expired', [at('v2'), at('v3', { until: '2026-05-31' })], 1, undefined],
  ])('%s', async (_, entries, exitCode, known) => {
    const { report } = await record(entries);
    expect(resultOf(report, NAME).known).toEqual(known);
    expect(report.exitCode).toBe(exitCode);
  });
});

test.each([
  [{ operation: 'listFacilites' }, /entry 1: `listFacilites` is not an operation; the operations are refreshToken, /],
  [{ version: 'v9' }, /entry 1: there is no version `v9`\./],
  [{ operation: 'listPrices', version: 'v2' }, /entry 1: there is no version `v2` of listPrices\./],
  [{ issue: 17 }, /entry 1: `issue` must be a string/],
  [{ place: 'x' }, /entry 1 has `place`; the allowed members are id, operation, version, issue, until\./],
])('a baseline with %j is refused', (entry, message) => {
  expect(() => readKnown({ known: [{ id: NAME, ...entry }] })).toThrow(message);
});

describe('reports show issue and date', () => {
  const shown = (run: RecordedRun): Record<string, string> => {
    const lines: string[] = [];
    const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
    terminal.onEvent({ type: 'end', report: run.report });
    const { html, markdown, sarif, junit, json } = fileReporters;
    return {
      terminal: lines.join('\n'),
      html: html(run),
      markdown: markdown(run),
      sarif: sarif(run),
      junit: junit(run),
      json: json(run),
    };
  };

  test('of what is known', async () => {
    for (const [format, text] of Object.entries(
      shown(await record([{ id: NAME, issue: ISSUE, until: '2026-12-31' }])),
    )) {
      expect(text, format).toContain(ISSUE);
      expect(text, format).toContain('2026-12-31');
    }
  });

  test('of what was known until its date', async () => {
    for (const [format, text] of Object.entries(
      shown(await record([{ id: NAME, issue: ISSUE, until: '2026-05-31' }])),
    )) {
      expect(text, format).toContain(ISSUE);
      expect(text.toLowerCase(), format).toContain('expired');
    }
  });
});

describe('a severity of its own', () => {
  const severities = { [NAME]: { severity: 'minor', reason: 'Nobody shows it.' } } as const;
  test('moves the rule across the line, and the reports say why', async () => {
    const usual = await record([], { failOn: 'major' });
    expect(resultOf(usual.report, NAME).verdict).toBe('fail');
    const run = await record([], { failOn: 'major', severities });
    expect(resultOf(run.report, NAME)).toMatchObject({
      verdict: 'warn',
      severity: 'minor',
      severityReason: 'Nobody shows it.',
    });
    for (const format of ['html', 'markdown', 'sarif', 'junit'] as const) {
      expect(fileReporters[format](run), format).toContain('Nobody shows it.');
    }
  });
});

describe('a baseline of a run', () => {
  test('has an entry for each finding in each operation, and lets the next run pass', async () => {
    const { report } = await record([]);
    const baseline = baselineOf(report.rules);
    expect(baseline).toEqual({
      known: ['v2', 'v3'].map((version) => ({ id: NAME, operation: 'listFacilities', version })),
    });
    expect((await record(baseline.known)).report.exitCode).toBe(0);
  });

  test('keeps the issue and the date of what is known, and drops what holds again', async () => {
    const entries = [
      { id: NAME, issue: ISSUE, until: '2026-12-31' },
      { id: 'countries.list', issue: 'x' },
    ];
    const { report } = await record(entries, { only: [NAME, 'countries.list'] });
    expect(baselineOf(report.rules)).toEqual({ known: [entries[0]] });
  });
});
