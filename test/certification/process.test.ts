import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { command } from '../../src/cli/certify/command.js';
import { runCommand } from '../../src/cli/commands/command.js';
import { commands } from '../../src/cli/commands/table.js';
import { UsageError } from '../../src/cli/usage-error.js';
import { processTerminal } from '../../src/cli/terminal.js';
import { CLI, type Finished, runCli } from '../support/network/process.js';

const folder = mkdtempSync(join(tmpdir(), 'teebox-certify-'));
afterAll(() => rmSync(folder, { recursive: true }));
const inFolder = (name: string): string => join(folder, name);

/** Refreshes its token by the environment of the exam; with a word after it, it does that in another way. */
const script = inFolder('client.mjs');
writeFileSync(
  script,
  `const { TEEBOX_BASE_URL: url, TEEBOX_REFRESH_TOKEN: token, TEEBOX_EXAM: exam, TEEBOX_NOW: now } = process.env;
const how = process.argv[2];
if (how === 'endless line') for (let at = 0; at < 16; at += 1) process.stdout.write('x'.repeat(1024 * 1024));
if (how === 'endless line') { console.error('\\nError: the end'); process.exitCode = 6; }
if (how === 'hang') setInterval(() => {}, 1000);
const type = how === 'plain' ? 'text/plain' : 'application/json';
const body = JSON.stringify({ refresh_token: token });
const bases = how === 'worlds' ? ['/w/one', '/w/two'].map((path) => new URL(path, url).href) : [url];
let response;
for (const base of bases) {
  response = await fetch(base + '/api/v3/token/refreshToken', { method: 'POST', headers: { 'content-type': type }, body });
}
console.log('asked', exam, now.slice(0, 10), response.status);
if (how === 'plain') { console.error('\\u001b[31mno token for us\\u001b[39m'); process.exitCode = 5; }
`,
);
const client = (how = ''): string[] => ['--', process.execPath, script, how];
const happy = ['--exams', 'happy-day', '--only', 'requests.content-type'];
const certifyCli = (...args: readonly string[]): Promise<Finished> => runCli(['certify', ...args]);

describe.concurrent('a command', () => {
  test('takes an exam, gets a certificate, and takes it again to confirm it', { tags: ['always'] }, async () => {
    const [html, json] = [inFolder('certificate.html'), inFolder('certificate.json')];
    const files = ['--certificate', html, '--certificate', json, '--report', `junit=${inFolder('junit.xml')}`];
    writeFileSync(inFolder('named.yaml'), 'certify: { name: Fairway }');
    const first = await certifyCli(
      ...happy,
      '--config',
      inFolder('named.yaml'),
      ...files,
      '--now',
      '2026-06-01T08:00:00Z',
      ...client(),
    );
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('\nready: ') });
    expect(first.stderr).toBe('ok happy-day (1/1), 1 call\n');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ verdict: 'ready', client: { name: 'Fairway' } });
    expect(readFileSync(html, 'utf8')).toContain('Ready, as far as seen');
    const forged = inFolder('forged.json');
    writeFileSync(
      forged,
      JSON.stringify({ ...JSON.parse(readFileSync(json, 'utf8')), digest: '\u001B[2J', teebox: '0\n::error::x' }),
    );
    const [again, other] = await Promise.all([json, forged].map((file) => certifyCli('--verify', file, ...client())));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('The certificate is confirmed') });
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('The certificate is not confirmed') });
    // What somebody has written into a certificate is no command of a terminal or a pipeline.
    expect(other!.stdout).not.toContain('\u001B');
    expect(other!.stdout).not.toMatch(/^::/m);
  });

  test('whose tests open worlds finds them beside the exam', async () => {
    const { code, stderr } = await certifyCli(...happy, '--show-output', ...client('worlds'));
    expect(stderr).toMatch(/^happy-day \| asked happy-day .* 200$/m);
    expect(stderr).toContain('ok happy-day (1/1), 2 calls');
    expect(code).toBe(0);
  });

  test('that took no happy day is taken without it again', async () => {
    const json = inFolder('no-happy-day.json');
    const exams = ['--exams', 'outage', '--skip', 'happy-day', '--only', 'requests.content-type'];
    expect(await certifyCli(...exams, '--certificate', json, ...client())).toMatchObject({ code: 0 });
    const again = await certifyCli('--verify', json, ...client());
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('The certificate is confirmed') });
    expect(again.stderr).toBe('ok outage (1/1), 1 call\n');
  });

  test('that breaks an obligation shows it, and what it printed', async () => {
    const baseline = inFolder('known.json');
    const capsules = ['--capsules', inFolder('capsules')];
    const bad = await certifyCli(...happy, '--write-known', baseline, ...capsules, ...client('plain'));
    expect(await runCli(['replay', join(inFolder('capsules'), 'happy-day.json')])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({ known: [{ id: 'requests.content-type' }] });
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL requests.content-type') });
    expect(bad.stderr).toMatch(/^happy-day \| asked happy-day \d{4}-\d\d-\d\d 415$/m);
    expect(bad.stderr).toContain('happy-day | no token for us');
    expect(bad.stderr).toContain('your tests: exit code 5: no token for us');
  });

  test('that prints without an end of line is cut, and its error is found', async () => {
    const { code, stderr } = await certifyCli(...happy, ...client('endless line'));
    expect(code).toBe(4);
    expect(stderr).toContain('your tests: exit code 6: Error: the end');
    expect(stderr.length).toBeLessThan(1024 * 1024);
  });

  test('that does not end is ended, and one that cannot be started ends the run', async () => {
    const [slow, missing] = await Promise.all([
      certifyCli(...happy, '--timeout', '1s', ...client('hang')),
      certifyCli(...happy, '--', inFolder('nobody')),
    ]);
    expect(slow.stderr).toContain('your tests: still running after 1 s, and ended then');
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    expect(missing.stderr).toMatch(/^teebox: Failed to run .*nobody: the command, .* was not found/);
  });
});

