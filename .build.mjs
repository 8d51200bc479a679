// Bundles each entry into dist/ with shared chunks, so that a command loads only what it needs.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

const { metafile } = await build({
  ...common,
  entryPoints: ['src/index.ts', 'src/node/server.ts', 'src/node/cli.ts'],
  outdir: 'dist',
  entryNames: '[name]',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  metafile: true,
  define: { TEEBOX_VERSION: JSON.stringify(version) },
});

// Old chunks go last, so that a process which starts during a build finds what it imports.
for (const name of readdirSync('dist/chunks')) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) rmSync(`dist/chunks/${name}`, { force: true });
}

const { outputFiles } = await build({ ...common, entryPoints: ['src/generated/openapi.ts'], write: false });
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { openapi } = await import(`data:text/javascript;base64,${code}`);
writeFileSync('dist/openapi.json', openapi);
