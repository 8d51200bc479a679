import { DAY_MS, formatDate, parseIsoDate } from '../../model/calendar.js';
import type { Course, Facility } from '../../model/world.js';
import { Problem, shown } from '../problem.js';
import { facilityOf, listed, readQuery } from '../read.js';
import type { AdminCall, AdminRoute } from '../route.js';
import { applyChange, listChanges, undoChanges } from './changes.js';
import { listFacilities } from './facilities.js';
import { sheetView } from './sheet-view.js';

/** The facilities, and their tee sheets with the bookings and what operators changed. */
export const teeSheetRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'facilities', answer: listFacilities },
  { method: 'GET', path: 'tee-sheets/:facilityId', answer: show },
  { method: 'GET', path: 'tee-sheets/:facilityId/changes', answer: listChanges },
  { method: 'POST', path: 'tee-sheets/:facilityId/changes', answer: applyChange },
  { method: 'DELETE', path: 'tee-sheets/:facilityId/changes', answer: undoChanges },
];

async function show({ host, request, path }: AdminCall): Promise<unknown> {
  const { engine } = host;
  const facility = facilityOf(engine, path['facilityId']!, 404);
  const { date, courseId } = await readQuery(request, 'getTeeSheetsQuery');
  const courses = coursesOf(facility, courseId);
  const { zones } = engine.store;
  const today = Math.floor(zones.toLocal(facility.timeZone, engine.now()) / DAY_MS);
  const day = date === undefined ? today : readDay(date);
  const { id, name, address, timeZone, currency, channels, cancellation, scenario } = facility;
  return {
    facilityId: id,
    name,
    latitude: address.latitude,
    longitude: address.longitude,
    timeZone,
    currency,
    channels,
    cancellation,
    scenario: scenario ?? null,
    date: formatDate(day),
    today: formatDate(today),
    courses: courses.map((course) => sheetView(engine, course, day)),
  };
}

function coursesOf(facility: Facility, courseId: string | undefined): readonly Course[] {
  const courses = facility.courses.filter(({ id }) => courseId === undefined || String(id) === courseId);
  if (courses.length > 0) return courses;
  const ids = listed(facility.courses.map(({ id }) => id));
  throw new Problem(404, `Facility ${facility.id} has no course ${shown(courseId!)}; it has ${ids}.`);
}

function readDay(text: string): number {
  const day = parseIsoDate(text);
  if (day !== undefined) return day;
  throw new Problem(400, `\`date\` must be a date that exists, written yyyy-mm-dd; got ${shown(text)}.`);
}
