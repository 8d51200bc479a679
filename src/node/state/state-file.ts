import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { State } from '../../index.js';
import { replaceFile } from '../atomic-file.js';
import { UsageError } from '../usage-error.js';
import { lockFile } from './file-lock.js';
import { isRunning, markOf } from './processes.js';

/** Milliseconds from a change to its save, and the minimum between two saves. */
const PAUSE = 200;
/** The pause is at least this many times as long as a save, so that large states do not block the process. */
const SHARE = 4;

/** A file to which the state of a sandbox is saved. */
export interface StateFile {
  /** The state in the file at the start; undefined if the file did not exist. */
  readonly state: State | undefined;
  /** Schedules a save after a change of the state. */
  changed(): void;
  /** Sets the source of the state. Nothing is saved before this call. */
  follow(snapshot: () => State): void;
  /** Returns the error for an invalid state. */
  unfit(why: string): UsageError;
  /** Saves pending changes. */
  close(): Promise<void>;
}

/**
 * Opens the file from which a sandbox starts and to which it is saved, and claims it until this process exits. The
 * sandbox itself checks the state.
 *
 * @throws {UsageError} if another server uses the file, if it cannot be read or is not JSON, or if its folder does not
 * exist or is not writable.
 */
export async function openStateFile(path: string, tell: (line: string) => void): Promise<StateFile> {
  const file = await realPathOf(path);
  await lockFile(file);
  const text = await readText(path);
  await removeStale(file);
  const saver = new Saver(file, tell);
  return {
    state: text === undefined ? undefined : parse(path, text),
    changed: () => saver.changed(),
    follow: (snapshot) => void (saver.snapshot = snapshot),
    unfit: (why) => stateFileError(path, why),
    close: () => saver.close(),
  };
}

function stateFileError(path: string, why: string): UsageError {
  return new UsageError(`Failed to load state ${path}: ${why}`);
}

/** A rename would replace a symbolic link with a file, and two paths to one file would be claimed twice. */
async function realPathOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => {
    throw stateFileError(path, 'the folder does not exist.');
  });
  return realpath(path).catch(() => join(folder, basename(path)));
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw stateFileError(path, `it cannot be read (${code}).`);
  }
}

function parse(path: string, text: string): State {
  try {
    return JSON.parse(text) as State;
  } catch (error) {
    throw stateFileError(path, `it is not JSON (${(error as Error).message}). Move the file away to start without it.`);
  }
}

/** Removes temporary files of processes that ended during a save. */
async function removeStale(file: string): Promise<void> {
  const folder = dirname(file);
  const name = basename(file);
  for (const entry of await readdir(folder).catch(() => [])) {
    const pid = entry.startsWith(`${name}.`) ? /^\.(\d+)\.tmp$/.exec(entry.slice(name.length))?.[1] : undefined;
    if (pid !== undefined && !isOfAnother(Number(pid))) await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

function isOfAnother(pid: number): boolean {
  return pid !== process.pid && isRunning(markOf(pid));
}

/** Saves shortly after a change, one save at a time. Changes during a save go into the next one. */
class Saver {
  snapshot: (() => State) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dirty = false;
  #saving: Promise<void> | undefined;
  #pause = PAUSE;
  #failed = false;

  constructor(
    readonly file: string,
    readonly tell: (line: string) => void,
  ) {}

  changed(): void {
    this.#dirty = true;
    if (this.#timer === undefined && this.#saving === undefined) this.#later();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    clearTimeout(this.#timer);
    if (this.#dirty) await this.#save();
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#save().finally(() => {
        this.#saving = undefined;
        if (this.#dirty) this.#later();
      });
    }, this.#pause);
  }

  async #save(): Promise<void> {
    if (!this.snapshot) return;
    const start = performance.now();
    this.#dirty = false;
    try {
      await replaceFile(this.file, `${JSON.stringify(this.snapshot())}\n`);
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) this.tell(failure(this.file, error as NodeJS.ErrnoException));
      this.#failed = true;
    }
    this.#pause = Math.max(PAUSE, SHARE * (performance.now() - start));
  }
}

function failure(file: string, { code, message }: NodeJS.ErrnoException): string {
  const why: Record<string, string> = {
    ENOSPC: 'the disk is full',
    ENOENT: 'the folder no longer exists',
    EACCES: 'the folder is not writable',
    EROFS: 'the folder is not writable',
  };
  return (
    `teebox: Failed to save the state to ${file}: ${why[code ?? ''] ?? message}. ` +
    'The sandbox keeps running and tries again after the next change.'
  );
}
