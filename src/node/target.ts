import { access, constants, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './atomic-file.js';
import { UsageError } from './usage-error.js';

/** A file that a result goes to. */
export type Target = (text: string) => Promise<void>;

/**
 * Sees that a file can be written, before the work whose result it is to hold: what a run has cost cannot be had back.
 * Nothing is written yet. Later the file is put in place whole; what is no plain file, such as a pipe, is written to.
 *
 * @throws {UsageError} with what is in the way.
 */
export async function openTarget(path: string): Promise<Target> {
  const file = await realpath(path).catch(() => path);
  const folder = dirname(file);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw failure(path, 'it is a folder.');
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw failure(path, 'there is no such folder.');
  const folderTakes = await takes(folder);
  if (found ? !(await takes(file)) : !folderTakes) throw failure(path, 'there is no leave to write there.');
  const whole = folderTakes && (found === undefined || found.isFile());
  return async (text) => {
    try {
      await (whole ? replaceFile(file, text, found && found.mode & 0o777) : writeFile(file, text));
    } catch (error) {
      throw failure(path, `${(error as Error).message}.`);
    }
  };
}

function takes(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to write ${path}: ${why}`);
}
