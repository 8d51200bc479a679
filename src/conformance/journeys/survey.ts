import type { Material } from '../facts/relation.js';
import { type Day, DAY, dayAfter, dayOf, offsetHours } from '../client/day.js';
import { NotAllowed, SuiteError, unlessInconclusive } from '../client/outcome.js';
import { factsOf, grouped } from '../facts/facts.js';
import { isOf, newestOf, newestWith, operationIn, productBooking, shows, versionsOf } from '../client/operations.js';
import type { Session } from '../client/session.js';
import type { Depth } from '../client/types.js';
import { book, bodyFor, contactAs } from './bookings.js';
import { connectedCountries, MOST_IDS } from './connected-facilities.js';
import { material, type TakenTeeTime } from './material.js';
import {
  freeIn,
  type ListedTeeSheet,
  paramsOf,
  priceDays,
  type PriceRecord,
  type SheetVersion,
  sheetVersions,
  type TeeTimeQuery,
  teeTimesIn,
} from './tee-sheets.js';
import { priceParamsOf, pricesFor, productFor } from './pool/reads.js';
import { wholePrices } from './price-lists.js';

/** Facilities that are looked at. */
const facilitiesAt: Readonly<Record<Depth, number>> = { quick: 2, standard: 10, thorough: 100 };
const MOST_COURSES = 3;
/** Tee times of a course that are tried, until one is booked; booking lists that are read after that. */
const [TRIES, MOST_LISTS] = [2, 5];
/** The share of the room for answers after which no more is read: the rules that follow need some, too. */
const SHARE_OF_SURVEY = 0.65;
/** The same for tee sheets, which would leave no room for lists and bookings. */
const SHARE_OF_SHEETS = 0.58;
const isFull = ({ run }: Session, share = SHARE_OF_SURVEY): boolean => run.transport.evidence.isUsed(share);
/** Numbers of players that are asked for beside one, in turn. */
const MORE_PLAYERS = [4, 2, 3];
/** Days of a range on each side of the turn of a month: together a week, and one more. */
const BESIDE = 4;
/** The first turn of a month that is read lies so many days ahead. */
const NEAREST_TURN = 24;

/**
 * Reads what relations compare, at facilities of all countries: prices over the turn of a month, tee sheets of a weekday
 * and of a weekend day in every version, and every form of the facilities. Where the deployment refuses something, or lacks
 * it, other rules say so.
 */
export async function survey(session: Session, wanted: readonly Material[], depth: Depth = 'standard'): Promise<void> {
  const reads = new Set(wanted);
  if (reads.size === 0) return;
  /** A part that the deployment refuses, or answers in the wrong form, hides no other. */
  const attempt = async <T>(part: () => Promise<T>): Promise<T | undefined> => {
    if (isFull(session)) return undefined;
    try {
      return await part();
    } catch (error) {
      const isForm = error instanceof TypeError || error instanceof SuiteError;
      if (isForm || error instanceof NotAllowed) return undefined;
      return unlessInconclusive(error);
    }
  };
  const facilities = (await attempt(() => sampled(session, facilitiesAt[depth]))) ?? [];
  if (reads.has('facilities')) await attempt(() => readFacilities(session, facilities));
  const sells = reads.has('prices') || reads.has('sheets') || reads.has('bookings');
  const records = (sells && (await attempt(() => readPrices(session, facilities)))) || [];
  if (reads.has('sheets')) await attempt(() => readSheets(session, facilities, records, depth));
  if (reads.has('sheets') && session.hasSecond) await attempt(() => readAsSecond(session, facilities));
  if (reads.has('bookings')) {
    await attempt(() => readLists(session));
    await attempt(() => bookEverywhere(session, facilities, records));
  }
}

/** Ids of facilities of all countries that are known, one of each in turn, after those that the user has named. */
async function sampled(session: Session, most: number): Promise<readonly number[]> {
  const listed = await connectedCountries(session);
  const known = await (await material(session)).days.listAll(session);
  const countries = [...listed.map(({ facilities }) => facilities), known].map((list) => list.map(({ id }) => id));
  const found = new Set(session.run.transport.scope.facilities);
  const longest = Math.max(0, ...countries.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of countries) if (found.size < most && list[turn] !== undefined) found.add(list[turn]!);
  }
  return [...found];
}

/** Countries whose lists are read in every version, for both channels. */
const COUNTRIES = 4;

