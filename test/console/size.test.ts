import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../../dist/console/', import.meta.url);

/** The most that a browser loads before it shows a page, gzipped. */
const MOST_SCRIPT = 77_000;
const MOST_STYLE = 12_000;
/** The most of all pages, without that of the docs and what they import of the package. */
const MOST_PAGES = 104_000;

const names = readdirSync(folder).map((name) => name.replace(/\.gz$/, ''));
const packed = (name: string): Buffer => readFileSync(new URL(`${name}.gz`, folder));
const textOf = (name: string): string => gunzipSync(packed(name)).toString();
const sizeOf = (name: string): number => packed(name).length;
const sumOf = (some: readonly string[]): number => some.reduce((sum, name) => sum + sizeOf(name), 0);

test('what a browser loads before it shows a page of the console is small', () => {
  const page = textOf('index.html');
  const loaded = names.filter((name) => page.includes(`"console/${name}"`));
  const [scripts, styles] = [/\.js$/, /\.css$/].map((end) => loaded.filter((name) => end.test(name)));
  const imported = scripts!.flatMap((name) =>
    [...textOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)].map(([, one]) => one!),
  );
  expect(imported.filter((name) => !loaded.includes(name))).toEqual([]);
  expect(sumOf(scripts!)).toBeGreaterThan(20_000);
  expect(sumOf(scripts!)).toBeLessThan(MOST_SCRIPT);
  expect(sumOf(styles!)).toBeGreaterThan(2000);
  expect(sumOf(styles!)).toBeLessThan(MOST_STYLE);
});

test('all pages of the console are small', () => {
  const pages = names.filter((name) => name.endsWith('.js') && !name.startsWith('docs-'));
  expect(sumOf(pages)).toBeLessThan(MOST_PAGES);
});

test('it is no part of the library or the command line', { tags: ['slow'] }, async () => {
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
