// Makes a single executable of the command for Linux: Node with the command and its files inside. It contains the Node that
// runs this script. Usage, after `npm run build`: node deploy/executable/build.mjs [FILE]
// See https://nodejs.org/api/single-executable-applications.html.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const target = resolve(process.argv[2] ?? join(root, 'dist-executable/teebox'));
/** Node looks for this mark in itself; postject changes it when it adds the blob. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const POSTJECT = 'postject@1.0.0-alpha.6';

/** The executable runs one CommonJS file. It has no address of its own files, so theirs is that of the executable. */
async function bundle(name, folder) {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [join(root, `dist/${name}.js`)],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    // The manifest says that modules have no side effects, which is not meant for the command.
    ignoreAnnotations: true,
    define: { 'import.meta.url': 'executableUrl' },
    banner: { js: "const executableUrl=require('node:url').pathToFileURL(process.execPath).href;" },
    logLevel: 'error',
  });
  return outfile;
}

/** The files that the command reads, by their path in the package. */
function filesRead() {
  const folders = ['console', 'chunks', 'docs', 'docs/quick-starts'].flatMap((folder) =>
    readdirSync(join(root, `dist/${folder}`), { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => `dist/${folder}/${name}`),
  );
  const scripts = ['capsules.js', 'explorer.js', 'catalogue.js'];
  const documents = ['openapi.json', 'admin-openapi.json', 'operator-openapi.json'];
  return [...folders, ...[...scripts, ...documents].map((name) => `dist/${name}`)];
}

const work = mkdtempSync(join(tmpdir(), 'teebox-executable-'));
try {
  const [main, checker] = [await bundle('cli', work), await bundle('proxy-checker', work)];
  const files = filesRead();
  const list = join(work, 'assets.json');
  writeFileSync(list, JSON.stringify(files));
  const assets = {
    ...Object.fromEntries(files.map((path) => [path, join(root, path)])),
    'dist/cli.cjs': main,
    'dist/proxy-checker.cjs': checker,
    'assets.json': list,
  };
  const [config, blob] = [join(work, 'sea.json'), join(work, 'sea.blob')];
  writeFileSync(config, JSON.stringify({ main, output: blob, assets, disableExperimentalSEAWarning: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { force: true });
  copyFileSync(process.execPath, target);
  chmodSync(target, 0o755);
  const inject = [target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE];
  execFileSync('npx', ['--yes', POSTJECT, ...inject], { stdio: 'pipe' });
  copyFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), `${target}.NOTICES.txt`);
  console.log(`${target} runs teebox with Node ${process.version}.`);
} finally {
  rmSync(work, { recursive: true });
}
