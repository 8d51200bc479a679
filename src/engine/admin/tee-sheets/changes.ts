import type { Amendment } from '../../model/amend.js';
import { formatDate, parseIsoDate } from '../../model/calendar.js';
import { closureOf, decodeTeeId } from '../../model/tee-sheet.js';
import type { Course, Facility } from '../../model/world.js';
import { type adminComponents as components, fit, loadAdminValidators } from '../../../contract/index.js';
import { alternatives, validationError } from '../../../common/index.js';
import type { Engine } from '../../api/routes/call.js';
import { buyer, RIVALS } from '../../store/ledger.js';
import { requestOf } from '../../store/seed-bookings.js';
import { viewOf } from '../bookings/booking-view.js';
import { Problem } from '../problem.js';
import { facilityOf, readJson, readQuery } from '../read.js';
import type { AdminCall } from '../route.js';

/** A change as it is sent. */
type WantedChange = components['schemas']['SheetChange'];
type Of<Field extends string> = Extract<WantedChange, Readonly<Record<Field, unknown>>>;

/** Prices of one day can be raised so often; each time they rise by a tenth. */
const MOST_RISES = 20;

export function listChanges({ host: { engine }, path }: AdminCall): unknown {
  return changesOf(engine, facilityOf(engine, path['facilityId']!, 404));
}

/** What the operator or another buyer does to a facility, as scenarios do it before a booking. */
export async function applyChange({ host: { engine }, request, path }: AdminCall): Promise<unknown> {
  const facility = facilityOf(engine, path['facilityId']!, 404);
  const { SheetChange } = await loadAdminValidators();
  const asked = fit(SheetChange, await readJson(request), { whole: 'The body' });
  if (asked.change === 'rival') {
    const booking = bookAsRival(engine, facility, asked);
    return { ...changesOf(engine, facility), booking };
  }
  const { store } = engine;
  store.amend([...store.amendments, amendmentOf(engine, facility, asked)]);
  return { ...changesOf(engine, facility), booking: null };
}

/** Removes the changes that match the query, or all of the facility. */
export async function undoChanges({ host: { engine }, request, path }: AdminCall): Promise<unknown> {
  const facility = facilityOf(engine, path['facilityId']!, 404);
  const wanted = Object.entries(await readQuery(request, 'undoSheetChangesQuery'));
  const { store } = engine;
  const undone = store.amendments.filter((one) => {
    const shown = isOf(facility, one) ? changeView(engine, one) : undefined;
    return shown && wanted.every(([name, value]) => shown[name as keyof typeof shown] === value);
  });
  if (undone.length > 0) store.amend(store.amendments.filter((one) => !undone.includes(one)));
  return { ...changesOf(engine, facility), undone: undone.length };
}

function isOf({ id, courses }: Facility, one: Amendment): boolean {
  return one.change === 'facility-disconnected' ? one.facilityId === id : courses.some((c) => c.id === one.courseId);
}

function changesOf(engine: Engine, facility: Facility): { count: number; changes: unknown[] } {
  const mine = engine.store.amendments.filter((one) => isOf(facility, one));
  return { count: mine.length, changes: mine.map((one) => changeView(engine, one)) };
}

/** A change with its place; what it has not is null. */
function changeView({ store: { world } }: Engine, one: Amendment) {
  const nowhere = { courseId: null, date: null, teeId: null, channel: null };
  if (one.change === 'facility-disconnected') return { ...nowhere, change: one.change, channel: one.channel };
  const { change, courseId } = one;
  if ('day' in one) return { ...nowhere, change, courseId, date: formatDate(one.day) };
  const { teeId } = one;
  return { ...nowhere, change, courseId, date: formatDate(decodeTeeId(world, teeId)!.day), teeId };
}

function amendmentOf(
  engine: Engine,
  facility: Facility,
  asked: Exclude<WantedChange, { readonly change: 'rival' }>,
): Amendment {
  switch (asked.change) {
    case 'tee-time-withdrawn':
      return withdrawal(engine, facility, asked);
    case 'facility-disconnected':
      return disconnection(engine, facility, asked);
    default:
      return changeOfDay(facility, asked);
  }
}

function changeOfDay(facility: Facility, { change, courseId, date }: Of<'date'>): Amendment {
  const course = facility.courses.find(({ id }) => id === courseId);
  const ids = facility.courses.map(({ id }) => String(id));
  if (!course) throw validationError('courseId', alternatives(facility.courses.map(({ id }) => id)), courseId, ids);
  const day = parseIsoDate(date);
  if (day === undefined) throw validationError('date', 'a date that exists, written yyyy-mm-dd', date);
  if (closureOf(course, day)) throw new Problem(409, `${course.name} has no tee times on ${date}. Choose another day.`);
  const { soldOut, raised } = course.amended ?? {};
  if (change === 'sold-out' && soldOut?.has(day)) throw already(course, `is sold out on ${date}`);
  if (change === 'price-changed' && (raised?.get(day) ?? 0) >= MOST_RISES) {
    throw new Problem(
      409,
      `The prices of ${course.name} on ${date} have risen ${MOST_RISES} times, the most there is.`,
    );
  }
  return { change, courseId, day };
}

function already({ name }: { readonly name: string }, what: string): Problem {
  return new Problem(409, `${name} ${what} already. DELETE changes undoes it.`);
}

function withdrawal({ store }: Engine, facility: Facility, { teeId }: Of<'teeId'>): Amendment {
  const { course } = placeOf(store.world, facility, teeId);
  if (course.amended?.withdrawn.has(teeId)) throw already(course, `has withdrawn tee time ${teeId}`);
  return { change: 'tee-time-withdrawn', courseId: course.id, teeId };
}

function placeOf(world: Engine['store']['world'], facility: Facility, teeId: number): { course: Course; day: number } {
  const found = decodeTeeId(world, teeId);
  if (found?.course.facilityId === facility.id) return found;
  throw validationError('teeId', `the id of a tee time of facility ${facility.id}`, teeId);
}

function disconnection({ store }: Engine, facility: Facility, { change, channel }: Of<'channel'>): Amendment {
  const names = store.world.channels.map(({ name }) => name);
  if (!names.includes(channel)) throw validationError('channel', alternatives(names), channel, names);
  if (facility.channels.includes(channel)) return { change, facilityId: facility.id, channel };
  throw new Problem(409, `${facility.name} is not connected to ${channel}.`);
}

/** Another buyer takes free slots: by default all of them. */
function bookAsRival(
  engine: Engine,
  facility: Facility,
  { teeId, players }: Extract<WantedChange, { readonly change: 'rival' }>,
): unknown {
  const { store } = engine;
  const { course, day } = placeOf(store.world, facility, teeId);
  const teeTime = store.sheet(course, day).teeTimes.find((one) => one.teeId === teeId);
  if (!teeTime) throw new Problem(409, `Tee time ${teeId} is withdrawn.`);
  const now = engine.now();
  if (store.instant(facility.timeZone, day, teeTime.minute) <= now) {
    throw new Problem(409, `Tee time ${teeId} is in the past: it is ${new Date(now).toISOString()}.`);
  }
  const free = Math.max(0, store.free(teeTime));
  const wanted = players ?? free;
  if (free === 0 || wanted > free) throw new Problem(409, `Tee time ${teeId} has ${free} free slots.`);
  const product = teeTime.products[0]!;
  const request = requestOf({ ...buyer, facilityId: facility.id, players: wanted }, course, teeTime, product.mid);
  const terms = { channel: RIVALS, groupId: null, paymentIntent: null, now };
  const [booking] = store.book([{ request, teeTime, product }], terms);
  return viewOf(engine, booking!);
}
