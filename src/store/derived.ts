import type { BookingFields } from '../domain/booking.js';
import { DAY_MS } from '../domain/calendar.js';
import { compositeBookingId, shortBookingId } from '../domain/identifiers.js';
import type { Slot } from '../domain/tee-sheet.js';
import type { Course, World } from '../domain/world.js';
import type { Zones } from '../domain/zone.js';

/** A tee time with the course and the day it stands on. */
export interface TeeTime {
  readonly course: Course;
  readonly day: number;
  readonly slot: Slot;
}

type Derived = 'bookingId' | 'code' | 'courseId' | 'day' | 'startsAt' | 'startsAtAsUtc';

/** Epoch milliseconds as `createdAt` shows them: ISO 8601 with milliseconds, UTC, no zone. */
export function stamp(epoch: number): string {
  if (epoch !== latest.epoch) latest = { epoch, text: new Date(epoch).toISOString().slice(0, -1) };
  return latest.text;
}

/** Many bookings are made within a millisecond, and all of them while a clock stands. */
let latest = { epoch: Number.NaN, text: '' };

/** Epoch milliseconds of a local time. */
export function instantOf(zones: Zones, timeZone: string, day: number, minute: number): number {
  const local = day * DAY_MS + minute * 60_000;
  return timeZone === 'UTC' ? local : zones.toInstant(timeZone, local);
}

/** What follows from the number of a booking and its tee time. */
export function derivedFields(
  world: World,
  zones: Zones,
  sequence: number,
  { course, day, slot: { teeId, minute } }: TeeTime,
): Pick<BookingFields, Derived> {
  const { id, timeZone } = world.facility(course.facilityId)!;
  return {
    bookingId: compositeBookingId(world.seed, sequence, id, teeId),
    code: shortBookingId(world.seed, sequence),
    courseId: course.id,
    day,
    startsAt: instantOf(zones, timeZone, day, minute),
    startsAtAsUtc: instantOf(zones, 'UTC', day, minute),
  };
}