async function readFacilities(session: Session, facilities: readonly number[]): Promise<void> {
  const reads: (() => Promise<unknown>)[] = [];
  for (const { country } of (await connectedCountries(session)).slice(0, COUNTRIES)) {
    for (const version of session.served('listFacilities', versionsOf('listFacilities'))) {
      const operation = operationIn('listFacilities', version);
      for (const connected of [true, false, undefined]) {
        reads.push(() => session.read(operation, { country, connected }));
      }
      if (session.hasSecond) reads.push(() => session.read(operation, { country, connected: true }, 'second'));
    }
  }
  for (const facilityId of facilities) {
    for (const version of session.served('findFacility', versionsOf('findFacility'))) {
      reads.push(() => session.read(operationIn('findFacility', version), { facilityId }));
    }
    for (const version of session.served('facilityDetails', versionsOf('facilityDetails'))) {
      reads.push(() => session.read(operationIn('facilityDetails', version), { facilityId }));
    }
  }
  await session.inTurn(reads);
}

/** The last and the first days of two months, some weeks ahead. */
function turnOfMonth(session: Session): { readonly last: Day; readonly first: Day } {
  let first = session.day(NEAREST_TURN);
  while (!first.iso.endsWith('-01')) first = dayAfter(first, 1);
  return { last: dayAfter(first, -1), first };
}

/** The last day of a month of 31 days, some weeks ahead. */
function monthEnd(session: Session): Day {
  let day = turnOfMonth(session).last;
  while (!day.iso.endsWith('-31')) day = dayAfter(day, 1);
  return day;
}

async function readPrices(session: Session, facilities: readonly number[]): Promise<readonly PriceRecord[]> {
  const { last, first } = turnOfMonth(session);
  const [from, to] = [dayAfter(last, 1 - BESIDE), dayAfter(first, BESIDE)];
  const ranges = [
    { from, to },
    { from, to: last },
    { from: first, to },
  ];
  const lists: (() => Promise<readonly PriceRecord[]>)[] = [];
  for (let at = 0; at < facilities.length; at += MOST_IDS) {
    const facilityIds = facilities.slice(at, at + MOST_IDS);
    for (const range of ranges) {
      lists.push(async () => {
        const records = (await wholePrices(session, { facilityIds, ...range }).catch(unlessInconclusive)) ?? [];
        // The rest of the list from its middle, without a limit.
        const offset = records.length >> 1;
        if (offset > 0) await pricesFor(session, { facilityIds, ...range, offset }).catch(unlessInconclusive);
        return range === ranges[0] ? records : [];
      });
    }
  }
  const found = (await session.inTurn(lists)).flat();
  // One facility on one day: the least that can be asked for.
  for (const facilityId of facilities.slice(0, 2)) {
    await pricesFor(session, { facilityIds: [facilityId], from: first, to: first, offset: 0 }).catch(
      unlessInconclusive,
    );
  }
  return found;
}

const [SUNDAY, SATURDAY] = [0, 6];
const weekdayOf = ({ iso }: Day): number => new Date(`${iso}T00:00:00Z`).getUTCDay();
const isWeekend = (day: Day): boolean => [SUNDAY, SATURDAY].includes(weekdayOf(day));

/** The first such weekday in the range of the price lists. */
function weekendIn(session: Session, weekday: number): Day {
  let day = dayAfter(turnOfMonth(session).last, 1 - BESIDE);
  while (weekdayOf(day) !== weekday) day = dayAfter(day, 1);
  return day;
}

/**
 * The day of the weekend that is partly a working day by UTC: Saturday east of Greenwich, and Sunday west of it. Without
 * a time zone, one of them in turn.
 */
function edgeOfWeekend(session: Session, facility: number, index: number): number {
  const zone = factsOf(session.run).zoneOf(facility);
  const ahead = zone === undefined ? 0 : offsetHours(zone, session.now);
  if (ahead === 0) return index % 2 === 0 ? SUNDAY : SATURDAY;
  return ahead > 0 ? SATURDAY : SUNDAY;
}

/**
 * A weekday and a day of a weekend on which a facility has prices, preferably with free tee times, and the first Saturday
 * or Sunday of the range, whatever the price list has on it.
 */
