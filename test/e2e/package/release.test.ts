import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { rootFolder } from '../../../spec/generate/folders.js';
import { newerNode } from './project.js';

test('a changeset becomes the next version and the top of the changelog', () => {
  const copy = mkdtempSync(join(tmpdir(), 'teebox-release-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const path of ['package.json', 'package-lock.json', 'CHANGELOG.md', '.changeset']) {
    cpSync(resolve(rootFolder, path), join(copy, path), { recursive: true });
  }
  writeFileSync(join(copy, '.changeset/try-it.md'), '---\n"teebox": major\n---\n\nTries a release.\n');
  const PATH = `${dirname(newerNode())}${delimiter}${process.env['PATH']}`;
  const run = (program: string, ...args: string[]): void => {
    execFileSync(program, args, { cwd: copy, env: { ...process.env, PATH }, stdio: 'pipe' });
  };
  run('git', 'init', '--quiet', '--initial-branch=main');
  run('git', 'add', '.');
  run('git', '-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '--quiet', '--message=a');
  run('npm', 'run', 'apply-changesets');

  const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
  const [before, after] = [rootFolder, copy].map((folder) => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'));
  const { version } = JSON.parse(read('package.json'));
  expect(version).toBe('1.0.0');
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version);
  expect(after).toMatch(/^# Changelog\n\n## 1\.0\.0\n\n### Major Changes\n\n- (?:\w+: )?Tries a release\.\n/);
  expect(after!.endsWith(before!.slice('# Changelog\n'.length))).toBe(true);
});
