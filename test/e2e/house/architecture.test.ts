import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf } from './house.js';

const root = new URL('../../../', import.meta.url);

function filesIn(folder: string): string[] {
  const entries = readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root.pathname, join(parentPath, name)));
}

function treeOf(folder: string): Map<string, string> {
  const paths = filesIn(folder).filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

test('the core takes time, chance and the network from its host, and no imports run in a circle', () => {
  const tree = treeOf('src');
  expect(tree.size).toBeGreaterThan(60);
  expect(faultsOf(tree)).toEqual([]);
});

describe('a planted fault is found', () => {
  const rows: readonly [what: string, files: Record<string, string>, fault: string][] = [
    ['a module of Node by its short name', { 'src/engine/api/a.ts': "import 'fs';" }, 'src/engine/api/a.ts imports fs'],
    [
      'a module of Node',
      { 'src/engine/api/a.ts': "import { join } from 'node:path';" },
      'src/engine/api/a.ts imports node:path',
    ],
    [
      'the data library elsewhere',
      { 'src/engine/api/routes/a.ts': "import { Collection } from '@msw/data';" },
      'src/engine/api/routes/a.ts imports the data library',
    ],
    ['the time of the host', { 'src/engine/clock.ts': 'const t = Date.now();' }, 'src/engine/clock.ts uses Date.now'],
    [
      'the time of the host, as a value',
      { 'src/engine/clock.ts': 'const f = globalThis.Date.now;' },
      'src/engine/clock.ts uses Date.now',
    ],
    ['today', { 'src/engine/api/a.ts': 'const t = new Date();' }, 'src/engine/api/a.ts uses new Date()'],
    ['chance', { 'src/engine/store/a.ts': 'Math.random();' }, 'src/engine/store/a.ts uses Math.random'],
    [
      'an id of the host',
      { 'src/engine/store/a.ts': 'crypto.randomUUID();' },
      'src/engine/store/a.ts uses crypto.randomUUID',
    ],
    ['code made at run time', { 'src/engine/api/a.ts': "new Function('x');" }, 'src/engine/api/a.ts uses Function'],
    ['code read at run time', { 'src/engine/api/a.ts': "eval('x');" }, 'src/engine/api/a.ts uses eval'],
    ['the process', { 'src/engine/api/a.ts': 'process.exit();' }, 'src/engine/api/a.ts uses process'],
    ['the process, handed on', { 'src/engine/api/a.ts': 'run({ process });' }, 'src/engine/api/a.ts uses process'],
    [
      'the process, by the globals',
      { 'src/engine/api/a.ts': 'globalThis.process.exit();' },
      'src/engine/api/a.ts uses process',
    ],
    ['bytes of Node', { 'src/engine/api/a.ts': "Buffer.from('x');" }, 'src/engine/api/a.ts uses Buffer'],
    ['bytes of Node, as a type', { 'src/engine/api/a.ts': 'let a: Buffer;' }, 'src/engine/api/a.ts uses Buffer'],
    [
      'chance, by another name',
      { 'src/engine/api/a.ts': 'const { random: r } = Math;' },
      'src/engine/api/a.ts uses Math.random',
    ],
    ['chance, in brackets', { 'src/engine/api/a.ts': "Math['random']();" }, 'src/engine/api/a.ts uses Math.random'],
    [
      'a circle of components',
      { 'src/console/a.tsx': "import './b.js';", 'src/console/b.tsx': "import './a.js';" },
      'a circle: src/console/a.ts -> src/console/b.ts -> src/console/a.ts',
    ],
    [
      'a circle',
      {
        'src/engine/api/a.ts': "import './b.js';",
        'src/engine/api/b.ts': "import './c.js';",
        'src/engine/api/c.ts': "import './a.js';",
      },
      'a circle: src/engine/api/a.ts -> src/engine/api/b.ts -> src/engine/api/c.ts -> src/engine/api/a.ts',
    ],
  ];
  test.each(rows)('%s', (_, files, fault) => {
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([fault]);
  });

  test('and what is in order is not', () => {
    const files = {
      'src/engine/api/routes/a.ts': "import { b } from '../domain/b.js';\nconst day = new Date(0);",
      'src/engine/model/b.ts':
        "import { c } from '../generated/c.js';\nexport const b = { process: c.process, now: c.now() };",
      'src/contract/generated/c.ts': 'Date.now();',
      'src/cli/d.ts': "import { join } from 'node:path';\nDate.now();\nprocess.exit();",
    };
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([]);
  });
});
