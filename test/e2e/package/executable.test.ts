import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { State } from '../../../src/engine/library.js';
import { bookUntilKilled, checkBookings, checkGroups } from '../../support/network/kill-clients.js';
import { moments } from '../../support/network/kills.js';
import { ask, book, listed, NOW, readState, teeTimes } from '../../support/network/state-server.js';
import { rootFolder } from '../../../spec/generate/folders.js';
import { newerNode } from './project.js';

const execute = promisify(execFile);
const basic = 'fairway:not-a-secret-fairway';
const headers = { authorization: `Basic ${btoa(basic)}` };

type Spawned = ChildProcessByStdio<null, Readable, Readable>;

/** Starts a command that prints a line of JSON when it is ready. */
async function ready<T>(program: string, ...args: readonly string[]): Promise<{ running: Spawned; told: T }> {
  const running = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.stderr.resume();
  const [line] = (await once(running.stdout, 'data')) as [Buffer];
  running.stdout.resume();
  return { running, told: JSON.parse(line.toString().split('\n')[0]!) as T };
}

async function ended(running: Spawned, signal: NodeJS.Signals): Promise<number | null> {
  running.kill(signal);
  const [code] = (await once(running, 'exit')) as [number | null];
  return code;
}

describe.each([
  ['this Node', () => process.execPath],
  ['Node 24', newerNode],
])('the single executable with %s', (_name, node) => {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-executable-'));
  const program = join(folder, 'teebox');
  let sandbox: { running: Spawned; told: { readonly baseUrl: string } };
  beforeAll(async () => {
    const path = `${dirname(node())}:${process.env['PATH']}`;
    const script = resolve(rootFolder, 'deploy/executable/build.mjs');
    await execute(node(), [script, program], { env: { ...process.env, PATH: path } });
    sandbox = await ready(program, 'serve', '--port', '0', '--json', '--now', '2026-06-01T08:00:00Z');
  });
  afterAll(() => {
    sandbox?.running.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  test('prints its version, its help and a page of the documentation', async () => {
    const { version } = JSON.parse(readFileSync(resolve(rootFolder, 'package.json'), 'utf8'));
    expect((await execute(program, ['--version'])).stdout).toBe(`${version}\n`);
    expect((await execute(program, ['help', 'exit-codes'])).stdout).toContain('Exit codes\n----------\n');
    expect((await execute(program, ['list', 'rules', 'bookings.*'])).stdout).toContain('bookings.create.');
  });

  test('answers curl, and books', async () => {
    const at = `${sandbox.told.baseUrl}/api/v5/bookings`;
    const [, book = ''] = /<<'END'\n([^]*?)\nEND/.exec(readFileSync(resolve(rootFolder, 'README.md'), 'utf8')) ?? [];
    const { stdout } = await execute('curl', [
      '-s',
      '-u',
      basic,
      '-H',
      'Content-Type: application/json',
      at,
      '-d',
      book,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
  });

  test('shows the console with all its files', async () => {
    const page = `${sandbox.told.baseUrl}/__admin/`;
    const text = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
    const files = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect((await fetch(new URL(file, page))).status).toBe(200);
  });

  test('judges itself', async () => {
    const { stdout } = await execute(program, ['check', sandbox.told.baseUrl, '--basic', basic, '--report', 'json=-']);
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ verdict: 'conformant', exitCode: 0 });
  });

  test('judges what passes in its thread', async () => {
    const passing = ['proxy', sandbox.told.baseUrl, '--port', '0', '--json'];
    const { running, told } = await ready<{ readonly baseUrl: string }>(program, ...passing);
    expect((await fetch(`${told.baseUrl}/api/v3/countries`, { headers })).status).toBe(200);
    expect(await ended(running, 'SIGINT')).toBe(0);
  });

  test('loses nothing that it answered when it is killed', async () => {
    const file = join(folder, 'state.json');
    const serve = ['serve', '--port', '0', '--json', ...NOW, '--state', file];
    for (const [round, moment] of moments(700).entries()) {
      const { running, told } = await ready<{ readonly baseUrl: string }>(program, ...serve);
      const free = await teeTimes(told, 11 + round);
      await book(told, free.pop()!);
      const before = await listed(told);
      const { groups } = ((await ask(told, '/__admin/state')) as State).store;
      const { clients, ended: broken } = bookUntilKilled(told, free, 6);
      await sleep(moment);
      await ended(running, 'SIGKILL');
      await broken;
      const { store } = readState(file);
      checkBookings(
        store.bookings.map(({ bookingId }) => bookingId),
        before,
        clients,
      );
      if (round === 0) checkGroups(store, groups);
    }
  });

  test('stops on SIGTERM', async () => {
    expect(await ended(sandbox.running, 'SIGTERM')).toBe(0);
  });
});
