/** What is asked of a deployment to know it, in the order in which one answer leads to the next question. */
import { isObject } from '../../common/index.js';
import { type Day, dayAfter, dayAt, dayOf, offsetHours } from '../client/day.js';
import { newestWith, operationIn } from '../client/operations.js';
import { MOST_IDS } from '../journeys/connected-facilities.js';
import { paramsOf, priceParamsOf, recordsIn } from '../journeys/pool/reads.js';
import type { Answered, Crawler, Question, Unanswered } from './crawler.js';
import { DeploymentFacts, type FacilityFacts } from './facts.js';

/** What is read. */
export interface Extent {
  /** Default: every connected facility. */
  readonly facilities?: readonly number[];
  /** `yyyy-mm-dd`; default: today at each facility. */
  readonly from?: string;
  /** `yyyy-mm-dd`; default: 27 days after the first. */
  readonly to?: string;
  /** Whether prices are for each player; default: for all of a step. */
  readonly isOfEach?: boolean;
}

/** How far a crawl has come. */
export interface CrawlProgress {
  readonly done: number;
  /** Questions that are known to come; more may follow. */
  readonly planned: number;
}

export interface CrawlEvents {
  onAnswer(answer: Answered | Unanswered): void;
  onProgress?(progress: CrawlProgress): void;
  /** Called when it is known how many facilities there are, and how many requests are about to come. */
  onPlan?(plan: { readonly facilities: number; readonly days: number; readonly requests: number }): void;
}

/** Days of a crawl by default: four weeks. */
const DAYS = 28;
/** Days of one price request. Some deployments refuse long ranges. */
const PRICE_DAYS = 28;
/** Pages of one price list at most. */
const MOST_PAGES = 400;
/** Facilities that are read in the older versions as well. */
const SAMPLES = 5;
const HOLES = [18, 9] as const;
const HOUR_MS = 3_600_000;

