import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { everyOperation } from '../../../support/operations.js';
import { type Started, startCli } from '../../../support/network/process.js';
import { toolAt } from './tools.js';

const folder = new URL('../../../../docs/collections/bruno/', import.meta.url).pathname;
const bru = (): string => toolAt('bruno', 'bru', '@usebruno/cli@4.1.0');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.bru'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const requests = files.filter((name) => !/^environments\/|(folder|collection)\.bru$/.test(name));

describe('the files', () => {
  test('are what Bruno itself would write', () => {
    const bruno = createRequire(join(bru(), '../../@usebruno/cli/package.json'))('@usebruno/filestore');
    const format = { format: 'bru' };
    const again = (name: string): string => {
      const kinds = { environments: 'Environment', folder: 'Folder', collection: 'Collection' };
      const kind = Object.entries(kinds).find(([word]) => new RegExp(`^${word}/|\\b${word}\\.bru$`).test(name));
      const [, what] = kind ?? ['', 'Request'];
      const parsed = bruno[`parse${what}`](textOf(name), format);
      return what === 'Collection'
        ? bruno.stringifyCollection(parsed, {}, format)
        : bruno[`stringify${what}`](parsed, format);
    };
    expect(files.length).toBeGreaterThan(70);
    for (const name of files) expect(again(name).trim(), name).toBe(textOf(name).trim());
  });

  test('have every operation', () => {
    const got = requests
      .filter((name) => name.startsWith('by-version/'))
      .map((name) => {
        const [, method, path] = /^(get|post) \{\n {2}url: \{\{baseUrl\}\}([^?\n]*)/m.exec(textOf(name))!;
        return `${method!.toUpperCase()} ${path!.replaceAll(/\{\{\w+\}\}/g, '{}')}`;
      });
    const wanted = everyOperation.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect([...new Set(got)].sort()).toEqual([...new Set(wanted)].sort());
  });

  test('each has tests and the header for scenarios, which only the failures send', () => {
    for (const name of requests) {
      expect(textOf(name)).toContain("test('status is ");
      const [, off] = /^ {2}(~?)Teebox-Scenario: /m.exec(textOf(name))!;
      expect([name, off]).toEqual([name, name.startsWith('failures-on-demand/') ? '' : '~']);
    }
  });

  test('the environment of a deployment has no secrets', () => {
    expect(textOf('environments/deployment.bru')).toMatch(/vars:secret \[\n {2}refreshToken,\n {2}accessToken\n\]/);
    expect(textOf('environments/deployment.bru')).not.toMatch(/(refresh|access)Token: \S/i);
  });
});

describe('bru', () => {
  let server: Started;
  const work = mkdtempSync(join(tmpdir(), 'teebox-bruno-'));
  const environment = join(work, 'environments/local-sandbox.bru');
  beforeAll(async () => {
    server = await startCli();
    cpSync(folder, work, { recursive: true });
    const local = readFileSync(environment, 'utf8');
    writeFileSync(environment, local.replaceAll('http://127.0.0.1:4653', server.baseUrl));
  });
  afterAll(() => server.stop());

  interface Result {
    readonly path: string;
    readonly error: string | null;
    readonly testResults: { readonly description: string; readonly status: string; readonly error?: string }[];
  }

  /** Runs a folder of the collection, or all of it: how many requests were sent, and which tests failed. */
  async function run(
    part?: string,
    variables: readonly string[] = ['--env', 'local-sandbox'],
  ): Promise<{ requests: number; failed: string[] }> {
    const report = join(work, 'report.json');
    const words = ['run', ...(part ? [part] : []), '-r', ...variables, '--reporter-json', report];
    await new Promise((resolve) => {
      execFile(bru(), words, { cwd: work }, resolve);
    });
    const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as [{ results: Result[] }];
    const failed = results.flatMap(({ path, error, testResults }) => [
      ...(error ? [`${path}: ${error}`] : []),
      ...testResults
        .filter(({ status }) => status !== 'pass')
        .map((one) => `${path}: ${one.description}: ${one.error}`),
    ]);
    return { requests: results.length, failed };
  }

  const kept = (name: string): string =>
    new RegExp(`^ {2}${name}: (.*)$`, 'm').exec(readFileSync(environment, 'utf8'))![1]!;
  function change(name: string, value: string): void {
    const text = readFileSync(environment, 'utf8');
    writeFileSync(environment, text.replace(new RegExp(`^( {2}${name}: ).*$`, 'm'), `$1${value}`));
  }

  test(
    'every request passes, and the day again with the refresh token that was kept',
    { timeout: 600_000 },
    async () => {
      const initial = kept('initialRefreshToken');
      onTestFinished(() => change('initialRefreshToken', initial));
      expect(await run()).toEqual({ requests: requests.length, failed: [] });
      expect(kept('refreshToken')).not.toBe(initial);
      change('accessToken', '');
      change('initialRefreshToken', '');
      expect(await run('a-partners-day')).toEqual({ requests: 11, failed: [] });
    },
  );

  test('the initial token serves again after a reset', async () => {
    await fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' });
    change('accessToken', '');
    expect(await run('by-version/v1')).toMatchObject({ failed: [] });
  });

  test('a request whose scenario header is switched on fails and says why', async () => {
    const file = join(work, 'a-partners-day/6-book.bru');
    writeFileSync(file, readFileSync(file, 'utf8').replace('~Teebox-Scenario', 'Teebox-Scenario'));
    const { failed } = await run('a-partners-day');
    expect(failed.filter((line) => line.includes('6-book'))).toEqual([
      expect.stringMatching(/: status is 200: expected 400 to equal 200$/),
      expect.stringMatching(/: success is true: Payment \(PI\) has failed\..*: expected false to equal true$/),
    ]);
  });

  test('a file of variables serves for a deployment, and keeps the refresh token', async () => {
    await fetch(`${server.ready.adminUrl}/reset`, { method: 'POST' });
    const file = join(mkdtempSync(join(tmpdir(), 'teebox-bruno-')), 'deployment.bru');
    const { refreshToken } = server.ready.channels[0]!;
    writeFileSync(file, `vars {\n  baseUrl: ${server.baseUrl}\n  refreshToken: ${refreshToken}\n}\n`);
    expect(await run('by-version/v1', ['--env-file', file])).toMatchObject({ failed: [] });
    expect(readFileSync(file, 'utf8')).not.toContain(refreshToken);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/accessToken: .*/, 'accessToken: '));
    expect(await run('by-version/v1', ['--env-file', file])).toMatchObject({ failed: [] });
  });
});
