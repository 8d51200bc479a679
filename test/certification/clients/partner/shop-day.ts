import { type Booked, type Finder, NothingFree, type Way } from './bookings.js';
import type { Club, PriceRecord } from './catalogue.js';
import { addDays, type Day, dayOf } from './dates.js';
import { ServiceFailure } from './failure.js';
import { guests } from './guests.js';
import type { Partner } from './partner.js';
import { type Holes, isOneRound, type Offer, type Query } from './tee-sheets.js';
import { linkedRounds, type Wish } from './wishes.js';

/** What became of one thing that the shop did: done, or what it had to tell its customer. */
export interface StepOutcome {
  readonly step: string;
  readonly told?: string;
}

/** Days before the first tee time that we sell, and days that we sell. */
const AHEAD = 9;
const DAYS = 4;
const PLAYERS = 2;
/** Facilities that one country shows at most, and tee sheets that we read for one customer at most. */
const CLUBS = 3;
const MOST_SHEETS = 24;

/** Reads what is free for a query. */
type Reader = (query: Query) => Promise<Offer[]>;

/**
 * A day at the shop, which is also what its tests run: everything that the client can do, one after the other. A step
 * that the service refuses ends with a word to the customer, and the day goes on.
 */
export class ShopDay {
  readonly outcomes: StepOutcome[] = [];
  clubs: readonly Club[] = [];
  prices: readonly PriceRecord[] = [];
  readonly first: Day;
  /** Tee times that we have sold today. */
  readonly sold = new Set<number>();

  constructor(
    readonly partner: Partner,
    /** The country in which we sell. */
    readonly country: string,
  ) {
    this.first = addDays(dayOf(partner.host.now()), AHEAD);
  }

  async run(): Promise<readonly StepOutcome[]> {
    const { sheets, payments, bookings } = this.partner;
    const offers: Reader = (query) => sheets.offers(query);
    await this.step('opens', () => this.open());
    await this.step('shows facilities', () => this.showFacilities());
    await this.step('shows prices', () => this.showPrices());
    await this.step('books one', async () => payments.pay(await this.sell('single', 1, 0, offers), 'v3'));
    await this.step('books two', async () => payments.pay(await this.sell('multiple', 2, 1, offers)));
    await this.step('books linked rounds', () => this.sellRounds());
    await this.step('books in bulk', async () => payments.pay(await this.sellBulk()));
    // v2 does not know courses.
    const rounds: Reader = async (query) => (query.courseId === undefined ? sheets.rounds(query) : []);
    await this.step('books a round', async () => payments.pay(await this.sell('round', 1, 4, rounds), 'v1'));
    await this.step('searches', () => this.searchAndSell());
    await this.step('lists', () => bookings.upcoming());
    return this.outcomes;
  }

