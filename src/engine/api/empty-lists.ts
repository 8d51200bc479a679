/** Why a list is empty that could have something in it: for log, journal and console, never for the response. */
import { counted } from '../../common/index.js';
import type { OperationName } from '../../contract/index.js';
import { formatMinute, formatQueryDate, weekdayName } from '../model/calendar.js';
import { closureOf } from '../model/tee-sheet.js';
import type { Course } from '../model/world.js';
import type { Engine } from './routes/call.js';
import { unknownCountryWords } from './routes/facilities.js';
import type { DayParams } from './routes/tee-times.js';
import type { PriceParams } from './routes/prices.js';
import type { RangeParams } from './routes/list-bookings.js';
import type { SearchParams } from './routes/search.js';
import { midnight } from './routes/tee-time-texts.js';

/** Whether the body of a success is a list without an item, in any version, or a search. Other lists take no time. */
export function mayBeEmpty(operation: string, body: string | Uint8Array): boolean {
  if (typeof body !== 'string') return false;
  return operation === 'searchTeeTimes' || empties.some((start) => body.startsWith(start));
}

const empties = ['[]', '{"teeTimeV3":[]', '{"teeTimeV2":[]', '{"records":[]'].map(
  (data) => `{"success":true,"data":${data}`,
);

type Reason = (engine: Engine, channel: string, params: never) => readonly string[];

const reasons: { readonly [Name in OperationName]?: Reason } = {
  listCountries: (_, channel) => [`No facility is connected to ${channel}.`],
  listFacilities: whyNoFacilities,
  listTeeTimes: (engine, channel, params: DayParams & { readonly courseId?: number }) =>
    whyNoTeeTimes(engine, channel, params.facilityId, params, params.courseId),
  listPrices: whyNoPrices,
  listBookings: whyNoBookings,
  searchTeeTimes: whyEmptySearch,
};

/** Why the list of an operation is empty, or elements of a result will be. */
export function whyEmpty(
  engine: Engine,
  operation: string,
  channel: string,
  params: Readonly<Record<string, unknown>>,
): readonly string[] {
  return reasons[operation as OperationName]?.(engine, channel, params as never) ?? [];
}

/** Facility-days of a search of which the tee times are looked at before its response. */
const MOST_LOOKED_AT = 14;

/** Why elements of the result of a search will be empty. */
function whyEmptySearch(engine: Engine, channel: string, params: SearchParams): readonly string[] {
  const { facilityIds, fromDate, toDate } = params;
  const days = toDate - fromDate + 1;
  const isLong = facilityIds.length * days > MOST_LOOKED_AT;
  const found = facilityIds.map((id): string | undefined => {
    const shut = whyShut(engine, channel, id);
    if (shut !== undefined || isLong) return shut;
    const searches = Array.from({ length: days }, (_, index) => ({ ...params, bookingDate: fromDate + index }));
    const whys = searches.map((one) => whyNoTeeTimes(engine, channel, id, one)[0]);
    return whys.every((why) => why !== undefined) ? whys[0] : undefined;
  });
  return found.filter((one) => one !== undefined).slice(0, MOST_TOLD);
}

/** Facilities of one request that are told of. */
const MOST_TOLD = 5;

function whyShut({ store, answers }: Engine, channel: string, id: number): string | undefined {
  const facility = store.world.facility(id);
  if (!facility) return `There is no facility ${id}.`;
  if (answers['facility.unconnected'] === 'open' || facility.channels.includes(channel)) return undefined;
  return `Facility ${id} is not connected to ${channel}, so nothing of it is listed.`;
}

function whyNoFacilities(
  { store: { world } }: Engine,
  channel: string,
  { country }: { readonly country: string },
): string[] {
  const inCountry = world.facilitiesIn(country).length;
  if (inCountry === 0) return [unknownCountryWords(world, country)];
  const some = inCountry === 1 ? 'The facility' : `None of the ${inCountry} facilities`;
  return [
    `${some} in ${country} is ${inCountry === 1 ? 'not ' : ''}connected to ${channel}; leave out \`connected\` for all.`,
  ];
}

