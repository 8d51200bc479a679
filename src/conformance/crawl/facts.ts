/** What is known of a deployment from its answers, without the answers. */
import { isObject } from '../../common/index.js';
import { type components, operationOf } from '../../contract/index.js';
import { isTimeZone, offsetHours } from '../client/day.js';
import { isOf } from '../client/operations.js';
import { coveredBy, type PriceRecord, recordsIn, type SheetVersion } from '../journeys/pool/reads.js';
import type { Answered } from './crawler.js';

type Schemas = components['schemas'];

/** The totals for 1, 2, 3 and 4 players, as far as they are known. */
export type Totals = readonly (number | undefined)[];

/** The prices of a product on a day. */
export interface DayPrice {
  readonly price: Totals;
  readonly netRate: Totals;
  readonly publicRate: Totals;
}

/** A tee time as it was listed. */
export interface TeeTimeFact {
  readonly id: number;
  /** `HH:MM` */
  readonly time: string;
  readonly holes: 9 | 18;
  readonly free: number;
  /** Ids of products. Absent in the versions without products. */
  readonly products?: readonly number[];
}

export interface ProductFacts {
  readonly id: number;
  name: string;
  category?: string;
  /** Holes of the tee times that were seen to sell it. */
  readonly teeTimes: Set<9 | 18>;
  /** In the tee sheets, by date, `yyyy-mm-dd`. */
  readonly days: Map<string, DayPrice>;
  /** The price of one player in the price list, by date. */
  readonly listed: Map<string, number>;
}

export interface CourseFacts {
  name: string;
  /** Undefined where no price record names it. */
  id: number | undefined;
  readonly products: Map<number, ProductFacts>;
  /** By date and time; a date without tee times has an empty list if it was read. */
  readonly days: Map<string, Map<number, TeeTimeFact>>;
  /** Dates for which price records were listed, by product. */
  readonly priced: Map<string, Set<number>>;
}

export interface FacilityFacts {
  readonly id: number;
  isConnected: boolean;
  item?: Partial<Schemas['FacilityItem']>;
  record?: Partial<Schemas['FacilityRecord']>;
  terms?: Partial<Schemas['FacilityTerms']>;
  details?: Partial<Schemas['FacilityDetailsV3']>;
  country?: string;
  currency?: string;
  /** The currency of its prices, which may be another one. */
  priceCurrency?: string;
  cancellation?: readonly Schemas['CancellationRange'][];
  extras?: readonly Schemas['ExtraProductOffer'][];
  /** By name. */
  readonly courses: Map<string, CourseFacts>;
  /** Dates of which a tee sheet was read, with the holes that were asked for. */
  readonly sheets: Map<string, Set<number>>;
  /** The ranges of which prices were read, first and last date. */
  readonly priceRanges: (readonly [from: string, to: string])[];
  /** What a reader of the facts should know: a sentence each. */
  readonly notes: Set<string>;
}

const isoOf = (query: unknown): string => String(query).split('-').reverse().join('-');
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The facts of a deployment. */
export class DeploymentFacts {
  /** @param isOfEach Whether prices are for each player, instead of for all of a step (question `teetimes.price-meaning`). */
  constructor(readonly isOfEach = false) {}

  readonly facilities = new Map<number, FacilityFacts>();
  /** Countries as they were listed. */
  readonly countries = new Set<string>();
  readonly connectedCountries = new Set<string>();
  /** In which order price records come, as far as some list shows it: the names of fields, the slowest first. */
  readonly priceLists: { readonly asked: readonly number[]; readonly records: readonly PriceRecord[] }[] = [];
  /** Tee times that had begun when they were listed. */
  past = 0;
  /** Products with fewer free slots than four: how many have prices for one to four players, and for as many as there are slots. */
  readonly steps = { all: 0, available: 0 };

  facility(id: number): FacilityFacts {
    let found = this.facilities.get(id);
    if (!found) {
      found = {
        id,
        isConnected: false,
        courses: new Map(),
        sheets: new Map(),
        priceRanges: [],
        notes: new Set(),
      };
      this.facilities.set(id, found);
    }
    return found;
  }

  /** Takes what an answer says. One that reports no success says nothing. */
  take({
    question: { operation, params, breaking },
    ok,
    data,
    at,
  }: Pick<Answered, 'question' | 'ok' | 'data' | 'at'>): void {
    if (!ok || breaking !== undefined) return;
    const { name, version } = operationOf(operation);
    switch (name) {
      case 'listCountries':
        for (const country of listOf(data).filter(isText)) {
          this.countries.add(country);
          if (params['connected'] === true) this.connectedCountries.add(country);
        }
        return;
      case 'listFacilities':
        for (const item of listOf(data)) this.#takeItem(item, String(params['country']), params['connected'] === true);
        return;
      case 'findFacility':
        return this.#takeRecord(data);
      case 'facilityDetails':
        if (isObject(data) && isNumber(data['id'])) {
          const known = this.facility(data['id']);
          known.details = { ...known.details, ...(data as Partial<Schemas['FacilityDetailsV3']>) };
        }
        return;
      case 'listPrices':
        return this.#takePrices(data, params);
      case 'listTeeTimes':
        return this.#takeSheet(data, params, version as SheetVersion, at);
      default:
    }
  }