/** The days of a facility that are read, with its own first one. */
function daysOf(facility: FacilityFacts, { from, to }: Extent, now: number): readonly Day[] {
  const zone = facility.record?.timeZone;
  const local = now + (zone === undefined ? 0 : offsetHours(zone, now) * HOUR_MS);
  const first = (from === undefined ? undefined : dayOf(from)) ?? dayAt(local);
  const last = (to === undefined ? undefined : dayOf(to)) ?? dayAfter(first, DAYS - 1);
  const days: Day[] = [];
  for (let day = first; day.iso <= last.iso; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** Reads a deployment into facts. What ends it early is thrown, and the facts have what was read until then. */
export class Crawl {
  readonly facts: DeploymentFacts;
  /** The time at which the days are chosen: they stay the same when midnight passes. */
  #now: number | undefined;
  #done = 0;
  #planned = 0;

  constructor(
    readonly crawler: Crawler,
    readonly extent: Extent,
    readonly events: CrawlEvents,
  ) {
    this.facts = new DeploymentFacts(extent.isOfEach);
  }

  /** @throws {NotAllowed} see {@link Crawler.ask}. */
  async read(): Promise<DeploymentFacts> {
    await this.#readLists();
    await this.#readRecords([...this.connected(), ...this.others()]);
    for (const one of this.connected()) if (!this.#exists(one)) this.facts.facilities.delete(one.id);
    const wanted = this.connected();
    await this.#readOlderForms(wanted);
    this.#announce(wanted);
    await this.#readPrices(wanted);
    await this.#readSheets(wanted);
    return this.facts;
  }

  /** Whether a facility that was named was found, as far as an operation could find it. */
  #exists({ item, record, details }: FacilityFacts): boolean {
    const names = ['findFacility', 'facilityDetails'] as const;
    return (
      (item ?? record ?? details) !== undefined || names.every((name) => this.#scope.versionsOf(name).length === 0)
    );
  }

  /** The facilities whose tee sheets are read. */
  connected(): readonly FacilityFacts[] {
    const { facilities } = this.extent;
    const all = [...this.facts.facilities.values()].sort((a, b) => a.id - b.id);
    return facilities ? all.filter(({ id }) => facilities.includes(id)) : all.filter(({ isConnected }) => isConnected);
  }

  /** Facilities that are in lists and not connected. Nobody can see their tee sheets. */
  others(): readonly FacilityFacts[] {
    if (this.extent.facilities) return [];
    return [...this.facts.facilities.values()].filter(({ isConnected }) => !isConnected).sort((a, b) => a.id - b.id);
  }

  /** The days that were read of a facility. */
  days(facility: FacilityFacts): readonly Day[] {
    return daysOf(facility, this.extent, (this.#now ??= this.crawler.now));
  }

  get #scope() {
    return this.crawler.run.transport.scope;
  }

  async #askAll(questions: readonly Question[], also: (answer: Answered) => void = () => {}): Promise<void> {
    this.#planned += questions.length;
    await this.crawler.askAll(questions, (answer) => {
      this.#done += 1;
      if (!('why' in answer)) {
        this.facts.take(answer);
        also(answer);
      }
      this.events.onAnswer(answer);
      this.events.onProgress?.({ done: this.#done, planned: this.#planned });
    });
  }

  async #readLists(): Promise<void> {
    const [countries] = this.#scope.versionsOf('listCountries');
    const [lists] = this.#scope.versionsOf('listFacilities');
    for (const id of this.extent.facilities ?? []) this.facts.facility(id);
    if (countries === undefined || lists === undefined) return;
    const all = { operation: operationIn('listCountries', countries), params: {} };
    await this.#askAll([all, { ...all, params: { connected: true } }]);
    const listed = (country: string, connected: boolean): Question => ({
      operation: operationIn('listFacilities', lists),
      params: { country, connected },
    });
    const { connectedCountries } = this.facts;
    const named = [...this.facts.countries];
    const connected = named.filter((country) => connectedCountries.has(country));
    await this.#askAll([
      ...connected.map((country) => listed(country, true)),
      ...named.map((country) => listed(country, false)),
    ]);
    const { facilities } = this.extent;
    if (!facilities) return;
    // Only what was asked for: the others are in lists that were needed to find it.
    for (const id of this.facts.facilities.keys()) if (!facilities.includes(id)) this.facts.facilities.delete(id);
  }

  async #readRecords(facilities: readonly FacilityFacts[]): Promise<void> {
    const [record] = this.#scope.versionsOf('findFacility');
    const [details] = this.#scope.versionsOf('facilityDetails');
    const questions = facilities.flatMap(({ id: facilityId }): Question[] => [
      ...(record === undefined ? [] : [{ operation: operationIn('findFacility', record), params: { facilityId } }]),
      ...(details === undefined
        ? []
        : [{ operation: operationIn('facilityDetails', details), params: { facilityId } }]),
    ]);
    await this.#askAll(questions);
  }

  /** Some facilities in the older versions, whose forms may have or lack a member. */
  async #readOlderForms(facilities: readonly FacilityFacts[]): Promise<void> {
    const some = facilities.slice(0, SAMPLES);
    const older = <T>([, ...versions]: readonly T[]): readonly T[] => versions;
    const countries = [...new Set(some.flatMap(({ country }) => country ?? []))];
    await this.#askAll([
      ...older(this.#scope.versionsOf('findFacility')).flatMap((version) =>
        some.map(({ id }) => ({ operation: operationIn('findFacility', version), params: { facilityId: id } })),
      ),
      ...older(this.#scope.versionsOf('facilityDetails')).flatMap((version) =>
        some.map(({ id }) => ({ operation: operationIn('facilityDetails', version), params: { facilityId: id } })),
      ),
      ...older(this.#scope.versionsOf('listFacilities')).flatMap((version) =>
        countries.map((country) => ({
          operation: operationIn('listFacilities', version),
          params: { country, connected: true },
        })),
      ),
    ]);
  }

  #announce(facilities: readonly FacilityFacts[]): void {
    const days = facilities.map((one) => this.days(one).length);
    const most = Math.max(0, ...days);
    const prices = Math.ceil(facilities.length / MOST_IDS) * Math.ceil(most / PRICE_DAYS);
    const sheets = days.reduce((sum, one) => sum + one, 0) * HOLES.length;
    this.events.onPlan?.({ facilities: facilities.length, days: most, requests: this.#done + prices + sheets });
  }

  async #readPrices(facilities: readonly FacilityFacts[]): Promise<void> {
    if (!this.#scope.has(operationIn('listPrices'))) return;
    const requests: { facilityIds: number[]; from: Day; to: Day }[] = [];
    for (const group of groupsOf(facilities, (one) => this.days(one)[0]?.iso ?? '')) {
      const days = this.days(group[0]!);
      for (let at = 0; at < days.length; at += PRICE_DAYS) {
        const to = days[Math.min(at + PRICE_DAYS, days.length) - 1]!;
        // Backwards, since the order shows whether the list follows the request.
        requests.push({ facilityIds: group.map(({ id }) => id).reverse(), from: days[at]!, to });
      }
    }
    for (const request of requests) await this.#readPriceList(request);
  }

  /** All pages of a price list. The size of a page, and what its total counts, are open questions. */
  async #readPriceList(request: { facilityIds: readonly number[]; from: Day; to: Day }): Promise<void> {
    let seen = 0;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      let count = 0;
      let total = 0;
      const params = priceParamsOf({ ...request, ...(page === 0 ? {} : { offset: seen }) });
      await this.#askAll([{ operation: operationIn('listPrices'), params }], ({ data }) => {
        count = recordsIn(data).length;
        total = isObject(data) && typeof data['total'] === 'number' ? data['total'] : 0;
      });
      seen += count;
      // Where the total counts the page, only an empty page is the end.
      if (count === 0 || (total > count && seen >= total) || (page > 0 && total <= count && seen < total)) return;
      if (page === 0 && total === count && !(await this.#hasMore(request, seen))) return;
    }
  }

  /** Whether there are records after those of a first page whose total is its own length. */
  async #hasMore(request: { facilityIds: readonly number[]; from: Day; to: Day }, offset: number): Promise<boolean> {
    let isMore = false;
    const params = priceParamsOf({ ...request, offset, limit: 1 });
    await this.#askAll([{ operation: operationIn('listPrices'), params }], ({ data }) => {
      isMore = recordsIn(data).length > 0;
    });
    return isMore;
  }

  async #readSheets(facilities: readonly FacilityFacts[]): Promise<void> {
    await this.#askAll(facilities.flatMap((facility) => this.#sheetsOf(facility)));
  }

  /** The tee sheets of a facility: in the newest version that lists all its courses, with products if there is one. */
  #sheetsOf(facility: FacilityFacts): readonly Question[] {
    const { id: facilityId } = facility;
    const { facilitySheet, courseSheet, plainSheet, roundSheet } = newestWith;
    const versions = [facilitySheet, courseSheet, plainSheet, roundSheet];
    const version = versions.find((one) => this.#scope.has(operationIn('listTeeTimes', one)));
    if (version === undefined) return [];
    const operation = operationIn('listTeeTimes', version);
    const known = [...facility.courses.values()].map(({ id }) => id).filter((id) => id !== undefined);
    const courses = version === courseSheet ? known : [undefined];
    return this.days(facility).flatMap((day) =>
      HOLES.flatMap((holes) =>
        courses.map((courseId) => ({
          operation,
          params: paramsOf({ facilityId, day, holes, ...(courseId === undefined ? {} : { courseId }) }),
        })),
      ),
    );
  }
}

/** Facilities in groups for one price request each, of those that are alike in something. */
function groupsOf(
  facilities: readonly FacilityFacts[],
  alike: (one: FacilityFacts) => string,
): readonly (readonly FacilityFacts[])[] {
  const kinds = new Map<string, FacilityFacts[]>();
  for (const one of facilities) kinds.set(alike(one), [...(kinds.get(alike(one)) ?? []), one]);
  return [...kinds.values()].flatMap((list) =>
    Array.from({ length: Math.ceil(list.length / MOST_IDS) }, (_, at) =>
      list.slice(at * MOST_IDS, (at + 1) * MOST_IDS),
    ),
  );
}
