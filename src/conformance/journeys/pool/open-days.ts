import { type Day, dayAfter } from '../../client/day.js';
import { unlessInconclusive } from '../../client/outcome.js';
import type { Session } from '../../client/session.js';
import {
  connectedCountries,
  connectedFacilities,
  type FacilityItem,
  MOST_IDS,
  namesOfConnectedCountries,
} from '../connected-facilities.js';
import { type PriceRecord, pricesFor } from './reads.js';

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
export const SEARCHED = [Math.min(...WEEKS), Math.max(...WEEKS) + WEEK - 1] as const;
/** Price pages that are read of one request: the default page size is an open question. */
const PAGES = 4;

/** The price records of a facility; none if the list has another form. */
function recordsOf(page: { readonly records?: unknown } | undefined): readonly PriceRecord[] {
  return Array.isArray(page?.records) ? (page.records as PriceRecord[]) : [];
}

/** The times of a price record that have free slots. */
export function timesOnSale({ availability }: PriceRecord): readonly { readonly time: string; available: number }[] {
  return Array.isArray(availability) ? availability.filter(({ available }) => available > 0) : [];
}

/**
 * The days on which connected facilities sell tee times, by the price list. It grows with each step: the first week of
 * all facilities, five at a time, then the next week, until there is nothing left to look at.
 */
export class OpenDays {
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
    this.#at += batch.length;
    this.#ranges ??= await rangesFor(session, batch);
    const range = this.#ranges[this.#round];
    if (!range) return false;
    await this.#look(session, batch, range);
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
    const records = [...recordsOf(first)];
    const total = Number(first?.total);
    for (let page = 1; page < PAGES && records.length > 0 && records.length < total; page += 1) {
      const offset = records.length;
      const more = recordsOf(await pricesFor(session, { facilityIds, ...range, offset }).catch(unlessInconclusive));
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