  #takeItem(item: unknown, country: string, isConnected: boolean): void {
    if (!isObject(item) || !isNumber(item['id'])) return;
    const known = this.facility(item['id']);
    known.item ??= item as Partial<Schemas['FacilityItem']>;
    known.country ??= country;
    if (isConnected) known.isConnected = true;
  }

  #takeRecord(data: unknown): void {
    const parts = (Array.isArray(data) ? (data as unknown[]) : [data]).filter(isObject);
    const record = parts.find((part) => isNumber(part['id']));
    if (!record) return;
    const known = this.facility(record['id'] as number);
    if (Array.isArray(data)) known.record ??= record as Partial<Schemas['FacilityRecord']>;
    else known.item ??= record as Partial<Schemas['FacilityItem']>;
    const terms = parts.find((part) => 'paymentRule' in part);
    if (terms) known.terms ??= terms as Partial<Schemas['FacilityTerms']>;
    const address = record['address'];
    if (isObject(address) && isText(address['country'])) known.country ??= address['country'];
    if (isText(record['currencyCode'])) known.currency ??= record['currencyCode'];
  }

  #takePrices(data: unknown, params: Answered['question']['params']): void {
    const records = recordsIn(data).filter(isObject) as unknown as readonly PriceRecord[];
    const asked = String(params['facilityIds']).split(',').map(Number);
    if (records.length > 1) this.priceLists.push({ asked, records: records.map(withoutTimes) });
    for (const id of asked) {
      if (!this.facilities.has(id)) continue;
      const range = [isoOf(params['fromDate']), isoOf(params['toDate'])] as const;
      const { priceRanges } = this.facility(id);
      if (!priceRanges.some(([from, to]) => from === range[0] && to === range[1])) priceRanges.push(range);
    }
    for (const record of records) this.#takePrice(record);
  }

  #takePrice(record: PriceRecord): void {
    const { facilityId, courseId, courseName, date, productId, productName, price, currency } = record;
    if (!isNumber(facilityId) || !isText(courseName) || !isNumber(productId) || !isText(date)) return;
    const facility = this.facility(facilityId);
    if (isText(currency)) facility.currency ??= currency;
    const course = courseOf(facility, courseName);
    if (isNumber(courseId)) {
      if (course.id !== undefined && course.id !== courseId)
        facility.notes.add(`The course ${courseName} has the ids ${course.id} and ${courseId}; the first one is used.`);
      course.id ??= courseId;
    }
    const product = productOf(course, productId, isText(productName) ? productName : undefined);
    const priced = course.priced.get(date) ?? new Set();
    course.priced.set(date, priced.add(productId));
    if (isNumber(price)) product.listed.set(date, price);
  }

  #takeSheet(data: unknown, params: Answered['question']['params'], version: SheetVersion, at: number): void {
    const [facilityId, date] = [Number(params['facilityId']), isoOf(params['bookingDate'])];
    const facility = this.facility(facilityId);
    if (isObject(data) && Array.isArray(data['facilityCancellationPolicyRange']))
      facility.cancellation ??= data['facilityCancellationPolicyRange'] as Schemas['CancellationRange'][];
    // Only a search for one player shows all tee times on sale.
    if (params['players'] === 1 && !isOf('courseSheet', version))
      facility.sheets.set(date, (facility.sheets.get(date) ?? new Set()).add(Number(params['holes'])));
    const local = localTime(facility, at - MINUTE);
    for (const teeTime of teeTimesOf(data)) {
      if (local !== undefined && String(teeTime['time']) < local) this.past += 1;
      this.#takeTeeTime(facility, date, teeTime);
    }
  }

  #takeTeeTime(facility: FacilityFacts, date: string, teeTime: Record<string, unknown>): void {
    const id = teeTime['teeid'] ?? teeTime['id'];
    const name = teeTime['course'] ?? teeTime['round'];
    const { time, holes, products } = teeTime;
    if (!isNumber(id) || !isText(name) || !isText(time) || (holes !== 9 && holes !== 18)) return;
    const course = courseOf(facility, name);
    const clock = time.slice(11, 16);
    const sold = Array.isArray(products) ? products.filter(isObject) : undefined;
    const free = sold ? sold.map((one) => one['available']) : [teeTime['players']];
    const isUnsold = sold?.length === 0;
    const most = isUnsold ? MOST_SLOTS : Math.max(0, ...free.filter(isNumber));
    if (isUnsold) facility.notes.add('Some tee times have no products, so that their free slots are unknown.');
    if (sold && new Set(free).size > 1)
      facility.notes.add(
        `Products of a tee time have different numbers of free slots, such as ${date} ${clock}; the largest is used.`,
      );
    const extras = teeTime['extraProducts'];
    if (Array.isArray(extras)) facility.extras ??= extras.filter(isObject) as unknown as Schemas['ExtraProductOffer'][];
    for (const one of sold ?? []) {
      takeProduct({ facility, course, date, holes, isOfEach: this.isOfEach }, one);
      const { available, pricing } = one;
      const { length } = listOf(pricing);
      if (!isNumber(available) || available >= 4 || length === 0) continue;
      if (length === 4) this.steps.all += 1;
      else if (length === available) this.steps.available += 1;
    }
    const ids = sold?.map((one) => one['mid']).filter(isNumber);
    const day = course.days.get(date) ?? new Map<number, TeeTimeFact>();
    course.days.set(date, day);
    const known = day.get(id);
    if (known && !ids) return;
    day.set(id, { id, time: clock, holes, free: most, ...(ids ? { products: ids } : {}) });
  }
}

