import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CLI, startCli } from '../support/network/process.js';

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'teebox-action-'));
const server = await startCli();
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A project of a pipeline: `npx` notes what it is called with, and the package is installed unless told otherwise. */
let project: string;
beforeEach(() => {
  project = mkdtempSync(join(folder, 'project-'));
  command('bin/npx', 'echo "npx $@" >> npx.log\nshift 4\nexec TEEBOX "$@"');
});

function command(path: string, script: string): void {
  const file = join(project, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script.replace('TEEBOX', `"${process.execPath}" "${CLI}"`)}\n`);
  chmodSync(file, 0o755);
}

const install = (): void => command('node_modules/.bin/teebox', 'echo installed >> npx.log\nexec TEEBOX "$@"');
const read = (name: string): string =>
  existsSync(join(project, name)) ? readFileSync(join(project, name), 'utf8') : '';

function run(shell: readonly string[], script: string, env: Record<string, string>): Promise<number> {
  const [file = 'sh', ...args] = shell;
  const variables = { PATH: `${join(project, 'bin')}:${process.env['PATH']}`, HOME: project, ...env };
  const secrets = { TEEBOX_BASIC: 'fairway:not-a-secret-fairway' };
  return new Promise((resolve) => {
    const child = execFile(file, [...args, script], { cwd: project, env: { ...variables, ...secrets } }, () =>
      resolve(child.exitCode ?? -1),
    );
  });
}

const ONE = "--only 'countries.*'";

/** An action of a folder of the repository. `step` runs its one step as a runner does. */
function actionIn(path: string) {
  const action = parse(readFileSync(join(root, path, 'action.yml'), 'utf8'));
  const [only] = action.runs.steps;
  const defaults = Object.entries<{ default?: string }>(action.inputs).map(([name, one]) => [name, one.default ?? '']);
  const step = (inputs: Record<string, string>, more: Record<string, string> = {}): Promise<number> => {
    const given = { ...Object.fromEntries(defaults), ...inputs } as Record<string, string>;
    const env = Object.entries<string>(only.env).map(([name, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      return [name, value === '${{ github.action_path }}' ? join(root, path) : given[input]!];
    });
    return run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'], only.run, {
      ...Object.fromEntries(env),
      RUNNER_TEMP: project,
      GITHUB_ENV: join(project, 'env'),
      GITHUB_OUTPUT: join(project, 'output'),
      GITHUB_STEP_SUMMARY: join(project, 'summary.md'),
      ...more,
    });
  };
  return { action, only, step };
}

/** The lines `NAME=VALUE` of a file that a step writes for the runner. */
const pairsIn = (name: string): Record<string, string> =>
  Object.fromEntries(
    read(name)
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  );

test.each([
  ['.', ['target', 'args', 'package']],
  ['actions/certify', ['command', 'args', 'package']],
  ['actions/sandbox', ['do', 'args', 'package']],
])('the action in %s is composite, and has the inputs and outputs that its step uses', (path, inputs) => {
  const { action, only } = actionIn(path);
  expect(action.runs.using).toBe('composite');
  expect(action.runs.steps).toHaveLength(1);
  expect(Object.keys(action.inputs)).toEqual(inputs);
  expect(only.run).not.toContain('${{');
  for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs)) {
    expect(value).toBe(`\${{ steps.${only.id}.outputs.${name} }}`);
  }
});

describe('the action for GitHub', () => {
  const { step: check } = actionIn('.');
  const outputs = () => pairsIn('output');

  test('0: writes SARIF, HTML, JSON and the summary, by the repository of the action', async () => {
    expect(await check({ target: server.baseUrl, args: ONE })).toBe(0);
    expect(read('summary.md')).toContain('conformant');
    const { 'exit-code': code, ...files } = outputs();
    expect(code).toBe('0');
    expect(Object.keys(files)).toEqual(['sarif', 'html', 'json']);
    expect(JSON.parse(readFileSync(files['sarif']!, 'utf8')).version).toBe('2.1.0');
    const { rules } = JSON.parse(readFileSync(files['json']!, 'utf8'));
    expect(rules.every(({ id }: { id: string }) => id.startsWith('countries.'))).toBe(true);
    expect(read('npx.log')).toBe('');
  });

  test('uses the installed package, and another one when asked', async () => {
    install();
    await check({ target: server.baseUrl, args: ONE });
    expect(read('npx.log')).toBe('installed\n');
    await check({ target: server.baseUrl, args: ONE, package: './a.tgz' });
    expect(read('npx.log')).toMatch(/npx --yes --package \.\/a\.tgz teebox check /);
  });

  test('4 and 2: the exit code of the check, with the reports that there are', async () => {
    expect(await check({ target: server.baseUrl, args: `${ONE} --min-conclusive 90` })).toBe(4);
    expect(outputs()).toMatchObject({ 'exit-code': '4', sarif: expect.any(String) });
    rmSync(join(project, 'output'));
    rmSync(join(project, 'teebox-check'), { recursive: true });
    expect(await check({ target: server.baseUrl, args: '--onyl x' })).toBe(2);
    expect(outputs()).toEqual({ 'exit-code': '2' });
  });

  test('expands nothing in its inputs', async () => {
    const args = `${ONE} --header '$(touch planted)' ; touch planted \`touch planted\``;
    expect(await check({ target: server.baseUrl, args })).toBe(2);
    expect(await check({ target: '$(touch planted)' })).toBe(2);
    expect(existsSync(join(project, 'planted'))).toBe(false);
  });
});

