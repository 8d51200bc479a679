import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRunning, markOf } from './state/processes.js';

/** Only the owner may read a file with tokens: whoever has a token can act as its channel. */
export const SECRET_MODE = 0o600;

const { O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Missing on Windows. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** A file that is ready to take the place of another one. */
export interface Replacement {
  /** Open for writing at its end. */
  readonly handle: FileHandle;
  /** Bytes in it. */
  readonly size: number;
  /** Renames it. Even after a kill, the file is then the old one or the new one. */
  takePlace(): Promise<void>;
  /** Closes and removes it. */
  discard(): Promise<void>;
}

/**
 * Writes a temporary file next to a file and syncs it to disk. A symbolic link in the place of the file is later
 * replaced, not followed.
 *
 * @param text The content, or its pieces in order. The process does other work between two of them.
 * @param mode Permissions of the file. Default: those of a new file.
 */
export async function prepareFile(file: string, text: string | Iterable<string>, mode?: number): Promise<Replacement> {
  const temporary = temporaryOf(file);
  // Nobody else can have made it: the name cannot be guessed, and an existing file is not opened.
  const handle = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  const discard = async (): Promise<void> => {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true }).catch(() => {});
  };
  try {
    // The umask may have taken permissions away. Not every file system has any.
    if (mode !== undefined) await handle.chmod(mode).catch(() => {});
    for (const piece of typeof text === 'string' ? [text] : text) await handle.writeFile(piece);
    await handle.sync();
    const { size } = await handle.stat();
    const takePlace = async (): Promise<void> => {
      await rename(temporary, file);
      await syncFolder(dirname(file));
    };
    return { handle, size, takePlace, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Replaces a file atomically; see {@link prepareFile}. */
export async function replaceFile(file: string, text: string | Iterable<string>, mode?: number): Promise<void> {
  const replacement = await prepareFile(file, text, mode);
  try {
    await replacement.takePlace();
  } catch (error) {
    await replacement.discard();
    throw error;
  }
  await replacement.handle.close();
}

/** The name of a new temporary file next to a file. */
function temporaryOf(file: string): string {
  return `${file}.${process.pid}.${randomBytes(8).toString('hex')}.tmp`;
}

/** With and, as earlier versions wrote it, without a random part. */
const temporaryName = /^\.(\d{1,10})(\.[0-9a-f]{16})?\.tmp$/;

/** Removes the temporary files next to a file whose processes ended before they renamed them. */
export async function removeLeftOvers(file: string): Promise<void> {
  const folder = dirname(file);
  const name = basename(file);
  for (const entry of await readdir(folder).catch(() => [])) {
    const [, pid] = (entry.startsWith(name) && temporaryName.exec(entry.slice(name.length))) || [];
    if (pid !== undefined && !isOfAnother(Number(pid))) await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

function isOfAnother(pid: number): boolean {
  return pid !== process.pid && isRunning(markOf(pid));
}

/**
 * The file that a path leads to, which need not exist. A rename would replace a symbolic link with a file, so a link is
 * resolved once, before anything is read.
 *
 * @throws {Error} for a folder that does not exist, and for a link to a file that does not exist: whoever placed the
 * link would decide where the file is created.
 */
export async function realFileOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => {
    throw new Error('the folder does not exist.');
  });
  const file = join(folder, basename(path));
  return realpath(path).catch(async () => {
    const found = await lstat(file).catch(() => undefined);
    if (found?.isSymbolicLink())
      throw new Error('it is a symbolic link to a file that does not exist. Name that file.');
    return file;
  });
}

/** Syncs the names in a folder to disk. Not every system can open a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