const MINUTE = 60_000;
const MOST_SLOTS = 4;

/** An instant on the clock of a facility, if its time zone is known. */
function localTime({ record }: FacilityFacts, at: number): string | undefined {
  if (record?.timeZone === undefined || !isTimeZone(record.timeZone)) return undefined;
  return new Date(at + offsetHours(record.timeZone, at) * 60 * MINUTE).toISOString().slice(0, 19);
}

/** A price record without its tee times, which are in the tee sheets. */
function withoutTimes(record: PriceRecord): PriceRecord {
  const { availability: _, ...rest } = record;
  return rest as PriceRecord;
}

const listOf = (data: unknown): readonly unknown[] => (Array.isArray(data) ? data : []);

/** The tee times of an answer in the form of any version. */
function teeTimesOf(data: unknown): readonly Record<string, unknown>[] {
  const list = isObject(data) ? (data['teeTimeV3'] ?? data['teeTimeV2']) : data;
  return listOf(list).filter(isObject);
}

function courseOf(facility: FacilityFacts, name: string): CourseFacts {
  const known = facility.courses.get(name);
  if (known) return known;
  const made: CourseFacts = { name, id: undefined, products: new Map(), days: new Map(), priced: new Map() };
  facility.courses.set(name, made);
  return made;
}

function productOf(course: CourseFacts, id: number, name: string | undefined): ProductFacts {
  const known = course.products.get(id);
  if (known) {
    if (known.name === '' && name !== undefined) known.name = name;
    return known;
  }
  const made: ProductFacts = { id, name: name ?? '', teeTimes: new Set(), days: new Map(), listed: new Map() };
  course.products.set(id, made);
  return made;
}

interface ProductPlace {
  readonly facility: FacilityFacts;
  readonly course: CourseFacts;
  readonly date: string;
  readonly holes: 9 | 18;
  readonly isOfEach: boolean;
}

function takeProduct({ facility, course, date, holes, isOfEach }: ProductPlace, one: Record<string, unknown>): void {
  const { mid, name, category, pricing } = one;
  if (!isNumber(mid)) return;
  const product = productOf(course, mid, isText(name) ? name : undefined);
  if (isText(category)) product.category ??= category;
  product.teeTimes.add(holes);
  const steps = listOf(pricing).filter(isObject);
  const known = product.days.get(date) ?? { price: [], netRate: [], publicRate: [] };
  const made = { price: [...known.price], netRate: [...known.netRate], publicRate: [...known.publicRate] };
  let isNew = false;
  for (const step of steps) {
    const quantity = Number(step['quantity']);
    if (![1, 2, 3, 4].includes(quantity)) continue;
    for (const key of ['price', 'netRate', 'publicRate'] as const) {
      const money = step[key];
      const shown = isObject(money) ? money['amount'] : undefined;
      if (!isNumber(shown)) continue;
      const amount = isOfEach ? shown * quantity : shown;
      const before = made[key][quantity - 1];
      if (before === undefined) {
        made[key][quantity - 1] = amount;
        isNew = true;
      } else if (Math.abs(before - amount) > 0.005)
        facility.notes.add(
          `The price of ${product.name} (${course.name}) depends on the time of day, such as on ${date}; that of the first tee time is used.`,
        );
      if (isObject(money) && isText(money['currency'])) facility.priceCurrency ??= money['currency'];
    }
  }
  if (isNew) product.days.set(date, made);
}

/** The holes that a product covers by its name, where they are more than its tee times have. */
export function linkedHolesOf({ name, teeTimes }: ProductFacts): 18 | 27 | 36 | undefined {
  const covered = coveredBy({ productName: name });
  const most = Math.max(0, ...teeTimes);
  return covered > most && most > 0 ? (covered as 18 | 27 | 36) : undefined;
}