describe('the action that certifies', () => {
  const { step: certify } = actionIn('actions/certify');
  const asks = 'curl -s -u "$TEEBOX_USERNAME:$TEEBOX_PASSWORD" "$TEEBOX_BASE_URL/api/v3/countries"';
  const args = '--exams happy-day --min-seen 0';

  test('0: runs the tests of the client, and leaves the reports', async () => {
    expect(await certify({ command: `${asks} && ${asks} > answer.json`, args })).toBe(0);
    expect(JSON.parse(read('answer.json')).success).toBe(true);
    const { 'exit-code': code, ...files } = pairsIn('output');
    expect([code, Object.keys(files)]).toEqual(['0', ['sarif', 'html', 'json']]);
    expect(Object.values(files).filter((file) => !existsSync(file))).toEqual([]);
    expect(read('summary.md')).toContain('happy-day');
  });

  test('4 and 2: tests that show nothing, and a flag that there is not', async () => {
    expect(await certify({ command: 'exit 7', args })).toBe(4);
    expect(pairsIn('output')).toMatchObject({ 'exit-code': '4', html: expect.any(String) });
    expect(await certify({ command: asks, args: '--exmas x' })).toBe(2);
  });
});

describe('the action that runs a sandbox', () => {
  const { step: sandbox } = actionIn('actions/sandbox');

  test('start waits until it is ready, the next steps reach it, and stop ends it', async () => {
    expect(await sandbox({ args: "--now '2026-06-01T08:00:00Z'" })).toBe(0);
    const { TEEBOX_BASE_URL: url, TEEBOX_USERNAME: user, TEEBOX_PASSWORD: password, ...rest } = pairsIn('env');
    expect([pairsIn('output')['base-url'], Object.keys(rest)]).toEqual([url, ['TEEBOX_REFRESH_TOKEN']]);
    const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
    expect((await fetch(`${url}/api/v3/countries`, { headers })).status).toBe(200);
    expect(await sandbox({ do: 'stop' })).toBe(0);
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow();
    expect(readFileSync(pairsIn('output')['log']!, 'utf8')).toContain('/api/v3/countries');
    expect(await sandbox({ do: 'stop' })).toBe(2);
    // What the first one printed is no answer of the second.
    expect(await sandbox({})).toBe(0);
    expect((await fetch(`${pairsIn('env')['TEEBOX_BASE_URL']}/__admin/health`)).status).toBe(200);
    expect(await sandbox({ do: 'stop' })).toBe(0);
  });

  test('a package that npx runs is stopped, too', async () => {
    expect(await sandbox({ package: './a.tgz' })).toBe(0);
    expect(read('npx.log')).toMatch(/^npx --yes --package \.\/a\.tgz teebox serve --json/);
    const { TEEBOX_BASE_URL: url } = pairsIn('env');
    expect(await sandbox({ do: 'stop', package: './a.tgz' })).toBe(0);
    await expect(fetch(`${url}/__admin/health`)).rejects.toThrow();
  });

  test('a sandbox that does not start fails the step at once', async () => {
    expect(await sandbox({ args: '--prot 1' })).toBe(1);
    expect(read('env')).toBe('');
    expect(await sandbox({ do: 'restart' })).toBe(2);
  });
});

