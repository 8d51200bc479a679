import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import type { UsageError } from './usage-error.js';

const MIB = 1024 * 1024;

/** The byte order marks with which a file may start. UTF-32 starts as UTF-16 does, so it is looked for first. */
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-8', [0xef, 0xbb, 0xbf]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-16BE', [0xfe, 0xff]],
];

/** Starts of files that were never text. */
const formats: readonly (readonly [format: string, start: readonly number[]])[] = [
  ['compressed with gzip. Decompress it first', [0x1f, 0x8b]],
  ['compressed with zstd. Decompress it first', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a ZIP archive. Unpack it first', [0x50, 0x4b, 0x03, 0x04]],
];

const starts = (bytes: Buffer, wanted: readonly number[]): boolean => wanted.every((byte, at) => bytes[at] === byte);

/** Bytes that show the encoding of a file. */
const FIRST = 16;

/** Decodes the text of a file, whose encoding its first bytes show. */
class FileDecoder {
  /** Bytes of the byte order mark. */
  readonly mark: number;
  readonly isUtf8: boolean;
  readonly #swaps: boolean;
  readonly #decoder: StringDecoder;
  #half = Buffer.alloc(0);

  /** @throws {Error} with what it is, if it is no text. */
  constructor(start: Buffer) {
    const format = formats.find(([, own]) => starts(start, own))?.[0];
    if (format !== undefined) throw new Error(`it is ${format}.`);
    const [encoding, mark = []] = marks.find(([, own]) => starts(start, own)) ?? [unmarked(start)];
    if (encoding === 'UTF-32') throw new Error('it is encoded in UTF-32. Save it as UTF-8.');
    this.mark = mark.length;
    this.isUtf8 = encoding === 'UTF-8';
    if (this.isUtf8 && start.subarray(0, FIRST).includes(0)) throw new Error('it is no text. Name a file in UTF-8.');
    this.#swaps = encoding === 'UTF-16BE';
    this.#decoder = new StringDecoder(this.isUtf8 ? 'utf8' : 'utf16le');
  }

  /** The text of the next bytes. */
  write(bytes: Buffer): string {
    if (!this.#swaps) return this.#decoder.write(bytes);
    // The decoder of UTF-16BE is missing in a Node without full ICU.
    const all = Buffer.concat([this.#half, bytes]);
    const whole = all.length & ~1;
    this.#half = all.subarray(whole);
    return this.#decoder.write(all.subarray(0, whole).swap16());
  }

  end(): string {
    return this.#decoder.end();
  }
}

/**
 * The text of a file in UTF-8, without a byte order mark. Programs of Windows write the mark, and `>` of PowerShell
 * writes UTF-16. A file of JSON or YAML in UTF-16 without a mark is known by its first character, which is below 128.
 *
 * @returns The same object, if it is UTF-8 without a mark.
 * @throws {Error} with what it is, if it is no text.
 */
export function utf8Of(bytes: Buffer): Buffer {
  const decoder = new FileDecoder(bytes);
  const content = decoder.mark === 0 ? bytes : bytes.subarray(decoder.mark);
  return decoder.isUtf8 ? content : Buffer.from(decoder.write(content) + decoder.end());
}

/** The encoding of a file without a mark. */
function unmarked([first = 1, second = 1]: Buffer): string {
  if (first !== 0 && second === 0) return 'UTF-16LE';
  return first === 0 && second !== 0 ? 'UTF-16BE' : 'UTF-8';
}

/** Makes the error of a command from why a file cannot be read. */
type Failure = (why: string) => UsageError;

/**
 * Reads a file of text, which may be of any size, or a device without an end.
 *
 * @param hint What to do if it does not exist.
 * @returns Its text in UTF-8.
 */
export async function readText(file: string, most: number, failure: Failure, hint = ''): Promise<Buffer> {
  const content = await buffer(chunksOf(file, most, failure, hint));
  return explained(failure, () => utf8Of(content));
}

/** Reads a file of text as {@link readText} does, in pieces, of which none is kept. */
export async function* textPieces(file: string, most: number, failure: Failure, hint = ''): AsyncGenerator<string> {
  let start = Buffer.alloc(0);
  let decoder: FileDecoder | undefined;
  const open = (): FileDecoder => explained(failure, () => new FileDecoder(start));
  for await (const chunk of chunksOf(file, most, failure, hint)) {
    if (decoder) {
      yield decoder.write(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < FIRST) continue;
    decoder = open();
    yield decoder.write(start.subarray(decoder.mark));
  }
  if (!decoder) {
    decoder = open();
    yield decoder.write(start.subarray(decoder.mark));
  }
  yield decoder.end();
}

/** The bytes of a file as they are read, up to the most. */
async function* chunksOf(file: string, most: number, failure: Failure, hint: string): AsyncGenerator<Buffer> {
  const tooLarge = (): UsageError =>
    failure(`it is larger than ${most < MIB ? `${most / 1024} KiB` : `${most / MIB} MiB`}.`);
  // A device has no size, but no end either.
  const { size: known } = await stat(file).catch(() => ({ size: 0 }));
  if (known > most) throw tooLarge();
  let size = 0;
  try {
    for await (const chunk of createReadStream(file, { end: most })) {
      size += (chunk as Buffer).length;
      if (size <= most) yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw failure(`the file does not exist.${hint}`);
    throw failure(code === 'EISDIR' ? 'it is a folder.' : `it cannot be read (${code}).`);
  }
  if (size > most) throw tooLarge();
}

function explained<T>(failure: Failure, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failure((error as Error).message);
  }
}
