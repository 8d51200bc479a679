import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { CLI, runCli } from '../support/network/process.js';

const folder = mkdtempSync(join(tmpdir(), 'teebox-exec-'));
const file = (name: string, mode: number, body: string): string => {
  const path = join(folder, name);
  writeFileSync(path, body);
  chmodSync(path, mode);
  return path;
};

/** The arguments of `exec` that run a piece of JavaScript as its command. */
const js = (code: string, ...args: string[]): string[] => ['--', process.execPath, '-e', code, '--', ...args];

/** Starts `exec` without waiting for its end. */
function start(args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [CLI, 'exec', ...args]);
}

/** What a command prints in JSON. */
async function printed(args: readonly string[], env: Record<string, string> = {}): Promise<any> {
  const { code, stdout, stderr } = await runCli(['exec', ...args], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const isListening = (url: string): Promise<boolean> =>
  fetch(`${url}/__admin/health`).then(
    () => true,
    () => false,
  );

describe('the command', () => {
  const tellAll = `console.log(JSON.stringify(process.env))`;

  test('finds the address and the first channel in its environment, besides what was there', async () => {
    const env = await printed(js(tellAll), { FROM_OUTSIDE: 'kept', TEEBOX_BASE_URL: 'http://127.0.0.1:1', PORT: '1' });
    expect(env).toMatchObject({
      TEEBOX_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{2,}$/),
      TEEBOX_USERNAME: 'fairway',
      TEEBOX_PASSWORD: 'not-a-secret-fairway',
      FROM_OUTSIDE: 'kept',
      PORT: '1',
    });
  });

  const basic = `'Basic ' + btoa(env.TEEBOX_USERNAME + ':' + env.TEEBOX_PASSWORD)`;
  const countries = `
    const { env } = process;
    fetch(env.TEEBOX_BASE_URL + '/api/v3/countries', { headers: { authorization: ${basic} } })
      .then((response) => response.text()).then(console.log)`;

  test('can call the API with them', { tags: ['always'] }, async () => {
    expect(await printed(js(countries))).toMatchObject({ success: true });
  });

  test('is alone on the terminal, unless the log of the sandbox is asked for', async () => {
    const lost = countries.replace('countries', 'facilities?country=Netherlands');
    expect(await printed(js(lost))).toMatchObject({ data: [] });
    const { stdout, stderr } = await runCli([
      'exec',
      '--log-level',
      'warn',
      ...js(`${lost}; ${countries.replaceAll('const { env } = process;', '')}`),
    ]);
    expect(stdout).toContain('"data":[]');
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('did you mean `the Netherlands`?')]);
  });

  test('can trade the refresh token', async () => {
    const refresh = `
      const { env } = process;
      fetch(env.TEEBOX_BASE_URL + '/api/v5/token/refreshToken', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: env.TEEBOX_REFRESH_TOKEN }),
      }).then((response) => response.text()).then(console.log)`;
    const answer = await printed(['--expires-in', '77s', ...js(refresh)]);
    expect(answer).toMatchObject({ success: true, data: { expires_in: 77 } });
  });

  test('sees the world of our flags, and of our environment', async () => {
    const [flag, variable, other] = await Promise.all([
      printed(['--seed', '5', '--facilities', '3', ...js(countries)]),
      printed(js(countries), { TEEBOX_SEED: '5', TEEBOX_FACILITIES: '3' }),
      printed(js(countries)),
    ]);
    expect(flag).toEqual(variable);
    expect(flag).not.toEqual(other);
  });

  test('gets every word after the first `--`', async () => {
    const words = ['--port', 'x', '-h', '--help', '--', '--seed=z', '', 'a b', '--version'];
    expect(await printed(js('console.log(JSON.stringify(process.argv.slice(1)))', ...words))).toEqual(words);
  });

  test('reads our stdin to its end', async () => {
    const child = start(['--', 'cat']);
    const got = text(child.stdout);
    const sent = 'a line of the caller\n'.repeat(20_000);
    child.stdin.end(sent);
    expect((await got) === sent).toBe(true);
  });

  test('has stdout and stderr for itself', async () => {
    const ended = await runCli(['exec', '--', 'sh', '-c', 'printf out; printf err >&2']);
    expect(ended).toEqual({ code: 0, stdout: 'out', stderr: 'err' });
  });
});

