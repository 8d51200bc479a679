import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outputFolder, rootFolder } from '../../../spec/generate/folders.js';
import { textsOf } from '../../support/texts-of.js';

/** A copy of what the generators read, without anything that they write. */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'teebox-generate-'));
  const derived = [outputFolder, resolve(rootFolder, 'docs/collections')];
  const files = ['package.json', 'package-lock.json', 'README.md'];
  const paths = [...files, 'docs', 'spec', 'fixtures', 'scenarios', 'src', 'test'];
  for (const path of paths) {
    cpSync(resolve(rootFolder, path), join(copy, path), { recursive: true, filter: (from) => !derived.includes(from) });
  }
  symlinkSync(resolve(rootFolder, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

test('all that is derived is generated from nothing, and is then the same as in this repository', () => {
  const copy = copyOfSources();
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const root = join(copy, 'spec/openapi.yaml');
  writeFileSync(root, readFileSync(root, 'utf8').replace(/^paths:\n(?: .*\n)*/m, 'paths:\n'));
  execFileSync('npm', ['run', '--silent', 'generate'], { cwd: copy, stdio: 'pipe' });
  for (const path of ['src/contract/generated', 'fixtures', 'docs', 'spec']) {
    expect(textsOf(join(copy, path))).toEqual(textsOf(resolve(rootFolder, path)));
  }
  const readme = 'README.md';
  expect(readFileSync(join(copy, readme), 'utf8')).toBe(readFileSync(resolve(rootFolder, readme), 'utf8'));
});
