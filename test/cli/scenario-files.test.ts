import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { readScenarioFolder } from '../../src/cli/scenario-files.js';
import { ownScenario, wrongOnes } from '../support/scenarios/own-scenario.js';
import { runCli, startCli } from '../support/network/process.js';
import { callOver, answerIn } from '../support/network/wire.js';
import { bookingFor, teeTimesPath } from '../support/scenes.js';

/** A folder with these files, for the length of one test. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'teebox-scenarios-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const yaml = (changes: Record<string, unknown> = {}) => stringify(ownScenario(changes));

describe('a folder of scenarios', () => {
  test('is read in YAML and JSON, with a schema or without, and other files are left alone', async () => {
    const folder = await folderWith({
      'b.yaml': `$schema: ./scenario.schema.json\n${yaml({ id: 'second' })}`,
      'a.yml': yaml({ id: 'first' }),
      'c.json': JSON.stringify(ownScenario({ id: 'third' })),
      'scenario.schema.json': '{}',
      'README.md': 'not one of them',
    });
    expect((await readScenarioFolder(folder)).map(({ id }) => id)).toEqual(['first', 'second', 'third']);
  });

  const folders: readonly [what: string, files: Record<string, string>, says: RegExp][] = [
    ['nothing in it', {}, /it contains no \.yaml, \.yml or \.json file/],
    ['broken YAML', { 'a.yaml': 'id: [' }, /a\.yaml: /],
    ['a tag', { 'a.yaml': 'id: x\ntitle: !!js/function "a"' }, /a\.yaml: it has a tag in line 2\. Write a plain text/],
    ['broken JSON', { 'a.json': '{"id": ' }, /a\.json: /],
    ['an empty file', { 'a.yaml': '' }, /a\.yaml: `id` must be .*; got nothing\./],
    ['a list', { 'a.yaml': '- 1\n' }, /a\.yaml: `id` must be .*; got nothing\./],
    [
      'one that comes with the sandbox',
      { 'a.yaml': yaml({ id: 'slow' }) },
      /a\.yaml: its id `slow` is already used by a built-in scenario/,
    ],
    [
      'one id twice',
      { 'a.yaml': yaml(), 'b.json': JSON.stringify(ownScenario()) },
      /b\.json: .* is already used by a\.yaml/,
    ],
  ];
  test.each(folders)('with %s is a mistake that names the file', async (_, files, says) => {
    const folder = await folderWith(files);
    const refused = readScenarioFolder(folder);
    await expect(refused).rejects.toMatchObject({ name: 'UsageError', message: expect.stringMatching(says) });
    await expect(refused).rejects.toThrow(/^Failed to load scenarios? \S/);
  });

  test.each(wrongOnes)('with %s is a mistake that names the file', async (_, changes, says) => {
    const folder = await folderWith({ 'own.json': JSON.stringify(ownScenario(changes)) });
    const message = expect.stringMatching(says);
    await expect(readScenarioFolder(folder)).rejects.toMatchObject({ name: 'UsageError', message });
  });

  test('has its delays with a unit', async () => {
    const withDelay = (delay: unknown) => ({
      'own.json': JSON.stringify(ownScenario({ effect: { kind: 'network', fault: 'timeout', delay } })),
    });
    for (const delay of [800, { uniform: [100, 900] }, { lognormal: { median: 400, sigma: 0.5 } }]) {
      await expect(readScenarioFolder(await folderWith(withDelay(delay)))).rejects.toThrow(
        /`effect\.delay` must be a duration with its unit, such as 250ms, .*; got /,
      );
    }
    const [own] = await readScenarioFolder(await folderWith(withDelay('0.8s')));
    expect(own!.effect).toMatchObject({ delay: '0.8s' });
  });

  test('that is not there, or is a file', async () => {
    const folder = await folderWith({ 'a.yaml': yaml() });
    await expect(readScenarioFolder(join(folder, 'none'))).rejects.toThrow(/the folder does not exist/);
    await expect(readScenarioFolder(join(folder, 'a.yaml'))).rejects.toThrow(/it is not a folder/);
  });
});

describe('--scenarios', () => {
  const fairway = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}` };

  test(
    'a scenario of its own resets a connection by a name in a booking, which is made',
    { tags: ['slow'] },
    async () => {
      const folder = await folderWith({ 'own.yaml': yaml() });
      const server = await startCli(['--now', '2026-06-01T08:00:00Z', '--log-level', 'error', '--scenarios', folder]);
      const list = await fetch(server.baseUrl + teeTimesPath('v4'), { headers: fairway });
      const body = bookingFor((await list.json()).data.teeTimeV3[0], { contactLastName: 'LOST-CONFIRMATION' });
      const wire = callOver(server.baseUrl, 'POST', '/api/v5/bookings', { body });
      expect([await wire.closed, wire.chunks]).toEqual(['ECONNRESET', []]);
      const listed = callOver(server.baseUrl, 'GET', '/api/v4/bookings');
      await listed.closed;
      expect(answerIn(listed).body).toContain('LOST-CONFIRMATION');
      await server.stop();
      expect(server.output().stderr).toBe('');
    },
  );

  const mistakes: readonly [what: string, files: Record<string, string>, says: RegExp][] = [
    ['one of ours', { 'a.yaml': yaml({ id: 'slow' }) }, /its id `slow`/],
    ['an unknown rule', { 'a.yaml': yaml(wrongOnes.find(([what]) => what === 'an unknown rule')![1]) }, /no rule/],
    ['nothing', {}, /it contains no \.yaml/],
  ];
  test.each(mistakes)('%s: exit 2, one line, no trace', async (_, files, says) => {
    const folder = await folderWith(files);
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--scenarios', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('--scenario arms one of them', { tags: ['slow'] }, async () => {
    const folder = await folderWith({ 'own.yaml': yaml() });
    const server = await startCli(['--scenarios', folder, '--scenario', 'lost-confirmation']);
    const plans = await (await fetch(`${server.baseUrl}/__admin/plans`)).json();
    expect(plans.plans).toMatchObject([{ scenario: 'lost-confirmation', times: 'always' }]);
    await server.stop();
    const without = await runCli(['serve', '--port', '0', '--scenario', 'lost-confirmation']);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('no scenario `lost-confirmation`')]);
  });
});
