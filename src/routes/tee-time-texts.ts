import type { Slot, TeeSheet } from '../domain/tee-sheet.js';
import type { Course, Facility } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import type { WrittenSheet } from '../store/kept.js';
import type { Engine } from './call.js';

/** What a writer is told of a tee time. */
export interface TeeTimeView {
  readonly facility: Facility;
  readonly course: Course;
  readonly sheet: TeeSheet;
  readonly slot: Slot;
  /** Places free now. */
  readonly free: number;
  /** Players the caller searches for. */
  readonly players: number;
}

/** One version's shape of a tee time and of the list of them. */
export interface TeeTimeWriter {
  readonly key: string;
  write(view: TeeTimeView, answers: Answers): unknown;
  /** The payload round a list of tee times, all as JSON text. */
  wrap(teeTimes: string, facility: Facility): string;
}

/** What a caller searches for on one day. */
export interface Search {
  readonly facility: Facility;
  readonly courses: readonly Course[];
  readonly day: number;
  readonly players: number;
  readonly holes: number;
}

/** Tee times as JSON text, and the span of the clock in which nothing of it changes by time alone. */
export interface Found {
  readonly texts: readonly string[];
  readonly from: number;
  readonly until: number;
}

/** Epoch milliseconds of midnight on the clock that decides what is past (question `time.borders`). */
export function midnight({ store, answers }: Engine, facility: Facility, sheet: TeeSheet): number {
  const first = sheet.slots[0]?.minute ?? 0;
  const start = store.instant(answers['time.borders'] === 'utc' ? 'UTC' : facility.timeZone, sheet.day, first);
  return start - first * 60_000;
}

/**
 * The tee times still to come with the holes and at least the free places asked for, in order of time. With
 * `keep`, the text of each tee time is kept and written anew only when a booking changed its free places.
 */
export function findTeeTimes(engine: Engine, writer: TeeTimeWriter, search: Search, keep: boolean): Found {
  const { store } = engine;
  const now = engine.now();
  const found: { minute: number; text: string }[] = [];
  let from = -Infinity;
  let until = Infinity;
  for (const course of search.courses) {
    const sheet = store.sheet(course, search.day);
    const start = midnight(engine, search.facility, sheet);
    const written = keep ? keptSheet(engine, writer, sheet, search.players) : newSheet(sheet);
    for (const [index, slot] of sheet.slots.entries()) {
      if (slot.holes !== search.holes) continue;
      const teeOff = start + slot.minute * 60_000;
      if (teeOff <= now) {
        from = Math.max(from, teeOff);
        continue;
      }
      until = Math.min(until, teeOff);
      const free = store.free(slot);
      if (free < search.players) continue;
      if (written.free[index] !== free) {
        const view = { facility: search.facility, course, sheet, slot, free, players: search.players };
        written.texts[index] = JSON.stringify(writer.write(view, engine.answers));
        written.free[index] = free;
      }
      found.push({ minute: slot.minute, text: written.texts[index]! });
    }
  }
  if (search.courses.length > 1) found.sort((a, b) => a.minute - b.minute);
  return { texts: found.map(({ text }) => text), from, until };
}

function newSheet(sheet: TeeSheet): WrittenSheet {
  return { texts: [], free: new Int8Array(sheet.slots.length).fill(-1) };
}

function keptSheet({ store, answers }: Engine, writer: TeeTimeWriter, sheet: TeeSheet, players: number): WrittenSheet {
  const echo = answers['teetimes.players-field'] === 'requested' ? players : '';
  const key = `${writer.key} ${sheet.course.id} ${sheet.day} ${echo}`;
  return store.writtenSheets.get(key) ?? store.writtenSheets.set(key, newSheet(sheet));
}
