import { crc32 } from 'node:zlib';

/** The checksum of a line of changes, and of a state: the last element, or the last member. */
const MEMBER = 'crc32';
const tail = /,"crc32(?::|":")([\da-f]{8})"[\]}]\s*$/;
/** Bytes of the end of a line in which its checksum is. */
const TAIL_BYTES = 64;

function hexOf(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}

/** A line of changes with its checksum. */
export function checkedLine(records: readonly string[]): string {
  const text = `[${records.join(',')}`;
  return `${text},"${MEMBER}:${hexOf(crc32(text))}"]\n`;
}

/** The pieces of the JSON of a state with the checksum as its last member. It stays JSON for whoever reads it. */
export function* checkedState(pieces: Iterable<string>): Generator<string> {
  let sum = 0;
  let held = '';
  for (const piece of pieces) {
    if (held !== '') yield held;
    sum = crc32(held, sum);
    held = piece;
  }
  const last = held.slice(0, held.lastIndexOf('}'));
  yield `${last},"${MEMBER}":"${hexOf(crc32(last, sum))}"}`;
}

/**
 * Compares a line of JSON with its checksum. A line without one is as it is: written before there were any, or by hand.
 *
 * @throws {Error} if they differ.
 */
export function checkLine(bytes: Buffer): void {
  const end = bytes.subarray(-TAIL_BYTES).toString('latin1');
  const found = tail.exec(end);
  if (!found || hexOf(crc32(bytes.subarray(0, bytes.length - found[0].length))) === found[1]) return;
  throw new Error(
    'it does not match its checksum, so it was damaged, or changed by hand. ' +
      'Restore the file from a copy; to use a line as it is, remove its `crc32`.',
  );
}

/** Whether a line that lacks its end has its checksum all the same: nothing was torn then, but a byte is damaged. */
export function isDamagedEnd(bytes: Buffer): boolean {
  return /"crc32:[\da-f]{8}"\][^]$/.test(bytes.subarray(-TAIL_BYTES).toString('latin1'));
}

/** A last line without the NULs that stand for an end which never reached the disk. */
export function withoutNuls(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, end);
}

/** Whether sectors of a line never reached the disk: NULs, which JSON does not contain. A damaged bit makes only one. */
export function lacksSectors(bytes: Buffer): boolean {
  return bytes.includes('\0\0');
}

/** The changes of a line, without its checksum. */
export function withoutCheck(group: readonly unknown[]): readonly unknown[] {
  const last = group.at(-1);
  return typeof last === 'string' && last.startsWith(`${MEMBER}:`) ? group.slice(0, -1) : group;
}

/** A state without its checksum. */
export function stateOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    delete (value as Record<string, unknown>)[MEMBER];
  return value;
}