describe('the exit code', () => {
  const plain = file('plain.txt', 0o644, 'no program');
  const orphan = file('orphan', 0o755, '#!/no/such/interpreter\n');
  const rows: [string, string[], number, string][] = [
    ['0 of the command', js(''), 0, ''],
    ['3 of the command', js('process.exit(3)'), 3, ''],
    ['2 of the command', js('process.exit(2)'), 2, ''],
    ['a command that a signal ended', ['--', 'sh', '-c', 'kill -KILL $$'], 137, ''],
    ['another signal', ['--', 'sh', '-c', 'kill -TERM $$'], 143, ''],
    [
      'no such command',
      ['--', 'no-such-command'],
      127,
      'Failed to run no-such-command: the command, or the interpreter in its first line, was not found.',
    ],
    ['no such interpreter', ['--', orphan], 127, 'the interpreter in its first line, was not found'],
    ['no program', ['--', plain], 126, 'plain.txt: it is not executable. Run chmod +x on it'],
    ['a path through a file', ['--', `${plain}/x`], 126, 'Failed to run'],
    ['no `--`', ['npm', 'test', '--watch'], 2, 'exec needs a `--` before the command: teebox exec [FLAGS] -- COMMAND'],
    ['nothing at all', [], 2, 'exec needs a `--` before the command'],
    ['no command', ['--'], 2, 'exec needs a command after `--`'],
    ['an empty command', ['--', ''], 2, 'exec needs a command after `--`'],
    ['a word before `--`', ['npm', '--', 'test'], 2, 'Unexpected `npm`.'],
    ['a wrong value', ['--seed', 'x', ...js('')], 2, '--seed must be a whole number'],
    ['a flag of serve alone', ['--port', '1', ...js('')], 2, 'exec does not take --port, which is a flag of serve.'],
    ['a dialect that is none', ['--dialect', plain, ...js('')], 2, 'plain.txt: it is not JSON'],
  ];
  test.each(rows)('%s', async (_title, args, code, why) => {
    const ended = await runCli(['exec', ...args]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    if (why === '') expect(ended.stderr).toBe('');
    else expect(ended.stderr).toMatch(/^teebox: [^\n]+\n$/);
    expect(ended.stderr).toContain(why);
  });

  test.each([['--help'], ['-h']])('%s tells the usage', async (flag) => {
    const { code, stdout } = await runCli(['exec', flag]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: teebox exec \[FLAGS\] -- COMMAND \[ARG \.\.\.\] \(in a clone/);
    expect(stdout).not.toContain('--port');
  });
});

describe('while it runs', () => {
  /** Tells its address, then each signal that it gets. */
  const waiting = (tail: string) => `
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => { console.log(name); ${tail} });
    setInterval(() => {}, 1000);
    console.log(process.env.TEEBOX_BASE_URL);`;

  async function running(tail = 'process.exit(9)') {
    const child = start(js(waiting(tail)));
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const closed = once(child, 'close');
    const until = async (line: string) => {
      while (!out.includes(line)) await once(child.stdout, 'data');
    };
    await until('\n');
    const ended = async () => ({ code: (await closed)[0], lines: out.trim().split('\n').slice(1) });
    return { child, url: out.trim(), until, ended };
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s reaches the command, which decides', async (signal) => {
    const { child, url, ended } = await running();
    expect(await isListening(url)).toBe(true);
    child.kill(signal);
    expect(await ended()).toEqual({ code: 9, lines: [signal] });
    expect(await isListening(url)).toBe(false);
  });

  test('the sandbox stays for a command that goes on after a signal', async () => {
    const { child, url, until, ended } = await running(`if (name === 'SIGTERM') process.exit(0)`);
    child.kill('SIGINT');
    await until('SIGINT');
    expect(await isListening(url)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended()).toEqual({ code: 0, lines: ['SIGINT', 'SIGTERM'] });
  });

  test('a command without a handler ends by the signal, and so does it', async () => {
    const child = start(js('console.log(1); setInterval(() => {}, 1000)'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(143);
  });

  test('two at once have a port each', async () => {
    const [one, two] = await Promise.all([running(), running()]);
    expect(one.url).not.toBe(two.url);
    one.child.kill();
    await one.ended();
    expect([await isListening(one.url), await isListening(two.url)]).toEqual([false, true]);
    two.child.kill();
    await two.ended();
    expect(await isListening(two.url)).toBe(false);
  });
});
