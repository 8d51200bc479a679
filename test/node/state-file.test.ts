import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox, type State } from '../../src/index.js';
import { bookingFor, type TeeTime } from '../support/scenes.js';
import { basic } from '../support/credentials.js';
import { runCli, type Started, startCli } from '../support/network/process.js';

const NOW = ['--now', '2026-06-01T08:00:00Z', '--log-level', 'silent'];
const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
const root = mkdtempSync(join(tmpdir(), 'teebox-state-'));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
/** A folder of its own for each test. */
function newFolder(): string {
  const folder = join(root, String((folders += 1)));
  mkdirSync(folder);
  return folder;
}

const read = (file: string): State => JSON.parse(readFileSync(file, 'utf8'));
const idsIn = ({ store }: State): string[] => store.bookings.map(({ bookingId }) => bookingId);

async function ask({ baseUrl }: Started, path: string, body?: unknown) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const answer = await response.json();
  expect({ path, status: response.status, answer }).toMatchObject({ status: 200 });
  return answer;
}

async function book(server: Started, teeTime: TeeTime): Promise<string> {
  return (await ask(server, '/api/v5/bookings', bookingFor(teeTime))).data.bookingId;
}

async function teeTimes(server: Started, day = 11): Promise<TeeTime[]> {
  const { data } = await ask(server, `/api/v4/teetimes/1001?bookingDate=${day}-06-2026&players=1&holes=18`);
  return data.teeTimeV3;
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => void setTimeout(resolve, 20));
}

async function listed(server: Started): Promise<string[]> {
  const { bookings } = await ask(server, '/__admin/bookings?limit=10000');
  return bookings.map(({ bookingId }: { bookingId: string }) => bookingId);
}

