import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, runMeasured } from '../../../support/network/process.js';
import type { Exchange } from '../../../../src/conformance/client/exchange.js';
import {
  after,
  collectingGarbage,
  grown,
  type HostileServer,
  hostileServer,
  hostilities,
  MOST_MEMORY,
} from './hostile-server.js';

type Name = keyof typeof hostilities;

/** Milliseconds beyond a time limit that a busy machine may take. */
const SLACK = 20_000;

async function against<T>(server: HostileServer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await server.close();
  }
}

describe('a deployment that answers nothing but this is given up in time', () => {
  const maxBody = 1024 * 1024;
  const SHORT = 200;
  test.each<[name: Name, why: RegExp]>([
    ['hangBeforeHeaders', /none within 200 ms/],
    ['hangInBody', /none within 200 ms/],
    ['slowDrip', /none within 200 ms/],
    ['reset', /ECONNRESET|UND_ERR_SOCKET/],
    ['resetInBody', /ECONNRESET|UND_ERR_SOCKET/],
    ['endlessBody', /its body is longer than 1 MiB \(max-body\)/],
    ['largeBody', /its body is longer than 1 MiB \(max-body\)/],
    ['bomb', /its body is longer than 1 MiB \(max-body\)/],
    ['nested', /nested deeper than 64 levels/],
    ['wide', /more than 20000 items/],
  ])('%s', async (name, why) => {
    // Only what hangs meets the time limit, however busy the machine is.
    const hangs = String(why).includes('none within');
    const server = await hostileServer(hostilities[name], hangs ? 1 : 100);
    const exchanges: Exchange[] = [];
    const startedAt = performance.now();
    const timeout = hangs ? SHORT : 1_000_000;
    const report = await against(server, () =>
      collectingGarbage(
        server.check({
          timeout,
          maxBody,
          onEvent: (event) => void (event.type === 'exchange' && exchanges.push(event.exchange)),
        }),
      ),
    );
    expect(performance.now() - startedAt).toBeLessThan(5 * SHORT + SLACK);
    expect(report).toMatchObject({ exitCode: 3, verdict: 'unreachable', message: expect.stringMatching(why) });
    expect(exchanges[0]!.failure).toMatch(why);
    for (const { response } of exchanges) expect(response?.body.length ?? 0).toBeLessThanOrEqual(2000);
  });
});

describe('a deployment that does this from some request on', () => {
  test.each<[name: Name, reason: string]>([
    ['endlessBody', 'too-large'],
    ['largeBody', 'too-large'],
  ])('%s leaves rules inconclusive: %s', async (name, reason) => {
    const server = await hostileServer(after(3, hostilities[name]));
    const report = await against(server, () => server.check({ maxBody: 500_000, only: ['countries.*', 'envelope.*'] }));
    expect(report.rules.filter((rule) => rule.reason === reason).length).toBeGreaterThan(0);
    expect(report.counts).toMatchObject({ fail: 0, error: 0 });
  });

  test.each<Name>(['hangBeforeHeaders', 'hangInBody', 'slowDrip'])('%s ends at the deadline', async (name) => {
    const server = await hostileServer(after(20, hostilities[name]));
    const startedAt = performance.now();
    const report = await against(server, () => collectingGarbage(server.check({ deadline: 1000 })));
    expect(performance.now() - startedAt).toBeLessThan(1000 + SLACK);
    expect(report).toMatchObject({ exitCode: 4, message: /--deadline ended the run before \d+ of \d+ rules/ });
    const late = report.rules.filter(({ reason }) => reason === 'deadline');
    expect(late.length).toBeGreaterThan(100);
    for (const { verdict, missing } of late) {
      expect({ verdict, missing }).toEqual({ verdict: 'not-run', missing: 'more time than 1 s (--deadline)' });
    }
    expect(report.counts).toMatchObject({ fail: 0, warn: 0, error: 0 });
  });
});

describe('the command', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'hostile-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs `check` with reports; the peak of its memory is in KiB. */
  async function measured(server: HostileServer, args: readonly string[]) {
    const [json, html] = ['json', 'html'].map((end) => join(folder, `report.${end}`));
    const reports = ['--report', `json=${json}`, '--report', `html=${html}`];
    const target = ['check', server.baseUrl, '--basic', server.basic];
    const { code, stdout, stderr, peak } = await against(server, () => runMeasured([...target, ...args, ...reports]));
    expect(JSON.parse(await readFile(json!, 'utf8'))).toMatchObject({ exitCode: code });
    // A busy machine may meet the deadline before the second report, and says so.
    if (!stderr.includes(html!)) expect(await readFile(html!, 'utf8')).toContain('</html>');
    return { code, stdout, peak };
  }

  const heavy: readonly Name[] = ['endlessBody', 'largeBody', 'bomb', 'nested', 'wide', 'emptyObjects', 'longText'];
  test.each(heavy)('keeps its memory: %s', async (name) => {
    const server = await hostileServer(after(10, hostilities[name]));
    const { code, peak } = await measured(server, ['--deadline', '1s']);
    // A busy machine may meet the deadline before the findings.
    const due = name === 'emptyObjects' || name === 'longText' ? [1, 4] : [4];
    expect(due).toContain(code);
    expect(peak).toBeLessThan(MOST_MEMORY);
  });

  test.each<[when: number, how: { texts: number; by: number }]>([
    [40, { texts: 1, by: 1_000_000 }],
    [40, { texts: 20, by: 100_000 }],
    [40, { texts: 1, by: 5_000_000 }],
    [400, { texts: 1, by: 5_000_000 }],
    [400, { texts: 20, by: 100_000 }],
    [800, { texts: 2, by: 120_000 }],
    [800, { texts: 1, by: 5_000_000 }],
    [1000, { texts: 20, by: 100_000 }],
    [Infinity, { texts: 0, by: 0 }],
  ])('keeps its memory with all permissions: after %s good answers, %o', async (when, how) => {
    const server = await hostileServer(() => {}, 1, grown(when, how));
    const { code, stdout, peak } = await measured(server, ['--allow', 'all']);
    expect(when === Infinity ? [0] : [1, 4]).toContain(code);
    expect(peak).toBeLessThan(MOST_MEMORY);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(2100);
  });

  test('ends at its deadline with its reports, however long an answer takes', async () => {
    const server = await hostileServer(after(10, hostilities.hangInBody));
    const file = join(folder, 'hang.json');
    const startedAt = performance.now();
    const args = ['check', server.baseUrl, '--basic', server.basic, '--deadline', '1s', '--report', `json=${file}`];
    const { code, stdout } = await against(server, () => runCli(args));
    expect(performance.now() - startedAt).toBeLessThan(1000 + SLACK);
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining('--deadline ended the run') });
    expect(JSON.parse(await readFile(file, 'utf8')).counts['not-run']).toBeGreaterThan(100);
  });
});
