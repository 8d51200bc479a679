/**
 * The Gregorian calendar in whole numbers. A day is the number of days since 1970-01-01. A local date and time is the
 * number of milliseconds if it is read as UTC. No text from a caller reaches `Date`.
 * Time zones follow below: `Zones` turns a local time into an instant and back.
 */

interface CivilDate {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  /** 1 to 31 */
  readonly day: number;
}

/** A date with the second of the day. */
interface LocalTime {
  readonly day: number;
  readonly second: number;
}

export const DAY_MS = 86_400_000;

/** The first day with tee sheets; tee time ids are never negative. */
export const FIRST_DAY = dayNumber(2000, 1, 1);
/** The last day with tee sheets, so that tee time ids of the default world fit a signed 32-bit integer. */
export const LAST_DAY = dayNumber(2199, 12, 31);

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const QUERY_DATE = /^(\d{2})-(\d{2})-(\d{4})$/;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const BOOKING_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** The day number of a date. It does not check that the date exists. */
export function dayNumber(year: number, month: number, day: number): number {
  // A year that starts in March has the leap day at its end. A cycle of 400 years has 146,097 days.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function civilDate(dayNumber: number): CivilDate {
  const z = dayNumber + 719_468;
  const era = Math.floor(z / 146_097);
  const doe = z - era * 146_097;
  const yoe = Math.floor((doe - Math.floor(doe / 1460) + Math.floor(doe / 36_524) - Math.floor(doe / 146_096)) / 365);
  const doy = doe - (365 * yoe + Math.floor(yoe / 4) - Math.floor(yoe / 100));
  const shifted = Math.floor((5 * doy + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = doy - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: yoe + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** 0 Sunday to 6 Saturday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function isWeekend(day: number): boolean {
  const which = weekday(day);
  return which === 0 || which === 6;
}

/** The English name in lower case, as in price records. */
export function weekdayName(day: number): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[weekday(day)]!;
}

/** `yyyy-mm-dd` */
export function formatDate(day: number): string {
  const civil = civilDate(day);
  return `${String(civil.year).padStart(4, '0')}-${TWO_DIGITS[civil.month]}-${TWO_DIGITS[civil.day]}`;
}

/** `dd-mm-yyyy`, as in query parameters (general rule 4). */
export function formatQueryDate(day: number): string {
  const civil = civilDate(day);
  return `${TWO_DIGITS[civil.day]}-${TWO_DIGITS[civil.month]}-${String(civil.year).padStart(4, '0')}`;
}

/** A minute of the day as `HH:MM:00`. */
export function formatMinute(minute: number): string {
  return `${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:00`;
}

/** The day number of `dd-mm-yyyy`; undefined if it is malformed or the day does not exist. */
export function parseQueryDate(text: string): number | undefined {
  const parts = QUERY_DATE.exec(text);
  return parts ? existingDay(Number(parts[3]), Number(parts[2]), Number(parts[1])) : undefined;
}

/** The day number of `yyyy-mm-dd`; undefined if it is malformed or the day does not exist. */
export function parseIsoDate(text: string): number | undefined {
  const parts = ISO_DATE.exec(text);
  return parts ? existingDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
}

/** Reads the `yyyy-mm-dd HH:MM:ss` of booking bodies; undefined if it is malformed or does not exist. */
export function parseBookingTime(text: string): LocalTime | undefined {
  if (!BOOKING_TIME.test(text)) return undefined;
  const day = existingDay(100 * pairAt(text, 0) + pairAt(text, 2), pairAt(text, 5), pairAt(text, 8));
  const hour = pairAt(text, 11);
  const minute = pairAt(text, 14);
  const second = pairAt(text, 17);
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  return { day, second: (hour * 60 + minute) * 60 + second };
}

/** The number that two digits of a text write: each booking has seven of them, and groups of a pattern would be texts. */
function pairAt(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

const ZERO = 0x30;

function existingDay(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const number = dayNumber(year, month, day);
  return civilDate(number).month === month ? number : undefined;
}

export interface Zones {
  /** The offset from UTC in milliseconds at an instant. */
  offset(zone: string, epochMs: number): number;
  /** The local time at an instant. */
  toLocal(zone: string, epochMs: number): number;
  /**
   * The instant of a local time. A time that is skipped in spring uses the offset before the change. A time that
   * occurs twice in autumn is the first occurrence.
   */
  toInstant(zone: string, localMs: number): number;
}

interface ZoneCache {
  readonly format: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

/** Time zones change their offset only at quarters of an hour, so one lookup is valid for a whole quarter. */
const BUCKET_MS = 900_000;
const MAX_BUCKETS = 4_096;

/**
 * Shared by all sandboxes of the process: offsets never change, and a new `Intl.DateTimeFormat` takes most of the time
 * that a sandbox needs to start.
 */
const clocks = new Map<string, ZoneCache>();

/** Caches zones: a lookup in `Intl` takes microseconds, and each request needs one. */
export function createZones(): Zones {
  const clockOf = (zone: string): ZoneCache => {
    let clock = clocks.get(zone);
    if (!clock) clocks.set(zone, (clock = { format: zoneFormat(zone), offsets: new Map() }));
    return clock;
  };

  const offset = (zone: string, epochMs: number): number => {
    const { format, offsets } = clockOf(zone);
    const bucket = Math.floor(epochMs / BUCKET_MS);
    let found = offsets.get(bucket);
    if (found === undefined) {
      found = readOffset(format, bucket * BUCKET_MS);
      if (offsets.size >= MAX_BUCKETS) offsets.clear();
      offsets.set(bucket, found);
    }
    return found;
  };

  const toInstant = (zone: string, localMs: number): number => {
    // Looked up at midnight, so that all times of the day share the cached offsets.
    const day = Math.floor(localMs / DAY_MS) * DAY_MS;
    const before = offset(zone, day - DAY_MS);
    const after = offset(zone, day + 2 * DAY_MS);
    if (before === after) return localMs - before;
    const early = localMs - before;
    if (offset(zone, early) === before) return early;
    const late = localMs - after;
    return offset(zone, late) === after ? late : early;
  };

  return { offset, toLocal: (zone, epochMs) => epochMs + offset(zone, epochMs), toInstant };
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

function readOffset(format: Intl.DateTimeFormat, epochMs: number): number {
  const shown = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type)!;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - epochMs;
}
