// Generates what is derived and not committed if its sources have changed, and bundles each entry into dist/ with
// shared chunks, so that a command loads only what it needs.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { dirname, join } from 'node:path/posix';
import { build } from 'esbuild';
import { buildConsole } from './src/console/build.mjs';
import { noticesOf } from './spec/generate/notices.mjs';
import { doorsOfWings } from './spec/generate/doors.mjs';
import { entries } from './spec/generate/entries.mjs';
import { mergeChunks } from './spec/generate/merge-chunks.mjs';
import { isDerivedFresh } from './spec/generate/stamp.mjs';
import { writeChanged } from './spec/generate/write-changed.mjs';

if (!isDerivedFresh())
  execFileSync(process.execPath, ['--import', 'tsx', 'spec/generate.ts', '--derived'], { stdio: 'inherit' });

const { version, homepage, bugs } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the SDK of the protocol imports and our server never calls: schemas of zod 3, the check of a form, and tasks. */
const unused = {
  'zod/v3': 'export const object = undefined;',
  'zod-to-json-schema': 'export const zodToJsonSchema = undefined;',
  '../validation/ajv-provider.js': 'export class AjvJsonSchemaValidator {}',
  '../experimental/tasks/server.js': 'export class ExperimentalServerTasks {}',
  '../experimental/tasks/mcp-server.js': 'export class ExperimentalMcpServerTasks {}',
};
const withoutUnused = {
  name: 'unused parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(zod|\.\.\/)/ }, ({ path, importer }) =>
      path in unused && importer.includes('@modelcontextprotocol') ? { path, namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'unused' }, ({ path }) => ({ contents: unused[path] }));
  },
};

const { metafile, outputFiles } = await build({
  bundle: true,
  format: 'esm',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  // Tests that run side by side build before they begin: a build that changes nothing must not disturb the others.
  write: false,
  define: { TEEBOX_VERSION: JSON.stringify(version) },
  plugins: [doorsOfWings, withoutUnused],
  entryPoints: {
    ...entries,
    explorer: 'src/conformance/explore/explore.ts',
    catalogue: 'src/contract/generated/built/catalogue.ts',
    cli: 'src/cli/cli.ts',
    'proxy-checker': 'src/cli/proxy/check/thread.ts',
  },
  external: ['msw', 'vitest', 'cloudflare:workers'],
  outdir: 'dist',
  entryNames: '[name]',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  platform: 'node',
  target: 'node20.19',
});

// An import for its effects alone has none: package.json says so, and bundlers of our users warn of it.
const idle = /import"\.\/(?:chunks\/)?chunk-\w{8}\.js";/g;
const programs = ['dist/cli.js', 'dist/proxy-checker.js'];
const texts = outputFiles.map(({ path, text }) => {
  const name = relative(import.meta.dirname, path).replaceAll('\\', '/');
  return [name, programs.includes(name) ? text : text.replaceAll(idle, '')];
});
const files = await mergeChunks(new Map(texts), metafile);
for (const name of ['openapi.json', 'admin-openapi.json', 'operator-openapi.json']) {
  files.set(`dist/${name}`, readFileSync(`src/contract/generated/built/${name}`, 'utf8'));
}
// The guides for those who have installed the package. The others are on the site only: about the project, for operators
// and for people without Node, and what a command shows as well.
const onSiteOnly = [
  'architecture',
  'collections',
  'containers',
  'hosting',
  'index',
  'obligations',
  'operators',
  'speed',
];
const guides = readdirSync('docs').filter(
  (name) => name.endsWith('.md') && !onSiteOnly.includes(name.slice(0, -'.md'.length)),
);
for (const name of [...guides, 'quick-starts/curl.md']) {
  files.set(`dist/docs/${name}`, readFileSync(`docs/${name}`, 'utf8'));
}
for (const [path, text] of files) writeChanged(path, text);

// Old files are removed last, so that a process which starts during a build finds what it imports.
const all = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true });
const bundles = readdirSync('dist', { withFileTypes: true }).filter(({ name }) => name.endsWith('.js'));
for (const entry of [...bundles, ...all('dist/chunks'), ...all('dist/docs')]) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !files.has(path)) rmSync(path, { force: true });
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The address of a file for a page, which changes with its content. */
const addressOf = (name) => `${name}?${hashOf(files.get(`dist/${name}`))}`;

/** The titles of the guides by their ids, sorted, and a hash of all guides. */
function docsOf() {
  const pages = [...files].filter(([path]) => path.startsWith('dist/docs/'));
  const titles = pages.map(([path, text]) => [path.slice('dist/docs/'.length, -'.md'.length), /^# (.+)/.exec(text)[1]]);
  titles.sort(([, a], [, b]) => (a < b ? -1 : 1));
  return { titles: Object.fromEntries(titles), hash: hashOf(pages.map(([, text]) => text).join('')) };
}

const consoleMetafile = await buildConsole('dist/console', {
  homepage,
  repository: bugs.url.replace(/\/issues$/, ''),
  player: `./${addressOf('capsules.js')}`,
  explorer: `./${addressOf('explorer.js')}`,
  catalogue: `./${addressOf('catalogue.js')}`,
  api: addressOf('openapi.json'),
  adminApi: addressOf('admin-openapi.json'),
  docs: docsOf(),
});

/** The files that a bundle imports, itself first. */
function importedBy(path) {
  const found = new Set([path]);
  for (const one of found) {
    const paths = [...files.get(one).matchAll(/(?:from|import\(?)"(\.[^"]+)"/g)].map(([, next]) =>
      join(dirname(one), next),
    );
    for (const next of paths) if (files.has(next)) found.add(next);
  }
  return [...found];
}

// A configuration of workerd names each file that it embeds, and the names of these have a hash of their content.
const modules = importedBy('dist/workers.js').map((path) => path.replace('dist/', ''));
const modulesOf = modules.map((path) => `  (name = "${path}", esModule = embed "${path}"),\n`).join('');
const shown = readdirSync('dist/console').map((name) => `console/${name}`);
const shared = ['capsules.js', 'explorer.js', 'catalogue.js', 'openapi.json', 'admin-openapi.json']
  .flatMap((name) => importedBy(`dist/${name}`))
  .concat([...files.keys()].filter((path) => path.startsWith('dist/docs/')))
  .map((path) => path.replace('dist/', ''));
const filesOf = [...shown, ...new Set(shared)].map((path) => `  (name = "${path}", data = embed "${path}"),\n`);
writeChanged(
  'dist/files.capnp',
  `using Workerd = import "/workerd/workerd.capnp";

const worker :List(Workerd.Worker.Module) = [
${modulesOf}];

const console :List(Workerd.Worker.Binding) = [
${filesOf.join('')}];
`,
);

for (const schema of ['check.schema.json', 'world.schema.json'])
  writeChanged(`dist/${schema}`, JSON.stringify(JSON.parse(readFileSync(`spec/${schema}`, 'utf8'))));
writeChanged('dist/THIRD-PARTY-NOTICES.txt', noticesOf(metafile, consoleMetafile));
