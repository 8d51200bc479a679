import type { Day } from '../../client/day.js';
import { Inconclusive, unlessInconclusive } from '../../client/outcome.js';
import { Session } from '../../client/session.js';
import type { FacilityItem } from '../connected-facilities.js';
import type { TakenTeeTime, TeeTimeNeed } from './need.js';
import { type OpenDay, OpenDays, SEARCHED } from './open-days.js';
import { facilityTeeTimes, freeIn, type ListedTeeSheet, type ListedTeeTime, type PriceRecord } from './reads.js';

/** A tee sheet in the pool, with the exchange that shows it. */
interface PooledSheet {
  readonly sheet: ListedTeeSheet;
  readonly exchanges: readonly string[];
}

/** A day whose tee times may be read. */
type Candidate = Pick<OpenDay, 'facility' | 'day'>;

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
export class TeeTimePool {
  readonly days = new OpenDays();
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
   * Hands out a tee time, each one time. Among those that fit it is on the sheet with the most left.
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
      } else if (!(await this.#lookFurther(session, need))) {
        throw this.#lacking(need);
      }
    }
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

function keyOf({ facility, day }: { readonly facility: FacilityItem; readonly day: Day }): string {
  return `${facility.id} ${day.iso}`;
}
