import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CallbacksState, type ChangeSink, PendingCallbacks, type State } from '../../engine/index.js';
import { realFileOf, removeLeftOvers, SECRET_MODE, syncFolder } from '../atomic-file.js';
import { utf8Of } from '../text-file.js';
import { UsageError } from '../usage-error.js';
import { lockFile } from './file-lock.js';
import { LogFile } from './log-file.js';
import { readLog } from './read-log.js';
import { StateLog, type StateSync } from './state-log.js';

/** Milliseconds by which the lead of a running clock may differ: its source is read twice. */
const TOLERANCE = 20;

/**
 * Whether a sandbox is in the state from which it was started, so that its changes fit behind that state. Flags may have
 * changed parts of it; the bookings are only counted.
 */
function isSameState(loaded: State, present: State): boolean {
  return textOf(loaded) === textOf(present) && isSameClock(loaded.clock, present.clock);
}

/** A state without its clock and its bookings, which are many. */
function textOf({ store, ...rest }: State): string {
  const parts = { ...store, bookings: store.bookings.length };
  return JSON.stringify({ ...rest, clock: undefined, store: parts }, inOrder);
}

function isSameClock(loaded: State['clock'], present: State['clock']): boolean {
  if (loaded.mode !== present.mode) return false;
  if (loaded.mode === 'standing') return loaded.now === present.now;
  return Math.abs(loaded.ahead - present.ahead) < TOLERANCE;
}

/** Members in the order of their names. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A file that keeps the state of a sandbox. */
export interface StateFile {
  /** The state in the file at the start; undefined if the file did not exist. */
  readonly state: State | undefined;
  /** The callbacks that were not delivered before the start. */
  readonly callbacks: CallbacksState;
  /** Takes the changes of the sandbox. */
  readonly changes: ChangeSink;
  /** Sets the source of the state, before the first change. */
  follow(snapshot: () => State): void;
  /** Returns the error for an invalid state. */
  unfit(why: string): UsageError;
  /** Writes what is pending. */
  close(): Promise<void>;
  /** Whether `close` would write something. */
  readonly hasWork: boolean;
  /** What would be lost if the process ended now, as a message; undefined if everything is in the file. */
  loss(): string | undefined;
}

/** Missing on Windows. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Opens the file from which a sandbox starts and which keeps its changes, and claims it until this process exits. The
 * sandbox itself checks the state.
 *
 * @throws {UsageError} if another server uses the file, if it cannot be read or is broken, or if its folder does not
 * exist or is not writable.
 */
export async function openStateFile(path: string, sync: StateSync, tell: (line: string) => void): Promise<StateFile> {
  // Two paths to one file would be claimed twice.
  const file = await realFileOf(path).catch((error: Error) => {
    throw stateFileError(path, error.message);
  });
  let log: StateLog | undefined;
  const lock = await lockFile(file, () => log?.checkLock());
  const found = await load(path, file);
  await Promise.all([file, `${file}.lock`].map(removeLeftOvers));
  const { callbacks = new PendingCallbacks(), state } = found ?? {};
  const opened = new StateLog({
    path: file,
    lock,
    sync,
    tell,
    file: found?.log,
    hasFile: found !== undefined,
    callbacks,
  });
  log = opened;
  return {
    state,
    callbacks: callbacks.state,
    changes: opened,
    follow: (snapshot) => opened.follow(snapshot, state !== undefined && isSameState(state, snapshot())),
    unfit: (why) => stateFileError(path, why),
    close: () => opened.close(),
    get hasWork() {
      return opened.hasWork;
    },
    loss: () => opened.loss(),
  };
}

function stateFileError(path: string, why: string): UsageError {
  return new UsageError(`Failed to load state ${path}: ${why}`);
}

interface FoundState {
  readonly state: State;
  readonly callbacks: PendingCallbacks;
  /** The file, if lines can be appended to it. */
  readonly log: LogFile | undefined;
}

async function load(path: string, file: string): Promise<FoundState | undefined> {
  const handle = await openToRead(path, file);
  if (!handle) return undefined;
  try {
    const found = await read(path, file, handle);
    if (found.log === undefined) await handle.close();
    return found;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function read(path: string, file: string, handle: FileHandle): Promise<FoundState> {
  const found = await handle.stat();
  if (!found.isFile() && !found.isDirectory()) throw stateFileError(path, 'it is no regular file.');
  if (found.isFile() && found.nlink > 1) {
    const why = 'it has another name (a hard link), under which a second server could use it. Copy the file instead.';
    throw stateFileError(path, why);
  }
  const bytes = await handle.readFile().catch(({ code }: NodeJS.ErrnoException) => {
    throw stateFileError(
      path,
      code === 'ERR_FS_FILE_TOO_LARGE' ? 'it is larger than 2 GiB.' : `it cannot be read (${code}).`,
    );
  });
  const { state, callbacks, snapshot, end } = readOrExplain(path, bytes);
  // A killed server may have left changes, or the name of a new file, with the system. They are about to be shown.
  await handle.datasync().catch(() => {});
  await syncFolder(dirname(file));
  // The first change replaces a file that others may read, or of which the system does not say who may.
  const isSecret = (found.mode & 0o777) === SECRET_MODE;
  const log = isSecret && snapshot !== undefined ? await LogFile.open(file, handle, snapshot, end) : undefined;
  return { state, callbacks, log };
}

/** Opens it for appending too, if that is allowed. Otherwise the first change replaces it. */
async function openToRead(path: string, file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDWR | O_NOFOLLOW).catch(() => open(file, constants.O_RDONLY | O_NOFOLLOW));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw stateFileError(path, `it cannot be read (${code}).`);
  }
}

function readOrExplain(path: string, bytes: Buffer): ReturnType<typeof readLog> {
  try {
    const text = utf8Of(bytes);
    // Lines in UTF-8 must not follow another encoding: the first change writes such a file anew.
    return text === bytes ? readLog(bytes) : { ...readLog(text), snapshot: undefined };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof SyntaxError)) throw stateFileError(path, message);
    throw stateFileError(path, `it is not JSON (${message}). Move the file away to start without it.`);
  }
}
