import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../../dist/console/', import.meta.url);

/** The most that the JavaScript of all pages but the API reference has, gzipped. */
const MOST = 75_000;

/** The page of the API reference and its documents have their own files, which no other page loads. */
const isReference = (name: string): boolean => /^(reference|(admin-)?openapi)-/.test(name);

test('the console is below 75 kB of JavaScript, gzipped, without the API reference', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js') && !isReference(name));
  const sizes = files.map((name) => gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`The console: ${(total / 1000).toFixed(1)} kB of at most ${MOST / 1000} kB.`);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(MOST);
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