describe('a killed server', () => {
  test('leaves the state of some moment, from which the next one goes on', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    let bookings = 0;
    let server = await startCli([...NOW, '--state', file]);
    const planted = await listed(server);
    for (let round = 0; round < 8; round += 1) {
      const before = await listed(server);
      const answered: string[] = [];
      const free = await teeTimes(server, 11 + round);
      const burst = (async () => {
        for (const teeTime of free) answered.push(await book(server, teeTime));
      })().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      // Other moments in each round: before the first save, in it, after it.
      await new Promise((resolve) => void setTimeout(resolve, 120 + round * 45));
      await server.stop('SIGKILL');
      await burst;
      const saved = existsSync(file) ? idsIn(read(file)) : planted;
      // Nothing that was saved is lost, and what is there was made one after the other.
      expect(saved.slice(0, before.length)).toEqual(before);
      const more = saved.slice(before.length);
      // The answer to the very last one may have been lost.
      expect(more.slice(0, answered.length)).toEqual(answered.slice(0, more.length));
      expect(more.length).toBeLessThanOrEqual(answered.length + 1);
      bookings += answered.length;
      server = await startCli([...NOW, '--state', file]);
      expect(await listed(server)).toEqual(saved);
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }
    expect(bookings).toBeGreaterThan(8);
    await server.stop();
  });

  test('has saved what is a little older', async () => {
    const file = join(newFolder(), 'state.json');
    const server = await startCli([...NOW, '--state', file]);
    const id = await book(server, (await teeTimes(server))[0]!);
    await until(() => existsSync(file));
    await server.stop('SIGKILL');
    expect(idsIn(read(file))).toContain(id);
  });
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('at %s it saves before it goes', async (signal, code) => {
  const file = join(newFolder(), 'state.json');
  const server = await startCli(NOW, { TEEBOX_STATE: file });
  const id = await book(server, (await teeTimes(server))[0]!);
  expect(await server.stop(signal)).toBe(code);
  expect(idsIn(read(file))).toContain(id);
});

describe('a start', () => {
  test('takes seed, size and a frozen clock from the file; flags override it', async () => {
    const file = join(newFolder(), 'state.json');
    const sandbox = await createSandbox({ seed: 7, facilities: 90, now: '2026-07-01T08:00:00Z' });
    writeFileSync(file, JSON.stringify(sandbox.snapshot()));
    const server = await startCli(['--state', file]);
    expect(await ask(server, '/__admin/version')).toMatchObject({ seed: 7, facilities: 90 });
    expect(await ask(server, '/__admin/clock')).toEqual({ now: '2026-07-01T08:00:00.000Z', mode: 'standing' });
    await server.stop();
    const other = await startCli(['--state', file, ...NOW]);
    expect(await ask(other, '/__admin/clock')).toMatchObject({ now: '2026-06-01T08:00:00.000Z' });
    await other.stop();
  });

  test('lets a clock that ran follow the machine, as far ahead as it was', async () => {
    const file = join(newFolder(), 'state.json');
    const server = await startCli(['--state', file]);
    await ask(server, '/__admin/clock', { advance: 'P10D' });
    await server.stop();
    const before = Date.now();
    const again = await startCli(['--state', file]);
    const { now, mode } = await ask(again, '/__admin/clock');
    expect(mode).toBe('running');
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 864_000_000);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 864_000_000);
    await again.stop();
  });

  test('clears away what processes left that are gone, and nothing else', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    const left = ['state.json.999999999.tmp', `state.json.${process.pid}.tmp`, 'state.json.old', 'a.1.tmp'];
    for (const name of left) writeFileSync(join(folder, name), '');
    await (await startCli([...NOW, '--state', file])).stop();
    expect(readdirSync(folder).sort()).toEqual(left.slice(1).sort());
  });

  test('by a link saves where it leads', async () => {
    const folder = newFolder();
    const [file, link] = [join(folder, 'state.json'), join(folder, 'link.json')];
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    symlinkSync(file, link);
    const server = await startCli([...NOW, '--state', link]);
    const id = await book(server, (await teeTimes(server))[0]!);
    await server.stop();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(idsIn(read(file))).toContain(id);
  });

  const broken: [what: string, text: string, why: RegExp][] = [
    ['nothing', '', /it is not JSON/],
    ['half a state', '{"format":"teebox-state","ver', /it is not JSON/],
    ['null', 'null', /`state` must be an object with format, version/],
    ['something else', '{"log":{}}', /`format` must be "teebox-state"; got nothing/],
    ['a later version', '{"format":"teebox-state","version":2}', /`version` must be 1; got 2/],
  ];
  test.each(broken)('from a file with %s is refused, and the file stays', async (_, text, why) => {
    const file = join(newFolder(), 'state.json');
    writeFileSync(file, text);
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', '--state', file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(why);
    expect(stderr).toContain(`Failed to load state ${file}: `);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('from a world of another seed, a folder, or where no folder is, is refused', async () => {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify((await createSandbox()).snapshot()));
    const rows: [args: string[], why: string][] = [
      [['--state', file, '--seed', '2'], '`seed` must be 2, as in this sandbox; got 1.'],
      [['--state', folder], 'it cannot be read (EISDIR).'],
      [['--state', join(folder, 'nowhere', 'state.json')], 'the folder does not exist.'],
    ];
    for (const [args, why] of rows) {
      const { code, stderr } = await runCli(['serve', '--port', '0', ...args]);
      expect({ args, code, stderr }).toEqual({ args, code: 2, stderr: expect.stringContaining(why) });
    }
  });
});

describe('a save that fails', () => {
  async function withoutFolder() {
    const folder = newFolder();
    const file = join(folder, 'state.json');
    const server = await startCli([...NOW, '--state', file]);
    const free = await teeTimes(server);
    renameSync(folder, `${folder}-away`);
    const first = await book(server, free[0]!);
    await until(() => server.output().stderr.includes('Failed to save the state'));
    return { folder, file, server, free, first };
  }

  test('is logged one time, and the service keeps running', async () => {
    const { file, server, free } = await withoutFolder();
    await book(server, free[1]!);
    expect(await server.stop()).toBe(0);
    const { stderr } = server.output();
    expect(stderr.match(/Failed to save/g)).toHaveLength(1);
    expect(stderr).toContain(`${file}: the folder no longer exists.`);
  });

  test('is made good as soon as it can be', async () => {
    const { folder, file, server, free, first } = await withoutFolder();
    renameSync(`${folder}-away`, folder);
    const second = await book(server, free[1]!);
    await server.stop();
    expect(idsIn(read(file)).slice(-2)).toEqual([first, second]);
  });
});
