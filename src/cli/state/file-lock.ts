import { existsSync, fstatSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, lstat, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_MODE } from '../atomic-file.js';
import { UsageError } from '../usage-error.js';
import { isRunning, isVisible, markOf, type ProcessMark } from './processes.js';

/** Milliseconds between two looks at a lock that is just being written or taken over, and the number of looks. */
const PAUSE = 50;
const LOOKS = 20;

/** Milliseconds between two signs of life of a holder, and those after which a holder without one is gone. */
const BEAT = 1000;
const SILENCE = 5000;

/** Milliseconds for which a holder relies on its last look at the lock. A new holder waits longer before it reads. */
const TRUST = 10;

export interface FileLock {
  /** @throws {Error} if the lock is gone, so that another process may have claimed the file. */
  check(): void;
}

/**
 * Claims a file for this process until it exits, by a second file with the id of the process. The claim of a process
 * that is gone is taken over. A process in another container or on another machine cannot be seen, so each holder
 * renews the time of its lock every second, and the claim of an invisible one is taken over if that stops.
 *
 * @param onBeat Called each time it was renewed.
 * @throws {UsageError} if another process has claimed it, or if the folder is not writable.
 */
export async function lockFile(file: string, onBeat: () => void): Promise<FileLock> {
  const lock = `${file}.lock`;
  const own = `${JSON.stringify(markOf(process.pid))}\n`;
  for (let [look, busy] = [0, 0]; ; look += 1) {
    const handle = await create(lock, own, file);
    if (handle) {
      keepAlive(handle, onBeat);
      process.on('exit', () => release(lock, own));
      // Somebody may have deleted the lock of a server that runs. Its last line is in the file then.
      if (existsSync(file)) await sleep(2 * TRUST);
      return held(lock, handle);
    }
    const text = await readLock(lock, file);
    if (text === undefined) continue;
    const holder = read(text);
    if (holder && isVisible(holder) && isRunning(holder)) {
      if (look >= LOOKS) throw inUse(file, `process ${holder.pid} uses it. Stop that server first`);
      // A supervisor may start the next server while this one still stops.
      await sleep(PAUSE);
      continue;
    }
    if (holder && !isVisible(holder) && (await showsLife(lock)))
      throw inUse(
        file,
        `process ${holder.pid} in another container or on another machine uses it. Stop that server first`,
      );
    if (!holder && (text.trim() !== '' || look < LOOKS)) {
      if (look >= LOOKS) throw notOurs(lock, file);
      await sleep(PAUSE);
    } else {
      busy = (await takeAway(lock, text, file, busy >= SILENCE / PAUSE)) ? 0 : busy + 1;
      if (busy > 0) await sleep(PAUSE);
    }
  }
}

/** Looks by inode: a lock that another process created under the same name is not this one. */
function held(lock: string, { fd }: FileHandle): FileLock {
  const { dev, ino } = fstatSync(fd);
  let seen = -Infinity;
  return {
    check() {
      const now = performance.now();
      if (now - seen < TRUST) return;
      const found = lstatSync(lock, { throwIfNoEntry: false });
      const isOurs = found?.dev === dev && found.ino === ino;
      // Without its folder nothing can be written, and nobody else can have claimed the file.
      if (!isOurs && (found || existsSync(dirname(lock))))
        throw new Error(`the lock ${lock} was removed or belongs to another server. Restart this server`);
      seen = now;
    },
  };
}

function inUse(file: string, why: string): UsageError {
  return new UsageError(
    `Failed to use state ${file}: ${why}, or name another file. If no server uses it, delete ${file}.lock.`,
  );
}

/** Renews the time of a lock until the process exits. The handle leads to this lock even if another took its place. */
function keepAlive(handle: FileHandle, onBeat: () => void): void {
  setInterval(() => {
    const now = new Date();
    handle.utimes(now, now).catch(() => {});
    onBeat();
  }, BEAT).unref();
}

/** Whether the time of a lock changes. Clocks of two machines may differ, so it is compared only to itself. */
async function showsLife(lock: string): Promise<boolean> {
  const timeOf = async (): Promise<number | undefined> => (await lstat(lock).catch(() => undefined))?.mtimeMs;
  const first = await timeOf();
  for (let waited = 0; waited < SILENCE; waited += PAUSE) {
    await sleep(PAUSE);
    const now = await timeOf();
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

/** Creates the lock, and leaves it open; undefined if there is one already. */
async function create(lock: string, text: string, file: string): Promise<FileHandle | undefined> {
  const handle = await createFile(lock, file);
  try {
    await handle?.writeFile(text);
  } catch (error) {
    // A full disk takes an empty file.
    await handle!.close();
    await rm(lock, { force: true });
    throw notCreated(file, error);
  }
  return handle;
}

/** Undefined if the path is taken. */
async function createFile(path: string, file: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', SECRET_MODE);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw notCreated(file, error);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

function notCreated(file: string, error: unknown): UsageError {
  const why: Record<string, string> = {
    ENOENT: 'the folder does not exist, or no file can be created in it',
    EACCES: 'the folder is not writable',
    EPERM: 'the folder is not writable',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  const code = codeOf(error);
  return new UsageError(`Failed to use state ${file}: ${why[code] ?? `no file can be created next to it (${code})`}.`);
}

/** The text of a lock; undefined if it is gone by now. What is no plain file is no lock, and is not opened. */
async function readLock(lock: string, file: string): Promise<string | undefined> {
  const found = await lstat(lock).catch(() => undefined);
  if (found && !found.isFile()) throw notOurs(lock, file);
  return readFile(lock, 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw inUse(file, `its lock cannot be read (${codeOf(error)}). Start Teebox as the user who used it`);
  });
}

function notOurs(lock: string, file: string): UsageError {
  return inUse(file, `${lock} is not a lock of Teebox`);
}

function read(text: string): ProcessMark | undefined {
  try {
    const { pid, started = null, ...space } = JSON.parse(text) as ProcessMark;
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, started, ...space } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock of a process that is gone. Only one process does so at a time: another could have the lock by then.
 *
 * @param isAlone Whether the file of a process that was killed while it did so may be removed.
 * @returns Whether no other process is doing so.
 */
async function takeAway(lock: string, stale: string, file: string, isAlone: boolean): Promise<boolean> {
  const turn = `${lock}.taken-over`;
  if (isAlone) await rm(turn, { force: true });
  const handle = await createFile(turn, file);
  if (!handle) return false;
  try {
    const text = await readFile(lock, 'utf8').catch(() => undefined);
    if (text === stale) await rm(lock, { force: true });
  } finally {
    await handle.close();
    await rm(turn, { force: true });
  }
  return true;
}

function release(lock: string, own: string): void {
  try {
    if (readFileSync(lock, 'utf8') === own) rmSync(lock);
  } catch {
    // It is gone together with its folder.
  }
}
