import { type Caller, type Reply, bookingItems } from '../client/exchange.js';
import { isTimeZone } from '../client/day.js';
import { isOf } from '../client/operations.js';
import type { Transport } from '../client/transport.js';
import { isObject } from '../../common/index.js';
import { operationOf } from '../../contract/index.js';
import { onlyReads } from '../client/request.js';

/** What one answer claims, and who asked. Values are as they came: a relation reads only what has the right type. */
export interface Claim {
  readonly by: Reply;
  /** Its place among the answers of the run: several may have come in one millisecond. */
  readonly order: number;
  readonly version: string;
  readonly channel: Caller;
}

/** The tee times of a facility, or of one of its courses, for one day. */
export interface SheetClaim extends Claim {
  readonly facilityId: number;
  readonly courseId: number | undefined;
  /** `yyyy-mm-dd`. */
  readonly day: string;
  readonly players: number;
  readonly holes: number;
  readonly teeTimes: readonly TeeTimeFact[];
  /** The cancellation policy; undefined where the version shows none. */
  readonly ranges: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** A tee time in the terms that all versions share. */
export interface TeeTimeFact {
  readonly id: unknown;
  /** `yyyy-mm-ddTHH:MM:ss`, in the time of its facility. */
  readonly time: unknown;
  readonly course: unknown;
  readonly holes: unknown;
  /** Absent where the version shows no products. */
  readonly products?: readonly ProductFact[];
  readonly extras: readonly ExtraFact[] | undefined;
  /** The steps of a version without products; its `players` is read as a number. */
  readonly steps: readonly StepFact[];
  /** As it came, but for the names of the id and the course, which versions differ in. */
  readonly item: unknown;
}

export interface ProductFact {
  readonly mid: unknown;
  readonly name: unknown;
  readonly available: unknown;
  readonly steps: readonly StepFact[];
  /** As it came. */
  readonly item: unknown;
}

export interface ExtraFact extends Rates {
  readonly mid: unknown;
  readonly item: unknown;
}

export interface StepFact extends Rates {
  readonly quantity: number | undefined;
}

export interface Rates {
  readonly price: MoneyFact | undefined;
  readonly netRate: MoneyFact | undefined;
  readonly publicRate: MoneyFact | undefined;
}

/** Whether a text has the form of a currency code. */
export const isCurrency = (code: unknown): code is string => typeof code === 'string' && /^[a-z]{3}$/i.test(code);

/** An amount in the right form; its currency is in capital letters. */
export interface MoneyFact {
  readonly amount: number;
  readonly currency: string;
}

/** A part of a price list. */
export interface PricePage extends Claim {
  readonly facilityIds: readonly number[];
  /** `yyyy-mm-dd`. */
  readonly from: string;
  readonly to: string;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly total: unknown;
  readonly records: readonly PriceFact[];
}

/** A price record, as it came. */
export type PriceFact = Readonly<Record<string, unknown>>;

/** A form of a facility: an item of a list, the answer to its id, or its details. */
export interface FacilityClaim extends Claim {
  readonly where: string;
  readonly facilityId: number;
  /** Its members, with the country and the place on the map where all forms have them. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface CountryListClaim extends Claim {
  /** As it was asked. */
  readonly connected: boolean | undefined;
  readonly names: readonly string[];
}

export interface FacilityListClaim extends Claim {
  readonly country: string;
  /** As it was asked. */
  readonly connected: boolean | undefined;
  readonly ids: readonly number[];
}

export interface BookingListClaim extends Claim {
  /** `yyyy-mm-dd`; undefined without the parameter. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly bookings: readonly Readonly<Record<string, unknown>>[];
}

/** A booking that was accepted, as it was sent. */
export interface MadeClaim extends Claim {
  readonly bookingId: string;
  readonly item: Readonly<Record<string, unknown>>;
  /** What the answer says of it. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Several bookings that were accepted together, and the number that they were given. */
export interface GroupClaim extends Claim {
  readonly field: string;
  readonly number: unknown;
  readonly bookingIds: readonly unknown[];
}

interface Tables {
  /** The place of the answer that is read. */
  readonly order: number;
  readonly made: MadeClaim[];
  readonly groups: GroupClaim[];
  readonly sheets: SheetClaim[];
  readonly prices: PricePage[];
  readonly facilities: FacilityClaim[];
  readonly facilityLists: FacilityListClaim[];
  readonly bookingLists: BookingListClaim[];
  readonly countryLists: CountryListClaim[];
}

/** Items of one answer that are read. No relation needs more, and a hostile answer may have millions. */
const MOST_ITEMS = 20_000;

/** What the successful answers of a run claim, whoever asked. Probes and their answers are no facts. */
export class Facts implements Tables {
  order = 0;
  /** The places of all answers to requests that do more than read. */
  readonly writes: number[] = [];
  readonly made: MadeClaim[] = [];
  readonly groups: GroupClaim[] = [];
  readonly sheets: SheetClaim[] = [];
  readonly prices: PricePage[] = [];
  readonly facilities: FacilityClaim[] = [];
  readonly facilityLists: FacilityListClaim[] = [];
  readonly bookingLists: BookingListClaim[] = [];
  readonly countryLists: CountryListClaim[] = [];