function daysOf(facility: number, records: readonly PriceRecord[], weekend?: Day, weekday?: number): readonly Day[] {
  const own = records.filter(({ facilityId }) => facilityId === facility);
  const days = [...new Set(own.map(({ date }) => date))].flatMap((date) => dayOf(date) ?? []);
  const free = ({ iso }: Day): number =>
    own.filter(({ date }) => date === iso).reduce((sum, { availability }) => sum + (availability?.length ?? 0), 0);
  const best = (fitting: readonly Day[]): Day[] => fitting.toSorted((a, b) => free(b) - free(a)).slice(0, 1);
  const working = days.filter((day) => !isWeekend(day));
  const wished = working.filter((day) => weekdayOf(day) === weekday && free(day) > 0);
  const weekends = days.filter(isWeekend);
  const edge = weekend ? weekends.filter((day) => weekdayOf(day) === weekdayOf(weekend) && free(day) > 0) : [];
  const chosen = [...best(edge.length > 0 ? edge : weekends), ...best(wished.length > 0 ? wished : working)];
  return !weekend || days.some(({ iso }) => iso === weekend.iso) ? chosen : [...chosen, weekend];
}

/** The tee sheets of some days in every version; the older ones only where the newest has tee times. */
async function readSheets(
  session: Session,
  facilities: readonly number[],
  records: readonly PriceRecord[],
  depth: Depth,
): Promise<void> {
  const usual = await priceDays(session);
  await readBeyondChange(session, facilities, records);
  const read = new Set<string>();
  const sold = new Set<string>();
  const sheets: (() => Promise<void>)[] = [];
  let turn = 0;
  for (const [index, facility] of facilities.entries()) {
    const courseIds = new Set(records.filter((one) => one.facilityId === facility).map(({ courseId }) => courseId));
    const weekend = weekendIn(session, edgeOfWeekend(session, facility, index));
    // Another weekday at each facility, and at the first one the last day of a month, too.
    const days = [...daysOf(facility, records, weekend, (index % 5) + 1), ...(index === 0 ? [monthEnd(session)] : [])];
    for (const day of records.length > 0 ? days : [usual.from]) {
      turn += 1;
      for (const [later, holes] of ([18, 9] as const).entries()) {
        const at = turn + later;
        sheets.push(async () => {
          if (isFull(session, SHARE_OF_SHEETS)) return;
          const query = { facilityId: facility, day, holes };
          const newest = await look(session, newestWith.facilitySheet, query);
          read.add(`${facility} ${holes} ${day.iso}`);
          if (newest?.length === 0) return;
          sold.add(`${facility} ${holes}`);
          for (const version of sheetVersions) {
            if (version === newestWith.facilitySheet) continue;
            const courses = isOf('courseSheet', version) ? [...courseIds].slice(0, MOST_COURSES) : [undefined];
            for (const courseId of courses) await look(session, version, courseId ? { ...query, courseId } : query);
          }
          const players = MORE_PLAYERS[at % MORE_PLAYERS.length]!;
          for (const version of [newestWith.facilitySheet, at % 2 ? newestWith.plainSheet : newestWith.roundSheet])
            await look(session, version, { ...query, players });
        });
      }
    }
  }
  await session.inTurn(sheets);
  // The rest of the week in one version, for the rules that compare it with the price list.
  const week = Array.from({ length: 7 }, (_, later) => dayAfter(turnOfMonth(session).last, 1 - BESIDE + later));
  const rest: (() => Promise<unknown>)[] = [];
  for (const facility of records.length > 0 && depth !== 'quick' ? facilities : []) {
    for (const day of week) {
      for (const holes of [18, 9] as const) {
        if (!sold.has(`${facility} ${holes}`) || read.has(`${facility} ${holes} ${day.iso}`)) continue;
        rest.push(async () => {
          if (isFull(session, SHARE_OF_SHEETS)) return;
          await look(session, newestWith.facilitySheet, { facilityId: facility, day, holes });
        });
      }
    }
  }
  await session.inTurn(rest);
}

const HOLES = 18 as const;
/** The newest facility that has a time zone. */
const facilityWithZone = operationIn('findFacility', newestOf('findFacility', shows('timeZone')));
/** Days that are searched for the next change of the clocks, and days from there to the one that is read. */
const [CHANGES, BEYOND] = [240, 3];
/** Facilities that are looked at until one has tee times so far ahead. */
const FAR_AHEAD = 3;

/** A day soon after the next change of the clocks at a facility; undefined where they stay, or its zone is unknown. */
async function afterChange(session: Session, facilityId: number): Promise<Day | undefined> {
  await session.read(facilityWithZone, { facilityId }).catch(unlessInconclusive);
  const zone = factsOf(session.run).zoneOf(facilityId);
  if (zone === undefined) return undefined;
  const now = offsetHours(zone, session.now);
  for (let days = 1; days < CHANGES; days += 1) {
    if (offsetHours(zone, session.now + days * DAY) !== now) return session.day(days + BEYOND);
  }
  return undefined;
}

