import { addDays, type Day, queryDate, rangesOf } from './dates.js';
import { ServiceFailure } from './failure.js';
import { type Found, Receiver } from './receiver.js';
import { type Holes, type Offer, offersOf, type TeeSheets } from './tee-sheets.js';
import type { Transport } from './transport.js';

/** How long we wait for a result before we ask each facility: the API specification names no time. */
const PATIENCE = 60_000;

interface Wanted {
  readonly facilityIds: readonly number[];
  readonly from: Day;
  readonly days: number;
  readonly players: number;
  readonly holes: Holes;
}

/** Searches several facilities at once (section "Tee times for several facilities"). */
export class Search {
  readonly receiver: Receiver;
  /**
   * Of the two forms of a date that the API specification shows for this request, the one that this deployment reads.
   */
  datesAsIso = false;

  constructor(
    readonly transport: Transport,
    readonly sheets: TeeSheets,
  ) {
    this.receiver = new Receiver(transport.account.receiver);
  }

  /** What is free at all the facilities; one that the result lacks is asked by itself. */
  async offers(wanted: Wanted): Promise<Offer[]> {
    const found = await this.found(wanted);
    const offers = found.flatMap(({ facilityId, teeTimeV3 }) => offersOf(facilityId, teeTimeV3, wanted.players));
    for (const facilityId of this.missingIn(found, wanted)) offers.push(...(await this.oneByOne(wanted, facilityId)));
    return offers;
  }

  missingIn(found: Found, { facilityIds }: Wanted): readonly number[] {
    const seen = new Set(found.map(({ facilityId }) => facilityId));
    return facilityIds.filter((id) => !seen.has(id));
  }

  async oneByOne({ from, days, players, holes }: Wanted, facilityId: number): Promise<Offer[]> {
    const all: Offer[] = [];
    for (let at = 0; at < days; at += 1) {
      all.push(...(await this.sheets.offers({ facilityId, day: addDays(from, at), players, holes })));
    }
    return all;
  }

  /** The results of as many searches as the deployment needs for the days, which run at the same time. */
  async found(wanted: Wanted): Promise<Found> {
    const most = this.transport.agreement.mostSearchDays;
    const atOnce = Math.min(wanted.facilityIds.length, most);
    const parts: Promise<Found>[] = [];
    for (let at = 0; at < wanted.facilityIds.length; at += atOnce) {
      const facilityIds = wanted.facilityIds.slice(at, at + atOnce);
      for (const { from, to } of rangesOf(wanted.from, wanted.days, Math.floor(most / atOnce))) {
        parts.push(this.one({ ...wanted, facilityIds, from }, to));
      }
    }
    return (await Promise.all(parts)).flat();
  }

  /** One search: asks, and waits for the result; empty if none comes. */
  async one(wanted: Wanted, to: Day): Promise<Found> {
    const search = this.transport.host.newId();
    const result = this.receiver.expect(search);
    await this.ask(wanted, to, search);
    const found = await this.within(PATIENCE, result);
    this.receiver.forget(search);
    return found ?? [];
  }

  /** What a promise comes to, or undefined if that takes longer. */
  async within<T>(milliseconds: number, result: Promise<T>): Promise<T | undefined> {
    const controller = new AbortController();
    const slept = this.transport.host.sleep(milliseconds, controller.signal).then(() => undefined);
    try {
      return await Promise.race([result, slept]);
    } finally {
      controller.abort();
    }
  }

  async ask(wanted: Wanted, to: Day, search: string): Promise<void> {
    const asIso = this.datesAsIso;
    try {
      await this.send(wanted, to, search);
    } catch (error) {
      const isRefused = error instanceof ServiceFailure && error.kind === 'refused';
      if (!isRefused || asIso) throw error;
      this.datesAsIso = true;
      await this.send(wanted, to, search);
    }
  }

  async send({ facilityIds, from, players, holes }: Wanted, to: Day, search: string): Promise<void> {
    const query = {
      facilityIds: facilityIds.join(','),
      fromDate: this.dateOf(from),
      toDate: this.dateOf(to),
      players,
      holes,
      callbackUrl: this.receiver.addressOf(search),
    };
    await this.transport.data(this.transport.call.GET('/api/v5/teetimes', { params: { query } }));
  }

  dateOf(day: Day): string {
    return this.datesAsIso ? day : queryDate(day);
  }
}
