import { access, constants, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './atomic-file.js';
import { UsageError } from './usage-error.js';

/** Writes a result to its file. */
export type Target = (text: string) => Promise<void>;

/**
 * Checks that a file can be written before a run starts, so that no run loses its result. Nothing is written yet.
 * The returned function replaces a plain file atomically, and writes directly to anything else, such as a pipe.
 *
 * @throws {UsageError} with the reason why the file cannot be written.
 */
export async function openTarget(path: string): Promise<Target> {
  const file = await realpath(path).catch(() => path);
  const folder = dirname(file);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw failure(path, 'it is a folder.');
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw failure(path, 'the folder does not exist.');
  const folderIsWritable = await isWritable(folder);
  if (found ? !(await isWritable(file)) : !folderIsWritable) throw failure(path, 'permission denied.');
  const whole = folderIsWritable && (found === undefined || found.isFile());
  return async (text) => {
    try {
      await (whole ? replaceFile(file, text, found && found.mode & 0o777) : writeFile(file, text));
    } catch (error) {
      throw failure(path, `${(error as Error).message}.`);
    }
  };
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to write ${path}: ${why}`);
}
