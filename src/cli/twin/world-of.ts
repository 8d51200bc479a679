/** Writes what was read of a deployment as a world file. */
import {
  type Day,
  type DeploymentFacts,
  type FacilityFacts,
  isTimeZone,
  linkedHolesOf,
} from '../../conformance/index.js';
import type { CourseFacts, DayPrice, ProductFacts, TeeTimeFact, Totals } from '../../conformance/index.js';
import type { WorldFile } from '../../contract/index.js';
import { type DialectCard, wholeCurrencies } from '../../engine/index.js';

type Facility = Writable<WorldFile['facilities'][number]>;
type Course = Writable<Facility['courses'][number]>;
type Product = Writable<Course['products'][number]>;
type TeeTime = NonNullable<Course['days']>[string][number];
type Forms = NonNullable<WorldFile['forms']>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What a world file is made of. */
export interface WorldSource {
  readonly facts: DeploymentFacts;
  /** The facilities whose tee sheets were read, with the days. */
  readonly facilities: readonly { readonly facility: FacilityFacts; readonly days: readonly Day[] }[];
  /** Facilities that were seen in lists alone: the channel is not connected to them. */
  readonly others: readonly FacilityFacts[];
  /** The answers to open questions that were observed. */
  readonly card: DialectCard;
  /** The same of single facilities, by their ids. */
  readonly members?: ReadonlyMap<number, Facility['members']> | undefined;
  /** What the answers have or lack beyond the documented form. */
  readonly forms?: Forms | undefined;
}

/** A world file, and what a reader of it should know. */
export interface WrittenWorld {
  readonly file: WorldFile;
  /** Sentences by the JSON pointer of what they are about. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
}

/** The world file of a deployment. The same facts give the same file. */
export function worldOf(source: WorldSource): WrittenWorld {
  return new Writer(source).write();
}

class Writer {
  readonly #comments = new Map<string, string[]>();
  readonly #courseIds = new Set<number>();
  #nextId: number;

  constructor(readonly source: WorldSource) {
    const courses = source.facilities.flatMap(({ facility }) => [...facility.courses.values()]);
    this.#nextId = Math.max(0, ...courses.map(({ id }) => id ?? 0), ...source.facts.facilities.keys()) + 1;
  }

  write(): WrittenWorld {
    const { facilities, others, card, forms } = this.source;
    const all = [
      ...facilities.map(({ facility, days }) => ({ facility, days })),
      ...others.map((facility) => ({ facility, days: [] as readonly Day[] })),
    ].sort((a, b) => a.facility.id - b.facility.id);
    const written = all.map(({ facility, days }, at) => this.#facility(facility, days, `/facilities/${at}`));
    const file = {
      dialect: { ...(card.name === undefined ? {} : { name: card.name }), answers: card.answers ?? {} },
      ...(forms === undefined ? {} : { forms }),
      facilities: written,
    };
    return { file: file as unknown as WorldFile, comments: this.#comments };
  }

  #note(pointer: string, text: string): void {
    this.#comments.set(pointer, [...(this.#comments.get(pointer) ?? []), text]);
  }

  #facility(facts: FacilityFacts, days: readonly Day[], at: string): Facility {
    const { id, record = {}, item = {}, details = {}, terms = {}, isConnected } = facts;
    const name = textOf(record.name) ?? textOf(item.name) ?? textOf(details.name) ?? `Facility ${id}`;
    this.#contradictions(facts, at);
    for (const note of [...facts.notes].sort()) this.#note(at, note);
    const country = facts.country ?? 'Unknown';
    if (facts.country === undefined) this.#note(at, 'Its country was not read.');
    const isOpen = isConnected || facts.courses.size > 0;
    const paymentRule = terms.paymentRule ?? undefined;
    const services = details.services ?? undefined;
    const contact = details.reservationsContact ?? undefined;
    const facility: Record<string, unknown> = {
      id,
      name,
      country,
      timeZone: this.#zone(record.timeZone ?? undefined, at),
      currency: this.#currency(facts, at),
      language: textOf(record.language),
      website: anyText(record.website ?? item.website ?? details.website),
      email: anyText(record.email ?? item.email ?? details.email),
      phone: anyText(details.phoneNumber),
      description: anyText(details.description),
      created: createdOf(record.created),
      founded: details.foundedIn ?? undefined,
      logo: anyText(details.logo),
      images: Array.isArray(details.images) ? details.images.filter((one) => textOf(one) !== undefined) : undefined,
      address: this.#address(facts),
      contact: contact && {
        name: anyText(contact.name),
        email: anyText(contact.email),
        phone: anyText(contact.phoneNumber),
      },
      services: services && renamed(services, { mid: 'id' }),
      paymentRule: paymentRule && renamed(paymentRule, { mid: 'id' }),
      applicableForWhitelable: terms.applicableForWhitelable,
      cancellation: facts.cancellation?.map(({ minimumPlayer: from, maximumPlayer: to, timePeriod: hours }) => {
        return { from, to, hours };
      }),
      extras: facts.extras?.map(({ mid, name: called, category, price, netRate, publicRate }) => ({
        id: mid,
        name: called,
        category,
        price: amountOf(price?.amount),
        netRate: amountOf(netRate?.amount),
        publicRate: amountOf(publicRate?.amount),
      })),
      channels: isOpen ? undefined : [],
      members: this.source.members?.get(id),
      courses: this.#courses(facts, days, at),
    };
    if (!isOpen) this.#note(at, 'The channel is not connected to it, so nobody could read its tee sheets.');
    return withoutGaps(facility) as unknown as Facility;
  }

