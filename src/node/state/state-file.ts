import { readFile } from 'node:fs/promises';
import type { State } from '../../index.js';
import { realFileOf, removeLeftOvers } from '../atomic-file.js';
import { UsageError } from '../usage-error.js';
import { lockFile } from './file-lock.js';
import { Saver } from './saver.js';

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
  /** What would be lost if the process ended now, as a message; undefined if everything is saved. */
  loss(): string | undefined;
}

/**
 * Opens the file from which a sandbox starts and to which it is saved, and claims it until this process exits. The
 * sandbox itself checks the state.
 *
 * @throws {UsageError} if another server uses the file, if it cannot be read or is not JSON, or if its folder does not
 * exist or is not writable.
 */
export async function openStateFile(path: string, tell: (line: string) => void): Promise<StateFile> {
  // Two paths to one file would be claimed twice.
  const file = await realFileOf(path).catch((error: Error) => {
    throw stateFileError(path, error.message);
  });
  await lockFile(file);
  const text = await readText(path, file);
  await Promise.all([file, `${file}.lock`].map(removeLeftOvers));
  const saver = new Saver(file, tell, text !== undefined);
  return {
    state: text === undefined ? undefined : parse(path, text),
    changed: () => saver.changed(),
    follow: (snapshot) => saver.follow(snapshot),
    unfit: (why) => stateFileError(path, why),
    close: () => saver.close(),
    loss: () => saver.loss(),
  };
}

function stateFileError(path: string, why: string): UsageError {
  return new UsageError(`Failed to load state ${path}: ${why}`);
}

async function readText(path: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
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
