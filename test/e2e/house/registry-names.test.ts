import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rootFolder } from '../../../spec/generate/folders.js';
import { INSTALL, wrongNames } from './registry-names.js';

test('nothing that people read or copy fetches a package or an image that somebody else may own', () => {
  expect(wrongNames(rootFolder)).toEqual([]);
});

/** A tree of these files, each known to git. */
function treeOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '.'], { cwd: folder });
  return folder;
}

const before = '<!-- unreleased -->';
const after = 'Run `npx teebox`.';

test.each<[install: string, path: string, text: string, isWrong: boolean]>([
  [before, 'docs/a.md', 'Run `npx teebox check`.', true],
  [before, 'docs/a.md', 'Run `npx --no-install teebox check`.', false],
  [before, 'docs/a.md', '{ "command": "npx", "args": ["teebox", "mcp"] }', true],
  [before, 'docs/a.md', '{ "command": "npx", "args": ["--no-install", "teebox", "mcp"] }', false],
  [after, 'docs/a.md', '{ "command": "npx", "args": ["--no-install", "teebox", "mcp"] }', true],
  [before, 'src/a.ts', 'const hint = "npx -y teebox";', true],
  [before, 'docs/a.md', 'npm install --save-dev teebox', true],
  [before, 'docs/a.md', 'npm install --save-dev PATH/teebox-0.1.0.tgz', false],
  [before, 'docs/a.md', '<!-- released\nnpm install teebox\n-->', false],
  [before, 'templates/a.yml', 'npx --yes "teebox@$VERSION"', true],
  [before, 'templates/a.yml', 'npx --yes --package "$PACKAGE" teebox check', false],
  [before, 'docs/a.md', 'docker run --rm teebox rules', true],
  [before, 'docs/a.md', 'docker run --rm localhost/teebox rules', false],
  [before, 'deploy/a.yaml', 'image: teebox', true],
  [before, 'docs/a.md', 'docker pull ghcr.io/teebox-golf/teebox', true],
  [after, 'docs/a.md', 'Run `npx --no-install teebox check`.', true],
  [after, 'docs/a.md', 'docker run --rm ghcr.io/teebox-golf/teebox:0.1.0 rules', false],
  [after, 'docs/a.md', 'npm install PATH/teebox-0.1.0.tgz', true],
])('%s, %s: %s', (install, path, text, isWrong) => {
  const found = wrongNames(treeOf({ [INSTALL]: install, [path]: text }));
  expect(found).toHaveLength(isWrong ? 1 : 0);
});
