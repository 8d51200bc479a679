import type { TeeSheet, TeeTime } from '../../model/tee-sheet.js';
import type { Course, Facility } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import type { WrittenSheet } from '../../store/caches.js';
import type { Engine } from './call.js';

/** A tee time for the writer of a version. */
export interface TeeTimeView {
  readonly facility: Facility;
  readonly course: Course;
  readonly sheet: TeeSheet;
  readonly teeTime: TeeTime;
  /** Slots that are free now. */
  readonly free: number;
  /** The requested number of players. */
  readonly players: number;
  /** The most players of whom it shows prices. */
  readonly most: number;
}

/** The shape of a tee time, and of a list of tee times, in one version. */
export interface TeeTimeWriter<Written = unknown, Page = unknown> {
  readonly key: string;
  write(view: TeeTimeView, answers: Answers): Written;
  /** The payload around a list of tee times. */
  page(teeTimes: Written[], facility: Facility): Page;
}

const MOST_PLAYERS = 4;

/** The search criteria for one day. */
export interface Search {
  readonly facility: Facility;
  readonly courses: readonly Course[];
  readonly day: number;
  readonly players: number;
  readonly holes: number;
}

/** Tee times as JSON text, with the span of time in which the clock alone does not change it. */
interface Found {
  readonly texts: readonly string[];
  readonly from: number;
  readonly until: number;
}

/** Midnight in epoch milliseconds, in the time zone that decides what is past (question `time.borders`). */
export function midnight({ store, answers }: Engine, facility: Facility, sheet: TeeSheet): number {
  const first = sheet.teeTimes[0]?.minute ?? 0;
  const start = store.instant(answers['time.borders'] === 'utc' ? 'UTC' : facility.timeZone, sheet.day, first);
  return start - first * 60_000;
}

/**
 * The future tee times with the requested holes and enough free slots, in order of time. With `keep`, the text of
 * each tee time is cached and rewritten only when a booking changes its free slots.
 */
export function findTeeTimes(engine: Engine, writer: TeeTimeWriter, search: Search, keep: boolean): Found {
  const { store } = engine;
  const now = engine.now();
  const showsPast = store.world.forms?.pastTeeTimes === 'listed';
  const found: { minute: number; text: string }[] = [];
  let from = -Infinity;
  let until = Infinity;
  for (const course of search.courses) {
    const sheet = store.sheet(course, search.day);
    const start = midnight(engine, search.facility, sheet);
    const written = keep ? keptSheet(engine, writer, sheet, search.players) : newSheet(sheet);
    for (const [index, teeTime] of sheet.teeTimes.entries()) {
      if (teeTime.holes !== search.holes) continue;
      const teeOff = start + teeTime.minute * 60_000;
      if (teeOff <= now && !showsPast) {
        from = Math.max(from, teeOff);
        continue;
      }
      if (teeOff > now) until = Math.min(until, teeOff);
      const free = store.free(teeTime);
      if (free < search.players) continue;
      if (written.free[index] !== free) {
        const most = store.world.forms?.priceSteps === 'available' ? free : MOST_PLAYERS;
        const view = { facility: search.facility, course, sheet, teeTime, free, players: search.players, most };
        written.texts[index] = JSON.stringify(writer.write(view, engine.answers));
        written.free[index] = free;
      }
      found.push({ minute: teeTime.minute, text: written.texts[index]! });
    }
  }
  if (search.courses.length > 1) found.sort((a, b) => a.minute - b.minute);
  return { texts: found.map(({ text }) => text), from, until };
}

function newSheet(sheet: TeeSheet): WrittenSheet {
  return { texts: [], free: new Int8Array(sheet.teeTimes.length).fill(-1) };
}

function keptSheet({ store, answers }: Engine, writer: TeeTimeWriter, sheet: TeeSheet, players: number): WrittenSheet {
  const echo = answers['teetimes.players-field'] === 'requested' ? players : '';
  const key = `${writer.key} ${sheet.course.id} ${sheet.day} ${echo}`;
  return store.caches.writtenSheets.get(key) ?? store.caches.writtenSheets.set(key, newSheet(sheet));
}

declare const content: unique symbol;

/** The JSON text of a value of this type. */
type JsonText<T> = string & { readonly [content]?: T };

const mark = '\u0000items';
const markText = JSON.stringify(mark);

/**
 * The JSON text of a value with a list whose items are cached as text. No string before the list may equal the mark.
 *
 * @param value Returns the whole value around the given list.
 */
export function jsonAround<Item, T>(items: readonly string[], value: (items: Item[]) => T): JsonText<T> {
  const [before, after] = jsonHalves(value);
  return `${before}${items.join(',')}${after}`;
}

/** The JSON text of a value before and after the items of its list. */
export function jsonHalves<Item, T>(value: (items: Item[]) => T): readonly [before: string, after: string] {
  const text = JSON.stringify(value([mark as Item]));
  const at = text.indexOf(markText);
  return [text.slice(0, at), text.slice(at + markText.length)];
}
