import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const manifest = JSON.parse(read('package.json'));
const names = readdirSync(new URL('.github/workflows', root));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly needs?: string | string[]; readonly permissions?: object; readonly steps: readonly Step[] }
    >
  >;
}
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}`));

describe.each(names)('the workflow %s', (name) => {
  const { permissions, jobs } = workflow(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => run ?? []).join('\n');

  test('runs scripts and files that exist', () => {
    const scripts = [...commands.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script]) => script!);
    expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
    const files = [...commands.matchAll(/(?:bash|node) (\S*\/\S+)/g)].map(([, file]) => file!);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  test('uses actions of GitHub alone, by their hash, and writes only in jobs that say so', () => {
    const used = [...read(`.github/workflows/${name}`).matchAll(/uses: *(.+)/g)].map(([, action]) => action!);
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(Object.values(permissions).filter((one) => one !== 'read')).toEqual([]);
  });

  test('waits for jobs that exist', () => {
    for (const { needs = [] } of Object.values(jobs)) {
      for (const job of [needs].flat()) expect(Object.keys(jobs)).toContain(job);
    }
  });
});

test('a release is published after the gate, with provenance and no token', () => {
  const { jobs } = workflow('release.yml');
  expect(jobs['publish']).toMatchObject({ needs: expect.arrayContaining(['test']) });
  expect(jobs['publish']!.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(jobs['publish']!.steps.at(-1)).toEqual({ run: 'npm publish' });
  expect(jobs['test']!.steps.at(-1)).toEqual({ run: 'bash .ci/run' });
  expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  expect(manifest.private).toBeUndefined();
});

test('changesets name this package and a kind of release', () => {
  const { $schema, ...config } = JSON.parse(read('.changeset/config.json'));
  expect($schema).toContain('@changesets/config@');
  const changelog = '@changesets/cli/changelog';
  expect(config).toEqual({ changelog, commit: false, access: 'public', baseBranch: 'main' });
  const files = readdirSync(new URL('.changeset', root)).filter((file) => file.endsWith('.md'));
  for (const file of files)
    expect(read(`.changeset/${file}`)).toMatch(/^---\n"teebox": (?:major|minor|patch)\n---\n\n\S/);
});

test('the changelog begins with the version, or the next one', () => {
  const [, newest] = /^# Changelog\n\n## (\d+\.\d+\.\d+)\n/.exec(read('CHANGELOG.md')) ?? [];
  expect(newest).toBe(manifest.version);
});
