import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultsOf, fullFolders } from './support/house.js';
import { rooms } from './support/rooms.js';

const root = new URL('../', import.meta.url);

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
      { 'src/domain/a.ts': "import { b } from '../routes/b.js';" },
      'src/domain/a.ts imports src/routes/b.ts, upwards',
    ],
    [
      'a page that knows the core',
      { 'src/console/pages/a.tsx': "import { b } from '../../domain/b.js';" },
      'src/console/pages/a.tsx imports src/domain/b.ts, upwards',
    ],
    [
      'a type upwards',
      { 'src/store/a.ts': "import type { B } from '../http/b.js';" },
      'src/store/a.ts imports src/http/b.ts, upwards',
    ],
    [
      'an export upwards',
      { 'src/http/a.ts': "export * from '../sandbox.js';" },
      'src/http/a.ts imports src/sandbox.ts, upwards',
    ],
    [
      'an import at run time',
      { 'src/domain/a.ts': "void import('../node/b.js');" },
      'src/domain/a.ts imports src/node/b.ts, upwards',
    ],
    [
      'the suite that knows the engine',
      { 'src/conformance/rules/a.ts': "import '../../domain/b.js';" },
      'src/conformance/rules/a.ts imports src/domain/b.ts, upwards',
    ],
    ['an unknown room', { 'src/attic/a.ts': '' }, 'src/attic/a.ts: `attic` is no room of the house'],
    [
      'a type upwards, in place',
      { 'src/store/a.ts': "let b: import('../http/b.js').B;" },
      'src/store/a.ts imports src/http/b.ts, upwards',
    ],
    ['a module of Node by its short name', { 'src/http/a.ts': "import 'fs';" }, 'src/http/a.ts imports fs'],
    ['a module of Node', { 'src/http/a.ts': "import { join } from 'node:path';" }, 'src/http/a.ts imports node:path'],
    [
      'the data library elsewhere',
      { 'src/routes/a.ts': "import { Collection } from '@msw/data';" },
      'src/routes/a.ts imports the data library',
    ],
    ['the time of the host', { 'src/clock.ts': 'const t = Date.now();' }, 'src/clock.ts uses Date.now'],
    [
      'the time of the host, as a value',
      { 'src/clock.ts': 'const f = globalThis.Date.now;' },
      'src/clock.ts uses Date.now',
    ],
    ['today', { 'src/http/a.ts': 'const t = new Date();' }, 'src/http/a.ts uses new Date()'],
    ['chance', { 'src/store/a.ts': 'Math.random();' }, 'src/store/a.ts uses Math.random'],
    ['an id of the host', { 'src/store/a.ts': 'crypto.randomUUID();' }, 'src/store/a.ts uses crypto.randomUUID'],
    ['code made at run time', { 'src/http/a.ts': "new Function('x');" }, 'src/http/a.ts uses Function'],
    ['code read at run time', { 'src/http/a.ts': "eval('x');" }, 'src/http/a.ts uses eval'],
    ['the process', { 'src/http/a.ts': 'process.exit();' }, 'src/http/a.ts uses process'],
    ['the process, handed on', { 'src/http/a.ts': 'run({ process });' }, 'src/http/a.ts uses process'],
    ['the process, by the globals', { 'src/http/a.ts': 'globalThis.process.exit();' }, 'src/http/a.ts uses process'],
    ['bytes of Node', { 'src/http/a.ts': "Buffer.from('x');" }, 'src/http/a.ts uses Buffer'],
    ['bytes of Node, as a type', { 'src/http/a.ts': 'let a: Buffer;' }, 'src/http/a.ts uses Buffer'],
    ['chance, by another name', { 'src/http/a.ts': 'const { random: r } = Math;' }, 'src/http/a.ts uses Math.random'],
    ['chance, in brackets', { 'src/http/a.ts': "Math['random']();" }, 'src/http/a.ts uses Math.random'],
    ['a long function', { 'src/http/a.ts': `function f() {\n${lines(44)}}` }, 'src/http/a.ts: f has 46 lines'],
    ['a long file', { 'src/http/a.ts': lines(251) }, 'src/http/a.ts has 251 lines'],
    [
      'a name of two types',
      { 'src/domain/a.ts': 'export interface Slot {}', 'src/store/b.ts': 'type Slot = number;' },
      'src/domain/a.ts and src/store/b.ts both declare the type Slot',
    ],
    [
      'a circle of components',
      { 'src/console/a.tsx': "import './b.js';", 'src/console/b.tsx': "import './a.js';" },
      'a circle: src/console/a.ts -> src/console/b.ts -> src/console/a.ts',
    ],
    [
      'a circle',
      { 'src/http/a.ts': "import './b.js';", 'src/http/b.ts': "import './c.js';", 'src/http/c.ts': "import './a.js';" },
      'a circle: src/http/a.ts -> src/http/b.ts -> src/http/c.ts -> src/http/a.ts',
    ],
  ];
  test.each(rows)('%s', (_, files, fault) => {
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([fault]);
  });

  test('a full folder', () => {
    const filled = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}`);
    const paths = ['src/http', 'test/rules/bookings'].flatMap((folder) => filled(folder, 21));
    expect(fullFolders(paths)).toEqual(['src/http has 21 files', 'test/rules/bookings has 21 files']);
    const inOrder = [...filled('src/http', 20), ...filled('src/http/deep', 20), ...filled('scenarios', 30)];
    expect(fullFolders(inOrder)).toEqual([]);
  });

  test('and what is in order is not', () => {
    const files = {
      'src/routes/a.ts': "import { b } from '../domain/b.js';\nconst day = new Date(0);",
      'src/domain/b.ts':
        "import { c } from '../generated/c.js';\nexport const b = { process: c.process, now: c.now() };",
      'src/generated/c.ts': lines(400),
      'src/node/d.ts': "import { join } from 'node:path';\nDate.now();\nprocess.exit();",
    };
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([]);
  });
});