test('a signal ends the tests with all that they have started', async () => {
  const held = createServer();
  const ended = new Promise<void>((resolve) => {
    held.on('connection', (socket) => {
      socket.on('error', () => {}).on('close', () => resolve());
      child.kill('SIGTERM');
    });
  });
  await once(held.listen(0, '127.0.0.1'), 'listening');
  const { port } = held.address() as AddressInfo;
  const stubborn = `process.on('SIGTERM', () => {}); require('node:net').connect(${port}, '127.0.0.1')`;
  const shell = ['--', 'sh', '-c', '"$0" -e "$1" & wait', process.execPath, stubborn];
  const child = spawn(process.execPath, [CLI, 'certify', ...happy, ...shell], { stdio: 'ignore' });
  await Promise.all([ended, once(child, 'close')]);
  held.close();
});

describe.concurrent('--jobs', () => {
  const beside = inFolder('beside');
  mkdirSync(beside);
  const waiting = inFolder('waiting.mjs');
  writeFileSync(
    waiting,
    `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const { TEEBOX_BASE_URL: url, TEEBOX_USERNAME: user, TEEBOX_PASSWORD: word, TEEBOX_EXAM: exam } = process.env;
const [folder, ...others] = process.argv.slice(2);
await fetch(url + '/api/v3/countries', { headers: { authorization: 'Basic ' + btoa(user + ':' + word) } });
if (exam !== 'happy-day') {
  writeFileSync(folder + '/' + exam, new URL(url).port + ' ' + process.pid);
  // Each waits for the other, so that neither ends if one comes after the other.
  while (others.some((one) => !existsSync(folder + '/' + one))) await setTimeout(10);
}
`,
  );
  const exams = ['outage', 'slow'];
  const taking = ['certify', ...exams.flatMap((id) => ['--exams', id]), '--only', 'requests.*', '--jobs', '2', '--'];
  const noted = (id: string): string[] => readFileSync(join(beside, id), 'utf8').split(' ');

  test('takes exams side by side, each at a port of its own', async () => {
    const { code, stderr } = await runCli([...taking, process.execPath, waiting, beside, ...exams]);
    expect(stderr.match(/^ok .*?\)/gm)).toEqual(['ok happy-day (1/3)', 'ok outage (2/3)', 'ok slow (3/3)']);
    expect(code).toBe(0);
    expect(new Set(exams.map((id) => noted(id)[0])).size).toBe(2);
  });

  test('ends all of them on a signal, says what those before have shown, and goes on later', async () => {
    const own = inFolder('stopped');
    mkdirSync(own);
    const file = inFolder('stopped.json');
    const args = [...taking.slice(0, -1), '--certificate', file, '--', process.execPath, waiting, own, 'never'];
    const child = spawn(process.execPath, [CLI, ...args]);
    let stdout = '';
    child.stdout.on('data', (text) => (stdout += text));
    await expect.poll(() => readdirSync(own).length, { timeout: 60_000, interval: 20 }).toBe(2);
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect({ code, stdout }).toMatchObject({ code: 4, stdout: expect.stringContaining('stopped after 1 of 3 exams') });
    for (const id of exams) {
      const [, pid] = readFileSync(join(own, id), 'utf8').split(' ');
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
    }
    expect(stdout).toContain(`add \`--resume ${file}\``);
    writeFileSync(join(own, 'never'), '');
    const resumed = await runCli(['certify', '--resume', file, ...args.slice(1)]);
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('in 3 exams') });
  });
});