  #currency({ currency, priceCurrency = currency }: FacilityFacts, at: string): string | undefined {
    if (currency !== undefined && priceCurrency !== currency)
      this.#note(
        at,
        `Its currency is ${currency} in the by-id form or the price list, and ${priceCurrency} in the tee sheets, which is used.`,
      );
    return priceCurrency;
  }

  #zone(zone: string | undefined, at: string): string | undefined {
    if (zone === undefined) {
      this.#note(at, 'Its time zone was not read, so that of its country is used.');
      return undefined;
    }
    if (isTimeZone(zone)) return zone;
    this.#note(at, `Its time zone is ${zone}, which does not exist, so that of its country is used.`);
    return undefined;
  }

  /** Where two operations say different things of a facility. */
  #contradictions({ record, item, details }: FacilityFacts, at: string): void {
    const forms = { 'the list': item, 'the by-id form': record, 'the verbose details': details } as const;
    for (const field of ['name', 'website', 'email'] as const) {
      const said = Object.entries(forms).flatMap(([form, one]) =>
        one?.[field] === undefined ? [] : [[form, one[field]] as const],
      );
      if (new Set(said.map(([, value]) => value)).size < 2) continue;
      const words = said.map(([form, value]) => `${value} in ${form}`).join(', ');
      const taken = record?.[field] === undefined ? 'the list' : 'the by-id form';
      this.#note(at, `Its ${field} differs: ${words}; that of ${taken} is used.`);
    }
  }

  #address({ record, item, details }: FacilityFacts): object {
    const [full, listed, verbose] = [record?.address, item?.address, details?.address];
    const one = (field: 'address1' | 'number' | 'addition' | 'zipcode' | 'place' | 'state'): string | undefined =>
      anyText(full?.[field] ?? listed?.[field] ?? verbose?.[field]);
    return withoutGaps({
      id: full?.mid,
      street: one('address1') ?? '',
      line2: anyText(listed?.address2 ?? verbose?.address2) ?? '',
      number: one('number') ?? '',
      addition: one('addition') ?? '',
      zipcode: one('zipcode') ?? '',
      place: one('place') ?? '',
      state: one('state') ?? '',
      region: anyText(full?.region),
      latitude: full?.latitude ?? details?.latitude,
      longitude: full?.longitude ?? details?.longitude,
    });
  }

  #courses(facts: FacilityFacts, days: readonly Day[], at: string): readonly Course[] {
    const known = [...facts.courses.values()].filter(({ products, days: read }) => products.size > 0 || read.size > 0);
    const sorted = known.sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || (a.name < b.name ? -1 : 1));
    if (sorted.length === 0 && days.length > 0)
      this.#note(`${at}/courses`, 'No price record and no tee time names a course of it.');
    return sorted.map((course, position) => this.#course(facts, course, days, `${at}/courses/${position}`));
  }

  #course(facts: FacilityFacts, course: CourseFacts, days: readonly Day[], at: string): Course {
    const sheets = [...course.days.values()].flatMap((day) => [...day.values()]);
    const { name } = course;
    const id = this.#courseId(course, at);
    const holes = sheets.length === 0 || sheets.some((one) => one.holes === 18) ? 18 : 9;
    const products = this.#products(course, at);
    const whole = wholeCurrencies.has((facts.priceCurrency ?? facts.currency ?? '').toUpperCase());
    if (hasMoreDecimals(products, whole))
      this.#note(at, `Some amounts have more decimals than ${whole ? 'none' : 'two'}, and are rounded.`);
    const bases = new Map(products.map((one) => [one.id, baseOf(one, whole)]));
    const weekend = weekendRateOf([...bases.values()]);
    const exact = daysOf(facts, course, days, {
      bases,
      weekend,
      whole,
      products: new Map(products.map((one) => [one.id, one])),
    });
    for (const note of exact.notes) this.#note(at, note);
    return withoutGaps({
      id,
      name,
      holes: holes === 18 ? undefined : holes,
      weekendRate: weekend === 1 ? undefined : weekend,
      demand: 'none',
      products: products.map((one) => productEntry(one, bases.get(one.id)!, holes)),
      prices: Object.keys(exact.prices).length > 0 ? exact.prices : undefined,
      repeat: days.length > 0 ? 'weekly' : undefined,
      days: days.length > 0 ? exact.days : undefined,
    }) as unknown as Course;
  }

  #courseId({ id, name }: CourseFacts, at: string): number {
    if (id !== undefined && !this.#courseIds.has(id)) {
      this.#courseIds.add(id);
      return id;
    }
    const made = this.#nextId++;
    this.#note(
      at,
      id === undefined
        ? `No price record names the id of ${name}, so this one is made up.`
        : `Its id is ${id}, as that of a course of another facility, so this one is made up.`,
    );
    return made;
  }

  #products({ products }: CourseFacts, at: string): readonly ProductFacts[] {
    if (products.size > 0) return [...products.values()].map((one) => this.#priced(one, at));
    this.#note(at, 'No product of it was read, so this one is made up.');
    return [{ id: this.#nextId++, name: 'Green fee', teeTimes: new Set(), days: new Map(), listed: new Map() }];
  }

  /** A product whose days have the prices of the tee sheets, and those of the price list elsewhere. */
  #priced(product: ProductFacts, at: string): ProductFacts {
    const days = new Map(product.days);
    let differing: string | undefined;
    for (const [date, price] of product.listed) {
      const shown = days.get(date)?.price[0];
      if (shown === undefined) days.set(date, { netRate: [], publicRate: [], ...days.get(date), price: [price] });
      else if (Math.abs(shown - price) > 0.005)
        differing ??= `${shown} in the tee sheet of ${date} and ${price} in the price list`;
    }
    if (differing !== undefined)
      this.#note(at, `The price of ${product.name} for one player is ${differing}; that of the tee sheets is used.`);
    return { ...product, days };
  }
}

