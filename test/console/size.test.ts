import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../../dist/console/', import.meta.url);

/** The most that the console has, gzipped, with all of its pages. */
const MOST = 80_000;

/** The documents of the API reference have their own files, which no other page loads. */
const isDocument = (name: string): boolean => /^(admin-)?openapi-/.test(name);

test('the console is below 80 kB, gzipped', () => {
  const files = readdirSync(folder).filter((name) => !isDocument(name));
  expect(files).toContain('index.html');
  const sizes = files.map((name) => gzipSync(readFileSync(new URL(name, folder))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
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
