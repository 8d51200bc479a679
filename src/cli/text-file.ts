import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
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

/**
 * The text of a file in UTF-8, without a byte order mark. Programs of Windows write the mark, and `>` of PowerShell
 * writes UTF-16. A file of JSON or YAML in UTF-16 without a mark is known by its first character, which is below 128.
 *
 * @returns The same object, if it is UTF-8 without a mark.
 * @throws {Error} with what it is, if it is no text.
 */
export function utf8Of(bytes: Buffer): Buffer {
  const format = formats.find(([, start]) => starts(bytes, start))?.[0];
  if (format !== undefined) throw new Error(`it is ${format}.`);
  const [encoding, mark = []] = marks.find(([, start]) => starts(bytes, start)) ?? [unmarked(bytes)];
  const content = mark.length === 0 ? bytes : bytes.subarray(mark.length);
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE') {
    // The decoder of UTF-16BE is missing in a Node without full ICU.
    const pairs = encoding === 'UTF-16LE' ? content : Buffer.from(content.subarray(0, content.length & ~1)).swap16();
    return Buffer.from(pairs.toString('utf16le'), 'utf8');
  }
  if (encoding === 'UTF-32') throw new Error('it is encoded in UTF-32. Save it as UTF-8.');
  if (content.subarray(0, 16).includes(0)) throw new Error('it is no text. Name a file in UTF-8.');
  return content;
}

/** The encoding of a file without a mark. */
function unmarked([first = 1, second = 1]: Buffer): string {
  if (first !== 0 && second === 0) return 'UTF-16LE';
  return first === 0 && second !== 0 ? 'UTF-16BE' : 'UTF-8';
}

/**
 * Reads a file of text, which may be of any size, or a device without an end.
 *
 * @param hint What to do if it does not exist.
 * @returns Its text in UTF-8.
 */
export async function readText(
  file: string,
  most: number,
  failure: (why: string) => UsageError,
  hint = '',
): Promise<Buffer> {
  const tooLarge = (): UsageError =>
    failure(`it is larger than ${most < MIB ? `${most / 1024} KiB` : `${most / MIB} MiB`}.`);
  // A device has no size, but no end either.
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > most) throw tooLarge();
  const content = await buffer(createReadStream(file, { end: most })).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') throw failure(`the file does not exist.${hint}`);
    throw failure(code === 'EISDIR' ? 'it is a folder.' : `it cannot be read (${code}).`);
  });
  if (content.length > most) throw tooLarge();
  try {
    return utf8Of(content);
  } catch (error) {
    throw failure((error as Error).message);
  }
}
