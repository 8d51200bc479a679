import { DAY_MS, formatDate, parseIsoDate } from '../domain/calendar.js';
import type { TeeTime } from '../domain/tee-sheet.js';
import type { Course } from '../domain/world.js';
import type { Engine } from '../routes/call.js';
import { Problem, shown } from './problem.js';
import { facilityOf, listed, readQuery } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** The slots of a tee time. */
const CAPACITY = 4;

/** The tee sheets of a facility on one day, with the bookings. */
export const teeSheetRoutes: readonly AdminRoute[] = [{ method: 'GET', path: 'tee-sheets/:facilityId', answer: show }];

async function show({ host, request, path }: AdminCall): Promise<unknown> {
  const { engine } = host;
  const facility = facilityOf(engine, path['facilityId']!, 404);
  const { date, courseId } = await readQuery(request, 'getTeeSheetsQuery');
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
  const { teeTimes } = engine.store.sheet(course, day);
  return {
    courseId: course.id,
    name: course.name,
    holes: course.holes,
    teeTimes: teeTimes.map((teeTime) => teeTimeView(engine, teeTime)),
  };
}

/** A tee time: of its capacity some is sold elsewhere, some is held by bookings of this sandbox, the rest is free. */
export function teeTimeView({ store }: Engine, teeTime: TeeTime): unknown {
  const held = store.ledger.at(teeTime.teeId).filter(({ status }) => status === 'BOOKED');
  return {
    teeId: teeTime.teeId,
    time: teeTime.time,
    holes: teeTime.holes,
    capacity: CAPACITY,
    soldElsewhere: CAPACITY - teeTime.free,
    free: store.free(teeTime),
    bookings: held.map(({ bookingId, channel, players, contactLastName }) => ({
      bookingId,
      channel,
      players,
      contactLastName,
    })),
  };
}
