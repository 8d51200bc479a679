import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { resource } from '../client/resource.js';
import { Session } from '../client/session.js';
import {
  facilityTeeTimes,
  freeIn,
  type ListedTeeSheet,
  type ListedTeeTime,
  type PriceRecord,
  pricesFor,
  recordsIn,
  timesOnSale,
} from './pool/reads.js';
import { type Day, dayAfter } from '../client/day.js';
import { clockOfBookings } from './deployment-clock.js';
import {
  connectedCountries,
  connectedFacilities,
  type FacilityItem,
  MOST_IDS,
  namesOfConnectedCountries,
} from './connected-facilities.js';

/** A tee time that was handed out, and the tee sheet it is on. */
export interface TakenTeeTime {
  readonly sheet: ListedTeeSheet;
  readonly teeTime: ListedTeeTime;
}

/** What a rule needs of a tee time. */
export interface TeeTimeNeed {
  /** In words, for the report. */
  readonly what: string;
  fits(teeTime: ListedTeeTime, sheet: ListedTeeSheet): boolean;
  /** Whether the price records of a day promise such a tee time; by default, any day with free slots does. */
  promised?(records: readonly PriceRecord[]): boolean;
  /** What a facility has on most of its days or on none: a few days without it are enough to know. */
  readonly trait?: (teeTime: ListedTeeTime) => boolean;
}

/** A day of a facility on which the price list shows free tee times. */
export interface OpenDay {
  readonly facility: FacilityItem;
  readonly day: Day;
  readonly records: readonly PriceRecord[];
  /** Tee times on sale: those of the product that has the most. */
  readonly free: number;
}

/** The first and last day of a price request. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** Days from now that are searched first: late enough to disturb nobody, early enough to be on sale. */
export const NEAREST = 30;
/** Days from now at which the searched weeks begin, in the order of the search. */
const WEEKS = [NEAREST, 37, 23, 44, 16, 51, 9, 58, 2, 65, 72, 79, 86];
const WEEK = 7;
/** Days from now that are searched, first and last. */
const SEARCHED = [Math.min(...WEEKS), Math.max(...WEEKS) + WEEK - 1] as const;
/** Price pages that are read of one request: the default page size is an open question. */
const PAGES = 4;

/**
 * The days on which connected facilities sell tee times, by the price list. It grows with each step: the first week of
 * all facilities, five at a time, then the next week, until there is nothing left to look at.
 */
class OpenDays {
  readonly days: OpenDay[] = [];
  /** The facilities listed so far, in the order of the search. */
  readonly facilities: FacilityItem[] = [];
  /** Whether the price list answered; otherwise it shows nothing about any day. */
  isUsable = true;
  #countries: string[] | undefined;
  #ranges: readonly DayRange[] | undefined;
  #round = 0;
  #at = 0;

  /** How often all facilities have been looked at, each time for another week. */
  get rounds(): number {
    return this.#round;
  }

