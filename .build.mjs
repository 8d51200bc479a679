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
  entryPoints: {
    index: 'src/index.ts',
    msw: 'src/msw/index.ts',
    vitest: 'src/vitest/index.ts',
    conformance: 'src/conformance/index.ts',
    server: 'src/node/server.ts',
    cli: 'src/node/cli.ts',
  },
  external: ['msw', 'vitest'],
  outdir: 'dist',
  entryNames: '[name]',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  // Its build for browsers is the one in modules; that for Node would bring a `require` along.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  metafile: true,
  define: { TEEBOX_VERSION: JSON.stringify(version) },
});

// Old chunks go last, so that a process which starts during a build finds what it imports.
for (const name of readdirSync('dist/chunks')) {
  if (!(`dist/chunks/${name}` in metafile.outputs)) rmSync(`dist/chunks/${name}`, { force: true });
}

for (const name of ['openapi', 'admin-openapi']) {
  const { outputFiles } = await build({ ...common, entryPoints: [`src/generated/${name}.ts`], write: false });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const [text] = Object.values(await import(`data:text/javascript;base64,${code}`));
  writeFileSync(`dist/${name}.json`, text);
}
