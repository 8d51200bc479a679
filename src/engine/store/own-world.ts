/** A world of one's own: the catalogue that a world file describes. What the file leaves out is derived from the rest. */
import { canonicalJson, ValidationError } from '../../common/index.js';
import { fit, world as validate, type WorldFile } from '../../contract/index.js';
import { FIRST_DAY, LAST_DAY, parseIsoDate, weekday } from '../model/calendar.js';
import { finish, hash32, mix, pick } from '../model/hash.js';
import { MAX_TEE_TIMES, teeTimesOf } from '../model/tee-sheet.js';
import type {
  Cents,
  Channel,
  Course,
  ExactDay,
  Facility,
  Hours,
  Product,
  SeedBooking,
  TeeIds,
  TeeTimePlace,
  Totals,
  World,
} from '../model/world.js';
import { parseDialectCard } from '../state/dialect.js';
import { fill, ratesOf, slug } from './derive-facility.js';
import { type Fixtures, frozen, readFixtures } from './fixtures.js';
import { createWorld, DEFAULT_SEED, sortedNames } from './world.js';

type FacilityEntry = WorldFile['facilities'][number];
type CourseEntry = FacilityEntry['courses'][number];
type ProductEntry = CourseEntry['products'][number];
type HoursEntry = NonNullable<CourseEntry['hours']>[number];
type TeeTimeEntry = NonNullable<CourseEntry['days']>[string][number];
type DayProductEntry = NonNullable<TeeTimeEntry['products']>[number];
type BookingEntry = NonNullable<WorldFile['bookings']>[number];

/** What is wrong with a world file, and where. */
export class WorldFault extends ValidationError {
  /** @param pointer The JSON pointer of the value, by which a reader of YAML finds its line. */
  constructor(pointer: string, message: string, fits: readonly string[] = []) {
    super(message, fits);
    this.pointer = pointer;
  }
}

/**
 * The world of a file.
 *
 * @throws {ValidationError} with a pointer, for what does not fit the schema, and for what a schema cannot express: an id
 * that occurs twice, a country without a time zone, ...
 */
export function worldOfFile(value: unknown, seed: number = DEFAULT_SEED): World {
  const file = fit(validate, value, { whole: 'A world' });
  if (file.dialect) within('/dialect', () => parseDialectCard(file.dialect));
  const base = file.extends === undefined ? undefined : createWorld({ seed });
  const channels = channelsOf(file, seed);
  const given = new Map<number, TeeTimePlace>();
  const own = facilitiesOf(file, seed, { channels, ordinal: base?.ordinals ?? 0, given });
  const world = combined(own, { seed, base, channels, digest: digestOf(file), given });
  return {
    ...world,
    ...(file.forms === undefined ? {} : { forms: file.forms }),
    seedBookings: [...(base?.seedBookings ?? []), ...bookingsOf(file, world)],
  };
}

/** Adds to an error the part of the file it is about. */
function within<T>(pointer: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValidationError) error.pointer = pointer + (error.pointer ?? '');
    throw error;
  }
}

/** Sixteen digits that tell world files apart. */
function digestOf(file: WorldFile): string {
  const text = canonicalJson(file);
  const half = (start: number): string => {
    let state = start;
    for (let at = 0; at < text.length; at += 1) state = mix(state, text.charCodeAt(at));
    return finish(mix(state, text.length)).toString(16).padStart(8, '0');
  };
  return half(1) + half(2);
}

function channelsOf({ channels, ...file }: WorldFile, seed: number): readonly Channel[] {
  const committed = readFixtures().channels;
  if (channels === undefined) return committed;
  const names = new Set<string>();
  const own = channels.map(({ name, username = name, password = `not-a-secret-${name}`, refreshToken }, index) => {
    unique(names, name, `/channels/${index}/name`, 'channel');
    return { name, username, password, refreshToken: refreshToken ?? initialToken(seed, name) };
  });
  const users = new Set<string>();
  for (const [index, { username }] of own.entries()) unique(users, username, `/channels/${index}`, 'user name');
  // The generated facilities are connected to the generated channels.
  return file.extends === undefined ? own : [...committed.filter(({ name }) => !names.has(name)), ...own];
}

