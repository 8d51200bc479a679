import { JsonMeter } from '../common/index.js';
import { JsonReader } from '../engine/index.js';
import { textPieces } from './text-file.js';
import { UsageError } from './usage-error.js';

const MIB = 1024 * 1024;
/** Most MiB of a file. */
const most = { report: 16, recording: 64, certificate: 16, capsule: 256, dialect: 1, baseline: 1, walk: 1 } as const;
/** How a file is made that does not exist. */
const made: Partial<Record<keyof typeof most, string>> = {
  baseline: ' `--write-known FILE` of check and certify writes one.',
};
/** How many times the largest size a file may take as values, and one of its elements that are taken one by one. */
const [MOST_VALUES, MOST_OF_ELEMENT] = [5, 2.5];

/** Levels of arrays and objects are counted before they are read. */
const ANY_LEVELS = Infinity;

/**
 * Reads a file of JSON, of which neither the text nor the bytes are kept.
 *
 * @param take Makes of an element of a list what is kept of it, before the next one is read.
 * @throws {UsageError} naming the file and what is wrong with it.
 */
export async function readJson<T>(
  file: string,
  what: keyof typeof most,
  read: (value: unknown) => T,
  take?: (element: unknown) => unknown,
): Promise<T> {
  const failure = (why: string): UsageError => new UsageError(`Failed to load ${what} ${file}: ${why}`);
  const size = new JsonMeter();
  let taken = 0;
  const takeNext = (element: unknown): unknown => {
    taken = size.bytes;
    return take!(element);
  };
  const reader = new JsonReader(ANY_LEVELS, take && takeNext);
  const room = most[what] * MIB * (take ? MOST_OF_ELEMENT : MOST_VALUES);
  try {
    for await (const piece of textPieces(file, most[what] * MIB, failure, made[what])) {
      const { fault, bytes } = size.addText(piece);
      if (fault !== undefined) throw failure(`${fault}.`);
      if (bytes - taken > room) throw failure(take ? 'one of its entries is too large.' : 'it has too many values.');
      reader.feed(piece);
    }
    return read(reader.end());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw failure(error instanceof SyntaxError ? `it is not JSON (${error.message}).` : (error as Error).message);
  }
}