/** The first condition that no tee time satisfies; nothing if one satisfies all. */
function whyNoTeeTimes(
  engine: Engine,
  channel: string,
  facilityId: number,
  { bookingDate: day, holes, players }: Pick<DayParams, 'bookingDate' | 'holes' | 'players'>,
  courseId?: number,
): string[] {
  const shut = whyShut(engine, channel, facilityId);
  if (shut !== undefined) return [shut];
  const { store } = engine;
  const facility = store.world.facility(facilityId)!;
  const courses = facility.courses.filter(({ id }) => courseId === undefined || id === courseId);
  if (courses.length === 0) return [`Facility ${facilityId} has no course ${courseId}.`];
  const date = formatQueryDate(day);
  const closed = courses.map((course) => whyClosed(course, day));
  if (closed.every((why) => why !== undefined)) {
    return [`Facility ${facilityId} has no tee times on ${date}: ${[...new Set(closed)].join('; ')}.`];
  }
  const sheets = courses.map((course) => store.sheet(course, day));
  const where = `Facility ${facilityId} has no tee times for ${holes} holes`;
  const all = sheets.flatMap(({ teeTimes }) => teeTimes);
  const withHoles = all.filter((one) => one.holes === holes);
  if (withHoles.length === 0) {
    const offered = [...new Set(all.map((one) => one.holes))].join(' and ');
    return [`${where} on ${date}${offered && `, only for ${offered}`}.`];
  }
  const left = sheets.flatMap((sheet) => {
    const start = midnight(engine, facility, sheet);
    return sheet.teeTimes.filter((one) => one.holes === holes && start + one.minute * 60_000 > engine.now());
  });
  if (left.length === 0) {
    const last = formatMinute(Math.max(...withHoles.map(({ minute }) => minute))).slice(0, 5);
    return [`${where} left on ${date}: the last was at ${last} there.`];
  }
  const most = Math.max(...left.map((one) => store.free(one)));
  if (most >= players) return [];
  const why = most === 0 ? 'all are sold out' : `the most is ${most}`;
  return [`${where} with ${counted(players, 'free slot')} on ${date}: ${why}.`];
}

function whyClosed(course: Course, day: number): string | undefined {
  switch (closureOf(course, day)) {
    case 'no-calendar':
      return 'the calendar of the sandbox goes from 2000 to 2199';
    case 'weekday':
      return `${course.name} is closed on ${capitalized(weekdayName(day))}s`;
    case 'season':
      return `${course.name} is closed for the season in this month`;
    default:
      return undefined;
  }
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function whyNoPrices(engine: Engine, channel: string, params: PriceParams): string[] {
  const shut = params.facilityIds.map((id) => whyShut(engine, channel, id));
  if (shut.every((why) => why !== undefined)) return shut.slice(0, MOST_TOLD);
  const { offset = engine.answers['prices.default-offset'], limit } = params;
  if (limit === 0) return ['`limit` is 0, so no record is listed.'];
  const courses = params.facilityIds.flatMap((id) => engine.store.world.facility(id)?.courses ?? []);
  const perDay = courses.reduce((sum, { products }) => sum + products.length, 0);
  const records = perDay * (params.toDate - params.fromDate + 1);
  return records === 0
    ? ['The facilities sell no products.']
    : [`\`offset\` ${offset} skips all records of this request, at most ${records}.`];
}

const EVER = 10_000_000;

function whyNoBookings({ store }: Engine, channel: string, { fromDate, toDate }: RangeParams): string[] {
  const days = store.ledger.days(channel, -EVER, EVER);
  const count = days.reduce((sum, { bookings }) => sum + bookings.length, 0);
  if (count === 0) return [`${channel} has no bookings yet; the list has only those of the calling channel.`];
  const span = [days[0]!, days.at(-1)!].map(({ day }) => formatQueryDate(day));
  const range = span[0] === span[1] ? `on ${span[0]}` : `from ${span[0]} to ${span[1]}`;
  const have = `${counted(count, 'booking')} of ${channel} ${count === 1 ? 'has a tee time' : 'have tee times'} ${range}`;
  if (fromDate !== undefined) return [`No booking is within these dates: the ${have}.`];
  const until = toDate === undefined ? '' : ' and up to `toDate`';
  return [`Without \`fromDate\`, only tee times in the future${until} are listed: the ${have}.`];
}
