import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readScenarioFolder } from '../../../src/cli/scenario-files.js';
import { parseYaml } from '../../../src/cli/yaml.js';
import { runCli } from '../../support/network/process.js';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'teebox-limits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}

const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');
const laughs = (levels: number) => {
  const lines = Array.from({ length: levels }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
  return ['a0: &a0 [x]', ...lines].join('\n');
};

describe('a file', () => {
  const rows: readonly [what: string, text: string, says: string][] = [
    ['too long', `# ${'x'.repeat(65_536)}`, 'it is larger than 64 KiB'],
    ['with too many keys', keys(1001), 'it has more than 1000 keys'],
    ['with too many keys on one line', `{${keys(1001).replaceAll('\n', ',')}}`, 'it has more than 1000 keys'],
    ['with too many keys in too many mappings', `- {a: 1}\n`.repeat(1001), 'it has more than 1000 keys'],
    ['too deep in lists', '['.repeat(30_000), 'it is nested more than 32 levels deep'],
    ['too deep in lists on one line', '- '.repeat(30_000), 'it is nested more than 32 levels deep'],
    ['too deep in keys that are mappings', '? '.repeat(30_000), 'it is nested more than 32 levels deep'],
    ['too deep in mappings', '{a: '.repeat(10_000), 'it is nested more than 32 levels deep'],
    ['whose keys are lists', '[['.repeat(20) + ']]: 1'.repeat(20), 'it is nested more than 32 levels deep'],
    ['with too many documents', '--- 1\n'.repeat(200), 'it has more than one document'],
    ['with too many aliases', `a: &a 1\nb: [${'*a,'.repeat(101)}]`, 'its aliases expand to too many values'],
    ['whose aliases multiply', laughs(9), 'its aliases expand to too many values'],
  ];
  test.each(rows)('%s', (_, text, says) => {
    expect(() => parseYaml(text)).toThrow(says);
  });

  test('at the limits is read', () => {
    expect(Object.keys(parseYaml(keys(1000)) as object)).toHaveLength(1000);
    expect(parseYaml(`${'['.repeat(32)}${']'.repeat(32)}`)).toHaveLength(1);
    expect(parseYaml(`a: &a {x: 1}\nb: [${'*a,'.repeat(90)}]`)).toMatchObject({ a: { x: 1 } });
    expect(parseYaml(`# ${'x'.repeat(65_000)}\na: 1`)).toEqual({ a: 1 });
  });

  test('with a key twice is refused, with the line', () => {
    expect(() => parseYaml('a: 1\nb: 2\na: 3')).toThrow('duplicated mapping key, in line 3, column 1.');
  });
});

describe('a folder', () => {
  test('with more than 100 files is refused before one is read', async () => {
    const files = Array.from({ length: 101 }, (_, index) => [`${index}.yaml`, 'id: ['] as const);
    const folder = await folderWith(Object.fromEntries(files));
    await expect(readScenarioFolder(folder)).rejects.toThrow(
      `Failed to load scenarios from ${folder}: it contains more than 100 files.`,
    );
  });

  test('with something that is no file is refused', async () => {
    const folder = await folderWith({});
    await mkdir(join(folder, 'a.yaml'));
    await expect(readScenarioFolder(folder)).rejects.toThrow(/a\.yaml: it is not a file\.$/);
  });

  test('on the command line: exit 2, one line, no trace', async () => {
    const folder = await folderWith({ 'a.yaml': keys(2000), 'b.yaml': 'x' });
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--scenarios', folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `teebox: Failed to load scenario ${join(folder, 'a.yaml')}: it has more than 1000 keys. Split it into several files.\n`,
    );
  });
});
