import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLI, startCli } from '../support/network/process.js';

const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
const everyJob = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => parse(text!));
const jobs = everyJob.filter((job) => JSON.stringify(job).includes('teebox check'));

const directory = mkdtempSync(join(tmpdir(), 'teebox-ci-'));
writeFileSync(join(directory, 'known.json'), '{ "known": [] }');
const server = await startCli();
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

/** The values of a name, wherever they stand, as a list. */
function valuesOf(name: string, node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === name && typeof value !== 'object' ? [String(value)] : valuesOf(name, value),
  );
}

/** Runs the commands of a job that check, in a directory of their own, against a sandbox. */
async function runJob(commands: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const secrets = { TEEBOX_BASIC: 'fairway:not-a-secret-fairway', ...env };
  for (const command of commands.filter((one) => one.includes('teebox check'))) {
    const here = command
      .replace('npx --no-install teebox', `"${process.execPath}" "${CLI}"`)
      .replace('https://staging.example.com', server.baseUrl);
    await promisify(execFile)('bash', ['-ec', here], {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...secrets },
    });
  }
}

test('the job for GitHub runs and leaves what it uploads', async () => {
  const [job] = jobs.filter(({ on }) => on);
  expect(job.on).toEqual(['push']);
  const { steps } = job.jobs.conformance;
  const summary = join(directory, 'summary.md');
  await runJob(valuesOf('run', steps), { GITHUB_STEP_SUMMARY: summary });
  expect(readFileSync(summary, 'utf8')).toContain('conformant');
  const [upload] = steps.filter(({ uses }: { readonly uses?: string }) => uses?.startsWith('actions/upload-artifact'));
  expect(upload.with.path).toBe('conformance.*');
  expect(readdirSync(directory).filter((name) => name.startsWith('conformance.'))).toEqual([
    'conformance.html',
    'conformance.json',
    'conformance.svg',
  ]);
});

test('the job for GitLab runs and leaves its artifacts', async () => {
  const [{ conformance }] = jobs.filter(({ on }) => !on);
  await runJob(conformance.script);
  const { paths, reports } = conformance.artifacts;
  expect([...paths, reports.junit].filter((path) => !existsSync(join(directory, path)))).toEqual([]);
});

/** Runs the commands of a job one after the other, and gives back what they print. */
async function printed(commands: readonly string[]): Promise<string> {
  const here = commands
    .join('\n')
    .replaceAll('npx --no-install teebox', `"${process.execPath}" "${CLI}"`)
    .replaceAll('https://staging.example.com', server.baseUrl);
  const secrets = { TEEBOX_BASIC: 'fairway:not-a-secret-fairway', PATH: process.env['PATH'] };
  return (await promisify(execFile)('bash', ['-ec', here], { cwd: directory, env: secrets })).stdout;
}

test('the job for GitHub compares with the last report', async () => {
  const [job] = everyJob.filter(({ on, jobs }) => on && JSON.stringify(jobs).includes('teebox diff'));
  const [run] = valuesOf('run', job.jobs).filter((text) => text.includes('teebox diff'));
  await printed(['npx --no-install teebox check https://staging.example.com --quiet --report json=conformance.json']);
  expect(await printed([run!])).toBe('');
  expect(await printed([run!])).toMatch(/no regression/);
});

test('the job for GitLab compares with the last report, and makes the badge', async () => {
  const [{ conformance }] = everyJob.filter(({ on, conformance: own }) => !on && JSON.stringify(own)?.includes('diff'));
  const commands = conformance.script.filter((command: string) => command !== 'npm ci');
  rmSync(join(directory, 'last.json'), { force: true });
  await printed(commands);
  expect(await printed(commands)).toMatch(/no regression/);
  for (const path of conformance.artifacts.paths) expect(existsSync(join(directory, path))).toBe(true);
});
