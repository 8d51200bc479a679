import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { doorsOfWings } from '../../spec/generate/doors.mjs';

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
  const found = [...loaded].filter((path) => /^node:|@hono\/node-server|@msw\/data|\byaml\b|-validators?\./.test(path));
  expect(found.map((path) => path.replace('src/contract/generated/built/', '')).sort()).toEqual([
    'input-validators.js',
    'node:fs',
    'node:http',
    'node:os',
    'node:stream/consumers',
    'node:timers/promises',
    'node:util',
    'node:v8',
    'request-validators.js',
  ]);
});
