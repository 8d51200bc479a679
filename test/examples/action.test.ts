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

describe('the action for GitHub', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
  const [step] = action.runs.steps;
  /** Runs the step as a runner does. */
  const check = (inputs: Record<string, string>): Promise<number> => {
    const given = { args: '', package: '', ...inputs } as Record<string, string>;
    const env = Object.entries<string>(step.env).map(([name, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
      return [name, value === '${{ github.action_path }}' ? root : given[input]!];
    });
    return run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'], step.run, {
      ...Object.fromEntries(env),
      RUNNER_TEMP: project,
      GITHUB_OUTPUT: join(project, 'output'),
      GITHUB_STEP_SUMMARY: join(project, 'summary.md'),
    });
  };
  const outputs = (): Record<string, string> =>
    Object.fromEntries(
      read('output')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );

  test('is composite, and has the inputs and outputs that its step uses', () => {
    expect(action.runs.using).toBe('composite');
    expect(Object.keys(action.inputs)).toEqual(['target', 'args', 'package']);
    expect(step.run).not.toContain('${{');
    for (const [name, { value }] of Object.entries<{ value: string }>(action.outputs)) {
      expect(value).toBe(`\${{ steps.${step.id}.outputs.${name} }}`);
    }
  });

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
    const args = `${ONE} --bearer-header '$(touch planted)' ; touch planted \`touch planted\``;
    expect(await check({ target: server.baseUrl, args })).toBe(2);
    expect(await check({ target: '$(touch planted)' })).toBe(2);
    expect(existsSync(join(project, 'planted'))).toBe(false);
  });
});

describe('the component for GitLab', () => {
  const text = readFileSync(join(root, 'templates/check.yml'), 'utf8');
  const [head, body = ''] = text.split('\n---\n');
  const { inputs } = parse(head!).spec;
  const jobWith = (given: Record<string, string>) => {
    const filled = body.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => given[name] ?? inputs[name].default);
    return Object.entries<any>(parse(filled))[0]!;
  };
  const check = async (given: Record<string, string>) => {
    const quoted = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, JSON.stringify(value)]));
    const [, job] = jobWith({ args: '""', package: '""', ...quoted });
    return run(['sh', '-ec'], job.script.join('\n'), job.variables);
  };

  test('is two documents, and uses each of its inputs', () => {
    expect(parseAllDocuments(text)).toHaveLength(2);
    const used = [...body.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort());
    const [name, { stage, image }] = jobWith({ target: 'staging' });
    expect([name, stage, image]).toEqual(['teebox-check', 'test', 'node:22']);
  });

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
