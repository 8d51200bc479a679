import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CLI } from '../support/network/process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teebox-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function init(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'init', ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => /^(wrote|kept)/.test(line));
  return { status, lines, stdout, stderr };
}
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

test.each<[args: string[], answers: string, written: string[]]>([
  [['vitest'], '', ['teebox.test.ts']],
  [['jest', 'jest'], '', ['babel.config.cjs', 'jest.config.cjs', 'teebox.test.cjs']],
  [['playwright'], '', ['playwright.config.ts', 'teebox.spec.ts']],
  [['gitlab'], '', ['.gitlab/teebox.yml', '.gitlab-ci.yml']],
  [['ci', 'vitest', 'github'], '', ['.github/workflows/teebox.yml', 'teebox.test.ts']],
  [[], 'y\nn\n\nYES\n', ['teebox.test.ts', '.github/workflows/teebox.yml']],
  [[], '\n\ny', ['playwright.config.ts', 'teebox.spec.ts']],
])('init %j, with the answers %j, writes what it says', (args, answers, written) => {
  expect(init(args, answers)).toMatchObject({ status: 0, lines: written.map((path) => `wrote ${path}`) });
  for (const path of written) expect(read(path)).toMatch(/^(import|module|const|name|conformance|include)\b[^`]/);
});

test('a file that exists is kept', () => {
  writeFileSync(join(folder, 'jest.config.cjs'), 'mine');
  const { lines } = init(['jest']);
  expect(lines).toEqual(['wrote babel.config.cjs', 'kept  jest.config.cjs, which exists', 'wrote teebox.test.cjs']);
  expect(read('jest.config.cjs')).toBe('mine');
});

test.each(['gitlab', 'ci'])('init %s keeps a .gitlab-ci.yml that exists, and says what to add to it', (kind) => {
  writeFileSync(join(folder, '.gitlab-ci.yml'), 'mine');
  const { lines, stdout } = init([kind]);
  expect(lines).toEqual(['wrote .gitlab/teebox.yml', 'kept  .gitlab-ci.yml, which exists']);
  expect(stdout).toMatch(/if \.gitlab-ci\.yml was kept, add \.gitlab\/teebox\.yml to its `include`/);
  expect(read('.gitlab-ci.yml')).toBe('mine');
});

test.each([
  ['github', '.github/workflows/teebox.yml'],
  ['gitlab', '.gitlab/teebox.yml'],
])('the job for %s checks the deployment that is given, without a baseline that is not there', (kind, path) => {
  init([kind, '--url', 'https://golf.example:8443/base']);
  const { jobs, conformance } = parse(read(path));
  const commands = conformance?.script ?? jobs.conformance.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands[1]).toMatch(/teebox check https:\/\/golf\.example:8443\/base --min-conclusive 60 --report /);
  expect(commands.join()).not.toContain('known.json');
});

test.each<[args: string[], words: string]>([
  [['mocha'], 'init knows vitest, jest, playwright, github, gitlab, ci, but not `mocha`.'],
  [['vites'], 'but not `vites`. Did you mean vitest?'],
  [[], 'Nothing was chosen.'],
  [['github', '--url', 'https://a/$(touch planted)'], '--url must be a base URL'],
])('init %j is a usage error', (args, words) => {
  expect(init(args)).toMatchObject({ status: 2, lines: [], stderr: expect.stringContaining(words) });
  expect(existsSync(join(folder, '.github'))).toBe(false);
});
