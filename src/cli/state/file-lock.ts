import { readFileSync, rmSync } from 'node:fs';
import { link, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_MODE, temporaryOf } from '../atomic-file.js';
import { UsageError } from '../usage-error.js';
import { isRunning, markOf, type ProcessMark } from './processes.js';

/** Milliseconds between two looks at a lock that is just being written or taken over, and the number of looks. */
const PAUSE = 50;
const LOOKS = 20;

/**
 * Claims a file for this process until it exits, by a second file with the id of the process. The claim of a process
 * that is gone is taken over.
 *
 * @throws {UsageError} if another process has claimed it, or if the folder is not writable.
 */
export async function lockFile(file: string): Promise<void> {
  const lock = `${file}.lock`;
  const own = `${JSON.stringify(markOf(process.pid))}\n`;
  for (let look = 0; ; look += 1) {
    if (await create(lock, own, file)) break;
    const text = await readLock(lock, file);
    if (text === undefined) continue;
    const holder = read(text);
    if (holder && isRunning(holder)) throw inUse(file, `process ${holder.pid} uses it. Stop that server first`);
    if (!holder && (text.trim() !== '' || look < LOOKS)) {
      if (look >= LOOKS) throw notOurs(lock, file);
      await sleep(PAUSE);
    } else {
      await takeAway(lock, text);
    }
  }
  process.on('exit', () => release(lock, own));
}

function inUse(file: string, why: string): UsageError {
  return new UsageError(
    `Failed to use state ${file}: ${why}, or name another file. If no server uses it, delete ${file}.lock.`,
  );
}

/** Whether the lock was created; false if there is one already. */
async function create(lock: string, text: string, file: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', SECRET_MODE);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    const why: Record<string, string> = {
      ENOENT: 'the folder does not exist, or no file can be created in it',
      EACCES: 'the folder is not writable',
      EPERM: 'the folder is not writable',
      EROFS: 'the file system is read-only',
      ENOSPC: 'the disk is full',
    };
    throw new UsageError(`Failed to use state ${file}: ${why[code] ?? `no file can be created beside it (${code})`}.`);
  }
}

/** The text of a lock; undefined if it is gone by now. What is no plain file is no lock, and is not opened. */
async function readLock(lock: string, file: string): Promise<string | undefined> {
  const found = await lstat(lock).catch(() => undefined);
  if (found && !found.isFile()) throw notOurs(lock, file);
  return readFile(lock, 'utf8').catch(() => undefined);
}

function notOurs(lock: string, file: string): UsageError {
  return inUse(file, `${lock} is not a lock of Teebox`);
}

function read(text: string): ProcessMark | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessMark>;
    return Number.isSafeInteger(pid) && pid! > 0 ? { pid: pid!, started: started ?? null } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the lock of a process that is gone. Of several that do so at once, none removes the lock of another. */
async function takeAway(lock: string, stale: string): Promise<void> {
  const aside = temporaryOf(lock);
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  const text = await readFile(aside, 'utf8').catch(() => stale);
  if (text !== stale) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

function release(lock: string, own: string): void {
  try {
    if (readFileSync(lock, 'utf8') === own) rmSync(lock);
  } catch {
    // It is gone together with its folder.
  }
}
