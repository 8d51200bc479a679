import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onCommandLine } from '../../src/cli/args.js';
import { exploreFlags, exploreGroups } from '../../src/cli/commands/explore-flags.js';
import { runCli, type Started, startCli } from '../support/network/process.js';

let server: Started;
let folder: string;
const basic = (): string => {
  const { username, password } = server.ready.channels[0]!;
  return `${username}:${password}`;
};
const at = (name: string): string => join(folder, name);
const explore = (...args: string[]) => runCli(['explore', server.baseUrl, ...args], { TEEBOX_BASIC: basic() });

beforeAll(async () => {
  server = await startCli();
  folder = await mkdtemp(join(tmpdir(), 'explore-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('0: no finding, with reports, the walk and the leftovers in files', { tags: ['always'] }, async () => {
  const files = ['--report', `json=${at('report.json')}`, '--report', `html=${at('report.html')}`];
  const more = ['--save', at('walk.json'), '--to-test', at('walk.test.ts'), '--leftovers', at('left.json')];
  const args = ['--allow', 'bookings,payments', '--walks', '2', '--steps', '15', '--seed', '4', ...files, ...more];
  const { code, stdout, stderr } = await explore(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/2 walks, \d+ steps, \d+ requests, \d+ bookings, \d+ pairs of operations; seed 4/);
  expect(stdout).toMatch(/no-finding: No fact contradicts the steps of 2 walks/);
  const report = JSON.parse(await readFile(at('report.json'), 'utf8'));
  expect(report).toMatchObject({ verdict: 'no-finding', exitCode: 0, seed: 4, walks: 2, findings: [] });
  const html = await readFile(at('report.html'), 'utf8');
  expect(html).toContain('Pairs of operations that were tried');
  for (const text of [JSON.stringify(report), html]) expect(text).not.toContain(basic().split(':')[1]);
  expect(JSON.parse(await readFile(at('left.json'), 'utf8'))).toHaveLength(report.litter.length);
  expect(JSON.parse(await readFile(at('walk.json'), 'utf8'))).toMatchObject({ form: 1, steps: [] });
});

test('--deadline bounds the reports, too: stderr names those that are left out', async () => {
  const [json, html] = [at('late.json'), at('late.html')];
  const files = ['--report', `json=${json}`, '--report', `html=${html}`, '--save', at('late-walk.json')];
  const { code, stderr } = await explore('--deadline', '1ms', ...files);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: `The time of the run (--deadline) was over before ${html} could be written.\n`,
  });
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ exitCode: 4 });
  expect(JSON.parse(await readFile(at('late-walk.json'), 'utf8'))).toMatchObject({ form: 1 });
  await expect(readFile(html, 'utf8')).rejects.toThrow('ENOENT');
});

test('--plan prints the requests and sends none', async () => {
  const { code, stdout } = await explore('--plan', '--walks', '1', '--allow', 'bookings');
  expect(code).toBe(0);
  expect(stdout).toMatch(/POST \/api\/v5\/bookings {2}\(bookings\)/);
  expect(stdout).toMatch(/\d+ requests would be sent; .* None was sent\./);
});

test('--again takes the walk of a file five times, and without permission it only reads', async () => {
  const sheet = { do: 'sheet', id: 1, spot: 0, version: 'v4', players: 1 };
  await writeFile(at('again.json'), JSON.stringify({ form: 1, seed: 1, spots: [{ free: 2 }], steps: [sheet] }));
  const { code, stdout } = await explore('--again', at('again.json'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/5 walks, 5 steps, \d+ requests, 0 bookings/);
});

describe('2: usage', () => {
  const url = 'http://127.0.0.1:1';
  test.each<[args: string[], message: RegExp]>([
    [[], /explore needs the base URL of a deployment: run `npx --no-install teebox explore https:\/\/HOST`/],
    [[url], /explore needs credentials: --basic USER:PASSWORD/],
    [[url, '--basic', 'a:b', '--walks', '0'], /--walks must be a whole number from 1 to 1000000/],
    [[url, '--basic', 'a:b', '--parallel', '99'], /--parallel must be a whole number from 1 to 16/],
    [[url, '--basic', 'a:b', '--for', 'soon'], /--for must be a duration/],
    [[url, '--basic', 'a:b', '--again', '/no/such'], /Failed to load walk \/no\/such: the file does not exist/],
    [[url, '--basic', 'a:b', '--walk', '3'], /Unknown flag --walk\. Did you mean --walks\?/],
  ])('%j', async (args, message) => {
    const { code, stderr } = await runCli(['explore', ...args], { TEEBOX_BASIC: '' });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('a file that is no walk', async () => {
    await writeFile(at('other.json'), '{"form":9}');
    const { code, stderr } = await explore('--again', at('other.json'));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('it is no walk that `teebox explore --save` has written'),
    ]);
  });
});

test('3: unreachable', async () => {
  const { code, stdout } = await runCli(['explore', 'http://127.0.0.1:1', '--basic', 'a:b']);
  expect(code).toBe(3);
  expect(stdout).toContain('unreachable: The deployment cannot be reached');
});

test('each flag is in one group of the help', () => {
  const placed = exploreGroups.flatMap(([, names]) => [...names] as string[]);
  expect(placed.toSorted()).toEqual(Object.keys(onCommandLine(exploreFlags)).toSorted());
});
