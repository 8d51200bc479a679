/** @module-tag always */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onCommandLine } from '../../../src/cli/args.js';
import { checkFlags } from '../../../src/cli/commands/check-flags.js';
import { commands } from '../../../src/cli/commands/table.js';
import { topics } from '../../../src/cli/help/page-text.js';
import { installPackage, newerNode, type Project } from './project.js';

const root = new URL('../../..', import.meta.url).pathname;

let alone: Project;
let home: string;
beforeAll(async () => {
  alone = await installPackage();
  home = join(alone.folder, 'node_modules/teebox');
});
afterAll(() => alone?.remove());

const manifest = (): { version: string; exports: object; scripts: object; dependencies?: object } =>
  JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

test('is installed without a warning', () => {
  // Settings of this machine's npm are not about the package.
  const warnings = alone.installed.split('\n').filter((line) => /warn/i.test(line) && !/config "/.test(line));
  expect(warnings).toEqual([]);
});

test('runs no script when it is installed', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare', 'postprepare'];
  expect(Object.keys(manifest().scripts).filter((name) => atInstall.includes(name))).toEqual([]);
});

/** Megabytes of the packed file: enough for a test dependency, so that no code is bent to save bytes. */
const MOST_PACKED = 4;

test('is small enough, and brings no other package', () => {
  const packages = readdirSync(join(alone.folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['teebox']);
  expect(manifest().dependencies).toBeUndefined();
  const packed = statSync(join(alone.folder, `teebox-${manifest().version}.tgz`)).size / 1e6;
  console.log(`Packed: ${packed.toFixed(2)} MB of at most ${MOST_PACKED} MB.`);
  expect(packed).toBeLessThan(MOST_PACKED);
});

test('has the pages that its commands read, and no file that only the repository needs', () => {
  for (const { file } of Object.values(topics)) expect(existsSync(join(home, 'dist/docs', file)), file).toBe(true);
  const others = ['.github', 'docs', 'dist/docs/operators.md', 'dist/docs/quick-starts/go.md', 'src', 'test'];
  expect(others.filter((path) => existsSync(join(home, path)))).toEqual([]);
});

test('links from its pages only what the repository has', () => {
  const guides = readdirSync(join(home, 'dist/docs')).filter((name) => name.endsWith('.md'));
  const links = ['README.md', ...guides.map((name) => `docs/${name}`)].flatMap((page) => {
    const text = readFileSync(join(home, page.replace(/^docs/, 'dist/docs')), 'utf8').replaceAll(/```[^]*?```/g, '');
    return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => join(dirname(page), target!));
  });
  expect(links.length).toBeGreaterThan(30);
  expect([...new Set(links)].filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

test('has a manual page with every command and flag', () => {
  const page = readFileSync(join(home, 'dist/teebox.1'), 'utf8');
  expect(page.split('\n')[0]).toBe(`.TH TEEBOX 1 "" "teebox ${manifest().version}" "User Commands"`);
  for (const name of Object.keys(commands)) expect(page).toContain(`.SS teebox ${name}`);
  for (const name of Object.keys(onCommandLine(checkFlags)))
    expect(page).toContain(`\\fB\\-\\-${name.replaceAll('-', '\\-')}\\fR`);
});

test('npx runs it from the packed file, without a clone', async () => {
  const { code, output } = await alone.npx(`./teebox-${manifest().version}.tgz`, 'teebox', '--version');
  expect(output.split('\n')).toContain(manifest().version);
  expect(code).toBe(0);
});

/** A CommonJS module that requires every entry. What it may do without: msw and vitest, which are not installed. */
const required = `
const entries = ENTRIES;
for (const entry of entries) require(entry);
const { createSandbox } = require('teebox');
const { serve } = require('teebox/server');
createSandbox().then(async (sandbox) => {
  const server = await serve(sandbox, { port: 0 });
  console.log((await fetch(server.url + '/__admin/health')).status, entries.length);
  await server.close();
});`;

test.each([
  ['this Node', () => process.execPath],
  ['Node 24', newerNode],
])('CommonJS requires its entries: %s', async (_name, node) => {
  const without = ['./msw', './vitest', './playwright', './workers', './types', './admin-types'];
  const entries = Object.keys(manifest().exports).filter((name) => !without.includes(name));
  const names = entries.map((name) => `teebox${name.slice(1)}`);
  alone.write({ 'all.cjs': required.replace('ENTRIES', JSON.stringify(names)) });
  expect(await alone.execute(node(), 'all.cjs')).toEqual({ code: 0, output: `200 ${names.length}\n` });
});
