import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, runCli, type Started, startCli } from '../support/network/process.js';

let server: Started;
let folder: string;
const basic = (index = 0): string => {
  const { username, password } = server.ready.channels[index]!;
  return `${username}:${password}`;
};
const at = (name: string): string => join(folder, name);
const check = (...args: string[]) => runCli(['check', server.baseUrl, ...args], { TEEBOX_BASIC: basic() });

beforeAll(async () => {
  server = await startCli();
  folder = await mkdtemp(join(tmpdir(), 'check-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('exit codes', () => {
  test('0: conformant, with everything allowed, and reports that hold no secret', { tags: ['always'] }, async () => {
    const { refreshToken } = server.ready.channels[0]!;
    const all = ['--allow', 'all', '--refresh-token', refreshToken!, '--token-file', at('tokens.json')];
    const files = ['--report', `json=${at('report.json')}`, '--dialect-out', at('card.json')];
    const { code, stdout, stderr } = await check(...all, ...files, '--second-basic', basic(1));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/conformant: No rule is broken; \d+ were evaluated/);
    const report = JSON.parse(await readFile(at('report.json'), 'utf8'));
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, counts: { fail: 0, warn: 0, error: 0 } });
    expect(report.litter.length).toBeGreaterThan(0);
    const tokens = Object.values(JSON.parse(await readFile(at('tokens.json'), 'utf8'))).map(String);
    const secrets = [basic().split(':')[1]!, ...tokens.filter((token) => token.length > 30)];
    for (const secret of secrets) expect(JSON.stringify(report) + stdout).not.toContain(secret);
    const card = JSON.parse(await readFile(at('card.json'), 'utf8'));
    expect(card.answers).toMatchObject({ 'country.unknown': 'empty', 'facility.unknown': 404 });
  });

  test('1: a baseline that is out of date', async () => {
    await writeFile(at('known.json'), '{"known":[{"id":"countries.list"}]}');
    const { code, stdout } = await check('--only', 'countries.*', '--known', at('known.json'));
    expect(code).toBe(1);
    expect(stdout).toContain('not-conformant: 1 entry of the baseline no longer fails: remove it.');
  });

  test('--write-known makes a baseline that lets the next run pass, in place too', async () => {
    await writeFile(at('drift.json'), '{"answers":{"facility.unknown":400}}');
    await rm(at('new.json'), { force: true });
    const args = ['--only', 'facilities.unknown', '--dialect', at('drift.json'), '--fail-on', 'minor'];
    expect((await check(...args, '--write-known', at('new.json'))).code).toBe(1);
    const written = JSON.parse(await readFile(at('new.json'), 'utf8'));
    expect(written.known).toEqual([{ id: 'facilities.unknown' }]);
    const again = await check(...args, '--known', at('new.json'), '--write-known', at('new.json'));
    expect(again.code).toBe(0);
    expect(JSON.parse(await readFile(at('new.json'), 'utf8'))).toEqual(written);
  });

  test('1: the same in a pipeline of GitHub, where it is an annotation', async () => {
    await writeFile(at('known.json'), '{"known":[{"id":"countries.list"}]}');
    const args = ['check', server.baseUrl, '--only', 'countries.*', '--known', at('known.json')];
    const { code, stdout } = await runCli(args, { TEEBOX_BASIC: basic(), GITHUB_ACTIONS: 'true' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=teebox check::not-conformant: 1 entry/m);
    expect((await check('--only', 'countries.*', '--known', at('known.json'))).stdout).not.toContain('::error');
  });

  test('1: a drift from a card, where minor ones fail', async () => {
    await writeFile(at('other.json'), '{"answers":{"facility.unknown":400}}');
    const only = ['--only', 'facilities.unknown', '--dialect', at('other.json')];
    expect((await check(...only)).code).toBe(0);
    expect((await check(...only, '--fail-on', 'minor')).code).toBe(1);
  });

  test('3: unreachable', async () => {
    const { code, stdout } = await runCli(['check', 'http://127.0.0.1:1', '--basic', 'a:b']);
    expect(code).toBe(3);
    expect(stdout.match(/The deployment cannot be reached/g)).toHaveLength(1);
    expect(stdout).toContain('unreachable: The deployment cannot be reached');
  });

  test('3: credentials that are refused', async () => {
    const { code, stdout } = await runCli(['check', server.baseUrl, '--basic', 'a:b']);
    expect(code).toBe(3);
    expect(stdout).toContain('refused: The credentials are refused');
  });

  test('4: too little judged', async () => {
    expect((await check('--only', 'tokens.rotation')).code).toBe(4);
    expect((await check('--only', 'countries.list', '--min-conclusive', '0.2')).code).toBe(0);
    expect((await check('--only', 'countries.*', '--min-conclusive', '50')).code).toBe(4);
  });
});