/** The prices of a product on a usual day, in the currency. */
interface Base {
  readonly price: readonly number[];
  readonly netRate: readonly number[] | undefined;
  readonly publicRate: readonly number[] | undefined;
  readonly facts: ProductFacts;
}

const PLAYERS = [0, 1, 2, 3] as const;
const isWeekend = (date: string): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** The prices that most weekdays have, completed from others. */
function baseOf(facts: ProductFacts, whole: boolean): Base {
  const days = [...facts.days].sort(([a], [b]) => (a < b ? -1 : 1));
  const weekdays = days.filter(([date]) => !isWeekend(date));
  const used = weekdays.length > 0 ? weekdays : days;
  const single = mostCommon(used.map(([, { price }]) => price[0]));
  const alike = used.filter(([, { price }]) => price[0] === single).map(([, one]) => one);
  const totals = (key: keyof DayPrice): (number | undefined)[] =>
    PLAYERS.map((at) => mostCommon(alike.map((one) => one[key][at])));
  const price = completed(totals('price'), ratiosOf(days.map(([, one]) => one.price)), whole) ?? [0, 0, 0, 0];
  const rate = (key: 'netRate' | 'publicRate'): readonly number[] | undefined =>
    completed(totals(key), ratiosOf(days.map(([, one]) => one[key])), whole);
  return { price, netRate: rate('netRate'), publicRate: rate('publicRate'), facts };
}

