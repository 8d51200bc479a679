import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootFolder } from '../../../spec/generate/folders.js';
import { fullRun } from '../../conformance/full-run.js';
import { addVersion, next } from './next-version.js';

const copy = mkdtempSync(join(tmpdir(), 'teebox-next-version-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Runs a command of the project in the copy. */
function run(...[command, ...args]: readonly [string, ...string[]]): string {
  const path = resolve(rootFolder, 'node_modules/.bin', command);
  return execFileSync(path, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1e8 });
}

beforeAll(() => {
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'docs', 'dist']) copyOf(path);
  for (const path of ['spec', 'fixtures', 'scenarios', 'src', 'test']) copyOf(path);
  symlinkSync(resolve(rootFolder, 'node_modules'), join(copy, 'node_modules'));
  addVersion(copy);
  run('tsx', 'spec/generate.ts');
});

function copyOf(path: string): void {
  cpSync(resolve(rootFolder, path), join(copy, path), { recursive: true });
}

test(`a version ${next} with every operation compiles`, () => {
  expect(() => run('tsc', '-b')).not.toThrow();
}, 300_000);

/** The rules of a run by what came of them. */
type Verdicts = Readonly<Record<string, string>>;

test(`the suite judges a sandbox with ${next} by every rule, and it conforms`, async () => {
  const script = join(copy, 'run.ts');
  writeFileSync(
    script,
    `import { fullRun } from './test/conformance/full-run.js';
const { exitCode, coverage, rules } = await fullRun();
const verdicts = Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));
console.log(JSON.stringify({ exitCode, coverage, verdicts }));
`,
  );
  const { exitCode, verdicts } = JSON.parse(run('tsx', script)) as { exitCode: number; verdicts: Verdicts };
  const today = Object.fromEntries((await fullRun()).rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toEqual(today);
  expect(exitCode).toBe(0);
});