/** A component: the job that its inputs make of it, and a run of its script. */
function componentIn(path: string) {
  const text = readFileSync(join(root, path), 'utf8');
  const [head, body = ''] = text.split('\n---\n');
  const { inputs } = parse(head!).spec;
  const jobWith = (given: Record<string, string>) => {
    const filled = body.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => given[name] ?? inputs[name].default);
    return Object.entries<any>(parse(filled))[0]!;
  };
  const script = async (given: Record<string, string>) => {
    const quoted = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]));
    const [, job] = jobWith({ args: '""', package: '""', ...quoted });
    const variables = Object.entries<any>(job.variables).map(([name, { value }]) => [name, value]);
    return run(['sh', '-ec'], job.script.join('\n'), Object.fromEntries(variables));
  };
  return { text, body, inputs, jobWith, script };
}

test.each([
  ['templates/check.yml', 'teebox-check'],
  ['templates/certify.yml', 'teebox-certify'],
])('the component %s is two documents, and uses each of its inputs', (path, job) => {
  const { text, body, inputs, jobWith } = componentIn(path);
  expect(parseAllDocuments(text)).toHaveLength(2);
  const used = [...body.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
  const [name, { stage, image, variables }] = jobWith({ target: 'staging', command: 'npm test' });
  expect([name, stage, image]).toEqual([job, 'test', 'node:22']);
  // GitLab would expand a dollar in an input, such as that of a password.
  for (const variable of Object.values(variables)) expect(variable).toMatchObject({ expand: false });
});

describe('the component for GitLab', () => {
  const { jobWith, script: check } = componentIn('templates/check.yml');

  test('0: leaves its artifacts', async () => {
    install();
    expect(await check({ target: server.baseUrl, args: ONE })).toBe(0);
    const [, { artifacts }] = jobWith({ target: 'staging' });
    expect(read(artifacts.reports.junit)).toContain('<testsuites>');
    expect(read(`${artifacts.paths[0]}/check.html`)).toContain('Conformant');
    expect(read('npx.log')).toBe('installed\n');
  });

  test('4, another package, and nothing expanded', async () => {
    expect(await check({ target: server.baseUrl, args: `${ONE} --min-conclusive 90`, package: './a.tgz' })).toBe(4);
    expect(read('npx.log')).toMatch(/^npx --yes --package \.\/a\.tgz teebox check /);
    expect(await check({ target: '$(touch planted)', package: './a.tgz' })).toBe(2);
    expect(existsSync(join(project, 'planted'))).toBe(false);
  });
});

describe('the component for GitLab that certifies', () => {
  const { jobWith, script: certify } = componentIn('templates/certify.yml');

  test('0: runs the tests of the client, and leaves its artifacts', async () => {
    install();
    const command = 'curl -s -u "$TEEBOX_USERNAME:$TEEBOX_PASSWORD" "$TEEBOX_BASE_URL/api/v3/countries" > answer.json';
    expect(await certify({ command, args: '--exams happy-day --min-seen 0' })).toBe(0);
    expect(JSON.parse(read('answer.json')).success).toBe(true);
    const [, { artifacts }] = jobWith({ command: 'npm test' });
    expect(read(artifacts.reports.junit)).toContain('<testsuites>');
    expect(read(`${artifacts.paths[0]}/certificate.html`)).toContain('<html');
  });
});
