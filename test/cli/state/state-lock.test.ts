import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { CLI, runCli, startCli } from '../../support/network/process.js';
import { book, idsIn, readState, teeTimes, tryToBook, until } from '../../support/network/state-server.js';

const NOW = ['--now', '2026-06-01T08:00:00Z', '--log-level', 'silent'];
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teebox-lock-'));
  file = join(folder, 'state.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = () => `${file}.lock`;
const refused = (path = file) => runCli(['serve', '--port', '0', '--state', path]);

describe('two servers on one file', () => {
  test('the second refuses to start, and the first goes on', async () => {
    const first = await startCli([...NOW, '--state', file]);
    const { code, stdout, stderr } = await refused();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Failed to use state ${file}: process ${first.child.pid} uses it.`);
    expect(stderr).toContain(`delete ${lock()}`);
    expect((await fetch(`${first.baseUrl}/__admin/health`)).status).toBe(200);
    expect(await first.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('by another path to it', async () => {
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    const path = join(folder, 'link.json');
    symlinkSync(file, path);
    const first = await startCli([...NOW, '--state', file]);
    expect((await refused(path)).code).toBe(2);
    expect((await refused(join(folder, '.', '..', folder.split('/').at(-1)!, 'state.json'))).code).toBe(2);
    await first.stop();
  });
});

test('a file with a second name, which could have a server of its own, is refused', async () => {
  const first = await startCli([...NOW, '--state', file]);
  await book(first, (await teeTimes(first))[0]!);
  const path = join(folder, 'hard-link.json');
  linkSync(file, path);
  const { code, stderr } = await refused(path);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `teebox: Failed to load state ${path}: it has another name (a hard link), under which a second server could use it. Copy the file instead.\n`,
  });
  await first.stop();
});

describe('a server that finds its lock gone', () => {
  const gone = (path = lock()) => `the lock ${path} was removed or belongs to another server. Restart this server`;

  test('stops accepting before the next server reads the file, so that no answered booking is lost', async () => {
    const first = await startCli([...NOW, '--state', file]);
    const free = await teeTimes(first);
    const answered: string[] = [];
    let isOver = false;
    const load = (async () => {
      for (const teeTime of free.slice(0, 200)) {
        const { status, id } = await tryToBook(first, teeTime);
        if (status === 200) answered.push(id!);
        if (isOver) break;
      }
    })();
    await until(() => answered.length > 3);
    rmSync(lock());
    const second = await startCli([...NOW, '--state', file]);
    isOver = true;
    await load;
    const { status, message } = await tryToBook(first, free[0]!);
    expect({ status, message }).toEqual({ status: 503, message: expect.stringContaining(gone()) });
    const own = await book(second, free.at(-1)!);
    expect(await first.stop()).toBe(1);
    expect(first.output().stderr).toContain(`Failed to save the state to ${file}: ${gone()}`);
    await second.stop('SIGKILL');
    expect(idsIn(readState(file))).toEqual(expect.arrayContaining([...answered, own]));
  });

  test('says so within seconds, even if nobody asks', async () => {
    const server = await startCli([...NOW, '--state', file]);
    rmSync(lock());
    await until(() => server.output().stderr.includes(gone()));
    await server.stop();
  });

  test('goes on if it comes back', async () => {
    const server = await startCli([...NOW, '--state', file]);
    renameSync(lock(), `${lock()}.away`);
    await until(() => server.output().stderr.includes(gone()));
    renameSync(`${lock()}.away`, lock());
    await until(() => server.output().stderr.includes('is saved to'));
    await book(server, (await teeTimes(server))[0]!);
    expect(await server.stop()).toBe(0);
  });
});

/** A command that starts another in a namespace of process ids of its own, as a container does. */
const apart = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const canBeApart = spawnSync(apart[0]!, [...apart.slice(1), 'true']).status === 0;

test.runIf(canBeApart)('servers in two namespaces of process ids never share a file', async () => {
  const first = await startCli([...NOW, '--state', file], {}, apart);
  expect(JSON.parse(readFileSync(lock(), 'utf8')).pid).toBe(1);
  const ids = [];
  for (const teeTime of (await teeTimes(first)).slice(0, 5)) ids.push(await book(first, teeTime));
  const start = () => startCli([...NOW, '--state', file], {}, apart);
  await expect(start()).rejects.toThrow('process 1 in another container or on another machine uses it');
  expect((await refused()).code).toBe(2);
  ids.push(await book(first, (await teeTimes(first)).at(-1)!));
  await first.stop('SIGKILL');
  const second = await start();
  expect(idsIn(readState(file))).toEqual(expect.arrayContaining(ids));
  await second.stop('SIGKILL');
});

describe('the lock of a process that is gone', () => {
  test('after a kill is taken over', async () => {
    const first = await startCli([...NOW, '--state', file]);
    await first.stop('SIGKILL');
    expect(existsSync(lock())).toBe(true);
    const second = await startCli([...NOW, '--state', file]);
    expect(JSON.parse(readFileSync(lock(), 'utf8')).pid).toBe(second.child.pid);
    await second.stop();
    expect(existsSync(lock())).toBe(false);
  });

  test.each([
    ['an id that nobody has', { pid: 999_999_999, started: '1' }],
    ['an id that somebody else has now', { pid: process.pid, started: 'before' }],
    ['nothing in it', undefined],
  ])('%s', async (_, mark) => {
    writeFileSync(lock(), mark ? JSON.stringify(mark) : '');
    const server = await startCli([...NOW, '--state', file]);
    await server.stop();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken over by one of several that start at once', async () => {
    writeFileSync(lock(), JSON.stringify({ pid: 999_999_999, started: '1' }));
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, [CLI, 'serve', '--port', '0', '--json', ...NOW, '--state', file]),
    );
    const ready = (child: ChildProcess) => once(child.stdout!, 'data').then(() => 'ready');
    const ended = (child: ChildProcess) => once(child, 'exit').then(([code]) => `exit ${code}`);
    const outcomes = await Promise.all(children.map((child) => Promise.race([ready(child), ended(child)])));
    for (const child of children) child.kill();
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    expect(outcomes.sort()).toEqual(['exit 2', 'exit 2', 'exit 2', 'exit 2', 'ready']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the lock of a process in another container', () => {
  const mark = { pid: 1, started: '1', space: 'another container' };

  test('is respected as long as its time changes', async () => {
    writeFileSync(lock(), JSON.stringify(mark));
    const beat = setInterval(() => utimesSync(lock(), new Date(), new Date()), 500);
    const { code, stderr } = await refused().finally(() => clearInterval(beat));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('process 1 in another container or on another machine uses it.'),
    });
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(mark);
  });

  test('is taken over if its time stands still', async () => {
    writeFileSync(lock(), JSON.stringify(mark));
    const server = await startCli([...NOW, '--state', file]);
    expect(JSON.parse(readFileSync(lock(), 'utf8')).pid).toBe(server.child.pid);
    const time = statSync(lock()).mtimeMs;
    await expect.poll(() => statSync(lock()).mtimeMs).toBeGreaterThan(time);
    await server.stop();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('a file of somebody else in its place is left alone', async () => {
  writeFileSync(lock(), 'mine');
  const { code, stderr } = await refused();
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('is not a lock of Teebox') });
  expect(readFileSync(lock(), 'utf8')).toBe('mine');
});

test('a start that fails leaves no lock', async () => {
  writeFileSync(file, 'no state');
  expect((await refused()).code).toBe(2);
  expect(readdirSync(folder)).toEqual(['state.json']);
});

test('a place where nothing can be saved is told at the start', async () => {
  // The root user may write anywhere but where the system allows no files.
  const { code, stdout, stderr } = await refused('/proc/state.json');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(
    /Failed to use state \/proc\/state\.json: the folder does not exist, or no file can be created/,
  );
});

test('a clock that is too far ahead is told at the start', async () => {
  const state = JSON.parse(JSON.stringify((await createSandbox()).snapshot()));
  state.clock = { mode: 'running', now: state.clock.now, ahead: 1e300 };
  writeFileSync(file, JSON.stringify(state));
  const { code, stderr } = await refused();
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('`clock.ahead` must be milliseconds') });
});

describe('a restart', () => {
  const refresh = async (baseUrl: string, refresh_token: unknown) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    };
    const answer = await fetch(`${baseUrl}/api/v5/token/refreshToken`, init);
    return { status: answer.status, ...((await answer.json()) as { data: { refresh_token: string } }) };
  };

  test('prints the refresh tokens that work', async () => {
    const first = await startCli([...NOW, '--state', file]);
    const { data } = await refresh(first.baseUrl, first.ready.channels[0]!['refreshToken']);
    await first.stop();
    const second = await startCli([...NOW, '--state', file]);
    const [channel] = second.ready.channels;
    expect(channel!['refreshToken']).toBe(data.refresh_token);
    expect((await refresh(second.baseUrl, channel!['refreshToken'])).status).toBe(200);
    await second.stop();
  });

  test('and those that were revoked as revoked', async () => {
    const first = await startCli([...NOW, '--state', file, '--scenario', 'credentials-revoked']);
    const headers = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}` };
    expect((await fetch(`${first.baseUrl}/api/v3/countries`, { headers })).status).toBe(401);
    await first.stop();
    const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...NOW, '--state', file]);
    let banner = '';
    child.stdout.on('data', (chunk) => (banner += chunk));
    while (!banner.includes('Ctrl-C')) await once(child.stdout, 'data');
    child.kill();
    await once(child, 'exit');
    expect(banner).toMatch(/fairway:not-a-secret-fairway +refresh token revoked, password revoked\n/);
    expect(banner).toMatch(/\ncurl -u links:/);
  });
});