  /** Whatever is no answer of the service is a defect of the client, and ends the day. */
  async step(step: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.outcomes.push({ step });
    } catch (error) {
      if (!(error instanceof ServiceFailure || error instanceof NothingFree)) throw error;
      this.outcomes.push({ step, told: `${error.name}: ${error.message}` });
    }
  }

  async open(): Promise<void> {
    const { catalogue } = this.partner;
    const countries = await catalogue.countries();
    const country = countries.includes(this.country) ? this.country : countries[0];
    if (country === undefined) throw new NothingFree('No facility is connected.');
    this.clubs = (await catalogue.clubs(country)).slice(0, CLUBS);
    const [first] = this.clubs;
    if (first) await catalogue.oldPages(first.id, country);
  }

  /** The pages of the facilities are read at the same time, as their pictures would be. */
  async showFacilities(): Promise<void> {
    await Promise.all(this.clubs.map(({ id }) => this.partner.catalogue.page(id)));
  }

  async showPrices(): Promise<void> {
    const ids = this.clubs.map(({ id }) => id);
    if (ids.length > 0) this.prices = await this.partner.catalogue.prices(ids, this.first, DAYS);
  }

  /** Where to look for a tee time: first where the prices show free slots, then everywhere. */
  queries(holes: readonly Holes[]): Query[] {
    const free = this.prices.filter(({ availability }) => availability?.some(({ available }) => available >= PLAYERS));
    const courses = new Map(
      free.map(({ facilityId, courseId, date }) => [courseId, { facilityId, courseId, day: date }]),
    );
    const days = Array.from({ length: DAYS }, (_, at) => addDays(this.first, at));
    const everywhere = days.flatMap((day) => this.clubs.map(({ id }) => ({ facilityId: id, day })));
    const places = [...[...courses.values()].slice(0, 2), ...everywhere];
    const queries = places.flatMap((place) => holes.map((one) => ({ ...place, players: PLAYERS, holes: one })));
    return queries.slice(0, MOST_SHEETS);
  }

  /** Finds offers in tee sheets that are read now, and makes wishes of a guest of them. */
  finder(reader: Reader, guest: number, choose: Choice, holes: readonly Holes[] = [18, 9]): Finder {
    return async (count, avoid) => {
      const found: Offer[] = [];
      for (const query of this.queries(holes)) {
        const left = count - found.length;
        const unsold = (await reader(query)).filter(({ teeId }) => !avoid.has(teeId) && !this.sold.has(teeId));
        const others = unsold.filter(({ teeId }) => !found.some((one) => one.teeId === teeId));
        found.push(...choose(others, left));
        if (found.length >= count) break;
      }
      return found.map((offer) => this.wishFor(offer, guest));
    };
  }

  wishFor(offer: Offer, guest: number): Wish {
    return { offer, players: PLAYERS, guest: guests[guest]!, comments: 'Trolley, please – merci' };
  }

  async sell(way: Way, count: number, guest: number, reader: Reader, choose: Choice = oneRounds): Promise<Booked> {
    return this.sellBy(way, count, this.finder(reader, guest, choose));
  }

  async sellBy(way: Way, count: number, find: Finder): Promise<Booked> {
    const last: Wish[] = [];
    const booked = await this.partner.bookings.book(way, count, async (wanted, avoid) => {
      const wishes = await find(wanted, avoid);
      last.splice(0, last.length, ...wishes);
      return wishes;
    });
    for (const { offer } of last) this.sold.add(offer.teeId);
    return booked;
  }

  /** Rounds of one product that covers more holes than the course has, paid with the booking. */
  async sellRounds(): Promise<void> {
    const { sheets, host } = this.partner;
    const reader: Reader = (query) => sheets.offers(query);
    const find = this.finder(reader, 2, (offers, count) => linkedRounds(offers).slice(0, count), [9]);
    await this.sellBy('with payment', 2, async (count, avoid) => {
      const linkedTeeTimeRef = host.newId();
      return (await find(count, avoid)).map((wish) => ({ ...wish, linkedTeeTimeRef }));
    });
  }

  /** v3 has no product: what it books is the first green fee of the tee time. */
  async sellBulk(): Promise<Booked> {
    const { sheets } = this.partner;
    const [query] = this.queries([18]);
    if (query) await sheets.cancellationHours(query);
    const first: Choice = (offers, count) =>
      oneRounds(
        offers.filter(({ product }) => product?.isFirst),
        count,
      );
    const ofFacility: Reader = (one) => {
      const { courseId: _, ...rest } = one;
      return sheets.offers(rest);
    };
    return this.sell('bulk', 2, 3, ofFacility, first);
  }

  /** Two customers search at the same time; one of them books what was found. */
  async searchAndSell(): Promise<void> {
    const { search, sheets, payments } = this.partner;
    const facilityIds = this.clubs.map(({ id }) => id);
    if (facilityIds.length === 0) throw new NothingFree('No facility is connected.');
    const wanted = { facilityIds, from: this.first, days: 1, players: PLAYERS, holes: 18 as const };
    const later = { ...wanted, from: addDays(this.first, 1) };
    const [found] = await Promise.all([search.offers(wanted), search.offers(later)]);
    const again = this.finder((query) => sheets.offers(query), 5, oneRounds);
    let fresh: Offer[] | undefined = found.filter(({ teeId }) => !this.sold.has(teeId));
    const booked = await this.sellBy('single', 1, async (count, avoid) => {
      const offers = oneRounds(fresh ?? [], count);
      fresh = undefined;
      return offers.length > 0 ? offers.map((offer) => this.wishFor(offer, 5)) : again(count, avoid);
    });
    await payments.pay(booked);
  }
}

/** Picks so many of the offers of a tee sheet. */
type Choice = (offers: readonly Offer[], count: number) => readonly Offer[];

/** Green fees of one round, each at another tee time. */
export const oneRounds: Choice = (offers, count) => {
  const seen = new Set<number>();
  const each = offers.filter((offer) => isOneRound(offer) && !seen.has(offer.teeId) && seen.add(offer.teeId));
  return each.slice(0, count);
};
