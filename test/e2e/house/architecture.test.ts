import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf, fullFolders } from './house.js';
import { rooms } from './rooms.js';

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

test('the house is in order', () => {
  const tree = treeOf('src');
  expect(tree.size).toBeGreaterThan(60);
  expect(faultsOf(tree)).toEqual([]);
});

test('no room reaches, by way of others, one that reaches it', () => {
  const reaches = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of rooms[from]!) if (!seen.has(next)) reaches(next, seen.add(next));
    return seen;
  };
  for (const room of Object.keys(rooms)) expect([...reaches(room)], room).not.toContain(room);
  expect([...reaches('conformance')].filter((room) => !room.startsWith('conformance/')).sort()).toEqual([
    'evidence',
    'generated',
  ]);
});

test('test files stay within 250 lines', () => {
  const long = [...treeOf('test')].filter(([, text]) => text.split('\n').length > 251).map(([path]) => path);
  expect(long).toEqual([]);
});

test('folders hold at most 20 files', () => {
  const paths = ['src', 'test'].flatMap(filesIn);
  expect(paths.length).toBeGreaterThan(400);
  expect(fullFolders(paths)).toEqual([]);
});

describe('a planted fault is found', () => {
  const lines = (count: number) => 'work();\n'.repeat(count);
  const rows: readonly [what: string, files: Record<string, string>, fault: string][] = [
    [
      'an import upwards',
      { 'src/engine/model/a.ts': "import { b } from '../routes/b.js';" },
      'src/engine/model/a.ts imports src/engine/api/routes/b.ts, upwards',
    ],
    [
      'a page that knows the core',
      { 'src/console/pages/a.tsx': "import { b } from '../../domain/b.js';" },
      'src/console/pages/a.tsx imports src/engine/model/b.ts, upwards',
    ],
    [
      'a type upwards',
      { 'src/engine/store/a.ts': "import type { B } from '../http/b.js';" },
      'src/engine/store/a.ts imports src/engine/api/b.ts, upwards',
    ],
    [
      'an export upwards',
      { 'src/engine/api/a.ts': "export * from '../sandbox.js';" },
      'src/engine/api/a.ts imports src/engine/sandbox.ts, upwards',
    ],
    [
      'an import at run time',
      { 'src/engine/model/a.ts': "void import('../node/b.js');" },
      'src/engine/model/a.ts imports src/cli/b.ts, upwards',
    ],
    [
      'the suite that knows the engine',
      { 'src/conformance/rules/a.ts': "import '../../domain/b.js';" },
      'src/conformance/rules/a.ts imports src/engine/model/b.ts, upwards',
    ],
    ['an unknown room', { 'src/attic/a.ts': '' }, 'src/attic/a.ts: `attic` is no room of the house'],
    [
      'a type upwards, in place',
      { 'src/engine/store/a.ts': "let b: import('../http/b.js').B;" },
      'src/engine/store/a.ts imports src/engine/api/b.ts, upwards',
    ],
    ['a module of Node by its short name', { 'src/engine/api/a.ts': "import 'fs';" }, 'src/engine/api/a.ts imports fs'],
    ['a module of Node', { 'src/engine/api/a.ts': "import { join } from 'node:path';" }, 'src/engine/api/a.ts imports node:path'],
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
    ['an id of the host', { 'src/engine/store/a.ts': 'crypto.randomUUID();' }, 'src/engine/store/a.ts uses crypto.randomUUID'],
    ['code made at run time', { 'src/engine/api/a.ts': "new Function('x');" }, 'src/engine/api/a.ts uses Function'],
    ['code read at run time', { 'src/engine/api/a.ts': "eval('x');" }, 'src/engine/api/a.ts uses eval'],
    ['the process', { 'src/engine/api/a.ts': 'process.exit();' }, 'src/engine/api/a.ts uses process'],
    ['the process, handed on', { 'src/engine/api/a.ts': 'run({ process });' }, 'src/engine/api/a.ts uses process'],
    ['the process, by the globals', { 'src/engine/api/a.ts': 'globalThis.process.exit();' }, 'src/engine/api/a.ts uses process'],
    ['bytes of Node', { 'src/engine/api/a.ts': "Buffer.from('x');" }, 'src/engine/api/a.ts uses Buffer'],
    ['bytes of Node, as a type', { 'src/engine/api/a.ts': 'let a: Buffer;' }, 'src/engine/api/a.ts uses Buffer'],
    ['chance, by another name', { 'src/engine/api/a.ts': 'const { random: r } = Math;' }, 'src/engine/api/a.ts uses Math.random'],
    ['chance, in brackets', { 'src/engine/api/a.ts': "Math['random']();" }, 'src/engine/api/a.ts uses Math.random'],
    ['a long function', { 'src/engine/api/a.ts': `function f() {\n${lines(44)}}` }, 'src/engine/api/a.ts: f has 46 lines'],
    ['a long file', { 'src/engine/api/a.ts': lines(251) }, 'src/engine/api/a.ts has 251 lines'],
    [
      'a name of two types',
      { 'src/engine/model/a.ts': 'export interface Slot {}', 'src/engine/store/b.ts': 'type Slot = number;' },
      'src/engine/model/a.ts and src/engine/store/b.ts both declare the type Slot',
    ],
    [
      'a circle of components',
      { 'src/console/a.tsx': "import './b.js';", 'src/console/b.tsx': "import './a.js';" },
      'a circle: src/console/a.ts -> src/console/b.ts -> src/console/a.ts',
    ],
    [
      'a circle',
      { 'src/engine/api/a.ts': "import './b.js';", 'src/engine/api/b.ts': "import './c.js';", 'src/engine/api/c.ts': "import './a.js';" },
      'a circle: src/engine/api/a.ts -> src/engine/api/b.ts -> src/engine/api/c.ts -> src/engine/api/a.ts',
    ],
  ];
  test.each(rows)('%s', (_, files, fault) => {
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([fault]);
  });

  test('a full folder', () => {
    const filled = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}`);
    const paths = ['src/engine/api', 'test/engine/rules/bookings'].flatMap((folder) => filled(folder, 21));
    expect(fullFolders(paths)).toEqual(['src/engine/api has 21 files', 'test/engine/rules/bookings has 21 files']);
    const inOrder = [...filled('src/engine/api', 20), ...filled('src/engine/api/deep', 20), ...filled('scenarios', 30)];
    expect(fullFolders(inOrder)).toEqual([]);
  });

  test('and what is in order is not', () => {
    const files = {
      'src/engine/api/routes/a.ts': "import { b } from '../domain/b.js';\nconst day = new Date(0);",
      'src/engine/model/b.ts':
        "import { c } from '../generated/c.js';\nexport const b = { process: c.process, now: c.now() };",
      'src/contract/generated/c.ts': lines(400),
      'src/cli/d.ts': "import { join } from 'node:path';\nDate.now();\nprocess.exit();",
    };
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([]);
  });
});