  /** Looks at the next facilities or the next week; false if all has been looked at. */
  async more(session: Session): Promise<boolean> {
    // Thousands of facilities without what is sought would take the room of the answers to other rules.
    const { recorded, transport } = session.run;
    if (!recorded && transport.evidence.isLow) return false;
    const batch = await this.#batch(session);
    if (batch.length === 0) {
      if (this.#at === 0) return false;
      [this.#round, this.#at] = [this.#round + 1, 0];
      return this.isUsable && this.#round < this.#ranges!.length;
    }
    this.#ranges ??= await rangesFor(session, batch);
    const range = this.#ranges[this.#round];
    if (!range) return false;
    await this.#look(session, batch, range);
    this.#at += batch.length;
    return true;
  }

  /** The first result of a test among the days of some weeks; it looks further until there is one. */
  async find<T>(
    session: Session,
    test: (day: OpenDay) => Promise<T | undefined> | T | undefined,
    rounds: number,
  ): Promise<T | undefined> {
    for (let next = 0; ; next += 1) {
      while (next >= this.days.length) {
        if (this.#round >= rounds || !(await this.more(session))) return undefined;
      }
      const found = await test(this.days[next]!);
      if (found !== undefined) return found;
    }
  }

  /** The week of a price request that has a day, or the day alone if a request may not span a week. */
  async rangeOf(session: Session, day: Day | undefined): Promise<DayRange> {
    if (!this.#ranges) await this.more(session);
    const ranges = this.#ranges ?? weeks(session);
    return ranges.find(({ from, to }) => day && from.iso <= day.iso && day.iso <= to.iso) ?? ranges[0]!;
  }

  /** The facilities that were in one request with a facility. */
  async besides(session: Session, facilityId: number | undefined): Promise<readonly FacilityItem[]> {
    while (this.facilities.length === 0 && (await this.more(session)));
    const at = this.facilities.findIndex(({ id }) => id === facilityId);
    const start = Math.floor(Math.max(at, 0) / MOST_IDS) * MOST_IDS;
    return this.facilities.slice(start, start + MOST_IDS);
  }

  /** Lists the facilities of all countries that were not needed so far. */
  async listAll(session: Session): Promise<readonly FacilityItem[]> {
    while (await this.#listMore(session));
    return this.facilities;
  }

  async #batch(session: Session): Promise<readonly FacilityItem[]> {
    while (this.facilities.length <= this.#at && (await this.#listMore(session)));
    const end = Math.floor(this.#at / MOST_IDS) * MOST_IDS + MOST_IDS;
    return this.facilities.slice(this.#at, end);
  }

  /** Lists the facilities of some more countries. */
  async #listMore(session: Session): Promise<boolean> {
    if (!this.#countries) {
      const first = await connectedCountries(session);
      const listed = new Set(first.map(({ country }) => country));
      // Facilities may be named by the user, where no operation lists them.
      const names = (await namesOfConnectedCountries(session).catch(unlessInconclusive)) ?? [];
      this.#countries = names.filter((name) => !listed.has(name));
      this.facilities.push(...first.flatMap(({ facilities }) => facilities));
      return true;
    }
    const country = this.#countries.shift();
    if (country === undefined) return false;
    const found = (await connectedFacilities(session, country).catch(unlessInconclusive)) ?? [];
    const known = new Set(this.facilities.map(({ id }) => id));
    this.facilities.push(...found.filter(({ id }) => !known.has(id)));
    return true;
  }

  async #look(session: Session, batch: readonly FacilityItem[], range: DayRange): Promise<void> {
    const facilityIds = batch.map(({ id }) => id);
    // Prices only help here; other rules report faults in them.
    const first = await pricesFor(session, { facilityIds, ...range }).catch(unlessInconclusive);
    if (!first && this.#round === 0 && this.days.length === 0) this.isUsable = false;
    const records = [...recordsIn(first)];
    const total = Number(first?.total);
    for (let page = 1; page < PAGES && records.length > 0 && records.length < total; page += 1) {
      const offset = records.length;
      const more = recordsIn(await pricesFor(session, { facilityIds, ...range, offset }).catch(unlessInconclusive));
      if (more.length === 0) break;
      records.push(...more);
    }
    this.#note(batch, range, records);
  }

  #note(batch: readonly FacilityItem[], { from, to }: DayRange, records: readonly PriceRecord[]): void {
    const found: OpenDay[] = [];
    for (const facility of batch) {
      for (let day = from; day.iso <= to.iso; day = dayAfter(day, 1)) {
        const own = records.filter(({ facilityId, date }) => facilityId === facility.id && date === day.iso);
        const free = Math.max(0, ...own.map((record) => timesOnSale(record).length));
        if (free > 0) found.push({ facility, day, records: own, free });
      }
    }
    this.isUsable ||= found.length > 0;
    this.days.push(...found);
  }
}

function weeks(session: Session): readonly DayRange[] {
  return WEEKS.map((start) => ({ from: session.day(start), to: session.day(start + WEEK - 1) }));
}

/** The ranges that are searched: weeks, or single days if a request may not span a week. */
async function rangesFor(session: Session, batch: readonly FacilityItem[]): Promise<readonly DayRange[]> {
  const all = weeks(session);
  const facilityIds = batch.map(({ id }) => id);
  const accepts = (range: DayRange): Promise<unknown> =>
    pricesFor(session, { facilityIds, ...range }).catch(unlessInconclusive);
  const { from } = all[0]!;
  if ((await accepts(all[0]!)) || !(await accepts({ from, to: from }))) return all;
  return all.flatMap((week) =>
    Array.from({ length: WEEK }, (_, index) => {
      const day = dayAfter(week.from, index);
      return { from: day, to: day };
    }),
  );
}

/** A tee sheet in the pool, with the exchange that shows it. */
interface PooledSheet {
  readonly sheet: ListedTeeSheet;
  readonly exchanges: readonly string[];
}

/** A day of a facility whose tee times may be read. */
interface Candidate extends Pick<OpenDay, 'day'> {
  readonly facility: Pick<FacilityItem, 'id'>;
}

const HOLES = [18, 9] as const;
/** The most tee sheets that are read for what a facility has on most of its days or on none. */
const MOST_OF_FACILITY = 60;
/** The most tee sheets in a row that are read for a need in vain: a price list may promise what no tee sheet has. */
const MOST_IN_VAIN = 200;
/** Days of a facility that are read for it, if none of them has it. */
const DAYS_OF_FACILITY = 2;
/** How often all facilities are looked at for it, each time for another week. */
const ROUNDS_OF_FACILITY = 2;
/** Days that are read without a price list that shows tee times on them, if there is a price list and if not. */
const MOST_UNPROMISED = { priced: 10, unpriced: 60 };
const UNPROMISED_DAYS = [30, 33, 37, 41, 44, 23, 16, 51, 9, 58, 5, 2];
/** Tee sheets that may fail to be read before the first one succeeds. */
const MOST_FAILURES = 3;

/**
 * All tee times that the run may use, from all connected facilities and the days ahead, and the only object that knows
 * which of them are in use. It reads a tee sheet only when the sheets read so far lack what a rule needs.
 */
class TeeTimePool {
  days = new OpenDays();
  readonly #sheets: PooledSheet[] = [];
  /** How many of the two hole counts of a day were read. */
  readonly #read = new Map<string, number>();
  readonly #taken = new Set<string>();
  readonly #booked = new Set<string>();
  /** How many tee sheets were read for each need since one last had it. */
  readonly #vain = new Map<string, number>();
  #unpromised: Candidate[] | undefined;
  #failures = 0;

  /** The tee sheets read so far that have tee times. */
  get sheets(): readonly ListedTeeSheet[] {
    return this.#sheets.map(({ sheet }) => sheet);
  }

  /** How many tee times with free slots are left on them. */
  get left(): number {
    const free = (sheet: ListedTeeSheet): number =>
      sheet.teeTimes.filter((one) => freeIn(one) > 0 && !this.isTaken(sheet, one)).length;
    return this.sheets.reduce((sum, sheet) => sum + free(sheet), 0);
  }

  /**
   * Hands out a tee time, each once. Among those that fit it is on the sheet with the most left.
   *
   * @throws {Inconclusive} `no-data` if no tee time of the deployment fits; it says what was searched.
   */
  async take(session: Session, need: TeeTimeNeed): Promise<TakenTeeTime> {
    const taken = await this.find(session, need);
    this.reserve(taken.sheet, [taken.teeTime]);
    return taken;
  }

  /** The same without handing it out. */
  async find(session: Session, need: TeeTimeNeed): Promise<TakenTeeTime> {
    let reads = 0;
    for (;;) {
      const best = this.#best(need);
      if (best) {
        this.#vain.delete(need.what);
        for (const id of best.exchanges) session.exchanges.add(id);
        return best;
      }
      const vain = this.#vain.get(need.what) ?? 0;
      if (vain >= MOST_IN_VAIN) throw this.#lacking(need);
      const candidate = this.#promising(need);
      if (candidate && !(need.trait && reads >= MOST_OF_FACILITY)) {
        reads += 1;
        this.#vain.set(need.what, vain + 1);
        await this.read(session, candidate);
      } else if (!(await this.#lookFurther(session, need)) && !(await this.#startAgain(session))) {
        throw this.#lacking(need);
      }
    }
  }

  /** Where nothing is on sale, the clock of the deployment may be another one: the search then begins again at its days. */
  async #startAgain(session: Session): Promise<boolean> {
    if (this.#sheets.length > 0 || !(await clockOfBookings(session))) return false;
    this.days = new OpenDays();
    this.#read.clear();
    this.#vain.clear();
    this.#unpromised = undefined;
    return true;
  }

  #lacking({ what }: TeeTimeNeed): Inconclusive {
    if (this.days.facilities.length === 0) return new Inconclusive('no-data', 'a connected facility');
    const missing = this.#sheets.length === 0 ? 'tee times on sale' : what;
    return new Inconclusive('no-data', `${missing} (${this.searched})`);
  }

  /** Reads the best days of each facility, so many at most, until a tee sheet is good enough. */
  async sample(session: Session, most: number, isEnough: (sheet: ListedTeeSheet) => boolean): Promise<void> {
    for (let reads = 0; reads < most && !this.sheets.some(isEnough);) {
      const read = this.#daysRead();
      const candidate = this.#bestDay((_, { id }) => !read.has(id));
      if (candidate) {
        reads += 1;
        await this.read(session, candidate);
      } else if (this.days.rounds > 0 || !(await this.days.more(session))) return;
    }
  }

  /** Finds more days, or reads some that the price list does not show; false if all has been searched. */
  async #lookFurther(session: Session, { trait }: TeeTimeNeed): Promise<boolean> {
    const isKnown = trait !== undefined && this.days.rounds >= ROUNDS_OF_FACILITY;
    if (!isKnown && (await this.days.more(session))) return true;
    return !(trait && this.#sheets.length > 0) && (await this.#readUnpromised(session));
  }

  /** The best day that promises what is needed, at a facility that may have it. */
  #promising({ promised = () => true, trait }: TeeTimeNeed): OpenDay | undefined {
    if (!trait) return this.#bestDay(promised);
    const having = new Set(
      this.sheets.filter(({ teeTimes: all }) => all.some(trait)).map(({ facilityId }) => facilityId),
    );
    const spent = this.#daysRead();
    const mayHave = (id: number): boolean => having.has(id) || (spent.get(id) ?? 0) < DAYS_OF_FACILITY;
    return this.#bestDay((records, { id }) => mayHave(id) && promised(records));
  }

  /** How many days of each facility were read. */
  #daysRead(): ReadonlyMap<number, number> {
    const days = new Map<number, number>();
    for (const [key, count] of this.#read) {
      const id = Number(key.split(' ')[0]);
      if (count >= HOLES.length) days.set(id, (days.get(id) ?? 0) + 1);
    }
    return days;
  }

  /** The day with the most tee times on sale that is not read yet and fits. */
  #bestDay(fits: (records: readonly PriceRecord[], facility: FacilityItem) => boolean): OpenDay | undefined {
    let best: OpenDay | undefined;
    for (const one of this.days.days) {
      if ((this.#read.get(keyOf(one)) ?? 0) >= HOLES.length) continue;
      const isBetter = !best || one.free > best.free || (one.free === best.free && one.day.iso > best.day.iso);
      if (isBetter && fits(one.records, one.facility)) best = one;
    }
    return best;
  }

  /** The tee sheets of a day, for 18 holes and for 9. */
  async sheetsOf(session: Session, candidate: Candidate): Promise<readonly ListedTeeSheet[]> {
    while ((this.#read.get(keyOf(candidate)) ?? 0) < HOLES.length) await this.read(session, candidate);
    const { facility, day } = candidate;
    return this.sheets.filter((sheet) => sheet.facilityId === facility.id && sheet.day.iso === day.iso);
  }

  /** Reads the next tee sheet of a day: for 18 holes, then for 9. Undefined if there are no tee times on it. */
  async read(session: Session, { facility, day }: Candidate): Promise<ListedTeeSheet | undefined> {
    const key = keyOf({ facility, day });
    const holes = HOLES[this.#read.get(key) ?? 0];
    if (holes === undefined) return undefined;
    this.#read.set(key, (this.#read.get(key) ?? 0) + 1);
    const inner = new Session(session.run);
    const query = { facilityId: facility.id, day, holes };
    try {
      const found = await facilityTeeTimes(inner, query);
      this.#failures = -Infinity;
      if (found.length === 0) return undefined;
      const sheet = { ...query, teeTimes: found };
      this.#sheets.push({ sheet, exchanges: [...inner.exchanges] });
      return sheet;
    } catch (error) {
      unlessInconclusive(error);
      this.#failures += 1;
      if (this.#failures >= MOST_FAILURES) throw error;
      return undefined;
    } finally {
      for (const id of inner.exchanges) session.exchanges.add(id);
    }
  }

  /** A price list may lack days, or be missing: some days are then read without it. */
  async #readUnpromised(session: Session): Promise<boolean> {
    if (!this.#unpromised) {
      const facilities = await this.days.listAll(session);
      const most = this.days.isUsable ? MOST_UNPROMISED.priced : MOST_UNPROMISED.unpriced;
      this.#unpromised = [];
      for (const day of UNPROMISED_DAYS.map((days) => session.day(days))) {
        const unread = facilities.filter((facility) => !this.#read.has(keyOf({ facility, day })));
        const room = most - this.#unpromised.length;
        this.#unpromised.push(...unread.slice(0, room).map((facility) => ({ facility, day })));
      }
    }
    const next = this.#unpromised.shift();
    if (!next) return false;
    for (const _ of HOLES) await this.read(session, next);
    return true;
  }

  #best({ fits }: TeeTimeNeed): (TakenTeeTime & PooledSheet) | undefined {
    let best: (TakenTeeTime & PooledSheet) | undefined;
    let most = 0;
    for (const { sheet, exchanges } of this.#sheets) {
      const left = sheet.teeTimes.filter((one) => !this.#taken.has(idOf(sheet, one)) && freeIn(one) > 0);
      if (left.length <= most) continue;
      // From the end of the day: later tee times are the least popular.
      const teeTime = left.findLast((one) => fits(one, sheet));
      if (teeTime) [best, most] = [{ sheet, teeTime, exchanges }, left.length];
    }
    return best;
  }

  isTaken(of: { readonly facilityId: number }, teeTime: ListedTeeTime): boolean {
    return this.#taken.has(idOf(of, teeTime));
  }

  /** Keeps tee times for one purpose: they are not handed out. */
  reserve(of: { readonly facilityId: number }, all: readonly ListedTeeTime[]): void {
    for (const one of all) this.#taken.add(idOf(of, one));
  }

  /** Lets tee times be handed out again, after the deployment was reset. */
  release(of: { readonly facilityId: number }, all: readonly ListedTeeTime[]): void {
    for (const one of all) this.#taken.delete(idOf(of, one));
  }

  /** Notes that reserved tee times are booked. */
  markBooked(all: readonly ListedTeeTime[]): void {
    for (const { teeid, time } of all) this.#booked.add(`${teeid} ${time}`);
  }

  isBooked({ teeid, time }: ListedTeeTime): boolean {
    return this.#booked.has(`${teeid} ${time}`);
  }

  /** What was searched so far, in words. */
  get searched(): string {
    const facilities = this.days.facilities.length;
    const [from, to] = SEARCHED;
    const where = facilities === 1 ? 'the one connected facility' : `${facilities} connected facilities`;
    return `searched: ${where}, ${from} to ${to} days ahead`;
  }
}

/** A tee time in the pool. Its id may be unique within its facility only. */
function idOf({ facilityId }: { readonly facilityId: number }, { teeid, time }: ListedTeeTime): string {
  return `${facilityId} ${teeid} ${time}`;
}

function keyOf({ facility, day }: Candidate): string {
  return `${facility.id} ${day.iso}`;
}

/** An id that no facility, course, tee time, product or booking has, close to the largest possible one. */
export const UNKNOWN_ID = 2_147_483_646;

/** Slots that a probe needs: with a second player, one body can have all optional fields. */
export const PROBE_PLAYERS = 2;

/** The pool of the run, and the tee time that all probes share. */
class Material extends TeeTimePool {
  /** It stays free as long as the deployment refuses the probes, as it should. */
  forProbes: TakenTeeTime | undefined;
}

/** The material of the run. */
export const material = resource('material', async () => new Material());

/** A tee time with free slots for some players. */
export function roomFor(players: number): TeeTimeNeed {
  return {
    what: `another tee time with enough free slots (${players})`,
    fits: (teeTime) => freeIn(teeTime) >= players,
    promised: (records) => records.some((one) => timesOnSale(one).some(({ available }) => available >= players)),
  };
}

/** A tee time with free slots for some players, and with extra products. */
export function roomAndExtras(players: number): TeeTimeNeed {
  const { fits, promised } = roomFor(players);
  return {
    what: `another tee time with extra products and enough free slots (${players})`,
    fits: (teeTime, sheet) => hasExtras(teeTime) && fits(teeTime, sheet),
    promised: promised!,
    trait: hasExtras,
  };
}

/** Whether a tee time offers extra products. */
export function hasExtras({ extraProducts }: ListedTeeTime): boolean {
  return Array.isArray(extraProducts) && extraProducts.length > 0;
}

/**
 * A tee time that no other journey uses, with free slots for some players, or with what is needed.
 *
 * @throws {Inconclusive} `no-data` if the deployment has none.
 */
export async function freshTeeTime(session: Session, need: number | TeeTimeNeed = 1): Promise<TakenTeeTime> {
  return (await material(session)).take(session, typeof need === 'number' ? roomFor(need) : need);
}

/**
 * Two tee times of one tee sheet with free slots for some players, at two times of day, the later one first. If no sheet
 * has two, they are of one facility, or of any.
 */
export async function twoTeeTimes(session: Session, players = 1): Promise<readonly [TakenTeeTime, TakenTeeTime]> {
  const pool = await material(session);
  const { what, fits, promised } = roomFor(players);
  const isBeside = (sheet: ListedTeeSheet, { time }: ListedTeeTime): boolean =>
    sheet.teeTimes.some((one) => one.time !== time && fits(one, sheet) && !pool.isTaken(sheet, one));
  const ofTwo: TeeTimeNeed = {
    what,
    fits: (teeTime, sheet) => fits(teeTime, sheet) && isBeside(sheet, teeTime),
    promised: (records) =>
      records.some((one) => timesOnSale(one).filter((time) => time.available >= players).length > 1),
  };
  const one = await freshTeeTimeOf(session, [ofTwo, players]);
  const { facilityId, day } = one.sheet;
  const near = (wide: boolean): TeeTimeNeed => ({
    what,
    // An answer tells the bookings of a group apart by their times.
    fits: (teeTime, sheet) =>
      fits(teeTime, sheet) &&
      sheet.facilityId === facilityId &&
      (wide || (sheet.day.iso === day.iso && teeTime.time !== one.teeTime.time)),
    promised: (records) =>
      promised!(records) && records.some((own) => own.facilityId === facilityId && (wide || own.date === day.iso)),
  });
  const other = await freshTeeTimeOf(session, [near(false), near(true), players]);
  return one.teeTime.time < other.teeTime.time ? [other, one] : [one, other];
}

/** The first need that the deployment meets. */
export async function freshTeeTimeOf(
  session: Session,
  needs: readonly (number | TeeTimeNeed)[],
): Promise<TakenTeeTime> {
  for (const need of needs.slice(0, -1)) {
    const found = await freshTeeTime(session, need).catch(unlessInconclusive);
    if (found) return found;
  }
  return freshTeeTime(session, needs.at(-1));
}

const forProbes = [roomAndExtras(PROBE_PLAYERS), PROBE_PLAYERS, roomAndExtras(1), 1];

/** The tee time of all probes, until a probe is accepted. */
export async function probeTarget(session: Session): Promise<TakenTeeTime> {
  const shared = await material(session);
  return (shared.forProbes ??= await freshTeeTimeOf(session, forProbes));
}

/** Tee times that are left to the rules that need one. */
const SPARE_TEE_TIMES = 12;

/** Gives the next probes another tee time, so that the last one can be booked; false if few are left. */
export async function nextProbeTarget(session: Session): Promise<boolean> {
  const shared = await material(session);
  if (shared.left < SPARE_TEE_TIMES) return false;
  const next = await freshTeeTimeOf(session, forProbes).catch(unlessInconclusive);
  if (next) shared.forProbes = next;
  return next !== undefined;
}

/** A probe was accepted: the next one gets another tee time, so that it is not refused for lack of free slots. */
export async function probeTargetSpent(session: Session): Promise<void> {
  (await material(session)).forProbes = undefined;
}