describe.concurrent('--serve', () => {
  test('gives each exam an address, shows the progress, and ends with the verdict', async () => {
    const child = spawn(process.execPath, [CLI, 'certify', '--serve', '--json', '--port', '0', ...happy]);
    let stdout = '';
    child.stdout.on('data', (text) => (stdout += text));
    while (!stdout.includes('\n')) await once(child.stdout, 'data');
    const { url, refreshToken, exams } = JSON.parse(stdout.split('\n')[0]!);
    // It listens on loopback alone: each other address of this machine, also of its loopback network, refuses.
    const elsewhere = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one && !one.internal);
    const hosts = [
      '127.0.0.2',
      '[::1]',
      ...elsewhere.filter((one) => one!.family === 'IPv4').map((one) => one!.address),
    ];
    for (const host of hosts) await expect(fetch(url.replace('127.0.0.1', host))).rejects.toThrow('fetch failed');
    expect(exams).toEqual([{ id: 'happy-day', baseUrl: `${url}/w/happy-day` }]);
    const events = await fetch(`${url}/__admin/certification/events`);
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => JSON.parse((await reader.read()).value!.split('data: ')[1]!);
    expect(await next()).toMatchObject({ state: 'running', counts: { 'not-seen': 1 } });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ refresh_token: refreshToken });
    await fetch(`${exams[0].baseUrl}/api/v3/token/refreshToken`, { method: 'POST', headers, body });
    const seen = { counts: { pass: 1 }, exams: [{ id: 'happy-day', state: 'running', calls: 1, broken: [] }] };
    expect(await next()).toMatchObject(seen);
    expect(await (await fetch(`${url}/__admin/certification`)).json()).toMatchObject(seen);
    await reader.cancel();
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ready: The client satisfied 1 of 1 obligation.'),
    });
  });
});

test.each([
  [['--serve', '--', 'npm', 'test'], 'leave out the command after'],
  [['--serve', '--timeout', '5s'], '--timeout is for a COMMAND'],
  [['--only', 'no.such', '--', 'x'], '--only must be an id of an obligation'],
  [['--exams', 'no-such', '--', 'x'], '--exams must be the id of an exam'],
  [['--certificate', 'x.pdf', '--', 'x'], '--certificate must be a file that ends in .html or .json'],
  [['--verify', '/no/such.json', '--', 'x'], 'Failed to load certificate /no/such.json: the file does not exist.'],
  [['--resume', '/no/such.json', '--', 'x'], 'Failed to load certificate /no/such.json: the file does not exist.'],
  [['--verify', 'x.json', '--resume', 'x.json', '--', 'x'], 'choose one'],
  [['--serve', '--resume', 'x.json'], '--resume needs a command after `--`, not --serve.'],
  [['--verify', 'x.json', '--seed', '3', '--', 'x'], '--verify takes seed from the certificate'],
  [[], 'certify needs a `--` before the command'],
  [['--'], 'certify needs a command after `--`'],
])('certify %s is refused', async (args, why) => {
  const terminal = { ...processTerminal(process), out: expect.unreachable, err: expect.unreachable };
  const refused = (async () => runCommand(command, args, { terminal, env: {}, commands }))();
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(why);
});
