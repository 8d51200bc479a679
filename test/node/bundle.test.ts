import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** The core as a browser's bundler sees it: nothing of Node can be resolved. */
const { metafile, outputFiles } = await build({
  entryPoints: ['src/index.ts'],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  write: false,
  metafile: true,
  external: ['node:*'],
});

test('the core imports nothing of Node, and nothing of the room that does', () => {
  const foreign = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  expect(foreign.map(({ path }) => path)).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('src/node/'))).toEqual([]);
});

test.each(['new Function(', 'eval(', 'Date.now(', 'process.env', 'Buffer.from('])('the core has no `%s`', (text) => {
  const bundle = outputFiles[0]!.text;
  expect(bundle).toContain('function createSandbox(');
  expect(bundle.split('\n').filter((line) => line.includes(text))).toEqual([]);
});