/** A refresh token in the form of those that are committed. */
function initialToken(seed: number, name: string): string {
  const number = [...name].reduce((state, letter) => mix(state, letter.codePointAt(0)!), seed | 0);
  return `7eeb0ef5-0000-4000-8000-${finish(number).toString(16).padStart(12, '0')}`;
}

function unique<T extends string | number>(seen: Set<T>, value: T, pointer: string, what: string): void {
  if (seen.has(value)) throw new WorldFault(pointer, `The ${what} ${value} occurs twice.`);
  seen.add(value);
}

interface Around {
  readonly channels: readonly Channel[];
  /** The ordinal of the first course. */
  readonly ordinal: number;
  /** Where the ids of tee times go that the file gives. */
  readonly given: Map<number, TeeTimePlace>;
}

function facilitiesOf(file: WorldFile, seed: number, { channels, ordinal, given }: Around): readonly Facility[] {
  const fixtures = readFixtures();
  const seen = { facilities: new Set<number>(), courses: new Set<number>() };
  let next = ordinal;
  return file.facilities.map((entry, index) => {
    const at = `/facilities/${index}`;
    unique(seen.facilities, entry.id, `${at}/id`, 'facility');
    for (const [position, name] of (entry.channels ?? []).entries()) {
      if (channels.some((one) => one.name === name)) continue;
      const names = channels.map((one) => one.name);
      const message = `There is no channel ${name}; the channels are ${names.join(', ')}.`;
      throw new WorldFault(`${at}/channels/${position}`, message, names);
    }
    const facility = facilityOf(entry, { at, seed, fixtures, channels });
    const products = new Set<number>();
    const courses = entry.courses.map((one, position) => {
      const place = `${at}/courses/${position}`;
      unique(seen.courses, one.id, `${place}/id`, 'course');
      for (const [number, { id }] of one.products.entries())
        unique(products, id, `${place}/products/${number}/id`, 'product');
      return courseOf(one, facility, { ordinal: next++, given, at: place });
    });
    const extras = new Set<number>();
    for (const [number, { id }] of (entry.extras ?? []).entries())
      unique(extras, id, `${at}/extras/${number}/id`, 'extra');
    return frozen({ ...facility, courses });
  });
}

/** Currencies without decimals. The sandbox counts in hundredths, so it has none with three. */
export const whole: ReadonlySet<string> = new Set(['JPY', 'KRW', 'ISK', 'CLP', 'VND', 'XOF', 'XAF', 'PYG', 'UGX']);

interface FacilitySource {
  readonly at: string;
  readonly seed: number;
  readonly fixtures: Fixtures;
  readonly channels: readonly Channel[];
}

type FacilityWithout = Omit<Facility, 'courses'> & { readonly highMonths: readonly number[] };

