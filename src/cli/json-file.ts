import { JsonMeter } from '../common/index.js';
import { readText } from './text-file.js';
import { UsageError } from './usage-error.js';

const MIB = 1024 * 1024;
/** Most MiB of a file. */
const most = { report: 16, recording: 64, certificate: 16, capsule: 256, dialect: 1, baseline: 1, walk: 1 } as const;
/** How a file is made that does not exist. */
const made: Partial<Record<keyof typeof most, string>> = {
  baseline: ' `--write-known FILE` of check and certify writes one.',
};
/** How many times its size a file may take as values: lists of empty objects take more. */
const MOST_BYTES_PER_BYTE = 5;

/**
 * Reads a file of JSON.
 *
 * @throws {UsageError} naming the file and what is wrong with it.
 */
export async function readJson<T>(file: string, what: keyof typeof most, read: (value: unknown) => T): Promise<T> {
  const failure = (why: string): UsageError => new UsageError(`Failed to load ${what} ${file}: ${why}`);
  const bytes = await readText(file, most[what] * MIB, failure, made[what]);
  const size = new JsonMeter().add(bytes);
  if (size.fault !== undefined) throw failure(`${size.fault}.`);
  if (size.bytes > most[what] * MIB * MOST_BYTES_PER_BYTE) throw failure('it has too many values.');
  try {
    return read(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw failure(error instanceof SyntaxError ? `it is not JSON (${error.message}).` : (error as Error).message);
  }
}
