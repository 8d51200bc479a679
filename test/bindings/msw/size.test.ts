import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const KILOBYTE = 1000;

/** Gzipped sizes of what a bundler makes of the package's sandbox and handlers, for a page that has msw. */
async function bundled(): Promise<{ readonly sizes: ReadonlyMap<string, number>; readonly metafile: Metafile }> {
  const contents = "export { createSandbox } from './index.js'; export { createHandlers } from './msw.js';";
  const root = new URL('../../..', import.meta.url).pathname;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${root}dist`, sourcefile: 'entry.js' },
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    external: ['msw'],
    write: false,
    metafile: true,
  });
  return { sizes: new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).length])), metafile };
}

/** The files that are loaded with an entry; those that it imports when they are needed are not among them. */
function loadedWith({ outputs }: Metafile, name: string, loaded = new Set<string>()): Set<string> {
  loaded.add(name);
  for (const { path, kind } of outputs[name]!.imports) {
    if (kind === 'import-statement' && path in outputs && !loaded.has(path))
      loadedWith({ outputs, inputs: {} }, path, loaded);
  }
  return loaded;
}

test('a browser downloads less than 200 kB for the engine', async () => {
  const { sizes, metafile } = await bundled();
  const [entry] = Object.entries(metafile.outputs).find(([, { exports }]) => exports.includes('createSandbox'))!;
  const loaded = loadedWith(metafile, entry);
  const sum = (wanted: (name: string) => boolean) =>
    [...sizes].reduce((total, [path, size]) => total + (wanted(path.slice(path.indexOf('/out/') + 1)) ? size : 0), 0);
  const atOnce = sum((name) => loaded.has(name));
  const onDemand = sum((name) => !loaded.has(name));
  const told = [atOnce, onDemand].map((size) => `${Math.round(size / KILOBYTE)} kB`);
  console.log(
    `The engine gzipped: ${told[0]}, and ${told[1]} when the admin API is asked, rules are explained or own scenarios read`,
  );
  expect(onDemand).toBeGreaterThan(0);
  expect(atOnce).toBeGreaterThan(50 * KILOBYTE);
  // About 157 kB today. The room is for what is added on purpose; a library that slips in takes more.
  expect(atOnce).toBeLessThan(200 * KILOBYTE);
});
