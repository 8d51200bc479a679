import { type Caller } from '../client/exchange.js';
import { type Facts, grouped, type PriceFact, type PricePage } from './facts.js';

/** A price list from its beginning to its end, and the pages that it consists of. */
export interface PriceListFact extends Pick<PricePage, 'facilityIds' | 'from' | 'to' | 'channel'> {
  readonly pages: readonly PricePage[];
  readonly records: readonly PriceFact[];
}

/** The identity of a price record, without its free slots: these may change between two answers. */
export function keyOf({ facilityId, courseId, date, productId, price }: PriceFact): string {
  return [facilityId, courseId, date, productId, price].map(String).join(' ');
}

/** The pages of each selection: the same channel, facilities and days. A page of at most no records says nothing. */
export function selections({ prices }: Facts): Iterable<readonly PricePage[]> {
  const keyOfPage = ({ channel, facilityIds, from, to }: PricePage): string =>
    [channel satisfies Caller, facilityIds, from, to].join(' ');
  return grouped(
    prices.filter(({ limit }) => limit !== 0),
    keyOfPage,
  ).values();
}

/** Whether `total` counts the selection and not the page: then some page has fewer records than it says. */
export function countsSelection({ prices }: Facts): boolean {
  return prices.some(
    ({ limit, total, records }) => limit !== undefined && typeof total === 'number' && total > records.length,
  );
}

/**
 * The selections of which all records were read: pages without a gap from offset 0 to an empty one, or to the total where
 * that counts the selection. The default offset and limit are open questions ("Limits").
 */
export function* wholeLists(facts: Facts, all: Facts): Iterable<PriceListFact> {
  const isCounted = countsSelection(all);
  for (const selection of selections(facts)) {
    const pages: PricePage[] = [];
    const records: PriceFact[] = [];
    const sorted = selection
      .filter(({ offset }) => offset !== undefined)
      .sort((a, b) => a.offset! - b.offset! || b.records.length - a.records.length);
    let isWhole = false;
    for (const page of sorted) {
      if (page.offset !== records.length || isWhole) continue;
      pages.push(page);
      records.push(...page.records);
      isWhole = page.records.length === 0 || (isCounted && page.total === records.length);
    }
    const [first] = pages;
    if (!isWhole || !first) continue;
    const { facilityIds, from, to, channel } = first;
    yield { facilityIds, from, to, channel, pages, records };
  }
}
