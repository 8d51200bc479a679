import { readFile } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/**
 * Reads a file of JSON.
 *
 * @throws {UsageError} naming the file and what is wrong with it.
 */
export async function readJson<T>(file: string, what: string, read: (value: unknown) => T): Promise<T> {
  try {
    return read(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      error instanceof SyntaxError
        ? `it is not JSON (${message}).`
        : code === 'ENOENT'
          ? 'the file does not exist.'
          : code
            ? `it cannot be read (${code}).`
            : message;
    throw new UsageError(`Failed to load ${what} ${file}: ${why}`);
  }
}
