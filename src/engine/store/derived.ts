import type { BookingFields } from '../model/booking.js';
import { DAY_MS } from '../model/calendar.js';
import { compositeBookingId, shortBookingId } from '../model/identifiers.js';
import type { TeeTime } from '../model/tee-sheet.js';
import type { Course, World } from '../model/world.js';
import type { Zones } from '../model/zone.js';

/** A tee time with its course and day. */
export interface DatedTeeTime {
  readonly course: Course;
  readonly day: number;
  readonly teeTime: TeeTime;
}

type Derived = 'time' | 'course' | 'bookingId' | 'code' | 'courseId' | 'day' | 'startsAt' | 'startsAtAsUtc';

/** Epoch milliseconds in the form of `createdAt`: ISO 8601 with milliseconds, in UTC, without a designator. */
export function stamp(epoch: number): string {
  if (epoch !== latest.epoch) latest = { epoch, text: new Date(epoch).toISOString().slice(0, -1) };
  return latest.text;
}

/** Caches the last result: many bookings are made in one millisecond, and all of them while the clock is frozen. */
let latest = { epoch: Number.NaN, text: '' };

/** The epoch milliseconds of a local time. */
export function instantOf(zones: Zones, timeZone: string, day: number, minute: number): number {
  const local = day * DAY_MS + minute * 60_000;
  return timeZone === 'UTC' ? local : zones.toInstant(timeZone, local);
}

/** The properties that follow from the number and the tee time of a booking. */
export function derivedFields(
  world: World,
  zones: Zones,
  sequence: number,
  { course, day, teeTime: { teeId, time, minute } }: DatedTeeTime,
): Pick<BookingFields, Derived> {
  const { id, timeZone } = world.facility(course.facilityId)!;
  return {
    // Those of the request are the same, but each has its own.
    time,
    course: course.name,
    bookingId: compositeBookingId(world.seed, sequence, id, teeId),
    code: shortBookingId(world.seed, sequence),
    courseId: course.id,
    day,
    startsAt: instantOf(zones, timeZone, day, minute),
    startsAtAsUtc: instantOf(zones, 'UTC', day, minute),
  };
}
