import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsOf as faultsAt } from './compiler.js';
import { checkedBlocks } from './exceptions.js';
import { allBlocks, placeOf } from './pages.js';

const root = new URL('../../../../', import.meta.url).pathname;
const folder = join(root, 'test/examples');

const faultsOf = (modules: ReadonlyMap<string, string>): string[] => faultsAt(modules, folder);

/** The examples, which the types of the whole project hold, and which tests run. Pages show parts of them. */
const examples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Names that a page explains in its text, or that a test runner gives. */
const given = `
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from 'teebox';
`;

/** Whether a block is a module of CommonJS, which has to import for itself. */
function isCommonJs(code: string): boolean {
  return /\brequire\(/.test(code) && !/^import /m.test(code);
}

/** The code of a block as a module, with the names of `given` that it uses and does not import. */
function moduleOf(code: string): string {
  const imports = [...given.matchAll(/^import \{ (.*) \} from (.*);$/gm)].flatMap(([, names, from]) => {
    const used = names!.split(', ').filter((name) => {
      const isImported = new RegExp(`^import .*\\b${name}\\b`, 'm').test(code);
      return !isImported && new RegExp(`(?<![.\\w'])${name}\\b`).test(code);
    });
    return used.length > 0 ? [`import { ${used.join(', ')} } from ${from};`] : [];
  });
  return `${imports.join(' ')} export {};\n${code}`;
}

test('the TypeScript and JavaScript of the pages fits the types of the package', () => {
  const blocks = checkedBlocks(allBlocks(), 'types', ['ts', 'js', 'mjs']);
  const own = blocks.filter(({ code }) => !examples.some((text) => text.includes(code.trim())));
  const modules = own.map((block) => {
    const name = placeOf(block).replaceAll(/[^\w]/g, '-');
    return isCommonJs(block.code)
      ? ([`${name}.cjs`, block.code] as const)
      : ([`${name}.${block.language}`, moduleOf(block.code)] as const);
  });
  expect(blocks.length).toBeGreaterThan(own.length);
  expect(faultsOf(new Map(modules))).toEqual([]);
});

test.each<[code: string, message: string]>([
  ["import { createSandbox } from 'teebox';\nawait createSandbox({ nwo: '2026-06-01' });", "'nwo' does not exist"],
  ["import { absent } from 'teebox/admin';", "no exported member 'absent'"],
  ['const a: = 1;', 'Type expected'],
])('%s is found', (code, message) => {
  expect(faultsOf(new Map([['wrong.ts', moduleOf(code)]])).join('\n')).toContain(message);
});
