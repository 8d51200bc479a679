/**
 * Time zones. A local time is stored as milliseconds, as if it were UTC, so that day and minute are plain divisions
 * (see `calendar.ts`).
 */

import { DAY_MS } from './calendar.js';

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
