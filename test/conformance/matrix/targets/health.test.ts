import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import { fileReporters } from '../../../../src/conformance/report/index.js';
import { Recorder } from '../../../../src/conformance/report/recorder.js';
import { TerminalReporter } from '../../../../src/conformance/report/terminal.js';
import type { CheckEvent } from '../../../../src/conformance/client/types.js';
import { runCli } from '../../../support/network/process.js';
import { after, type Hostility, hostileServer, hostilities } from './hostile-server.js';

const status =
  (code: number, headers: Record<string, string> = {}): Hostility =>
  (response) =>
    void response.writeHead(code, headers).end('{}');

/** The same for each so-manieth request after the first few. */
const every =
  (turns: number, hostility: Hostility): Hostility =>
  (response, turn, request) => {
    if (turn > 5 && turn % turns === 0) hostility(response, turn, request);
  };

/** The same for one right request after the first few. */
const once = (hostility: Hostility): Hostility => {
  let isOver = false;
  return (response, turn, request) => {
    if (isOver || turn < 5 || !request.url!.endsWith('connected=true')) return;
    isOver = true;
    hostility(response, turn, request);
  };
};

/** Pauses are in seconds; here they pass in milliseconds. */
const HURRY = 100;
const only = ['countries.*', 'envelope.*', 'facilities.list*', 'facilities.item.*'];

async function runAgainst(hostility: Hostility, changes: Partial<CheckOptions> = {}) {
  const server = await hostileServer(hostility, HURRY);
  const recorder = new Recorder();
  const lines: string[] = [];
  const terminal = new TerminalReporter({ line: (text) => void lines.push(text), colour: false });
  const onEvent = (event: CheckEvent): void => {
    recorder.onEvent(event);
    terminal.onEvent(event);
  };
  try {
    const report = await server.check({ only, timeout: 1_000_000, onEvent, ...changes });
    return { report, recorder, lines, requests: server.requests() };
  } finally {
    await server.close();
  }
}

test.each<[what: string, hostility: Hostility, changes: Partial<CheckOptions>, exitCode: number]>([
  ['every second answer a 503', every(2, status(503)), {}, 4],
  ['every third a 502', every(3, status(502)), {}, 4],
  ['every second reset', every(2, hostilities.reset), {}, 4],
  ['every second cut off', every(2, hostilities.resetInBody), {}, 4],
  ['more than may fail', every(6, status(504)), { maxErrors: 10 }, 4],
  ['no more than may fail', every(6, status(504)), { maxErrors: 30 }, 0],
  ['one fault', once(status(503)), {}, 0],
  ['one fault where none may be', once(status(503)), { maxErrors: 0 }, 4],
  [
    'a third of the later answers a 429, in stretches that outlast the attempts',
    (response, turn, request) => void (turn > 20 && turn % 30 < 10 && status(429)(response, turn, request)),
    {},
    4,
  ],
  ['a rate limit now and then', every(4, status(429, { 'retry-after': '1' })), {}, 0],
  ['no fault', () => {}, { maxErrors: 0 }, 0],
])('%s', async (_, hostility, changes, exitCode) => {
  const { report } = await runAgainst(hostility, changes);
  const verdict = exitCode === 0 ? 'conformant' : 'unhealthy';
  expect({ exitCode: report.exitCode, verdict: report.verdict, fail: report.counts.fail }).toEqual({
    exitCode,
    verdict,
    fail: 0,
  });
  expect(report.health.healthy).toBe(exitCode === 0);
});

test.each<[what: string, hostility: Hostility, changes: Partial<CheckOptions>]>([
  ['connections are refused', after(30, hostilities.leave), {}],
  ['connections are reset', after(30, hostilities.reset), {}],
  ['a gateway answers', after(30, status(502)), {}],
  ['requests hang', after(30, hostilities.hangBeforeHeaders), { timeout: 200 * HURRY }],
])('a run ends soon when, from request 31 on, %s', async (_, hostility, changes) => {
  const { report, requests } = await runAgainst(hostility, { only: ['*'], ...changes });
  expect(report).toMatchObject({
    exitCode: 4,
    verdict: 'unhealthy',
    health: { isDown: true },
    message: expect.stringContaining('It stopped answering, so the run was stopped.'),
  });
  expect(requests).toBeLessThan(60);
  const left = report.rules.filter(({ reason }) => reason === 'unhealthy');
  expect(left.length).toBeGreaterThan(100);
  expect(new Set(left.map(({ verdict }) => verdict))).toEqual(new Set(['not-run']));
});

const noPrices: Hostility = (response, turn, request) => {
  if (request.url?.includes('/price/')) status(503)(response, turn, request);
};

test('an operation that is never there is a finding, if one names it, and the deployment is healthy', async () => {
  const named = await runAgainst(noPrices, { only: [...only, 'prices.list', 'errors.server-error'] });
  expect(named.report).toMatchObject({ exitCode: 1, verdict: 'not-conformant', health: { healthy: true, failed: 0 } });
  expect(named.lines.join('\n')).toMatch(/v5\.listPrices: \d+ of \d+ requests failed/);
  const unnamed = await runAgainst(noPrices, { only: [...only, 'teetimes.query.players'] });
  expect(unnamed.report).toMatchObject({ exitCode: 4, verdict: 'unhealthy' });
});

test('each report says first that the deployment is unhealthy, and which operations failed', async () => {
  const { report, recorder, lines } = await runAgainst(every(2, status(503)));
  const said = /The deployment is unhealthy: \d+ of \d+ requests failed \([\d.]+%; max-errors is 2%\)/;
  const named = /v3\.listFacilities: \d+ of \d+ requests failed \(\d+ with 502, 503 or 504\)/;
  expect(lines[0]).toMatch(said);
  expect(lines.join('\n')).toMatch(named);
  const written = (format: keyof typeof fileReporters): string => fileReporters[format](recorder.run);
  const first = Object.keys(JSON.parse(written('json'))).slice(0, 6);
  expect(first).toEqual(['form', 'teebox', 'verdict', 'exitCode', 'message', 'health']);
  const [total] = [report.health.operations.reduce((sum, { failed }) => sum + failed, 0)];
  expect(report.health).toMatchObject({ failed: total, limit: 2, isDown: false });
  expect(written('markdown').split('\n')[0]).toMatch(/^## ❌ unhealthy: The deployment is unhealthy/);
  expect(written('markdown')).toContain('### Requests that failed');
  expect(written('html')).toMatch(/<h1>Unhealthy<\/h1>\s*<p class="lead">The deployment is unhealthy/);
  expect(written('html').indexOf('Requests that failed')).toBeGreaterThan(0);
  expect(written('html').indexOf('Requests that failed')).toBeLessThan(written('html').indexOf('Findings'));
  expect(/<testcase [^>]*>\s*<(\w+) type="(\w+)"/.exec(written('junit'))?.slice(1)).toEqual(['error', 'unhealthy']);
  expect(written('junit')).toMatch(named);
});

test('the command ends with 4 and its reports, unless the setting max-errors permits the faults', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'health-'));
  const server = await hostileServer(every(4, status(503, { 'retry-after': '0' })));
  const file = join(folder, 'report.json');
  try {
    const args = [
      'check',
      server.baseUrl,
      '--basic',
      server.basic,
      '--only',
      'countries.*',
      '--report',
      `json=${file}`,
    ];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^UNHEALTHY The deployment is unhealthy/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ verdict: 'unhealthy', exitCode: 4 });
    const config = join(folder, 'teebox.config.yaml');
    await writeFile(config, 'defaults: { max-errors: 100 }');
    expect((await runCli([...args, '--config', config])).code).toBe(0);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
