import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkGroups, GROUP } from '../../support/network/kill-clients.js';
import { runCli, startCli, type Started } from '../../support/network/process.js';
import {
  ask,
  book,
  folders,
  idsIn,
  listed,
  NOW,
  readState,
  teeTimes,
  tryToBook,
} from '../../support/network/state-server.js';
import { bookingFor, type TeeTime } from '../../support/scenes.js';

const newFolder = folders();
const preload = new URL('../../support/network/simulated-disk.mjs', import.meta.url).href;

/** A folder whose changes are noted, and which can become read-only or full. */
function newDisk() {
  const root = newFolder();
  const [folder, journal, readOnly, full] = ['files', 'journal', 'read-only', 'full'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  mkdirSync(folder);
  const file = join(folder, 'state.json');
  const env = {
    NODE_OPTIONS: `--import=${preload}`,
    DISK_FOLDER: folder,
    DISK_JOURNAL: journal,
    DISK_READ_ONLY: readOnly,
    DISK_FULL: full,
  };
  const args = [...NOW, '--state', file];
  return {
    folder,
    file,
    journal,
    args,
    env,
    start: (more: Record<string, string> = {}) => startCli(args, { ...env, ...more }),
    setReadOnly: (is: boolean) => (is ? writeFileSync(readOnly, '') : rmSync(readOnly)),
    fill: () => writeFileSync(full, ''),
  };
}

type Entry = Readonly<
  | { what: 'open'; name: string; inode: number; isNew: boolean }
  | { what: 'write'; inode: number; at: number; bytes: string }
  | { what: 'truncate'; inode: number; size: number }
  | { what: 'sync' | 'synced'; inode: number; id: string }
  | { what: 'rename'; from: string; to: string }
  | { what: 'remove'; name: string }
>;

type Step = (before: Buffer) => Buffer;

const write =
  (at: number, bytes: Buffer): Step =>
  (before) =>
    Buffer.concat([before.subarray(0, at), bytes, before.subarray(at + bytes.length)]);

/** A file of which only what was synced is surely on the disk. */
class SimulatedFile {
  #kept: Buffer = Buffer.alloc(0);
  #pending: Step[] = [];
  /** The number of changes that are kept. */
  #done = 0;

  get changes(): number {
    return this.#done + this.#pending.length;
  }

  change(step: Step): void {
    this.#pending.push(step);
  }

  keep(changes: number): void {
    const more = Math.max(0, changes - this.#done);
    this.#kept = this.with(more);
    this.#pending = this.#pending.slice(more);
    this.#done += more;
  }

  /** The content if so many changes beyond the kept ones have reached the disk. */
  with(more: number): Buffer {
    return this.#pending.slice(0, more).reduce((bytes, step) => step(bytes), this.#kept);
  }

  /** What may be found after the power was lost. */
  *left(): Iterable<Buffer> {
    yield this.#kept;
    if (this.#pending.length === 0) return;
    const half = this.with(Math.ceil(this.#pending.length / 2));
    yield half;
    yield half.subarray(0, Math.max(this.#kept.length, half.length - 7));
  }
}

type Names = ReadonlyMap<string, SimulatedFile>;

/** A disk that keeps for sure only what was synced, files and names alike. */
class SimulatedDisk {
  readonly #files = new Map<number, SimulatedFile>();
  #names: Names = new Map();
  #keptNames: Names = new Map();
  #folder: number | undefined;
  readonly #begun = new Map<string, { readonly changes: number; readonly names: Names }>();

  apply(entry: Entry): void {
    if (entry.what === 'open') this.#open(entry);
    else if (entry.what === 'write') this.#change(entry.inode, write(entry.at, Buffer.from(entry.bytes, 'base64')));
    else if (entry.what === 'truncate') this.#change(entry.inode, (before) => before.subarray(0, entry.size));
    else if (entry.what === 'rename') {
      this.#name(entry.to, this.#names.get(entry.from)!);
      this.#name(entry.from, undefined);
    } else if (entry.what === 'remove') this.#name(entry.name, undefined);
    else this.#sync(entry);
  }

  #open({ name, inode, isNew }: Entry & { readonly what: 'open' }): void {
    if (name === '.') this.#folder = inode;
    // A new file may get the inode of one that was removed.
    if (isNew) this.#files.set(inode, new SimulatedFile());
    if (isNew) this.#name(name, this.#files.get(inode));
  }

  #name(name: string, file: SimulatedFile | undefined): void {
    const names = new Map(this.#names);
    if (file) names.set(name, file);
    else names.delete(name);
    this.#names = names;
  }

  #change(inode: number, step: Step): void {
    this.#files.get(inode)!.change(step);
  }

  #sync({ what, inode, id }: Entry & { readonly what: 'sync' | 'synced' }): void {
    const file = this.#files.get(inode);
    if (what === 'sync') {
      this.#begun.set(id, { changes: file?.changes ?? 0, names: this.#names });
      return;
    }
    const { changes, names } = this.#begun.get(id)!;
    if (inode === this.#folder) this.#keptNames = names;
    else file?.keep(changes);
  }

  /** What may be found in a file after the power was lost now; undefined for no file. */
  *left(name: string): Iterable<Buffer | undefined> {
    for (const names of [this.#keptNames, this.#names]) {
      const file = names.get(name);
      if (file) yield* file.left();
      else yield undefined;
    }
  }
}

/** A booking or group that was answered, when the journal had so many bytes. */
interface Answered {
  readonly ids: readonly string[];
  readonly size: number;
}

/** Books with several clients, single and in groups, until all is booked or the server is gone. */
async function bookAll(server: Started, free: readonly TeeTime[], journal: string, answered: Answered[]) {
  const post = async (body: unknown): Promise<void> => {
    const { data } = await ask(server, '/api/v5/bookings', body);
    const ids = (data.bookingIds ?? [data]).map((one: { bookingId: string }) => one.bookingId);
    answered.push({ ids, size: statSync(journal).size });
  };
  const clients = [0, 1, 2, 3].map(async (client) => {
    const own = free.filter((_, index) => index % 4 === client).map((one) => bookingFor(one));
    if (client % 2 === 0) for (const one of own) await post(one);
    else for (let at = 0; at + GROUP <= own.length; at += GROUP) await post(own.slice(at, at + GROUP));
  });
  await Promise.all(clients).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
}

/** Runs a server twice: it is stopped, and then killed. Gives back what was answered, and where the journal ended. */
async function runTwice(sync: 'always' | 'interval') {
  const disk = newDisk();
  const answered: Answered[] = [];
  const first = await disk.start({ TEEBOX_STATE_SYNC: sync });
  const { groups } = (await ask(first, '/__admin/state')).store;
  await bookAll(first, await teeTimes(first, 11), disk.journal, answered);
  await first.stop();
  const second = await disk.start({ TEEBOX_STATE_SYNC: sync });
  const booked = bookAll(second, await teeTimes(second, 12), disk.journal, answered);
  await sleep(300);
  await second.stop('SIGKILL');
  await booked;
  return { ...disk, answered, groups: groups as number };
}

type Run = Awaited<ReturnType<typeof runTwice>>;

/** What may be left of the state after each change, with the ids that were answered by then. */
function* losses({ journal, answered }: Run): Iterable<{ bytes: Buffer | undefined; ids: readonly string[] }> {
  const disk = new SimulatedDisk();
  let size = 0;
  for (const line of readFileSync(journal, 'utf8').split('\n').slice(0, -1)) {
    disk.apply(JSON.parse(line) as Entry);
    size += Buffer.byteLength(line) + 1;
    const ids = answered.filter((one) => one.size <= size).flatMap((one) => one.ids);
    for (const bytes of disk.left('state.json')) yield { bytes, ids };
  }
}

const missingIn = (path: string, ids: readonly string[]): string[] => {
  const saved = new Set(existsSync(path) ? idsIn(readState(path)) : []);
  return ids.filter((id) => !saved.has(id));
};

test('when the power is lost at any moment, what was answered with state-sync: always is kept, and nothing is half', async () => {
  const run = await runTwice('always');
  expect(run.answered.length).toBeGreaterThan(20);
  const path = join(newFolder(), 'state.json');
  const tried = new Set<string>();
  let last: Buffer | undefined;
  for (const { bytes, ids } of losses(run)) {
    const key = `${bytes?.toString('latin1')} ${ids.length}`;
    if (tried.has(key)) continue;
    tried.add(key);
    last = bytes;
    if (bytes) writeFileSync(path, bytes);
    else rmSync(path, { force: true });
    expect(missingIn(path, ids)).toEqual([]);
    if (bytes) checkGroups(readState(path).store, run.groups);
  }
  expect(tried.size).toBeGreaterThan(50);
  writeFileSync(path, last!);
  const server = await startCli([...NOW, '--state', path]);
  expect(await listed(server)).toEqual(idsIn(readState(path)));
  await server.stop();
});

test('what a killed server left unsynced is on the disk before the next one shows it', async () => {
  const disk = newDisk();
  const first = await disk.start();
  const [free, next] = await teeTimes(first);
  // The first change writes the file, and syncs it.
  await book(first, free!);
  const id = await book(first, next!);
  await first.stop('SIGKILL');
  const second = await disk.start({ TEEBOX_STATE_SYNC: 'always' });
  expect(await listed(second)).toContain(id);
  const { size } = statSync(disk.journal);
  const left = [...losses({ ...disk, answered: [{ ids: [id], size }], groups: 0 })].filter(({ ids }) => ids.length > 0);
  await second.stop('SIGKILL');
  expect(left.length).toBeGreaterThan(0);
  const path = join(newFolder(), 'state.json');
  for (const { bytes, ids } of left) {
    writeFileSync(path, bytes ?? '');
    expect(missingIn(path, ids)).toEqual([]);
  }
});

test('with state-sync: interval, bookings of the last second may be lost', async () => {
  const run = await runTwice('interval');
  const path = join(newFolder(), 'state.json');
  const lost = [...losses(run)].some(({ bytes, ids }) => {
    if (!bytes) return ids.length > 0;
    writeFileSync(path, bytes);
    return missingIn(path, ids).length > 0;
  });
  expect(lost).toBe(true);
});

test('each change of a token file is on the disk before the next one, so that no token is spent before', async () => {
  const { file, journal, env } = newDisk();
  const server = await startCli(NOW);
  const given = server.ready.channels[0]!['refreshToken']!;
  const tokens = ['--token-file', file, '--refresh-token', given];
  const { code } = await runCli(['check', server.baseUrl, ...tokens, '--only', 'countries.list'], env);
  await server.stop();
  const disk = new SimulatedDisk();
  const found: string[][] = [];
  const look = () => found.push([...new Set([...disk.left('state.json')].map(String))]);
  for (const line of readFileSync(journal, 'utf8').split('\n').slice(0, -1)) {
    const entry = JSON.parse(line) as Entry;
    if (entry.what === 'open' && entry.isNew) look();
    disk.apply(entry);
  }
  look();
  const pending = expect.stringMatching(`"pending": "${given}"`);
  const spent = expect.not.stringContaining('pending');
  expect({ code, found }).toEqual({ code: 0, found: [['undefined'], [pending], [spent]] });
});

test('a new state replaces the file, also where no file that is open can be replaced', async () => {
  const disk = newDisk();
  const server = await disk.start();
  const [first, second] = await teeTimes(server);
  await book(server, first!);
  await ask(server, '/__admin/reset', {});
  const id = await book(server, second!);
  await server.stop('SIGKILL');
  expect(idsIn(readState(disk.file))).toContain(id);
});

test('a file system that becomes read-only refuses bookings with the reason, until it is writable again', async () => {
  const disk = newDisk();
  const server = await disk.start();
  const [first, second, third] = await teeTimes(server);
  const kept = [await book(server, first!)];
  disk.setReadOnly(true);
  expect(await tryToBook(server, second!)).toMatchObject({
    status: 503,
    message: expect.stringContaining('the file system is read-only'),
  });
  const health = await fetch(`${server.baseUrl}/__admin/health`);
  expect({ status: health.status, text: await health.text() }).toEqual({
    status: 503,
    text: expect.stringContaining('the file system is read-only'),
  });
  disk.setReadOnly(false);
  const healthy = async () => (await fetch(`${server.baseUrl}/__admin/health`)).status;
  await expect.poll(healthy).toBe(200);
  kept.push(await book(server, third!));
  const all = await listed(server);
  expect(all).toEqual(expect.arrayContaining(kept));
  await server.stop('SIGKILL');
  expect(idsIn(readState(disk.file))).toEqual(all);
  disk.setReadOnly(true);
  for (const args of [
    ['serve', '--port', '0', ...disk.args],
    ['check', server.baseUrl, '--basic', 'a:b', '--report', `json=${disk.file}.report`],
  ]) {
    const { code, stderr } = await runCli(args, disk.env);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('the file system is read-only') });
  }
});

test('a server that finds no room to start leaves nothing that the next one would wait for', async () => {
  const disk = newDisk();
  disk.fill();
  const { code, stderr } = await runCli(['serve', '--port', '0', ...disk.args], disk.env);
  expect({ code, stderr, left: readdirSync(disk.folder) }).toEqual({
    code: 2,
    stderr: expect.stringContaining('the disk is full'),
    left: [],
  });
});