/** A facility without its courses. */
function facilityOf(entry: FacilityEntry, { at, seed, fixtures, channels }: FacilitySource): FacilityWithout {
  const { id, name, address = {}, contact = {}, extras = [], cancellation } = entry;
  const country = fixtures.countryNamed(entry.country);
  const [template] = fixtures.facilities;
  const town = country && pick(hash32(seed, id), country.towns);
  const draw = (bound: number): number => finish(mix(seed | 0, id)) % bound;
  const timeZone = entry.timeZone ?? town?.timeZone;
  const currency = entry.currency ?? country?.currency;
  if (timeZone === undefined || currency === undefined) {
    const lacks = timeZone === undefined ? 'timeZone' : 'currency';
    const message = `Nothing is known of the country ${entry.country}: the facility needs a \`${lacks}\`.`;
    throw new WorldFault(`${at}/country`, message, fixtures.countries);
  }
  if (!isZone(timeZone)) {
    throw new WorldFault(`${at}/timeZone`, `${timeZone} is no time zone. Write an IANA name such as Europe/Paris.`);
  }
  const least = whole.has(currency.toUpperCase()) ? 100 : 1;
  const derived = `https://www.${slug(name) || 'golf'}.example`;
  const { website = derived } = entry;
  const [domain] = (website || derived).replace(/^https?:\/\/(?:www\.)?/, '').split('/', 1);
  const street = country ? pick(hash32(seed, id, 1), country.streets) : '';
  return {
    id,
    name,
    website,
    email: entry.email ?? `info@${domain}`,
    phoneNumber: entry.phone ?? (country ? fill(country.phone, draw) : ''),
    address: {
      mid: address.id ?? 20_000 + id,
      address1: address.street ?? street,
      address2: address.line2 ?? '',
      number: address.number ?? String(1 + draw(240)),
      addition: address.addition ?? '',
      zipcode: address.zipcode ?? (town ? fill(town.zipcode, draw) : ''),
      place: address.place ?? town?.place ?? '',
      state: address.state ?? town?.state ?? '',
      country: entry.country,
      region: address.region ?? town?.region ?? '',
      latitude: address.latitude ?? town?.latitude ?? 0,
      longitude: address.longitude ?? town?.longitude ?? 0,
    },
    timeZone,
    language: entry.language ?? country?.language ?? 'en',
    currency,
    created: entry.created ?? '2020-01-15T09:00:00.000',
    paymentRule: withMid(template!.paymentRule, entry.paymentRule) as Facility['paymentRule'],
    applicableForWhitelable: entry.applicableForWhitelable ?? true,
    reservationsContact: {
      name: contact.name ?? name,
      email: contact.email ?? `reservations@${domain}`,
      phoneNumber: contact.phone ?? entry.phone ?? '',
    },
    foundedIn: entry.founded ?? 1990,
    description: entry.description ?? `${name}, ${entry.country}.`,
    services: withMid({ ...template!.services, mid: 40_000 + id }, entry.services) as Facility['services'],
    ...imagesOf(entry),
    cancellation: (cancellation ?? [{ from: 1, to: 4, hours: 48 }]).map(({ from, to, hours }) => ({
      minimumPlayer: from,
      maximumPlayer: to,
      timePeriod: hours,
    })),
    extraProducts: extras.map((one, index) => {
      const place = `${at}/extras/${index}`;
      const cents = (key: 'price' | 'netRate' | 'publicRate'): Cents | undefined =>
        one[key] === undefined ? undefined : centsOf(one[key], least, `${place}/${key}`);
      const derived = ratesOf(cents('price')!, least);
      const { netRate = derived.netRate, publicRate = derived.publicRate } = {
        ...(one.netRate === undefined ? {} : { netRate: cents('netRate')! }),
        ...(one.publicRate === undefined ? {} : { publicRate: cents('publicRate')! }),
      };
      return {
        mid: one.id,
        name: one.name,
        category: one.category ?? one.name,
        price: derived.price,
        netRate,
        publicRate,
      };
    }),
    channels: entry.channels ?? channels.map((one) => one.name),
    ...(entry.scenario === undefined ? {} : { scenario: entry.scenario }),
    ...(entry.members === undefined ? {} : { members: entry.members }),
    highMonths: country?.highMonths ?? [],
  };
}

/** The values of a file over those that are derived. The API calls an id `mid`. */
function withMid(derived: object, { id, ...given }: { readonly id?: unknown } = {}): object {
  return { ...derived, ...given, ...(id === undefined ? {} : { mid: id }) };
}

function imagesOf({ images = 1, logo }: FacilityEntry): Pick<Facility, 'images' | 'imageUrls' | 'logoUrl'> {
  const listed = typeof images === 'number' ? { images } : { images: 0, imageUrls: images };
  return { ...listed, ...(logo === undefined ? {} : { logoUrl: logo }) };
}

/** Zones that exist: to look one up takes a millisecond, and a file may have thousands of facilities. */
const zones = new Set<string>();

function isZone(name: string): boolean {
  try {
    if (!zones.has(name)) new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions();
    zones.add(name);
    return true;
  } catch {
    return false;
  }
}