test('--explain shows what a rule compared, before the verdict', async () => {
  const { code, stdout } = await check('--only', 'prices.agrees-teetimes', '--explain', 'prices.agrees-teetimes');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^prices\.agrees-teetimes, pass:\n {2}held: \d+ comparisons?, facility \d+/m);
  expect(stdout).toMatch(/\nconformant: [^\n]*\n$/);
});

describe('2: usage', () => {
  const url = 'http://127.0.0.1:1';
  test.each<[args: string[], message: RegExp]>([
    [[], /check needs the base URL of a deployment/],
    [['ftp://x', '--basic', 'a:b'], /check needs the base URL/],
    [[url], /check needs credentials/],
    [[url, '--basic', 'secret-only'], /--basic must be a user name and a password separated by a colon\.$/m],
    [
      [url, '--basic', 'a:b', '--allow', 'cancelling'],
      /--allow must be a list of tokens, bookings, callbacks, payments, lockout, or all, which is all of them but lockout/,
    ],
    [[url, '--basic', 'a:b', '--max-requests', '-1'], /--max-requests must be a whole number from 0 to 1000000/],
    [[url, '--refresh-token', 't'], /A refresh token is single use\. Add --token-file FILE to --refresh-token/],
    [[url, '--basic', 'a:b', '--report', 'word=x'], /--report must be FORMAT=FILE/],
    [
      [url, '--basic', 'a:b', '--known', '/no/such'],
      /Failed to load baseline \/no\/such: the file does not exist\. `--write-known FILE`/,
    ],
    [[url, '--basic', 'a:b', '--dialect', '/no/such'], /Failed to load dialect \/no\/such: the file does not exist/],
    [[url, '--token-file', '/no/such/file'], /Failed to use token file \/no\/such\/file: the folder does not exist/],
    [[url, '--basic', 'a:b', '--rps', '0'], /--rps must be a number above 0/],
    [[url, '--basic', 'a:b', '--onyl', 'x'], /Did you mean --only\?/],
    [[url, '--basic', 'a:b', '--only', 'facilites.*'], /--only must be a rule id, or a glob.*got `facilites\.\*`/],
    [[url, '--basic', 'a:b', '--skip', 'no.such'], /--skip must be a rule id/],
    [[url, '--basic', 'a:b', '--explain', 'no.such'], /--explain must be the id of an observable rule/],
    [
      [url, '--basic', 'a:b', '--explain', 'prices.total', '--only', 'countries.*'],
      /--explain prices\.total needs that rule, which --only and --skip leave out/,
    ],
    [
      [url, '--basic', 'a:b', '--report', 'json=/no/such/x'],
      /Failed to write \/no\/such\/x: the folder does not exist/,
    ],
    [[url, '--basic', 'a:b', '--report', 'json=/'], /Failed to write \/: it is a folder/],
    [[url, '--basic', 'a:b', '--dialect-out', '/no/such/x'], /Failed to write \/no\/such\/x/],
    [[url, '--basic', 'a:b', '--report', 'json=-', '--report', 'har=-'], /Two results cannot go to stdout/],
    [['http://u:secret-only@127.0.0.1:1'], /must not contain a user name or a password\. Use --basic/],
    [['http://127.0.0.1:1/?x=1', '--basic', 'a:b'], /The base URL must not have a query or a fragment/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['check', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret-only');
  });
});

test('a run that is interrupted still tells what it left behind', async () => {
  await fetch(`${server.baseUrl}/__admin/requests`, { method: 'DELETE' });
  const args = ['check', server.baseUrl, '--allow', 'bookings', '--only', 'bookings.*', '--rps', '100'];
  const child = spawn(process.execPath, [CLI, ...args, '--report', `json=${at('cut.json')}`], {
    env: { ...process.env, TEEBOX_BASIC: basic() },
    stdio: 'ignore',
  });
  const booked = JSON.stringify({ operation: 'createBooking', status: 200, timeoutMs: 20_000 });
  await fetch(`${server.baseUrl}/__admin/requests/verify`, { method: 'POST', body: booked });
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([4, null]);
  const report = JSON.parse(await readFile(at('cut.json'), 'utf8'));
  expect(report).toMatchObject({ exitCode: 4, message: expect.stringMatching(/^The run was stopped after/) });
  expect(report.litter.length).toBeGreaterThan(0);
});

test('silence at a callback-url that leads nowhere is not held against the deployment', async () => {
  await writeFile(at('nowhere.yaml'), 'defaults: { callback-url: "http://127.0.0.1:1" }');
  const only = ['--allow', 'callbacks', '--only', 'callback.trigger', '--timeout', '500ms'];
  const nowhere = await check(...only, '--config', at('nowhere.yaml'));
  expect(nowhere.code).toBe(4);
  expect(nowhere.stdout).toContain('(callback-url)');
});

test.each([
  ['standard', /^\d+ requests would be sent; .* None was sent\.$/m],
  [
    'thorough',
    /^About \d+ requests would be sent to a deployment with 60 facilities; it depends on .* \(max-evidence\)\. None was sent\.$/m,
  ],
])('--plan prints what would be sent, with --depth %s', async (depth, total) => {
  const args = ['--plan', '--depth', depth, '--basic', 'a:b', '--allow', 'bookings'];
  const { code, stdout } = await runCli(['check', 'http://127.0.0.1:1', ...args]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ POST \/api\/v5\/bookings {2}\(bookings\)/);
  expect(stdout).toMatch(total);
});

test('a reader that closes early changes neither the reports nor the exit code', async () => {
  await writeFile(at('stale.json'), '{"known":[{"id":"countries.list"}]}');
  await rm(at('pipe.json'), { force: true });
  const args = ['check', server.baseUrl, '--only', 'countries.*', '--known', at('stale.json')];
  const child = spawn(process.execPath, [CLI, ...args, '--report', `json=${at('pipe.json')}`], {
    env: { ...process.env, TEEBOX_BASIC: basic() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(JSON.parse(await readFile(at('pipe.json'), 'utf8'))).toMatchObject({ exitCode: 1 });
});

test('--dialect-out - leaves stdout to the card', async () => {
  const { stdout, stderr } = await check('--only', 'facilities.unknown', '--dialect-out', '-');
  expect(JSON.parse(stdout)).toMatchObject({ answers: { 'facility.unknown': 404 } });
  expect(stderr).toContain('conformant');
});

test('--report json=- leaves stdout to the report', async () => {
  const { stdout, stderr } = await check('--only', 'countries.*', '--report', 'json=-');
  expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0 });
  expect(stderr).toContain('conformant');
});

describe('--replay', () => {
  test('judges what a run recorded, without a deployment and without credentials', { tags: ['always'] }, async () => {
    await check('--only', 'countries.*', '--report', `har=${at('run.har')}`);
    const { code, stdout } = await runCli(['check', '--replay', at('run.har'), '--report', 'json=-']);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ verdict: 'conformant', target: { baseUrl: server.baseUrl }, unjudged: [] });
  });

  test('judges what the sandbox recorded', async () => {
    const response = await fetch(`${server.baseUrl}/__admin/requests?format=har`);
    await writeFile(at('sandbox.har'), await response.text());
    expect((await runCli(['check', '--replay', at('sandbox.har'), server.baseUrl])).code).toBe(0);
    const elsewhere = await runCli(['check', '--replay', at('sandbox.har'), 'http://other.test']);
    expect(elsewhere.code).toBe(4);
    expect(elsewhere.stdout).toContain(': it is not below http://other.test');
  });

  test.each([
    ['{"log":{}}', [], /Failed to load recording \S+: an HTTP Archive is a JSON object/],
    ['no JSON', [], /Failed to load recording \S+: .*JSON/],
    [undefined, [], /Failed to load recording \S+: the file does not exist/],
    ['{"log":{"entries":[]}}', ['--plan'], /--replay sends no requests/],
    ['{"log":{"entries":[]}}', ['ftp://x'], /check needs the base URL/],
  ])('of %s %j is refused', async (text, args, message) => {
    const file = at(text === undefined ? 'none.har' : 'wrong.har');
    if (text !== undefined) await writeFile(file, text);
    const { code, stdout, stderr } = await runCli(['check', '--replay', file, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