function mostCommon(values: readonly (number | undefined)[]): number | undefined {
  const counts = new Map<number, number>();
  for (const one of values) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([a, often], [b, other]) => other - often || a - b)[0]?.[0];
}

/** How many times the price of one player a group pays, where some day shows it. */
function ratiosOf(days: readonly Totals[]): readonly number[] {
  return PLAYERS.map((at) => {
    const shown = days.find((one) => one[0] !== undefined && one[0] > 0 && one[at] !== undefined);
    return shown ? shown[at]! / shown[0]! : at + 1;
  });
}

/** The totals for each number of players; undefined if none is known. */
function completed(totals: Totals, ratios: readonly number[], whole: boolean): readonly number[] | undefined {
  const known = PLAYERS.find((at) => totals[at] !== undefined);
  if (known === undefined) return undefined;
  const single = totals[0] ?? totals[known]! / ratios[known]!;
  return PLAYERS.map((at) => rounded(totals[at] ?? single * ratios[at]!, whole));
}

const rounded = (amount: number, whole: boolean): number =>
  whole ? Math.round(amount) : Math.round(amount * 100) / 100;

/** Whether amounts lose something in a world file. A sum of floating-point numbers does not count. */
function hasMoreDecimals(products: readonly ProductFacts[], whole: boolean): boolean {
  const isRounded = (amount: number | undefined): boolean =>
    amount !== undefined && Math.abs(amount - rounded(amount, whole)) > 1e-6;
  const days = products.flatMap((one) => [...one.days.values()]);
  return days.some(({ price, netRate, publicRate }) => [...price, ...netRate, ...publicRate].some(isRounded));
}

/** The factor of weekends if all products of a course have the same; otherwise 1, and the days have their own prices. */
function weekendRateOf(bases: readonly Base[]): number {
  const rates = bases.flatMap(({ price, facts }) =>
    [...facts.days].flatMap(([date, day]) =>
      isWeekend(date) && day.price[0] !== undefined && price[0]! > 0
        ? [Math.round((day.price[0] * 1000) / price[0]!)]
        : [],
    ),
  );
  const common = mostCommon(rates);
  return common === undefined || common < 100 || common > 10_000 ? 1 : common / 1000;
}

interface DaySource {
  readonly bases: ReadonlyMap<number, Base>;
  readonly weekend: number;
  readonly whole: boolean;
  readonly products: ReadonlyMap<number, ProductFacts>;
}

interface ExactDays {
  readonly days: Record<string, readonly TeeTime[]>;
  readonly prices: Record<string, object[]>;
  readonly notes: readonly string[];
}

/** The tee sheets of a course, with the prices of those days on which the usual ones do not hold. */
function daysOf(facility: FacilityFacts, course: CourseFacts, days: readonly Day[], source: DaySource): ExactDays {
  const found: Record<string, readonly TeeTime[]> = {};
  const prices: Record<string, object[]> = {};
  const notes: string[] = [];
  for (const { iso } of days) {
    const read = course.days.get(iso);
    if (!read && !facility.sheets.has(iso)) continue;
    const sorted = [...(read?.values() ?? [])].sort((a, b) =>
      a.time < b.time ? -1 : a.time > b.time ? 1 : a.holes - b.holes || a.id - b.id,
    );
    const priced = new Set<number>();
    found[iso] = sorted.slice(0, MOST_TEE_TIMES).map((one) => teeTimeEntry(one, course, iso, source, priced));
    if (sorted.length > MOST_TEE_TIMES)
      notes.push(`On ${iso} it has ${sorted.length} tee times, of which the first ${MOST_TEE_TIMES} are here.`);
    const others = [...source.products.values()].filter(({ id }) => !priced.has(id));
    const own = others.flatMap((one) => exactPrice(one, iso, source) ?? []);
    if (own.length > 0) prices[iso] = own;
  }
  return { days: found, prices, notes };
}

/** As many as a day of a course has at most in a world file. */
const MOST_TEE_TIMES = 2880;

