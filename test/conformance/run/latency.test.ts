import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../src/conformance/run/check-options.js';
import { latencyOf } from '../../../src/conformance/run/report.js';
import type { Reply } from '../../../src/conformance/client/exchange.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { githubAnnotations } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../src/conformance/report/terminal.js';
import { deploy } from '../deployment.js';

const replies = (operation: string, times: readonly number[], probe = false) =>
  times.map((durationMs) => ({ operation, durationMs, probe }) as Reply);

test.each<[what: string, times: number[], want: object]>([
  ['one answer', [7], { count: 1, median: 7, p95: 7, max: 7 }],
  ['two', [9, 3], { count: 2, median: 3, p95: 9, max: 9 }],
  ['twenty', Array.from({ length: 20 }, (_, index) => 20 - index), { count: 20, median: 10, p95: 19, max: 20 }],
  ['a hundred', Array.from({ length: 100 }, (_, index) => index + 1), { count: 100, median: 50, p95: 95, max: 100 }],
])('the latency of %s', (_, times, want) => {
  expect(latencyOf(replies('v3.listCountries', times))).toEqual([{ operation: 'v3.listCountries', ...want }]);
});

test('the slowest operation is first, and probes do not count', () => {
  const all = [
    ...replies('v3.listCountries', [5]),
    ...replies('v5.listPrices', [50]),
    ...replies('v5.listPrices', [900], true),
  ];
  expect(latencyOf(all, 20)).toEqual([
    { operation: 'v5.listPrices', count: 1, median: 50, p95: 50, max: 50, isSlow: true },
    { operation: 'v3.listCountries', count: 1, median: 5, p95: 5, max: 5 },
  ]);
});

test('reports show the latency, and warn above the limit without failing', async () => {
  const recorder = new Recorder('1.2.3');
  let clock = 0;
  const { options, check } = await deploy({}, async (request, through) => {
    if (request.url.includes('/v2/')) clock += 300;
    return through(request);
  });
  const host = { ...options.host, now: () => options.host.now() + clock };
  const changes: Partial<CheckOptions> = { host, only: ['countries.*'], maxP95: 200 };
  await check({ ...changes, onEvent: (event) => recorder.onEvent(event) });
  const { run } = recorder;
  const { latency, exitCode } = run.report;
  expect(exitCode).toBe(0);
  const slow = latency.filter(({ isSlow }) => isSlow).map(({ operation }) => operation);
  expect(slow).toContain('v2.listCountries');
  expect(slow.every((operation) => operation.startsWith('v2.'))).toBe(true);
  const lines: string[] = [];
  new TerminalReporter({ line: (text) => void lines.push(text), colour: false }).onEvent({
    type: 'end',
    report: run.report,
  });
  const texts = [lines.join('\n'), fileReporters.html(run), fileReporters.markdown(run)];
  for (const text of texts) expect(text).toMatch(/v2\.listCountries`?: 95 (%|\\%) of \d+ answers within 300 ms/);
  expect(JSON.parse(fileReporters.json(run)).latency).toEqual(latency);
  expect(githubAnnotations(run)).toEqual([expect.stringMatching(/^::warning title=teebox check::Slower than max-p95/)]);
});
