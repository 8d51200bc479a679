// Bundles each entry into dist/ with shared chunks, so that a command loads only what it needs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/index.ts', 'src/node/server.ts', 'src/node/cli.ts', 'src/generated/openapi.ts'],
  outdir: 'dist',
  entryNames: '[name]',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
  define: { TEEBOX_VERSION: JSON.stringify(version) },
});

const { openapi } = await import(new URL('dist/openapi.js', import.meta.url));
writeFileSync('dist/openapi.json', openapi);
rmSync('dist/openapi.js');
