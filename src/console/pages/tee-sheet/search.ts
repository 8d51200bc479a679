import { type CourseDay, freeAt, type SheetDay, type SheetTime } from './cells.js';

/** What a tee time must have. */
export interface TeeTimeSearch {
  readonly players: number;
  readonly holes: number | undefined;
  /** Words of the name of a product. */
  readonly product: string;
  /** The most that a player pays, in the currency of the facility. */
  readonly price: number | undefined;
}

/** What is looked for, by the query of an address; undefined if any tee time will do. */
export function searchIn(query: URLSearchParams): TeeTimeSearch | undefined {
  const numberOf = (name: string) => Number(query.get(name)) || undefined;
  const product = (query.get('product') ?? '').trim().toLowerCase();
  const [players, holes, price] = [numberOf('players'), numberOf('holes'), numberOf('price')];
  if (product === '' && players === undefined && holes === undefined && price === undefined) return undefined;
  return { players: players ?? 1, holes, product, price };
}

/** What a player pays at a tee time for the cheapest product that is looked for; undefined if it has none. */
function feeFor({ products }: CourseDay, { productIds }: SheetTime, search: TeeTimeSearch): number | undefined {
  const { players, product, price = Number.POSITIVE_INFINITY } = search;
  const fees = products
    .filter(({ productId, name }) => productIds.includes(productId) && name.toLowerCase().includes(product))
    .map(({ prices }) => prices[players - 1]!.price / players)
    .filter((fee) => fee <= price);
  return fees.length === 0 ? undefined : Math.min(...fees);
}

/** What was found on a day of a course. */
export interface FoundTimes {
  readonly teeTimes: readonly SheetTime[];
  /** What a player pays at the first of them. */
  readonly fee: number | undefined;
}

/**
 * The tee times of a course that can be booked now, as they are looked for. `now` is local time there; without a channel
 * that is connected, nobody can book.
 */
export function findTimes(
  course: CourseDay,
  search: TeeTimeSearch,
  now: string,
  channels: readonly string[],
): FoundTimes {
  const { players, holes } = search;
  const teeTimes = channels.length === 0 || course.closed ? [] : course.teeTimes;
  const found = teeTimes.flatMap((teeTime) => {
    if (freeAt(teeTime, now) < players || (holes && teeTime.holes !== holes)) return [];
    const fee = feeFor(course, teeTime, search);
    return fee === undefined ? [] : [{ teeTime, fee }];
  });
  return { teeTimes: found.map(({ teeTime }) => teeTime), fee: found[0]?.fee };
}

/** A sheet among others: what was found on it, if anything was looked for. */
export interface ShownSheet {
  readonly day: SheetDay;
  readonly course: CourseDay;
  readonly found: FoundTimes | undefined;
}
