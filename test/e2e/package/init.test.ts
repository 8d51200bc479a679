import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackage, type Project } from './project.js';

let project: Project;
beforeAll(async () => {
  project = await installPackage(
    'vitest',
    'jest',
    '@babel/core',
    '@babel/preset-env',
    '@playwright/test',
    'typescript',
    'yarn',
  );
}, 300_000);
afterAll(() => project?.remove());

/** A project with habits of its own, and what becomes of `teebox init` in it. */
interface Row {
  readonly kind: 'vitest' | 'jest' | 'playwright';
  readonly files: Readonly<Record<string, string>>;
  readonly wrote: string;
  /** How the project runs its own tests, which pass before and after. */
  readonly own?: readonly string[];
}
const manifest = (more: object = {}): string => JSON.stringify({ name: 'shop', private: true, ...more });
const cart = "test('adds', () => { expect(1 + 1).toBe(2); });\n";
const vitestCart = `import { expect, test } from 'vitest';\n${cart}`;
const playwrightCart = `import { expect, test } from '@playwright/test';\n${cart}`;
const ownJest = 'jest.teebox.config.mjs, teebox.jest.mjs';
const takesTeebox = `
  transform: { '\\\\.m?js$': ['babel-jest', { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }] },
  transformIgnorePatterns: ['node_modules/(?!teebox)'],`;
const modules = 'node --experimental-vm-modules ../../node_modules/jest/bin/jest.js';

