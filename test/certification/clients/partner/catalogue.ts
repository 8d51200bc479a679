import type { components } from '../../../../src/contract/generated/types.js';
import { type Day, queryDate, rangesOf } from './dates.js';
import type { Transport } from './transport.js';

export type PriceRecord = components['schemas']['PriceRecord'];

/** v3 has two objects (section "Facility (v3 by-id form)"). */
type FacilityWithTerms = [components['schemas']['FacilityRecord'], components['schemas']['FacilityTerms']];

/** A facility, as we show it. */
export interface Club {
  readonly id: number;
  readonly name: string;
  readonly place: string;
}

/** The API specification gives no limit of a page; the operator of this deployment would name another. */
const FACILITIES_PER_REQUEST = 5;
const MOST_PAGES = 200;

/** What there is: countries, facilities and prices. */
export class Catalogue {
  constructor(readonly transport: Transport) {}

  /** The countries in which we can sell. */
  async countries(): Promise<string[]> {
    const { call } = this.transport;
    const params = { query: { connected: true } };
    return (await this.transport.data(call.GET('/api/v3/countries', { params }))) ?? [];
  }

  async clubs(country: string): Promise<Club[]> {
    const { call } = this.transport;
    const params = { query: { country, connected: true } };
    const listed = (await this.transport.data(call.GET('/api/v3/facilities', { params }))) ?? [];
    return listed.map(({ id, name, address }) => ({ id, name, place: address?.place ?? '' }));
  }

  /** The page of a facility in our shop: what it is, where, and how it is paid. */
  async page(facilityId: number): Promise<string[]> {
    const { call } = this.transport;
    const params = { path: { facilityId } };
    const [record, details] = await Promise.all([
      this.transport.data(call.GET('/api/v3/facilities/{facilityId}', { params })),
      this.transport.data(call.GET('/api/v3/facilities/details/{facilityId}', { params })),
    ]);
    const [facility, terms] = (record ?? []) as unknown as Partial<FacilityWithTerms>;
    const services = Object.entries(details?.services ?? {}).flatMap(([name, has]) => (has === true ? [name] : []));
    const pictures = (details?.images ?? []).map((url) => `picture ${url}`);
    const lines = [facility?.name, facility?.timeZone, details?.description, terms?.paymentRule?.description];
    const texts = lines.flatMap((line) => (typeof line === 'string' ? [line.trim()] : []));
    return [...texts, ...services, ...pictures];
  }

  /** The same facility for the parts of our shop that still read the old forms. */
  async oldPages(facilityId: number, country: string): Promise<string[]> {
    const { call } = this.transport;
    const data: Transport['data'] = (asked) => this.transport.data(asked);
    const path = { facilityId };
    const query = { country, connected: true };
    await data(call.GET('/api/v2/countries', { params: { query: { connected: true } } }));
    const listed = [
      await data(call.GET('/api/v2/facilities', { params: { query } })),
      await data(call.GET('/api/v1/facilities', { params: { query } })),
    ];
    const answers = await Promise.all([
      data(call.GET('/api/v2/facilities/{facilityId}', { params: { path } })),
      data(call.GET('/api/v1/facilities/{facilityId}', { params: { path } })),
      data(call.GET('/api/v2/facilities/details/{facilityId}', { params: { path } })),
    ]);
    const all = [...listed, ...answers].flatMap((answer) => answer ?? []);
    return all.flatMap((one) => (one?.name ? [one.name.trim()] : []));
  }

  /** The prices of facilities from a day on; several requests where there are more than one may ask for. */
  async prices(facilityIds: readonly number[], from: Day, days: number): Promise<PriceRecord[]> {
    const found: PriceRecord[] = [];
    for (let at = 0; at < facilityIds.length; at += this.perRequest()) {
      const ids = facilityIds.slice(at, at + this.perRequest());
      for (const range of rangesOf(from, days, this.transport.agreement.mostPriceDays)) {
        found.push(...(await this.pagesOf(ids, range.from, range.to)));
      }
    }
    return found;
  }

  perRequest(): number {
    return FACILITIES_PER_REQUEST;
  }

  /**
   * All pages. The last one is empty: neither the largest page nor what `total` counts is shown, so nothing else tells
   * for certain that it was the last.
   */
  async pagesOf(ids: readonly number[], from: Day, to: Day): Promise<PriceRecord[]> {
    const found: PriceRecord[] = [];
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const records = await this.pageOf(ids, from, to, found.length);
      if (records.length === 0) return found;
      found.push(...records);
    }
    throw new Error(`The prices did not end after ${MOST_PAGES} pages.`);
  }

  async pageOf(ids: readonly number[], from: Day, to: Day, offset: number): Promise<PriceRecord[]> {
    const dates = { fromDate: queryDate(from), toDate: queryDate(to) };
    const query = { facilityIds: ids.join(','), ...dates, offset, limit: this.transport.agreement.pageSize };
    const page = await this.transport.data(
      this.transport.call.GET('/api/v5/price/insideDateRange', { params: { query } }),
    );
    return page?.records ?? [];
  }
}
