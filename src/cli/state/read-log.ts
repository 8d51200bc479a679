import { type Change, JsonReader, parseJson, PendingCallbacks, type State, StateDraft } from '../../engine/index.js';
import { checkLine, isDamagedEnd, lacksSectors, stateOf, withoutCheck, withoutNuls } from './line-check.js';

const NEWLINE = 0x0a;
/** Bytes up to which JSON is parsed at once: a text cannot be much longer. */
const MOST_AT_ONCE = 268_435_456;
const PIECE = 1_048_576;
const LEVELS = 64;

/** What is in the file of a state. */
export interface ReadLog {
  readonly state: State;
  /** The callbacks that are not delivered yet, which are no part of a state. */
  readonly callbacks: PendingCallbacks;
  /** Bytes of the snapshot; undefined if no line can be appended to the file as it is. */
  readonly snapshot: number | undefined;
  /** Bytes of the snapshot and of the lines that are whole. */
  readonly end: number;
}

/**
 * Reads a snapshot and the changes since. A last line that is torn, as a kill or a loss of power leaves it, was not
 * answered and is passed over. A file that does not begin with a line of JSON is one state, such as one that was formatted.
 *
 * @throws {SyntaxError} for a file that is no JSON at all.
 * @throws {Error} for a line that is broken or damaged, or does not fit what is before it.
 */
export function readLog(bytes: Buffer): ReadLog {
  const callbacks = new PendingCallbacks();
  const snapshot = bytes.indexOf(NEWLINE) + 1;
  const first = snapshot === 0 ? undefined : parsed(bytes.subarray(0, snapshot));
  if (first === undefined) {
    const state = stateOf(parse(bytes)) as State;
    checkSnapshot(bytes);
    return { state, callbacks, snapshot: undefined, end: bytes.length };
  }
  checkSnapshot(bytes.subarray(0, snapshot));
  if (snapshot === bytes.length) return { state: stateOf(first) as State, callbacks, snapshot, end: snapshot };
  const draft = new StateDraft(stateOf(first));
  const lines = new Lines(bytes, snapshot);
  try {
    for (const group of lines.groups()) {
      for (const [index, change] of group.entries()) {
        draft.apply(change, `changes[${index}]`);
        callbacks.apply(change as Change);
      }
    }
  } catch (error) {
    const { number } = lines;
    throw new Error(
      `line ${number} is broken: ${(error as Error).message} ` +
        `Delete the lines from ${number} on to start with the state before them, or move the file away.`,
      { cause: error },
    );
  }
  return { state: draft.state, callbacks, snapshot: lines.isOpen ? undefined : snapshot, end: lines.end };
}

/** @throws {Error} for a state that does not match its checksum. */
function checkSnapshot(bytes: Buffer): void {
  try {
    checkLine(bytes);
  } catch (error) {
    throw new Error(`line 1 is broken: ${(error as Error).message}`, { cause: error });
  }
}

/** The changes of a file. */
class Lines {
  /** The number of the line that was read last. */
  number = 1;
  /** Bytes up to the end of the last whole line. */
  end: number;
  /** Whether the last line is whole but does not end. */
  isOpen = false;

  constructor(
    readonly bytes: Buffer,
    from: number,
  ) {
    this.end = from;
  }

  *groups(): Generator<readonly unknown[]> {
    const { bytes } = this;
    while (this.end < bytes.length) {
      const next = bytes.indexOf(NEWLINE, this.end) + 1;
      const line = next === 0 ? withoutNuls(bytes.subarray(this.end)) : bytes.subarray(this.end, next);
      const group = parsed(line);
      this.number += 1;
      const isLast = next === 0 || next === bytes.length;
      if (isLast && group === undefined && lacksSectors(line)) return;
      if (next === 0) {
        this.isOpen = group !== undefined;
        if (!this.isOpen && isDamagedEnd(line)) throw new Error('its end is damaged.');
        if (!this.isOpen) return;
      }
      if (group !== undefined) checkLine(line);
      if (Array.isArray(group)) yield withoutCheck(group);
      else if (line.toString('latin1').trim() !== '') throw new Error('it is no list of changes.');
      this.end += line.length;
    }
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return parse(bytes);
  } catch {
    return undefined;
  }
}

/** @throws {SyntaxError} */
function parse(bytes: Buffer): unknown {
  if (bytes.length <= MOST_AT_ONCE) return parseJson(bytes.toString('utf8'));
  const reader = new JsonReader(LEVELS);
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += PIECE) {
    reader.feed(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
  }
  return reader.end();
}
