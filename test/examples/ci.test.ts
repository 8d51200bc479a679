import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLI, startCli } from '../support/network/process.js';

const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8');
const jobs = [...page.matchAll(/```yaml\n(.*?)```/gs)]
  .map(([, text]) => parse(text!))
  .filter((job) => JSON.stringify(job).includes('teebox check'));

const directory = mkdtempSync(join(tmpdir(), 'teebox-ci-'));
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
  writeFileSync(join(directory, 'known.json'), '{ "known": [] }');
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
  const uploaded = valuesOf('path', steps);
  expect(uploaded).toHaveLength(1);
  expect(uploaded.filter((path) => !existsSync(join(directory, path)))).toEqual([]);
});

test('the job for GitLab runs and leaves its artifacts', async () => {
  const [{ conformance }] = jobs.filter(({ on }) => !on);
  await runJob(conformance.script);
  const { paths, reports } = conformance.artifacts;
  expect([...paths, reports.junit].filter((path) => !existsSync(join(directory, path)))).toEqual([]);
});
