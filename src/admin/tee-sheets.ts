import { DAY_MS, formatDate, parseIsoDate } from '../domain/calendar.js';
import type { Slot } from '../domain/tee-sheet.js';
import type { Course } from '../domain/world.js';
import type { Engine } from '../routes/call.js';
import { Problem, shown } from './problem.js';
import { facilityOf, listed, readQuery } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** Players that a tee time takes. */
const CAPACITY = 4;

/** A day of the courses of a facility, with who holds what. */
export const teeSheetRoutes: readonly AdminRoute[] = [{ method: 'GET', path: 'tee-sheets/:facilityId', answer: show }];

function show({ host, request, path }: AdminCall): unknown {
  const { engine } = host;
  const facility = facilityOf(engine, path['facilityId']!, 404);
  const { date, courseId } = readQuery(request, ['date', 'courseId']);
  const courses = facility.courses.filter(({ id }) => courseId === undefined || String(id) === courseId);
  if (courses.length === 0) {
    const ids = listed(facility.courses.map(({ id }) => id));
    throw new Problem(404, `Facility ${facility.id} has no course ${shown(courseId!)}; it has ${ids}.`);
  }
  const { zones } = engine.store;
  const today = Math.floor(zones.toLocal(facility.timeZone, engine.now()) / DAY_MS);
  const day = date === undefined ? today : readDay(date);
  const { id, name, timeZone } = facility;
  return {
    facilityId: id,
    name,
    timeZone,
    date: formatDate(day),
    courses: courses.map((course) => sheetView(engine, course, day)),
  };
}

function readDay(text: string): number {
  const day = parseIsoDate(text);
  if (day !== undefined) return day;
  throw new Problem(400, `\`date\` must be a date that exists, written yyyy-mm-dd; got ${shown(text)}.`);
}

function sheetView(engine: Engine, course: Course, day: number): unknown {
  const { slots } = engine.store.sheet(course, day);
  return {
    courseId: course.id,
    name: course.name,
    holes: course.holes,
    slots: slots.map((slot) => slotView(engine, slot)),
  };
}

/** A tee time: of its capacity some is sold elsewhere, some is held by bookings of this sandbox, the rest is free. */
export function slotView({ store }: Engine, slot: Slot): unknown {
  const held = store.ledger.at(slot.teeId).filter(({ status }) => status === 'BOOKED');
  return {
    teeId: slot.teeId,
    time: slot.time,
    holes: slot.holes,
    capacity: CAPACITY,
    soldElsewhere: CAPACITY - slot.free,
    free: store.free(slot),
    bookings: held.map(({ bookingId, channel, players, contactLastName }) => ({
      bookingId,
      channel,
      players,
      contactLastName,
    })),
  };
}
