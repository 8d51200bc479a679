import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { noticesOf } from '../../spec/generate/notices.mjs';

const root = mkdtempSync(join(tmpdir(), 'teebox-notices-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A package with these files beside its `package.json`; the path of its code. */
function packageAt(path: string, name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, 'node_modules', path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'ISC' }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return join(folder, 'lib/index.js');
}

const built = (inputs: Readonly<Record<string, number>>) => ({
  outputs: {
    'dist/a.js': {
      inputs: Object.fromEntries(Object.entries(inputs).map(([path, bytes]) => [path, { bytesInOutput: bytes }])),
    },
  },
});

const plain = packageAt('plain', 'plain', { LICENSE: 'text of plain' });
const scoped = packageAt('@scope/one', '@scope/one', { 'LICENCE.md': 'text of scoped', NOTICE: 'notice of scoped' });
const inner = packageAt('plain/node_modules/inner', 'inner', { 'license.txt': 'text of inner' });
const bare = packageAt('bare', 'bare', { 'README.md': 'none', 'licenses.js': 'code' });

test('every package with code in a bundle is listed with its texts, one time', () => {
  const text = noticesOf(
    built({ 'src/engine/a.ts': 10, [plain]: 5, [scoped]: 1 }),
    built({ [inner]: 2, [plain]: 7, [bare]: 0 }),
  );
  const entries = text.split(`\n${'-'.repeat(80)}\n\n`).slice(1);
  expect(entries).toEqual([
    '@scope/one 1.2.3 (ISC)\n\ntext of scoped\n\nnotice of scoped\n',
    'plain 1.2.3 (ISC)\n\ntext of plain\n',
    'inner 1.2.3 (ISC)\n\ntext of inner\n',
  ]);
});

test('a package without a licence text fails the build', () => {
  expect(() => noticesOf(built({ [bare]: 1 }))).toThrow(
    /^bare 1\.2\.3 is bundled, but .*\/bare has no text of its licence/,
  );
});

/** The packages that the sources import for their code; the bundles leave out `msw` and `vitest`, which users install. */
async function importedPackages(): Promise<string[]> {
  const names = new Set<string>();
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('contract/generated/built'));
  const texts = sources.map(async (path) => {
    // Types are gone after this, and so are their imports.
    const loader = path.endsWith('x') ? 'tsx' : 'ts';
    const { code } = await transform(readFileSync(join('src', path), 'utf8'), { loader, jsx: 'preserve' });
    return code;
  });
  for (const text of await Promise.all(texts)) {
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      // What has a scheme comes with the platform, as `cloudflare:workers` does.
      if (!/^\.|:/.test(fileName) && !isBuiltin(fileName)) names.add(/^(@[^/]+\/)?[^/]+/.exec(fileName)![0]);
    }
  }
  return [...names].filter((name) => !['msw', 'vitest', '@playwright'].some((left) => name.startsWith(left)));
}

test('what the sources import is listed with its licence in what ships', { tags: ['slow'] }, async () => {
  const text = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  const imported = await importedPackages();
  expect(imported).toEqual(expect.arrayContaining(['hono', '@hono/node-server', '@msw/data', 'js-yaml', 'preact']));
  for (const name of imported) {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    expect(text).toContain(`\n${name} ${version} (`);
    const [file] = readdirSync(`node_modules/${name}`).filter((one) => /^licen[cs]e/i.test(one));
    expect(text).toContain(readFileSync(`node_modules/${name}/${file}`, 'utf8').trim());
  }
  const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(files).toContain('dist');
});
