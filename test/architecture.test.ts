import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faultsOf, rooms } from './support/house.js';

const root = new URL('../', import.meta.url);

function treeOf(folder: string): Map<string, string> {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  const paths = names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name}`);
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
  expect([...reaches('conformance')]).toEqual(['generated']);
});

test('test files stay within 250 lines', () => {
  const long = [...treeOf('test')].filter(([, text]) => text.split('\n').length > 251).map(([path]) => path);
  expect(long).toEqual([]);
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
      'a type upwards',
      { 'src/store/a.ts': "import type { B } from '../app/b.js';" },
      'src/store/a.ts imports src/app/b.ts, upwards',
    ],
    [
      'an export upwards',
      { 'src/app/a.ts': "export * from '../sandbox.js';" },
      'src/app/a.ts imports src/sandbox.ts, upwards',
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
      { 'src/store/a.ts': "let b: import('../app/b.js').B;" },
      'src/store/a.ts imports src/app/b.ts, upwards',
    ],
    ['a module of Node by its short name', { 'src/app/a.ts': "import 'fs';" }, 'src/app/a.ts imports fs'],
    ['a module of Node', { 'src/app/a.ts': "import { join } from 'node:path';" }, 'src/app/a.ts imports node:path'],
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
    ['today', { 'src/app/a.ts': 'const t = new Date();' }, 'src/app/a.ts uses new Date()'],
    ['chance', { 'src/store/a.ts': 'Math.random();' }, 'src/store/a.ts uses Math.random'],
    ['an id of the host', { 'src/store/a.ts': 'crypto.randomUUID();' }, 'src/store/a.ts uses crypto.randomUUID'],
    ['code made at run time', { 'src/app/a.ts': "new Function('x');" }, 'src/app/a.ts uses Function'],
    ['code read at run time', { 'src/app/a.ts': "eval('x');" }, 'src/app/a.ts uses eval'],
    ['the process', { 'src/app/a.ts': 'process.exit();' }, 'src/app/a.ts uses process'],
    ['the process, handed on', { 'src/app/a.ts': 'run({ process });' }, 'src/app/a.ts uses process'],
    ['the process, by the globals', { 'src/app/a.ts': 'globalThis.process.exit();' }, 'src/app/a.ts uses process'],
    ['bytes of Node', { 'src/app/a.ts': "Buffer.from('x');" }, 'src/app/a.ts uses Buffer'],
    ['bytes of Node, as a type', { 'src/app/a.ts': 'let a: Buffer;' }, 'src/app/a.ts uses Buffer'],
    ['chance, by another name', { 'src/app/a.ts': 'const { random: r } = Math;' }, 'src/app/a.ts uses Math.random'],
    ['chance, in brackets', { 'src/app/a.ts': "Math['random']();" }, 'src/app/a.ts uses Math.random'],
    ['a long function', { 'src/app/a.ts': `function f() {\n${lines(44)}}` }, 'src/app/a.ts: f has 46 lines'],
    ['a long file', { 'src/app/a.ts': lines(251) }, 'src/app/a.ts has 251 lines'],
    [
      'a circle',
      { 'src/app/a.ts': "import './b.js';", 'src/app/b.ts': "import './c.js';", 'src/app/c.ts': "import './a.js';" },
      'a circle: src/app/a.ts -> src/app/b.ts -> src/app/c.ts -> src/app/a.ts',
    ],
  ];
  test.each(rows)('%s', (_, files, fault) => {
    expect(faultsOf(new Map(Object.entries(files)))).toEqual([fault]);
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
