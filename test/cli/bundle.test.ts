import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { doorsOfWings } from '../../spec/generate/doors.mjs';
import { mergeChunks } from '../../spec/generate/merge-chunks.mjs';

/** The core as a browser's bundler sees it: nothing of Node can be resolved. */
const { metafile, outputFiles } = await build({
  entryPoints: ['src/engine/library.ts'],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  write: false,
  metafile: true,
  external: ['node:*'],
  plugins: [doorsOfWings],
});

test('the core imports nothing of Node, and nothing of the wing that does', () => {
  const foreign = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  expect(foreign.map(({ path }) => path)).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('src/cli/'))).toEqual([]);
});

test.each(['new Function(', 'eval(', 'Date.now(', 'process.env', 'Buffer.from('])('the core has no `%s`', (text) => {
  const bundle = outputFiles[0]!.text;
  expect(bundle).toContain('function createSandbox(');
  expect(bundle.split('\n').filter((line) => line.includes(text))).toEqual([]);
});

test('the server loads no more of Node than this at its start; the classes of the web come when it listens', async () => {
  const { metafile } = await build({
    entryPoints: ['src/cli/commands/serve.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'unwritten',
    write: false,
    metafile: true,
    plugins: [doorsOfWings],
  });
  const loaded = new Set(['src/cli/commands/serve.ts']);
  for (const path of loaded) {
    for (const { path: next, kind } of metafile.inputs[path]?.imports ?? [])
      if (kind === 'import-statement') loaded.add(next);
  }
  const found = [...loaded].filter((path) =>
    /^node:|@hono\/node-server|@msw\/data|\bjs-yaml\b|-validators?\./.test(path),
  );
  expect(found.map((path) => path.replace('src/contract/generated/built/', '')).sort()).toEqual([
    'input-validators.js',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:os',
    'node:stream/consumers',
    'node:string_decoder',
    'node:timers/promises',
    'node:util',
    'node:v8',
    'request-validators.js',
  ]);
});

test('merging chunks makes fewer files, which do the same and load no other module of Node', async () => {
  const files: Readonly<Record<string, string>> = {
    one: "import { large } from 'large'; import { a } from 'a'; export const sum = large.length + a;",
    two: "import { large } from 'large'; import { a } from 'a'; import { b } from 'b'; export const sum = large.length + a + b;",
    three: "import { b } from 'b'; import { c } from 'c'; export const sum = b + c;",
    four: "import { c } from 'c'; export const sum = async () => c + (await import('later')).default;",
    later: "import { large } from 'large'; export default large.length;",
    large: `export const large = ${JSON.stringify(Array.from({ length: 5000 }, (_, at) => at))};`,
    a: 'export const a = Math.abs(-1);',
    b: "import { large } from 'large'; export const b = large.length + 2;",
    c: "import { STATUS_CODES } from 'node:http'; export const c = STATUS_CODES[200].length;",
  };
  const entries = ['one', 'two', 'three', 'four'];
  const { metafile, outputFiles } = await build({
    entryPoints: entries,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    outdir: 'dist',
    entryNames: '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    metafile: true,
    plugins: [
      {
        name: 'files',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\w+$/ }, ({ path }) => ({ path, namespace: 'files' }));
          onLoad({ filter: /./, namespace: 'files' }, ({ path }) => ({ contents: files[path]! }));
        },
      },
    ],
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(process.cwd(), path), text]));
  const merged = await mergeChunks(texts, metafile);
  expect(merged.size).toBeLessThan(texts.size);

  const folder = mkdtempSync(join(tmpdir(), 'teebox-chunks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of merged) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const loaded = (path: string): string[] => [
    path,
    ...[...(merged.get(path) ?? '').matchAll(/from"([^"]+)"/g)].flatMap(([, to]) =>
      loaded(to!.startsWith('.') ? join(dirname(path), to!) : to!),
    ),
  ];
  const { one, two, three, four } = Object.fromEntries(
    await Promise.all(entries.map(async (name) => [name, (await import(join(folder, `dist/${name}.js`))).sum])),
  );
  expect([one, two, three, await four()]).toEqual([5001, 10_003, 5004, 5002]);
  expect(entries.filter((name) => loaded(`dist/${name}.js`).includes('node:http'))).toEqual(['three', 'four']);
});
