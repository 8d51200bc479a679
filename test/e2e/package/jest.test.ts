import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import ts from 'typescript';
import { installPackage, type Project } from './project.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
/** Jest runs JavaScript; the code of the guide is otherwise taken as it is. */
const plain = (code: string): string =>
  ts.transpile(code, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });

const guide = read('docs/unit-tests.md');
const shown = (name: string): string =>
  new RegExp(`<!-- ${name}: generated -->\\n\`\`\`ts\\n([^]*?)\\n\`\`\``).exec(guide)?.[1] ?? '';
const hooks = shown('hooks');

let project: Project;
beforeAll(async () => {
  project = await installPackage(
    'jest',
    '@babel/core',
    '@babel/preset-env',
    'jest-environment-jsdom',
    'jest-fixed-jsdom',
    'msw',
  );
}, 300_000);
afterAll(() => project?.remove());

test('the hooks of the guide in Jest, with ES modules', async () => {
  expect(hooks).toContain('beforeEach(');
  project.write({
    'shop.js': plain(read('test/examples/shop.ts')),
    'hooks.test.js': plain(hooks),
    'jest.config.json': JSON.stringify({ transform: {} }),
  });
  const jest = 'node_modules/jest/bin/jest.js';
  const { code, output } = await project.run('node', '--experimental-vm-modules', jest, '--config', 'jest.config.json');
  expect(output).toMatch(/Tests: +1 passed, 1 total/);
  expect(code).toBe(0);
});

test('the recipe for Jest in CommonJS', async () => {
  const frameworks = read('docs/frameworks.md');
  const file = (name: string): string => frameworks.split(`\`${name}\`:\n\n\`\`\`js\n`)[1]!.split('```')[0]!;
  const names = ['jest.config.js', 'booking.test.js'];
  project.write(Object.fromEntries(names.map((name) => [`commonjs/${name}`, file(name)])));
  project.write({ 'commonjs/package.json': '{}' });
  const { code, output } = await project.run('node', '-e', "process.chdir('commonjs'); require('jest').run([])");
  expect(output).toMatch(/Tests: +1 passed, 1 total/);
  expect(code).toBe(0);
});

test('the recipe for Jest with jsdom, with MSW and fake timers', async () => {
  const recipe = read('docs/frameworks.md').split('## Jest with jsdom')[1]!.split('\n## ')[0]!;
  const [config, page] = [...recipe.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code!);
  project.write({ 'jsdom/package.json': '{}', 'jsdom/jest.config.cjs': config!, 'jsdom/page.test.js': page! });
  const { code, output } = await project.run('node', '-e', "process.chdir('jsdom'); require('jest').run([])");
  expect(output).toMatch(/Tests: +2 passed, 2 total/);
  expect(code).toBe(0);
});

test('the test of the guide with node:test', async () => {
  project.write({ 'shop.js': plain(read('test/examples/shop.ts')), 'node.test.mjs': plain(shown('node-test')) });
  const { code, output } = await project.run('node', '--test', 'node.test.mjs');
  expect(output).toMatch(/pass 1\b/);
  expect(code).toBe(0);
});
