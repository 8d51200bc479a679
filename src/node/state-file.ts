import { access, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { State } from '../index.js';
import { replaceFile } from './atomic-file.js';
import { UsageError } from './usage-error.js';

/** Milliseconds between a change and the save that holds it, and at least between two saves. */
const PAUSE = 200;
/** Saving takes at most this share of the time, however large the state is. */
const SHARE = 4;

/** A file that follows the state of a sandbox. */
export interface StateFile {
  /** What it held at the start; undefined where there was no file. */
  readonly state: State | undefined;
  /** Tells that the state changed; it is saved a little later. */
  changed(): void;
  /** Where to take the state from; nothing is saved before. */
  follow(snapshot: () => State): void;
  /** The error for a state that does not fit. */
  unfit(why: string): UsageError;
  /** Saves what was not saved yet. */
  close(): Promise<void>;
}

/**
 * Opens the file that a sandbox starts from and is saved to; whether it holds a state of this world is for the sandbox
 * to judge.
 *
 * @throws {UsageError} for a file that cannot be read or is no JSON, and for a folder that is not there.
 */
export async function openStateFile(path: string, tell: (line: string) => void): Promise<StateFile> {
  const text = await readText(path);
  // A rename would put a file in the place of a link.
  const file = await realpath(path).catch(() => path);
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

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw stateFileError(path, `it cannot be read (${code}).`);
  }
  await access(dirname(path)).catch(() => {
    throw stateFileError(path, 'there is no such folder.');
  });
  return undefined;
}

function parse(path: string, text: string): State {
  try {
    return JSON.parse(text) as State;
  } catch (error) {
    throw stateFileError(path, `it is not JSON (${(error as Error).message}). Move it away to start without it.`);
  }
}

/** Removes what processes left behind that ended while they saved. */
async function removeStale(file: string): Promise<void> {
  const folder = dirname(file);
  const name = basename(file);
  for (const entry of await readdir(folder).catch(() => [])) {
    const pid = entry.startsWith(`${name}.`) ? /^\.(\d+)\.tmp$/.exec(entry.slice(name.length))?.[1] : undefined;
    if (pid !== undefined && !isAnother(Number(pid))) await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

/** Whether another process runs under the id. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Saves soon after a change, one save at a time; of changes meanwhile the next save has all. */
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
    ENOENT: 'its folder is gone',
    EACCES: 'its folder cannot be written to',
    EROFS: 'its folder cannot be written to',
  };
  return (
    `teebox: Failed to save the state to ${file}: ${why[code ?? ''] ?? message}. ` +
    'The sandbox goes on and saves again after the next change.'
  );
}
