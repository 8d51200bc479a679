/**
 * Clocks of the world's time zones. A local time is kept as the milliseconds that the wall clock would show in
 * UTC, so that day and minute are plain divisions (see `calendar.ts`).
 */

import { DAY_MS } from './calendar.js';

export interface Zones {
  /** Milliseconds that the zone's clock is ahead of UTC at an instant. */
  offset(zone: string, epochMs: number): number;
  /** What the zone's clock shows at an instant. */
  toLocal(zone: string, epochMs: number): number;
  /**
   * The instant at which the zone's clock shows a local time. A time skipped in spring counts as if the clock had
   * not yet been moved; of a time shown twice in autumn the first is meant.
   */
  toInstant(zone: string, localMs: number): number;
}

interface Clock {
  readonly format: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

/** No zone moves its clock but at a quarter of an hour, so one answer holds for all of it. */
const BUCKET_MS = 900_000;
const MAX_BUCKETS = 4_096;

/** Zones with a cache of their own: asking Intl takes microseconds, and each request asks. */
export function createZones(): Zones {
  const clocks = new Map<string, Clock>();

  const clockOf = (zone: string): Clock => {
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
    // Asked at day borders, where the answers for all times of the day are shared in the cache.
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
