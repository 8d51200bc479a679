import type { BookingState, State } from '../engine/index.js';
import type { ObjectSql } from './platform.js';

/** Bookings of one chunk, by their sequence. */
const CHUNK = 200;
/** Characters of one row, which may have 2 MB. */
const PIECE = 400_000;
/** The chunk of everything but bookings. */
const REST = -1;

export const snapshotTable =
  'CREATE TABLE snapshot (chunk INTEGER, piece INTEGER, text TEXT NOT NULL, PRIMARY KEY (chunk, piece)) WITHOUT ROWID';

export const changesTable = 'CREATE TABLE changes (n INTEGER PRIMARY KEY, text TEXT NOT NULL)';

/** The chunk of a booking. */
export function chunkOf(sequence: number): number {
  return Math.floor(sequence / CHUNK);
}

/** Writes a state: all of it, or of its bookings those of some chunks. */
export function writeSnapshot(sql: ObjectSql, state: State, chunks: Iterable<number> | 'all'): void {
  const { bookings, ...store } = state.store;
  if (chunks === 'all') sql.exec('DELETE FROM snapshot');
  for (const chunk of chunks === 'all' ? new Set(bookings.map(({ sequence }) => chunkOf(sequence))) : chunks) {
    writeChunk(sql, chunk, bookings.slice(startOf(bookings, chunk), startOf(bookings, chunk + 1)));
  }
  writeChunk(sql, REST, { ...state, store });
}

/** The state that was written; undefined if none was. */
export function readSnapshot(sql: ObjectSql): State | undefined {
  const texts = new Map<number, string>();
  for (const { chunk, text } of sql.exec('SELECT chunk, text FROM snapshot ORDER BY chunk, piece').toArray()) {
    texts.set(Number(chunk), (texts.get(Number(chunk)) ?? '') + String(text));
  }
  const rest = texts.get(REST);
  if (rest === undefined) return undefined;
  texts.delete(REST);
  const state = JSON.parse(rest) as State;
  const bookings = [...texts.values()].flatMap((text) => JSON.parse(text) as BookingState[]);
  return { ...state, store: { ...state.store, bookings } };
}

function writeChunk(sql: ObjectSql, chunk: number, content: unknown): void {
  const text = JSON.stringify(content);
  sql.exec('DELETE FROM snapshot WHERE chunk = ?', chunk);
  for (let piece = 0; piece * PIECE < text.length; piece += 1) {
    const part = text.slice(piece * PIECE, (piece + 1) * PIECE);
    sql.exec('INSERT INTO snapshot VALUES (?, ?, ?)', chunk, piece, part);
  }
}

/** The index of the first booking of a chunk or of a later one; they are in the order of their sequence. */
function startOf(bookings: readonly BookingState[], chunk: number): number {
  let low = 0;
  let high = bookings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bookings[middle]!.sequence < chunk * CHUNK) low = middle + 1;
    else high = middle;
  }
  return low;
}