/** The prices and the tee times of a day beyond the next change of the clocks, in every version, at one facility. */
async function readBeyondChange(
  session: Session,
  facilities: readonly number[],
  records: readonly PriceRecord[],
): Promise<void> {
  for (const facilityId of facilities.slice(0, FAR_AHEAD)) {
    const day = await afterChange(session, facilityId);
    const newest = day && (await look(session, newestWith.facilitySheet, { facilityId, day, holes: HOLES }));
    if (!newest || newest.length === 0) continue;
    await pricesFor(session, { facilityIds: [facilityId], from: day, to: day, offset: 0 }).catch(unlessInconclusive);
    const course = records.find((one) => one.facilityId === facilityId)?.courseId;
    for (const version of sheetVersions) {
      const query = { facilityId, day, holes: HOLES } as const;
      if (version === newestWith.facilitySheet) continue;
      if (!isOf('courseSheet', version)) await look(session, version, query);
      else if (course !== undefined) await look(session, version, { ...query, courseId: course });
    }
    return;
  }
}

/** The first and the last day of lists, in days from today. */
const [PAST, AHEAD] = [-30, 90];

/** The booking lists of all versions, with every choice of their parameters. */
async function readLists(session: Session): Promise<void> {
  const [fromDate, toDate] = [session.day(PAST).query, session.day(AHEAD).query];
  await session.inTurn(
    [{}, { toDate }, { fromDate, toDate }, { fromDate }].flatMap((params) =>
      session
        .served('listBookings', versionsOf('listBookings'))
        .map((version) => () => session.read(operationIn('listBookings', version), params)),
    ),
  );
}

/**
 * Books on every course of the facilities, and reads the lists from the days of these bookings on. Where one is refused,
 * another tee time is tried: the rule of the answer says so if that is refused, too.
 */
async function bookEverywhere(
  session: Session,
  facilities: readonly number[],
  records: readonly PriceRecord[],
): Promise<void> {
  if (!session.run.transport.allows('bookings')) return;
  const pool = await material(session);
  const booked = new Set<ListedTeeSheet>();
  const { transport } = session.run;
  for (const facilityId of facilities) {
    if (isFull(session) || !(await transport.hasRoom(OF_GROUPS + TRIES * MOST_COURSES))) break;
    const free = await freePlaces(session, facilityId, records);
    const courses = [...grouped(free, ({ teeTime }) => teeTime.course).values()].slice(0, MOST_COURSES);
    // East of UTC the first tee times of a day lie on another day by UTC, and west of it the last ones.
    const zone = factsOf(session.run).zoneOf(facilityId);
    const isEast = zone !== undefined && offsetHours(zone, session.now) > 0;
    for (const [index, some] of courses.entries()) {
      for (const place of isEast ? some.slice(0, TRIES) : some.slice(-TRIES)) {
        pool.reserve(place.sheet, [place.teeTime]);
        const made = await book(session, productBooking, [place], index > 0).catch(unlessInconclusive);
        if (!made) continue;
        booked.add(place.sheet);
        // What is wrong at a facility is seen twice.
        if (courses.length > 1) break;
      }
    }
  }
  for (const [facilityId, asList] of severalCourses(facilities, records)) {
    const places = await bookTogether(session, facilityId, records, asList).catch(unlessInconclusive);
    for (const { sheet } of places ?? []) booked.add(sheet);
  }
  for (const sheet of booked) await look(session, newestWith.facilitySheet, sheet);
  const days = new Set([...booked].map(({ day }) => day.query));
  for (const fromDate of [session.longAgo.query, ...days].slice(0, MOST_LISTS)) {
    for (const version of session.served('listBookings', versionsOf('listBookings'))) {
      await session.send({ operation: operationIn('listBookings', version), params: { fromDate } });
    }
  }
}

/** The free tee times of a facility on a day of its price list that no rule has taken. */
async function freePlaces(session: Session, facilityId: number, records: readonly PriceRecord[]) {
  const pool = await material(session);
  const [day] = daysOf(facilityId, records);
  const sheets = day ? await pool.sheetsOf(session, { facility: { id: facilityId }, day }) : [];
  const places = sheets.flatMap((sheet) => sheet.teeTimes.map((teeTime) => ({ sheet, teeTime })));
  return places.filter(({ sheet, teeTime }) => freeIn(teeTime) > 0 && !pool.isTaken(sheet, teeTime));
}

