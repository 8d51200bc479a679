import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../../dist/console/', import.meta.url);

/** The most that all pages of the console have together, gzipped, without the API reference. */
const MOST_SCRIPT = 75_000;
const MOST_STYLE = 12_000;

/** The page of the API reference and its documents have their own files, which no other page loads. */
const isReference = (name: string): boolean => /^(reference|(admin-)?openapi)-/.test(name);

test.each([
  ['scripts', /\.js$/, MOST_SCRIPT],
  ['styles', /\.css$/, MOST_STYLE],
] as const)('the %s of the console are small, gzipped, without the API reference', (_what, pattern, most) => {
  const files = readdirSync(folder).filter((name) => pattern.test(name) && !isReference(name));
  const sizes = files.map((name) => gzipSync(readFileSync(new URL(name, folder))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(5000);
  expect(total).toBeLessThan(most);
});

test('it is no part of the library or the command line', async () => {
  const { metafile } = await build({
    entryPoints: ['src/engine/library.ts', 'src/bindings/msw.ts', 'src/cli/cli.ts', 'src/cli/server.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: 'dist',
    external: ['msw', 'vitest'],
    write: false,
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.length).toBeGreaterThan(100);
  expect(inputs.filter((path) => /src\/console|preact|lucide/.test(path))).toEqual([]);
});
