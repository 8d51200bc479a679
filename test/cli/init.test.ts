import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lookAt } from '../../src/cli/init/project.js';
import type { ToolName } from '../../src/cli/init/test-texts.js';
import { findOf, plansOf } from '../../src/cli/init/test-tools.js';
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
  [['jest', 'jest'], '', ['jest.config.cjs', 'teebox.test.cjs']],
  [['playwright'], '', ['playwright.config.ts', 'e2e/teebox.e2e.ts']],
  [['gitlab'], '', ['.gitlab/teebox.yml', '.gitlab-ci.yml']],
  [['ci', 'vitest', 'github'], '', ['.github/workflows/teebox.yml', 'teebox.test.ts']],
  [[], 'y\nn\n\nYES\n', ['teebox.test.ts', '.github/workflows/teebox.yml']],
  [[], '\n\ny', ['playwright.config.ts', 'e2e/teebox.e2e.ts']],
])('init %j, with the answers %j, writes what it says', (args, answers, written) => {
  expect(init(args, answers)).toMatchObject({ status: 0, lines: written.map((path) => `wrote ${path}`) });
  for (const path of written) expect(read(path)).toMatch(/^(import|module|const|name|conformance|include)\b[^`]/);
});

test.each([
  [['gitlab'], 'over https://staging.example.com in .gitlab/teebox.yml; put user:password of a sales channel into'],
  [['github', '--url', 'https://api.example.com'], 'next: put user:password of a sales channel into the secret TEEBOX'],
])('init %j says what is left to do', (args, next) => {
  expect(init(args).stdout).toContain(next);
});

test('a file that exists is kept', () => {
  writeFileSync(join(folder, 'teebox.test.ts'), 'mine');
  expect(init(['vitest']).lines).toEqual(['kept  teebox.test.ts, which exists']);
  expect(read('teebox.test.ts')).toBe('mine');
});

/** What a project has, in which files are written one after another until the tool finds the test. */
interface Habit {
  readonly tool: ToolName;
  readonly files: Readonly<Record<string, string>>;
  /** The files of each plan, in the order in which they are tried. */
  readonly plans: readonly string[];
  readonly command: string;
}
const manifest = (more: object = {}): string => JSON.stringify({ name: 'shop', ...more });
const ownTest = "test('adds', () => {});";
const ownJest = 'jest.teebox.config.mjs, teebox.jest.mjs';
const ownVitest = 'vitest.teebox.config.mjs, teebox.vitest.ts';
const ownPlaywright = 'playwright.teebox.config.mjs, teebox.playwright.ts';

test.each<[habit: string, given: Habit]>([
  [
    'a jest key',
    {
      tool: 'jest',
      files: { 'package.json': manifest({ jest: { testMatch: ['<rootDir>/src/**/__tests__/**/*.[jt]s?(x)'] } }) },
      plans: ['src/__tests__/teebox.js', 'teebox.test.js', ownJest],
      command: 'npx jest src/__tests__/teebox.js',
    },
  ],
  [
    'jest.config.ts, pnpm',
    {
      tool: 'jest',
      files: {
        'package.json': manifest(),
        'jest.config.ts': "export default { roots: ['<rootDir>/lib'] };",
        'pnpm-lock.yaml': '',
      },
      plans: ['lib/teebox.test.ts', 'teebox.test.ts', ownJest],
      command: 'pnpm exec jest lib/teebox.test.ts',
    },
  ],
  [
    'a path as jest key',
    {
      tool: 'jest',
      files: { 'package.json': manifest({ jest: 'jest.json' }), 'jest.json': '{"testMatch":["**/*.unit.js"]}' },
      plans: ['teebox.unit.js', 'teebox.test.js', ownJest],
      command: 'npx jest teebox.unit.js',
    },
  ],
  [
    'jest by a script, with ES modules',
    {
      tool: 'jest',
      files: {
        'package.json': manifest({
          scripts: { test: 'node --experimental-vm-modules node_modules/jest/bin/jest.js -c config/jest.mjs' },
        }),
        'src/cart.spec.js': ownTest,
      },
      plans: ['src/teebox.spec.js', 'teebox.test.js', ownJest],
      command:
        'node --experimental-vm-modules node_modules/jest/bin/jest.js --config config/jest.mjs src/teebox.spec.js',
    },
  ],
  [
    'jest with its defaults beside babel.config.js',
    {
      tool: 'jest',
      files: {
        'package.json': manifest({ devDependencies: { jest: '30' } }),
        'babel.config.js': '',
        'app/__tests__/cart.js': ownTest,
      },
      plans: ['app/__tests__/teebox.js', 'teebox.test.js', ownJest],
      command: 'npx jest app/__tests__/teebox.js',
    },
  ],
  [
    'vitest with include',
    {
      tool: 'vitest',
      files: {
        'package.json': manifest(),
        'vitest.config.js': "export default { test: { include: ['src/**/*.spec.ts'] } }",
      },
      plans: ['src/teebox.spec.ts', 'teebox.test.js', ownVitest],
      command: 'npx vitest run src/teebox.spec.ts',
    },
  ],
  [
    'vitest in vite.config.mts, with a folder and patterns that have choices, yarn',
    {
      tool: 'vitest',
      files: {
        'package.json': manifest({ packageManager: 'yarn@4.9.1' }),
        'vite.config.mts':
          'export default { test: { dir: "checks", "include": ["**/*.{check,test}.?(c|m)[jt]s?(x)"] } }',
      },
      plans: ['checks/teebox.check.ts', 'checks/teebox.test.ts', 'teebox.test.ts', ownVitest],
      command: 'yarn vitest run checks/teebox.check.ts',
    },
  ],
  [
    'vitest beside tests of playwright, bun',
    {
      tool: 'vitest',
      files: {
        'package.json': manifest({ devDependencies: { vitest: '4' } }),
        'bun.lock': '',
        'e2e/cart.spec.ts': "import { test } from '@playwright/test'; test('x', () => {});",
        'src/deep/cart_test.ts': '',
        'src/deep/cart.test.ts': "import { test } from 'vitest'; test('x', () => {});",
      },
      plans: ['src/deep/teebox.test.ts', 'teebox.test.ts', ownVitest],
      command: 'bun run vitest run src/deep/teebox.test.ts',
    },
  ],
  [
    'playwright.config.js',
    {
      tool: 'playwright',
      files: { 'package.json': manifest(), 'playwright.config.js': "module.exports = { testDir: './e2e' }" },
      plans: ['e2e/teebox.spec.js', 'teebox.spec.js', ownPlaywright],
      command: 'npx --no-install teebox exec -- npx playwright test e2e/teebox.spec.js',
    },
  ],
  [
    'playwright with a configuration that a script names, and a pattern that only its tests show',
    {
      tool: 'playwright',
      files: {
        'package.json': manifest({ scripts: { e2e: 'playwright test --config=ci/pw.config.ts --workers 2' } }),
        'web/checks/cart.e2e.ts': "import { test } from '@playwright/test'; test('x', () => {});",
        'ci/pw.config.ts': "export default { testDir: '../web', testMatch: /e2e/ }",
      },
      plans: ['web/checks/teebox.e2e.ts', 'teebox.spec.ts', ownPlaywright],
      command: 'npx --no-install teebox exec -- npx playwright test --config ci/pw.config.ts web/checks/teebox.e2e.ts',
    },
  ],
])('init looks at %s', async (_, { tool, files, plans, command }) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const project = lookAt(folder);
  const planned = await plansOf(tool, project, findOf(tool, project));
  expect(planned.map((plan) => Object.keys(plan.files).join(', '))).toEqual(plans);
  expect(planned[0]!.command).toBe(command);
});

test.each<[files: Record<string, string>, words: string]>([
  [{ 'package.json': '{"name":' }, 'package.json'],
  [
    { 'package.json': manifest({ workspaces: ['packages/*'] }), 'packages/shop/package.json': '{}' },
    'Run `teebox init vitest` in the package whose tests need a sandbox: packages/shop.',
  ],
])('init writes nothing into a folder with %j', (files, words) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  expect(init(['vitest'])).toMatchObject({ status: 2, lines: [], stderr: expect.stringContaining(words) });
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