test.each<[habit: string, row: Row]>([
  [
    'a jest key in package.json',
    {
      kind: 'jest',
      files: {
        'package.json': manifest({ jest: { testMatch: ['<rootDir>/src/**/*.test.js'] } }),
        'src/cart.test.js': cart,
      },
      wrote: ownJest,
      own: ['jest'],
    },
  ],
  [
    'jest.config.mjs, and a babel configuration',
    {
      kind: 'jest',
      files: {
        'package.json': manifest(),
        'jest.config.mjs': 'export default {};',
        'babel.config.js': "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };",
        'src/cart.test.js': `import assert from 'node:assert';\nassert(true);\n${cart}`,
      },
      wrote: ownJest,
      own: ['jest'],
    },
  ],
  [
    'Jest with its defaults beside babel.config.js',
    {
      kind: 'jest',
      files: {
        'package.json': manifest({ devDependencies: { jest: '*' } }),
        'babel.config.js': "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };",
        '__tests__/cart.js': cart,
      },
      wrote: ownJest,
      own: ['jest'],
    },
  ],
  [
    'jest.config.js that transforms the package, with tests named .spec.js',
    {
      kind: 'jest',
      files: {
        'package.json': manifest(),
        'jest.config.js': `module.exports = { testMatch: ['**/*.spec.js'],${takesTeebox} };`,
        'lib/cart.spec.js': cart,
      },
      wrote: 'teebox.spec.js',
      own: ['jest'],
    },
  ],
  [
    'Jest with ES modules by a script, with a configuration in another folder',
    {
      kind: 'jest',
      files: {
        'package.json': manifest({ type: 'module', scripts: { test: `${modules} --config tools/jest.json` } }),
        'tools/jest.json': '{"rootDir":"..","transform":{},"roots":["<rootDir>/src"]}',
        'src/cart.test.js': `import 'node:fs';\n${cart}`,
      },
      wrote: 'src/teebox.test.js',
    },
  ],
  [
    'Jest with projects in a monorepo',
    {
      kind: 'jest',
      files: {
        'package.json': manifest({ workspaces: ['packages/*'], jest: { projects: ['<rootDir>/packages/*'] } }),
        'packages/a/package.json': manifest({ jest: {} }),
        'packages/a/cart.test.js': cart,
      },
      wrote: ownJest,
      own: ['jest'],
    },
  ],
  [
    'vitest.config.js with include',
    {
      kind: 'vitest',
      files: {
        'package.json': manifest({ type: 'module' }),
        'vitest.config.js': "export default { test: { include: ['src/**/*.spec.ts'] } };",
        'src/deep/cart.spec.ts': vitestCart,
      },
      wrote: 'src/teebox.spec.ts',
      own: ['vitest', 'run'],
    },
  ],
  [
    'vite.config.mjs with another folder and name for tests, in CommonJS',
    {
      kind: 'vitest',
      files: {
        'package.json': manifest({ type: 'commonjs' }),
        'vite.config.mjs': "export default { test: { dir: 'checks', include: ['**/*.check.{js,ts}'] } };",
        'checks/cart.check.js': vitestCart,
      },
      wrote: 'checks/teebox.check.js',
      own: ['vitest', 'run'],
    },
  ],
  [
    'Vitest with projects in a monorepo',
    {
      kind: 'vitest',
      files: {
        'package.json': manifest({ workspaces: ['packages/*'] }),
        'vitest.config.mjs': "export default { test: { projects: ['packages/*'] } };",
        'packages/a/package.json': manifest({ name: 'a' }),
        'packages/a/src/cart.test.js': vitestCart,
      },
      wrote: 'packages/a/src/teebox.test.js',
      own: ['vitest', 'run'],
    },
  ],
  [
    'Vitest with a set-up that needs what is not there',
    {
      kind: 'vitest',
      files: {
        'package.json': manifest(),
        'vitest.config.mjs': "export default { test: { setupFiles: ['./database.mjs'] } };",
        'database.mjs': "throw new Error('The database does not answer.');",
      },
      wrote: 'vitest.teebox.config.mjs, teebox.vitest.ts',
    },
  ],
  [
    'Vitest with Yarn',
    {
      kind: 'vitest',
      files: { 'package.json': manifest(), 'yarn.lock': '', 'test/cart.test.mjs': vitestCart },
      wrote: 'test/teebox.test.mjs',
      own: ['vitest', 'run'],
    },
  ],
  [
    'playwright.config.js with a folder',
    {
      kind: 'playwright',
      files: {
        'package.json': manifest(),
        'playwright.config.js': "module.exports = { testDir: './e2e' };",
        'e2e/cart.spec.js': `const { expect, test } = require('@playwright/test');\n${cart}`,
      },
      wrote: 'e2e/teebox.spec.js',
      own: ['playwright', 'test', 'cart'],
    },
  ],
  [
    'playwright.config.mjs with a pattern that is an expression',
    {
      kind: 'playwright',
      files: {
        'package.json': manifest({ type: 'module' }),
        'playwright.config.mjs': 'export default { testMatch: /web.*\\.pw\\.ts/ };',
        'web/test/cart.pw.ts': playwrightCart,
      },
      wrote: 'web/test/teebox.pw.ts',
      own: ['playwright', 'test', 'cart'],
    },
  ],
  [
    'a playwright.config.ts whose server does not start',
    {
      kind: 'playwright',
      files: {
        'package.json': manifest(),
        'playwright.config.ts': "export default { webServer: { command: 'exit 1', url: 'http://127.0.0.1:9' } };",
      },
      wrote: 'playwright.teebox.config.mjs, teebox.playwright.ts',
    },
  ],
  [
    'nothing yet, for Jest',
    {
      kind: 'jest',
      files: { 'package.json': manifest({ type: 'module' }) },
      wrote: 'jest.config.cjs, teebox.test.cjs',
      own: ['jest'],
    },
  ],
  [
    'nothing yet, for Vitest',
    { kind: 'vitest', files: { 'package.json': manifest() }, wrote: 'teebox.test.ts', own: ['vitest', 'run'] },
  ],
  [
    'unit tests with Vitest, for Playwright',
    {
      kind: 'playwright',
      files: { 'package.json': manifest(), 'cart.test.ts': vitestCart },
      wrote: 'playwright.config.ts, e2e/teebox.e2e.ts',
      own: ['vitest', 'run'],
    },
  ],
])('init in a project with %s', async (habit, { kind, files, wrote, own }) => {
  const name = habit.replaceAll(/\W+/g, '-');
  project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`habits/${name}/${path}`, text])));
  const folder = join(project.folder, 'habits', name);
  if ('yarn.lock' in files) symlinkSync('../../node_modules', join(folder, 'node_modules'));
  const path = `${join(project.folder, 'node_modules/.bin')}:${process.env['PATH']}`;
  const run = (...words: readonly string[]) => project.execute('/usr/bin/env', '-C', folder, `PATH=${path}`, ...words);
  const before = Object.keys(files).some((file) => file.includes('cart'));
  if (own && before) expect(await run('npx', ...own)).toMatchObject({ code: 0 });
  const { code, output } = await run('teebox', 'init', kind);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^tried .*: passed$/m) });
  expect(output).not.toContain('Test suite failed');
  const written = [...output.matchAll(/^wrote (.*)$/gm)].map(([, file]) => file);
  expect(written.join(', ')).toBe(wrote);
  const next = /^ {2}next: (.*)$/m.exec(output)![1]!;
  expect(await run('sh', '-c', next)).toMatchObject({ code: 0 });
  if (own) expect(await run('npx', ...own)).toMatchObject({ code: 0 });
});

test('init says what went wrong, and leaves the project as it was', async () => {
  // A version of the tool that cannot load the test.
  project.write({
    'broken/package.json': manifest(),
    'broken/node_modules/vitest/package.json': JSON.stringify({ name: 'vitest', version: '0.0.1', bin: 'bin.js' }),
    'broken/node_modules/vitest/bin.js': '',
    'broken/node_modules/.bin/vitest': '#!/bin/sh\necho "Error: this one never works"\nexit 7\n',
  });
  const folder = join(project.folder, 'broken');
  await project.execute('/bin/chmod', '+x', join(folder, 'node_modules/.bin/vitest'));
  const teebox = join(project.folder, 'node_modules/.bin/teebox');
  const { code, output } = await project.execute('/usr/bin/env', '-C', folder, teebox, 'init', 'vitest');
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('this one never works') });
  expect((await project.execute('/bin/ls', folder)).output).toBe('node_modules\npackage.json\n');
});