function teeTimeEntry(
  { id, time, holes, free, products }: TeeTimeFact,
  course: CourseFacts,
  date: string,
  source: DaySource,
  priced: Set<number>,
): TeeTime {
  const isNine = [...course.days.values()].every((day) => [...day.values()].every((one) => one.holes === 9));
  const sold = products
    ?.filter((one) => source.products.has(one))
    .map((one) => {
      const facts = source.products.get(one);
      const own = facts && !priced.has(one) ? exactPrice(facts, date, source) : undefined;
      priced.add(one);
      return own ?? one;
    });
  return withoutGaps({
    id,
    time,
    holes: holes === (isNine ? 9 : 18) ? undefined : holes,
    free: free === 4 ? undefined : free,
    products: sold && sold.length > 0 ? sold : undefined,
  }) as unknown as TeeTime;
}

/** The prices of a product on a day, if they are not the usual ones. */
function exactPrice(facts: ProductFacts, date: string, { bases, weekend, whole }: DaySource): object | undefined {
  const [day, base] = [facts.days.get(date), bases.get(facts.id)];
  if (!day || !base) return undefined;
  const rate = isWeekend(date) ? weekend : 1;
  const usual = (list: readonly number[] | undefined): readonly number[] | undefined =>
    list?.map((one) => rounded(one * rate, whole));
  const isUsual = (read: Totals, list: readonly number[] | undefined): boolean =>
    PLAYERS.every((at) => read[at] === undefined || (list !== undefined && Math.abs(read[at] - list[at]!) < 0.005));
  const lists = { price: usual(base.price), netRate: usual(base.netRate), publicRate: usual(base.publicRate) };
  if (
    isUsual(day.price, lists.price) &&
    isUsual(day.netRate, lists.netRate) &&
    isUsual(day.publicRate, lists.publicRate)
  )
    return undefined;
  const whole4 = (key: keyof DayPrice): readonly number[] | undefined => {
    const all = base[key];
    const ratios = all && all[0]! > 0 ? all.map((one) => one / all[0]!) : [1, 2, 3, 4];
    return completed(day[key], ratios, whole);
  };
  const price = whole4('price');
  if (!price) return undefined;
  const [netRate, publicRate] = [whole4('netRate'), whole4('publicRate')];
  return withoutGaps({
    id: facts.id,
    price: amountsOf(price),
    netRate: netRate && amountsOf(netRate),
    publicRate: publicRate && amountsOf(publicRate),
  });
}

/** Totals as a file has them: one number where each player pays the same. */
function amountsOf(totals: readonly number[]): number | readonly number[] {
  const [one = 0] = totals;
  return totals.every((total, at) => Math.abs(total - one * (at + 1)) < 0.005) ? one : totals;
}

function productEntry(facts: ProductFacts, { price, netRate, publicRate }: Base, holes: 9 | 18): Product {
  const { id, name, category, teeTimes } = facts;
  const linked = linkedHolesOf(facts);
  const onNine = teeTimes.size === 1 && teeTimes.has(9);
  return withoutGaps({
    id,
    name: textOf(name) ?? `Product ${id}`,
    category: category === 'Greenfee' ? undefined : category,
    price: amountsOf(price),
    netRate: netRate && amountsOf(netRate),
    publicRate: publicRate && amountsOf(publicRate),
    holes: linked ?? (onNine && holes === 18 ? 9 : undefined),
    teeTimes: linked !== undefined && holes === 18 ? 9 : undefined,
  }) as unknown as Product;
}

/** A text, which is empty where it is null. */
const anyText = (value: unknown): string | undefined =>
  value === null ? '' : typeof value === 'string' ? value : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /\S/.test(value) ? value : undefined;
const amountOf = (amount: unknown): number | undefined =>
  typeof amount === 'number' ? rounded(amount, false) : undefined;

/** A time of creation as a file has it, without a time zone. */
function createdOf(value: unknown): string | undefined {
  const [, second, fraction = ''] = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(String(value)) ?? [];
  return second === undefined ? undefined : `${second.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}`;
}

function renamed(value: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [names[name] ?? name, one as unknown]));
}

/** An object without members that are undefined or null. */
function withoutGaps<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== null)) as T;
}
