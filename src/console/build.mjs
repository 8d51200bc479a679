// Bundles the console into a folder: a page, and files whose names have a hash of their content.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { doorsOfWings } from '../../spec/generate/doors.mjs';
import { writeChanged } from '../../spec/generate/write-changed.mjs';

const room = 'src/console';

/** How everything is bundled for the browsers since 2024. */
const common = {
  entryNames: '[name]-[hash]',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
  plugins: [doorsOfWings],
};

/**
 * Builds the console for a package with this homepage and repository. `player`, `explorer`, `catalogue`, `api` and `adminApi`
 * are the addresses of files of the package, and `docs` are the titles and the hash of its pages. Returns esbuild's metafile.
 */
export async function buildConsole(folder, { homepage, repository, player, explorer, catalogue, api, adminApi, docs }) {
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: {
      console: `${room}/main.tsx`,
      style: `${room}/style/index.css`,
      icon: `${room}/icon.svg`,
    },
    define: {
      TEEBOX_DOCS: JSON.stringify(docs),
      TEEBOX_HOMEPAGE: JSON.stringify(homepage),
      TEEBOX_REPOSITORY: JSON.stringify(repository),
      TEEBOX_PLAYER: JSON.stringify(player),
      TEEBOX_EXPLORER: JSON.stringify(explorer),
      TEEBOX_API: JSON.stringify(api),
      TEEBOX_ADMIN_API: JSON.stringify(adminApi),
    },
    external: [player, explorer],
    plugins: [catalogueAt(catalogue), ...common.plugins],
    loader: { '.svg': 'copy' },
    tsconfig: `${room}/tsconfig.json`,
    outdir: folder,
    chunkNames: '[name]-[hash]',
    splitting: true,
    metafile: true,
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const nameOf = (pattern) => names.find((name) => pattern.test(name));
  const entry = Object.entries(metafile.outputs).find(([path]) => /\/console-[^/]*\.js$/.test(path));
  const parts = entry[1].imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path));
  const page = readFileSync(`${room}/page.html`, 'utf8')
    .replace('PARTS', parts.map((name) => `<link rel="modulepreload" href="console/${name}" />`).join('\n    '))
    .replace('SCRIPT', nameOf(/^console-.*\.js$/))
    .replace('STYLE', nameOf(/^style-.*\.css$/))
    .replace('ICON', nameOf(/^icon-.*\.svg$/));
  const files = [
    ...outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
    { name: 'index.html', contents: Buffer.from(page) },
  ];
  // Every browser takes them compressed.
  for (const { name, contents } of files) writeChanged(`${folder}/${name}.gz`, gzipSync(contents, { level: 9 }));
  const kept = new Set(files.map(({ name }) => `${name}.gz`));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(`${folder}/${name}`, { recursive: true });
  return metafile;
}

/** A plugin: the catalogue is a file of the package. */
const catalogueAt = (address) => ({
  name: 'catalogue',
  setup({ onResolve }) {
    onResolve({ filter: /\/built\/catalogue\.[jt]s$/ }, () => ({ path: address, external: true }));
  },
});