  constructor(replies: Iterable<Reply>) {
    for (const reply of replies) this.add(reply);
  }

  /** Reads one more answer. */
  add(reply: Reply): void {
    this.order += 1;
    if (reply.operation && !onlyReads(reply.operation)) this.writes.push(this.order);
    if (!reply.ok || reply.probe || !reply.operation || !reply.asked) return;
    try {
      readers[operationOf(reply.operation).name]?.(reply, this);
    } catch (error) {
      // No text can be made of some objects. The rules of their fields report them.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** Whether nothing was written between some answers. */
  isQuiet(claims: readonly Claim[]): boolean {
    const places = claims.map(({ order }) => order);
    const [first, last] = [Math.min(...places), Math.max(...places)];
    return !this.writes.some((order) => order > first && order < last);
  }

  /** The time zone that a facility is said to have, if there is one of that name. */
  zoneOf(facilityId: number): string | undefined {
    for (; this.#read < this.facilities.length; this.#read += 1) {
      const { facilityId: id, fields } = this.facilities[this.#read]!;
      const zone = fields['timeZone'];
      if (typeof zone === 'string' && isTimeZone(zone)) this.#zones.set(id, zone);
    }
    return this.#zones.get(facilityId);
  }

  readonly #zones = new Map<number, string>();
  /** Facilities whose zone is read. */
  #read = 0;
}

const kept = new WeakMap<Transport, { readonly facts: Facts; readonly first: Reply | undefined }>();

/** The facts of a run so far. */
export function factsOf({ transport }: { readonly transport: Transport }): Facts {
  const { replies } = transport;
  const known = kept.get(transport);
  // The earliest answers are let go where a run keeps too many.
  if (known && known.first === replies[0]) {
    for (const reply of replies.slice(known.facts.order)) known.facts.add(reply);
    return known.facts;
  }
  const facts = new Facts(replies);
  kept.set(transport, { facts, first: replies[0] });
  return facts;
}

/** The claim among some that was made closest in time to another one. */
export function closestTo<C extends Claim>({ order }: Claim, among: readonly C[]): C | undefined {
  const distance = (claim: C): number => Math.abs(claim.order - order);
  return among.reduce<C | undefined>((best, one) => (best && distance(best) <= distance(one) ? best : one), undefined);
}

/** Items by a key, in their order. An item whose key is undefined is left out. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K | undefined): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** A tee time as findings show it. */
export const shownOf = ({ id, time, course, holes }: TeeTimeFact): object => ({ id, time, course, holes });

/** What sheets of one day share that one channel sees of a facility. */
export const dayKeyOf = ({ channel, facilityId, day }: SheetClaim): string => `${channel} ${facilityId} ${day}`;

/** The most free slots that a product of a tee time has; undefined where the version shows no products. */
export function freeOf({ products }: TeeTimeFact): number | undefined {
  const free = products?.map(({ available }) => available).filter((one) => typeof one === 'number');
  return free && Math.max(0, ...free);
}

type Reader = (reply: Reply, into: Tables) => void;

const readers: Readonly<Partial<Record<string, Reader>>> = {
  listTeeTimes: readSheet,
  listPrices: readPrices,
  listCountries: (reply, into) => {
    const { data } = reply;
    if (!Array.isArray(data)) return;
    const isName = (name: unknown): name is string => typeof name === 'string' && /\S/.test(name);
    const names = (data as unknown[]).slice(0, MOST_ITEMS).filter(isName);
    into.countryLists.push({ ...claimOf(reply, into), connected: flagIn(reply.asked!.params['connected']), names });
  },
  listFacilities: (reply, into) => {
    const claim = claimOf(reply, into);
    for (const item of itemsOf(reply.data)) readFacility(claim, `the ${claim.version} list`, item, into);
    const { country, connected: flag } = reply.asked!.params;
    const connected = flagIn(flag);
    if (typeof country !== 'string' || !Array.isArray(reply.data)) return;
    const ids = itemsOf(reply.data).flatMap(({ id }) => numberIn(id) ?? []);
    into.facilityLists.push({ ...claim, country, connected, ids });
  },
  findFacility: (reply, into) => {
    const claim = claimOf(reply, into);
    const parts = (Array.isArray(reply.data) ? (reply.data as readonly unknown[]) : [reply.data]).filter(isObject);
    if (parts.length > 0) readFacility(claim, `${claim.version} by id`, Object.assign({}, ...parts) as Item, into);
  },
  facilityDetails: (reply, into) => {
    const claim = claimOf(reply, into);
    if (isObject(reply.data)) readFacility(claim, `the ${claim.version} details`, reply.data, into);
  },
  createBooking: readMade,
  createBulkBooking: readMade,
  listBookings: (reply, into) => {
    if (!Array.isArray(reply.data)) return;
    const { fromDate, toDate } = reply.asked!.params;
    const bookings = itemsOf(reply.data);
    into.bookingLists.push({ ...claimOf(reply, into), from: dayIn(fromDate), to: dayIn(toDate), bookings });
  },
};

function flagIn(flag: unknown): boolean | undefined {
  return flag === undefined ? undefined : String(flag) === 'true';
}

function claimOf(reply: Reply, { order }: Tables): Claim {
  return { by: reply, order, version: operationOf(reply.operation!).version, channel: reply.asked!.caller };
}

type Item = Readonly<Record<string, unknown>>;

/** The items of a list that are objects. */
function itemsOf(list: unknown): readonly Item[] {
  return Array.isArray(list) ? (list as unknown[]).slice(0, MOST_ITEMS).filter(isObject) : [];
}

/** A number, or a text that is one. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : undefined;
}

/** A day of a query as answers write it. */
function dayIn(text: unknown): string | undefined {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(String(text)) ?? [];
  return day === undefined ? undefined : `${year}-${month}-${day}`;
}

function readSheet(reply: Reply, into: Tables): void {
  const claim = claimOf(reply, into);
  const { facilityId: facility, courseId, bookingDate, players, holes } = reply.asked!.params;
  const [facilityId, day] = [numberIn(facility), dayIn(bookingDate)];
  const [ofPlayers, ofHoles] = [numberIn(players), numberIn(holes)];
  if (facilityId === undefined || day === undefined || ofPlayers === undefined || ofHoles === undefined) return;
  const { data } = reply;
  const list = teeTimesOf(data);
  if (!list) return;
  const read = isOf('roundSheet', claim.version) ? roundTeeTime : teeTimeIn;
  const teeTimes = knownTeeTimes.get(list) ?? itemsOf(list).map(read);
  knownTeeTimes.set(list, teeTimes);
  const policy = isObject(data) ? data['facilityCancellationPolicyRange'] : undefined;
  const ranges = Array.isArray(policy) ? itemsOf(policy) : undefined;
  const asked = { facilityId, courseId: numberIn(courseId), day, players: ofPlayers, holes: ofHoles };
  into.sheets.push({ ...claim, ...asked, teeTimes, ranges });
}

/** The tee times in the payload of any version; undefined where there is no list. */
export function teeTimesOf(data: unknown): readonly unknown[] | undefined {
  const list = isObject(data) ? (data['teeTimeV3'] ?? data['teeTimeV2']) : data;
  return Array.isArray(list) ? (list as readonly unknown[]) : undefined;
}

/** The tee times of a list: answers with the same text share it. */
const knownTeeTimes = new WeakMap<readonly unknown[], readonly TeeTimeFact[]>();

const roundTeeTime = ({ round, ...item }: Item): TeeTimeFact => teeTimeIn({ ...item, course: round });

function teeTimeIn(item: Item): TeeTimeFact {
  const { time, course, holes, extraProducts, products, pricing } = item;
  const extras = Array.isArray(extraProducts)
    ? itemsOf(extraProducts).map((one) => ({ mid: one['mid'], item: one, ...ratesIn(one) }))
    : undefined;
  const { teeid, ...rest } = item;
  const id = teeid ?? item['id'];
  const shown = { ...rest, id };
  const steps = itemsOf(pricing).map((one) => ({ quantity: quantityIn(one['players']), ...ratesIn(one) }));
  if (!Array.isArray(products)) return { id, time, course, holes, extras, steps, item: shown };
  return { id, time, course, holes, extras, steps, products: itemsOf(products).map(productIn), item: shown };
}

function productIn(item: Item): ProductFact {
  const { mid, name, available, pricing } = item;
  const steps = itemsOf(pricing).map((one) => ({ quantity: numberIn(one['quantity']), ...ratesIn(one) }));
  return { mid, name, available, steps, item };
}

/** The number in `2` or `2 players`; the API specification shows `players` as a string without saying more. */
function quantityIn(text: unknown): number | undefined {
  const [, digit] = /^\D*(\d)\D*$/.exec(String(text)) ?? [];
  return digit === undefined ? undefined : Number(digit);
}

function ratesIn({ price, netRate, publicRate }: Item): Rates {
  return { price: moneyIn(price), netRate: moneyIn(netRate), publicRate: moneyIn(publicRate) };
}

function moneyIn(value: unknown): MoneyFact | undefined {
  if (!isObject(value)) return undefined;
  const { amount, currency } = value;
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined;
  return { amount, currency: currency.toUpperCase() };
}

function readPrices(reply: Reply, into: Tables): void {
  const { facilityIds, fromDate, toDate, offset, limit } = reply.asked!.params;
  const [from, to] = [dayIn(fromDate), dayIn(toDate)];
  const { data } = reply;
  if (from === undefined || to === undefined || !isObject(data) || !Array.isArray(data['records'])) return;
  const ids = String(facilityIds)
    .split(',')
    .flatMap((id) => numberIn(id) ?? []);
  const page = { facilityIds: ids, from, to, offset: numberIn(offset), limit: numberIn(limit), total: data['total'] };
  into.prices.push({ ...claimOf(reply, into), ...page, records: itemsOf(data['records']) });
}

/** Each booking of an accepted request by its id; of two at the same time, the answer does not say which is which. */
function readMade(reply: Reply, into: Tables): void {
  const { body } = reply.asked!;
  const items = itemsOf(bookingItems(body));
  const { data } = reply;
  if (!isObject(data)) return;
  const entries = itemsOf(data['bookingIds'] ?? [data]);
  for (const field of ['groupId', 'bulkBookingId']) {
    const bookingIds = entries.map((one) => one['bookingId']);
    if (field in data) into.groups.push({ ...claimOf(reply, into), field, number: data[field], bookingIds });
  }
  for (const item of items) {
    const time = String(item['teetime']).replace(' ', 'T');
    const isOwn = ({ teetime }: Item): boolean => items.length === 1 || String(teetime).startsWith(time);
    const own = entries.filter(isOwn);
    const isAlone = items.filter(({ teetime }) => teetime === item['teetime']).length === 1;
    const bookingId = own[0]?.['bookingId'];
    if (!isAlone || own.length !== 1 || typeof bookingId !== 'string') continue;
    into.made.push({ ...claimOf(reply, into), bookingId, item, entry: own[0]! });
  }
}

function readFacility(claim: Claim, where: string, item: Item, into: Tables): void {
  const facilityId = numberIn(claim.by.asked!.params['facilityId'] ?? item['id']);
  if (facilityId === undefined) return;
  const address = isObject(item['address']) ? item['address'] : {};
  // In the v3 by-id form the address has the coordinates.
  const { country, latitude, longitude } = { ...item, ...address };
  into.facilities.push({ ...claim, where, facilityId, fields: { ...item, country, latitude, longitude } });
}
