import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { realFileOf, removeLeftOvers, replaceFile } from './atomic-file.js';
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
  // What is no file, such as /dev/stdout, may lead to something that has no path.
  const direct = await stat(path).catch(() => undefined);
  if (direct?.isDirectory()) throw failure(path, 'it is a folder.');
  const isSpecial = direct !== undefined && !direct.isFile();
  const file = isSpecial
    ? path
    : await realFileOf(path).catch((error: Error) => {
        throw failure(path, error.message);
      });
  const folder = dirname(file);
  const found = await stat(file).catch(() => undefined);
  const ofFolder = await refusalOf(folder);
  const refusal = found ? await refusalOf(file) : ofFolder;
  if (refusal !== undefined) throw failure(path, refusal);
  const whole = ofFolder === undefined && (found === undefined || found.isFile());
  if (whole) await removeLeftOvers(file);
  return async (text) => {
    try {
      await (whole ? replaceFile(file, text, found && found.mode & 0o777) : writeFile(file, text));
    } catch (error) {
      throw failure(path, `${(error as Error).message}.`);
    }
  };
}

/** Why a file or folder cannot be written; undefined if it can. */
function refusalOf(path: string): Promise<string | undefined> {
  return access(path, constants.W_OK).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => (code === 'EROFS' ? 'the file system is read-only.' : 'permission denied.'),
  );
}

function failure(path: string, why: string): UsageError {
  return new UsageError(`Failed to write ${path}: ${why}`);
}