/** An amount in hundredths. */
function centsOf(amount: number, least: number, pointer: string): Cents {
  const cents = Math.round(amount * 100);
  if (Math.abs(cents - amount * 100) < 1e-6 && cents % least === 0) return cents;
  const due = least === 1 ? 'at most two decimals' : 'no decimals, as its currency';
  throw new WorldFault(pointer, `The amount must have ${due}; got ${amount}.`);
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** The first and the last tee time of a summer day, and the beginning of the evening nine, where a file does not say. */
const [FIRST_TEE, LAST_TEE, EVENING, NEVER] = [450, 1140, 1050, 1440];

interface CourseSource {
  readonly ordinal: number;
  readonly given: Map<number, TeeTimePlace>;
  readonly at: string;
}

function courseOf(entry: CourseEntry, facility: FacilityWithout, { ordinal, given, at }: CourseSource): Course {
  const { id, name, holes = 18, products, opens, closes, hours, repeat } = entry;
  const { firstTee, lastTee } = spanOf(entry, { firstTee: FIRST_TEE, lastTee: LAST_TEE }, at);
  const least = whole.has(facility.currency.toUpperCase()) ? 100 : 1;
  const made = products.map((one, index) => productOf(one, { id, holes, least, at: `${at}/products/${index}` }));
  const hasEvening = holes === 18 && made.some(({ teeTimeHoles }) => teeTimeHoles === 9);
  const source = { products: made, holes, least, ordinal, given };
  const days = entry.days && exactDays(entry.days, { ...source, at: `${at}/days` });
  addPrices(entry, days, { ...source, at: `${at}/prices` });
  const evening = entry.eveningNine === undefined ? (hasEvening ? EVENING : NEVER) : minuteOf(entry.eveningNine);
  return {
    id,
    facilityId: facility.id,
    ordinal,
    name,
    holes,
    firstTee,
    lastTee,
    interval: entry.interval ?? 10,
    eveningNineFrom: evening,
    closedWeekdays: (entry.closedDays ?? []).map((one) => WEEKDAYS.indexOf(one)),
    closedMonths: entry.closedMonths ?? [],
    highMonths: entry.highMonths ?? facility.highMonths,
    weekendRate: Math.round((entry.weekendRate ?? 1) * 1000),
    highSeasonRate: Math.round((entry.highSeasonRate ?? 1) * 1000),
    ...(least === 1 ? {} : { leastAmount: least }),
    ...(opens === undefined && closes === undefined ? {} : { hasOwnHours: true }),
    ...(entry.demand === undefined ? {} : { demand: entry.demand }),
    ...(hours && { hours: hours.map((one, index) => hoursOf(one, { firstTee, lastTee }, `${at}/hours/${index}`)) }),
    ...(days && { days }),
    ...(days && repeat && { repeated: byWeekday(days) }),
    products: made,
  };
}

type Span = Pick<Hours, 'firstTee' | 'lastTee'>;

/** The first and the last tee time that an entry says. */
function spanOf({ opens, closes }: { opens?: string; closes?: string }, usual: Span, at: string): Span {
  const firstTee = opens === undefined ? usual.firstTee : minuteOf(opens);
  const lastTee = closes === undefined ? usual.lastTee : minuteOf(closes);
  if (lastTee >= firstTee) return { firstTee, lastTee };
  const [name, which] = closes === undefined ? ['opens', 'first'] : ['closes', 'last'];
  const other = which === 'first' ? 'after the last' : 'before the first';
  throw new WorldFault(`${at}/${name}`, `The ${which} tee time must not be ${other} one.`);
}

function hoursOf({ weekdays, months, ...entry }: HoursEntry, usual: Span, at: string): Hours {
  return {
    ...spanOf(entry, usual, at),
    weekdays: (weekdays ?? WEEKDAYS).map((one) => WEEKDAYS.indexOf(one)),
    months: months ?? Array.from({ length: 12 }, (_, index) => index + 1),
  };
}

function byWeekday(days: ReadonlyMap<number, ExactDay>): readonly (readonly number[])[] {
  const ascending = [...days.keys()].sort((a, b) => a - b);
  return WEEKDAYS.map((_, index) => ascending.filter((day) => weekday(day) === index));
}

interface ProductSource {
  readonly id: number;
  readonly holes: 9 | 18;
  readonly least: number;
  readonly at: string;
}

function productOf(entry: ProductEntry, { id: courseId, holes: ofCourse, least, at }: ProductSource): Product {
  const { holes = ofCourse } = entry;
  const teeTimeHoles = entry.teeTimes ?? (ofCourse === 18 && holes >= 18 ? 18 : 9);
  if (teeTimeHoles > ofCourse) {
    throw new WorldFault(`${at}/teeTimes`, 'A course of 9 holes has no tee times of 18 holes.', ['9']);
  }
  const totals = totalsOf(entry, least, at);
  return {
    mid: entry.id,
    courseId,
    name: entry.name,
    category: entry.category ?? 'Greenfee',
    holes,
    teeTimeHoles,
    from: entry.from === undefined ? 0 : minuteOf(entry.from),
    to: entry.to === undefined ? NEVER : minuteOf(entry.to),
    price: totals.price[0]!,
    netRate: 1000,
    publicRate: 1000,
    groupRates: [1000, 1000, 1000, 1000],
    totals,
  };
}

/** The totals of a product, or of a product on one day. */
function totalsOf(entry: Pick<ProductEntry, keyof Totals>, least: number, at: string): Totals {
  const totals = (key: keyof Totals): readonly Cents[] | undefined => {
    const given = entry[key];
    if (given === undefined) return undefined;
    if (typeof given !== 'number') return given.map((one, index) => centsOf(one, least, `${at}/${key}/${index}`));
    const one = centsOf(given, least, `${at}/${key}`);
    return [1, 2, 3, 4].map((players) => one * players);
  };
  const price = totals('price')!;
  const rate = (factor: number): readonly Cents[] =>
    price.map((one) => Math.round((one * factor) / (100 * least)) * least);
  return { price, netRate: totals('netRate') ?? rate(85), publicRate: totals('publicRate') ?? rate(110) };
}

/** Adds the prices of products that no tee time of a day sells. */
function addPrices({ prices = {} }: CourseEntry, days: DaysOfCourse | undefined, source: DaysSource): void {
  for (const [date, entries] of Object.entries(prices)) {
    const at = `${source.at}/${date}`;
    const day = days?.get(parseIsoDate(date) ?? NaN);
    if (!day)
      throw new WorldFault(
        at,
        `${date} is not among the \`days\` of the course. Give it there, \`[]\` for a closed day.`,
      );
    for (const [index, one] of entries.entries()) dayProduct(one, day.prices, `${at}/${index}`, source);
  }
}

type DaysOfCourse = ReadonlyMap<number, ExactDay & { readonly prices: Map<number, Totals> }>;

interface DaysSource {
  readonly products: readonly Product[];
  /** Holes of the course. */
  readonly holes: 9 | 18;
  readonly least: number;
  readonly ordinal: number;
  readonly given: Map<number, TeeTimePlace>;
  readonly at: string;
}

function exactDays(days: NonNullable<CourseEntry['days']>, source: DaysSource): DaysOfCourse {
  const found = new Map<number, ReturnType<typeof exactDay>>();
  for (const [date, teeTimes] of Object.entries(days)) {
    const at = `${source.at}/${date}`;
    const day = parseIsoDate(date);
    if (day === undefined) throw new WorldFault(at, `${date} is no date. Write one such as "2026-06-01".`);
    if (day < FIRST_DAY || day > LAST_DAY) throw new WorldFault(at, 'Tee sheets exist from 2000 to 2199.');
    found.set(day, exactDay(teeTimes, day, { ...source, at }));
  }
  return found;
}

function exactDay(entries: readonly TeeTimeEntry[], day: number, source: DaysSource) {
  const { holes: ofCourse, ordinal, given, at } = source;
  const prices = new Map<number, Totals>();
  if (entries.length > MOST_OF_DAY)
    throw new WorldFault(at, `A day has at most ${MOST_OF_DAY} tee times; got ${entries.length}.`);
  const teeTimes = entries.map((entry, index) => {
    const { id, time, holes = ofCourse, free = 4 } = entry;
    const place = `${at}/${index}`;
    if (holes > ofCourse) throw new WorldFault(`${place}/holes`, 'A course of 9 holes has no tee times of 18 holes.');
    if (id !== undefined) {
      if (given.has(id)) throw new WorldFault(`${place}/id`, `The tee time ${id} occurs twice.`);
      given.set(id, { ordinal, day, index });
    }
    const minute = minuteOf(time);
    const own = entry.products?.map((one, number) => dayProduct(one, prices, `${place}/products/${number}`, source));
    const fitting = source.products.filter(
      (one) => one.teeTimeHoles === holes && one.from <= minute && minute < one.to,
    );
    return { ...(id === undefined ? {} : { id }), minute, holes, free, products: own ?? fitting };
  });
  for (const [index, { id, minute, holes }] of teeTimes.entries()) {
    const before = teeTimes[index - 1];
    // A course may have two first tees. Their tee times are told apart by their ids.
    const isOther = before && (holes !== before.holes || (id !== undefined && before.id !== undefined));
    if (!before || minute > before.minute || (minute === before.minute && isOther)) continue;
    const message =
      'The tee times of a day must be in order of time, each once, or with ids, or once for each number of holes.';
    throw new WorldFault(`${at}/${index}/time`, message);
  }
  return { teeTimes, prices };
}

/** A product of an exact tee sheet. The API has one price for a product and a day. */
function dayProduct(
  entry: DayProductEntry,
  prices: Map<number, Totals>,
  at: string,
  { products, least }: DaysSource,
): Product {
  const id = typeof entry === 'number' ? entry : entry.id;
  const product = products.find(({ mid }) => mid === id);
  if (!product) {
    const known = products.map(({ mid }) => String(mid));
    const message = `The course has no product ${id}; its products are ${known.join(', ')}.`;
    throw new WorldFault(typeof entry === 'number' ? at : `${at}/id`, message, known);
  }
  if (typeof entry === 'number') return product;
  const totals = totalsOf(entry, least, at);
  const other = prices.get(id);
  const differs = (Object.keys(totals) as (keyof Totals)[]).find(
    (key) => other && `${totals[key]}` !== `${other[key]}`,
  );
  if (other && differs) {
    const [own, before] = [totals, other].map((one) => one[differs].map((cents) => cents / 100).join(', '));
    const message = `The product ${id} has two prices on one day: ${differs} is ${own} here, and ${before} before.`;
    throw new WorldFault(at, message);
  }
  prices.set(id, totals);
  return product;
}

/** One for each minute of a day and number of holes. */
const MOST_OF_DAY = 2880;

interface Combined {
  readonly seed: number;
  readonly base: World | undefined;
  readonly channels: readonly Channel[];
  readonly digest: string;
  readonly given: ReadonlyMap<number, TeeTimePlace>;
}

/** The facilities of a file, and those of the generated world that it extends. One of the file replaces one with its id. */
function combined(own: readonly Facility[], source: Combined): Omit<World, 'seedBookings'> {
  const { seed, base, channels, digest, given } = source;
  const byId = new Map(own.map((one) => [one.id, one]));
  const courses = own.flatMap((one) => one.courses);
  const byCourse = new Map(courses.map((one) => [one.id, one]));
  const first = base?.ordinals ?? 0;
  const kept = base ? [...base.facilities()].map(({ id }) => id).filter((id) => !byId.has(id)) : [];
  const ids = [...kept, ...byId.keys()].sort((a, b) => a - b);
  const facility = (id: number): Facility | undefined => byId.get(id) ?? base?.facility(id);
  const remaining = (course: Course | undefined): Course | undefined =>
    course && !byId.has(course.facilityId) ? course : undefined;
  const all = ids.map((id) => facility(id)!);
  const ordinals = first + courses.length;
  return {
    seed,
    digest,
    size: ids.length,
    ordinals,
    teeIds: teeIdsOf(given, courses, ordinals),
    channels,
    facility,
    at: (position) => all[position],
    position(id) {
      const found = ids.findIndex((one) => one >= id);
      return found < 0 ? ids.length : found;
    },
    course: (id) => byCourse.get(id) ?? remaining(base?.course(id)),
    courseAt: (ordinal) => (ordinal < first ? remaining(base?.courseAt(ordinal)) : courses[ordinal - first]),
    countries: (channel) => sortedNames(all, channel),
    facilitiesIn: (country) => all.filter(({ address }) => address.country === country),
    facilities: () => all,
  };
}

/** How tee times are numbered: the ids that are derived do not clash with those that the file gives. */
function teeIdsOf(given: ReadonlyMap<number, TeeTimePlace>, courses: readonly Course[], ordinals: number): TeeIds {
  const counts = courses.flatMap(({ firstTee, lastTee, interval, hours = [], days }) => [
    ...[{ firstTee, lastTee }, ...hours].map((span) => teeTimesOf(span, interval)),
    ...[...(days?.values() ?? [])].map(({ teeTimes }) => teeTimes.length),
  ]);
  const most = counts.reduce((sum, count) => Math.max(sum, count), MAX_TEE_TIMES);
  return { from: firstDerived(given, (LAST_DAY - FIRST_DAY + 1) * ordinals * most), most, given };
}

/** The first of as many ids as are derived, none of which is given. */
function firstDerived(given: ReadonlyMap<number, TeeTimePlace>, count: number): number {
  if (given.size === 0) return 0;
  const ascending = [...given.keys()].sort((a, b) => a - b);
  // A power of ten, so that a further day in the file hardly ever changes the ids of others.
  const above = 10 ** String(ascending.at(-1)).length;
  if (above + count <= Number.MAX_SAFE_INTEGER) return above;
  let from = 0;
  for (const id of ascending) {
    if (id - from >= count) break;
    from = id + 1;
  }
  if (from + count <= Number.MAX_SAFE_INTEGER) return from;
  throw new WorldFault('/facilities', 'The ids of tee times leave no room below 2^53 for those that are derived.');
}

function bookingsOf({ bookings = [] }: WorldFile, world: Omit<World, 'seedBookings'>): readonly SeedBooking[] {
  return bookings.map((entry, index) => bookingOf(entry, world, `/bookings/${index}`));
}

function bookingOf(entry: BookingEntry, world: Omit<World, 'seedBookings'>, at: string): SeedBooking {
  const { channel, facility: facilityId, day, date, time, players = 2, status = 'BOOKED' } = entry;
  const facility = world.facility(facilityId);
  if (!facility) throw new WorldFault(`${at}/facility`, `There is no facility ${facilityId}.`);
  if (!facility.channels.includes(channel)) {
    const message = `The channel ${channel} is not connected to the facility ${facilityId}.`;
    throw new WorldFault(`${at}/channel`, message, facility.channels);
  }
  const course = entry.course === undefined ? 0 : facility.courses.findIndex(({ id }) => id === entry.course);
  if (course < 0) throw new WorldFault(`${at}/course`, `The facility ${facilityId} has no course ${entry.course}.`);
  if ((day === undefined) === (date === undefined))
    throw new WorldFault(at, 'A booking needs either a `day`, counted from the first day of the world, or a `date`.');
  const on = date === undefined ? undefined : parseIsoDate(date);
  if (date !== undefined && on === undefined) throw new WorldFault(`${at}/date`, `${date} is no date.`);
  const [firstName, lastName] = [entry.firstName ?? 'Alex', entry.lastName ?? 'Sample'];
  return {
    channel,
    facilityId,
    course,
    day: day ?? 0,
    ...(on === undefined ? {} : { on }),
    ...(time === undefined ? {} : { minute: minuteOf(time) }),
    pick: 0,
    players,
    status,
    contactFirstName: firstName,
    contactLastName: lastName,
    contactPhone: entry.phone ?? '+31 20 555 0100',
    contactEmail: entry.email ?? 'alex.sample@mail.example',
    bookedAhead: BOOKED_AHEAD,
  };
}

/** Seconds from the creation of a booking to its tee time. */
const BOOKED_AHEAD = 14 * 86_400;
