// Generates what is derived and not committed if its sources have changed, and bundles each entry into dist/ with
// shared chunks, so that a command loads only what it needs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { buildConsole } from './src/console/build.mjs';
import { noticesOf } from './spec/generate/notices.mjs';
import { doorsOfWings } from './spec/generate/doors.mjs';
import { isDerivedFresh } from './spec/generate/stamp.mjs';
import { writeChanged } from './spec/generate/write-changed.mjs';

if (!isDerivedFresh())
  execFileSync(process.execPath, ['--import', 'tsx', 'spec/generate.ts', '--derived'], { stdio: 'inherit' });

const { version, homepage } = JSON.parse(readFileSync('package.json', 'utf8'));

const common = {
  bundle: true,
  format: 'esm',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  // The `modules` build of yaml is the one for browsers; the one for Node would add a `require`.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  metafile: true,
  // Tests that run side by side build before they begin: a build that changes nothing must not disturb the others.
  write: false,
  define: { TEEBOX_VERSION: JSON.stringify(version) },
  plugins: [doorsOfWings],
};

const { metafile, outputFiles } = await build({
  ...common,
  entryPoints: {
    index: 'src/engine/library.ts',
    msw: 'src/bindings/msw.ts',
    vitest: 'src/bindings/vitest.ts',
    capsules: 'src/engine/play.ts',
    admin: 'src/bindings/admin-client/library.ts',
    playwright: 'src/bindings/playwright.ts',
    conformance: 'src/conformance/library.ts',
    certify: 'src/certification/library.ts',
    server: 'src/cli/server.ts',
    cli: 'src/cli/cli.ts',
    'proxy-judge': 'src/cli/proxy/judge/thread.ts',
  },
  external: ['msw', 'vitest'],
  outdir: 'dist',
  entryNames: '[name]',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  platform: 'node',
  target: 'node20.19',
});

// workerd takes the modules that its configuration names, so this entry is one file.
const { metafile: workersMetafile, outputFiles: workersFiles } = await build({
  ...common,
  entryPoints: { workers: 'src/hosted/library.ts' },
  external: ['cloudflare:workers'],
  outdir: 'dist',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
});

for (const { path, contents } of [...outputFiles, ...workersFiles]) writeChanged(path, contents);

// Old chunks are removed last, so that a process which starts during a build finds what it imports.
for (const name of readdirSync('dist/chunks')) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) rmSync(`dist/chunks/${name}`, { force: true });
}

const consoleMetafile = await buildConsole('dist/console', homepage);

// A configuration of workerd can embed these files, whose names have a hash of their content.
const files = readdirSync('dist/console').map((name) => `  (name = "${name}", data = embed "console/${name}"),\n`);
writeChanged(
  'dist/console.capnp',
  `using Workerd = import "/workerd/workerd.capnp";\n\nconst files :List(Workerd.Worker.Binding) = [\n${files.join('')}];\n`,
);

for (const name of ['openapi.json', 'admin-openapi.json']) {
  writeChanged(`dist/${name}`, readFileSync(`src/contract/generated/built/${name}`));
}
writeChanged('dist/check.schema.json', readFileSync('spec/check.schema.json'));
writeChanged('dist/THIRD-PARTY-NOTICES.txt', noticesOf(metafile, workersMetafile, consoleMetafile));