/** Two facilities for groups, one for each form of a group; those with several courses first. */
function severalCourses(
  facilities: readonly number[],
  records: readonly PriceRecord[],
): readonly (readonly [facilityId: number, asList: boolean])[] {
  const coursesOf = (id: number): number =>
    new Set(records.filter(({ facilityId }) => facilityId === id).map(({ courseId }) => courseId)).size;
  const [first, second = first] = facilities.toSorted((a, b) => coursesOf(b) - coursesOf(a));
  return first === undefined || second === undefined
    ? []
    : [
        [first, true],
        [second, false],
      ];
}

const GUESTS = [
  ['Ann', 'First'],
  ['Ben', 'Second'],
  ['Cleo', 'Third'],
] as const;

/** Numbers of players to send a group for, in turn: a whole tee time in a list, and in `details` a part that shows. */
const partiesOf = (asList: boolean): readonly number[] => (asList ? [4, 4, 1] : [2, 1]);

/** Bookings of the groups, if a list is refused once. */
const OF_GROUPS = 3 * GUESTS.length;

/** Whether a tee time shows that a booking of so many players takes its slots: four free slots may stand for more. */
function suits(players: number, { teeTime }: TakenTeeTime): boolean {
  const { available, pricing } = productFor(teeTime, players)!;
  if (players === 1) return available >= 1;
  const isSold = Array.isArray(pricing) && pricing.some(({ quantity }) => quantity === players);
  return isSold && available >= players && (players === 4 || available < 4);
}

/** Tee times for all guests, at different times of day, by which the answer tells the bookings apart; on several courses. */
function placesFor(free: readonly TakenTeeTime[]): readonly TakenTeeTime[] {
  const byCourse = [...grouped(free, ({ teeTime }) => teeTime.course).values()];
  const chosen = new Map<string, TakenTeeTime>();
  for (let turn = 0; chosen.size < GUESTS.length && turn < free.length; turn += 1) {
    const place = byCourse[turn % byCourse.length]![Math.floor(turn / byCourse.length)];
    if (place && !chosen.has(place.teeTime.time)) chosen.set(place.teeTime.time, place);
  }
  return [...chosen.values()];
}

/** Books three tee times of a day in one request, each for another guest; other ones if they are refused. */
async function bookTogether(
  session: Session,
  facilityId: number,
  records: readonly PriceRecord[],
  asList: boolean,
): Promise<readonly TakenTeeTime[]> {
  const pool = await material(session);
  for (const players of partiesOf(asList)) {
    const free = await freePlaces(session, facilityId, records);
    const places = placesFor(free.filter((place) => suits(players, place)));
    if (places.length < GUESTS.length) continue;
    const items = places.map((place, index) => {
      pool.reserve(place.sheet, [place.teeTime]);
      const [name, lastName] = GUESTS[index]!;
      return { ...bodyFor(session, productBooking, place, players), ...contactAs(session, name, lastName) };
    });
    const body = asList ? items : { details: items };
    if ((await session.send({ operation: productBooking.operation, body })).ok) return places;
  }
  return [];
}

/** A price list and a tee sheet as the second channel has them, at the first facility that it may see. */
async function readAsSecond(session: Session, facilities: readonly number[]): Promise<void> {
  const { from: day } = await priceDays(session);
  for (const facilityId of facilities) {
    const params = priceParamsOf({ facilityIds: [facilityId], from: day, offset: 0 });
    const { ok } = await session.read(operationIn('listPrices'), params, 'second');
    if (!ok) continue;
    for (const holes of [18, 9] as const) {
      const query = paramsOf({ facilityId, day, holes });
      await session.read(operationIn('listTeeTimes', newestWith.facilitySheet), query, 'second');
    }
    return;
  }
}

/** The tee times of a query, read anew so that the versions are read together; undefined if the deployment refuses it. */
async function look(
  session: Session,
  version: SheetVersion,
  query: TeeTimeQuery,
): Promise<readonly unknown[] | undefined> {
  try {
    const reply = await session.send({ operation: operationIn('listTeeTimes', version), params: paramsOf(query) });
    return teeTimesIn(version, reply);
  } catch (error) {
    return unlessInconclusive(error);
  }
}
