import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { rootFolder } from '../../../spec/generate/folders.js';
import { INSTALL, isUnreleased, wrongNames } from '../house/registry-names.js';
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

test.runIf(isUnreleased(rootFolder))(
  'on the day of the first release, one command turns the pages to the registries',
  { timeout: 300_000 },
  () => {
    const copy = mkdtempSync(join(tmpdir(), 'teebox-release-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    const run = (cwd: string, program: string, ...args: string[]): string =>
      execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 });
    const tracked = run(rootFolder, 'git', 'ls-files').trim().split('\n');
    for (const path of [...tracked, 'src/contract/generated', 'docs/collections'].filter((one) =>
      existsSync(resolve(rootFolder, one)),
    )) {
      cpSync(resolve(rootFolder, path), join(copy, path), { recursive: true });
    }
    symlinkSync(resolve(rootFolder, 'node_modules'), join(copy, 'node_modules'));
    run(copy, 'git', 'init', '--quiet');
    run(copy, 'git', 'add', '.');
    expect(isUnreleased(copy)).toBe(true);
    expect(run(copy, 'npm', 'run', 'release:pages')).toMatch(/Changed \d\d files/);

    expect([isUnreleased(copy), wrongNames(copy)]).toEqual([false, []]);
    const read = (path: string): string => readFileSync(join(copy, path), 'utf8');
    const { version } = JSON.parse(read('package.json'));
    expect(read(INSTALL)).toContain('`npm install --save-dev teebox` | `npx teebox`');
    expect(read('README.md')).toContain('\nnpx teebox check ');
    expect(read('docs/containers.md')).toContain(` ghcr.io/teebox-golf/teebox:${version}\n`);
    expect(read('deploy/kubernetes/teebox.yaml')).toContain(`image: ghcr.io/teebox-golf/teebox:${version}\n`);
    expect(run(copy, 'npm', 'run', 'release:pages')).toContain('Changed 0 files');

    // What is generated, and the tests of the pages, follow.
    run(copy, 'npm', 'run', 'check:generated');
    const vitest = (config: string, ...files: string[]): string =>
      run(copy, 'node', 'node_modules/vitest/vitest.mjs', 'run', '--config', config, ...files);
    expect(vitest('test/vitest.config.ts', 'test/e2e/house/registry-names', 'test/e2e/house/words')).toMatch(/ passed/);
    expect(vitest('test/e2e/docs/vitest.config.ts', 'test/e2e/docs/blocks/commands')).toMatch(/ passed/);
  },
);
