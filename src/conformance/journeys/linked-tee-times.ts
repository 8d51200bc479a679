import type { Day } from '../client/day.js';
import { Inconclusive } from '../client/outcome.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { material, type OpenDay } from './material.js';
import { coveredBy, type ListedTeeSheet, type ListedTeeTime, type PriceRecord, timesOnSale } from './pool/reads.js';

/** Tee times of one course, and a product that covers more holes than one of them has. */
export interface LinkedOffer {
  readonly facilityId: number;
  readonly day: Day;
  readonly holes: 9 | 18;
  /** Holes that the product covers, according to its name. */
  readonly covered: number;
  readonly productId: number;
  /** Tee times that add up to the covered holes several times over, of one day or of several. */
  readonly teeTimes: readonly ListedTeeTime[];
}

/** The maximum number of minutes per hole; a round must not begin before the previous one is over. */
const MINUTES_A_HOLE = 16;
/** Weeks that are searched for such a product. */
const ROUNDS = 3;
/** Days of a product that are read to know whether it is sold like that, and days to find enough tee times. */
const DAYS_OF_PRODUCT = 2;
const DAYS_OF_OFFER = 20;
/** Groups that the rules need at the same time: one that is booked, and one for probes. */
const GROUPS = 2;

/** Tee times that must be sold as a linked group. Only the name of the product shows it. They are kept for this. */
export const linkedOffer = resource('linked offer', async (session): Promise<LinkedOffer> => {
  const pool = await material(session);
  const offers = new Map<string, LinkedOffer>();
  const seen = new Set<string>();
  const read = new Map<string, number>();
  const collect = async (day: OpenDay): Promise<LinkedOffer | undefined> => {
    for (const record of day.records) {
      const key = `${day.facility.id} ${record.courseName} ${record.productId}`;
      const count = read.get(key) ?? 0;
      if (coveredBy(record) === 0 || !sells(record) || seen.has(`${key} ${day.day.iso}`)) continue;
      const isOffered = [9, 18].some((holes) => offers.has(`${key} ${holes}`));
      if (count >= (isOffered ? DAYS_OF_OFFER : DAYS_OF_PRODUCT)) continue;
      seen.add(`${key} ${day.day.iso}`);
      read.set(key, count + 1);
      for (const more of offersOf(await pool.sheetsOf(session, day), record)) {
        const known = offers.get(`${key} ${more.holes}`);
        const free = more.teeTimes.filter((teeTime) => !pool.isTaken(more, teeTime));
        if (more.teeTimes.length === 0) continue;
        const offer = { ...more, teeTimes: [...(known?.teeTimes ?? []), ...free] };
        if (isEnough(offer)) return offer;
        offers.set(`${key} ${more.holes}`, offer);
      }
    }
    return undefined;
  };
  const enough =
    (await pool.days.find(session, collect, 1)) ??
    // A facility that sells such a product shows it in any week; more weeks have more tee times.
    (offers.size > 0 ? await pool.days.find(session, collect, ROUNDS) : undefined);
  const all = enough ? [enough] : [...offers.values()];
  const [best] = all.map((offer) => ({ ...offer, teeTimes: bestGroups(offer).flat() })).sort(mostTeeTimes);
  if (!best || best.teeTimes.length === 0) {
    throw new Inconclusive('no-data', `a product that spans several linked tee times (${pool.searched})`);
  }
  pool.reserve(best, best.teeTimes);
  return best;
});

/** A tee time with a product that covers more holes than it has. */
export async function spanningTeeTime(session: Session): Promise<ListedTeeTime> {
  const { teeTime } = await (
    await material(session)
  ).find(session, {
    what: 'a product that spans several linked tee times',
    fits: ({ holes, products }) => products.some(({ name }) => coveredBy({ productName: name }) > holes),
    promised: (records) => records.some((record) => coveredBy(record) > 9),
    trait: ({ holes, products }) => products.some(({ name }) => coveredBy({ productName: name }) > holes),
  });
  return teeTime;
}

const mostTeeTimes = (one: LinkedOffer, other: LinkedOffer): number => other.teeTimes.length - one.teeTimes.length;

/** Whether each tee time of a group has a second free slot, and sells another product too. */
const isRoomy =
  (offer: LinkedOffer) =>
  (group: readonly ListedTeeTime[]): boolean =>
    group.every(({ products }) => products.length > 1 && freeOf(offer, products) > 1);

/** Whether there are enough groups for all rules. */
function isEnough(offer: LinkedOffer): boolean {
  return groupsIn(offer).filter(isRoomy(offer)).length >= GROUPS;
}

/** The groups that the rules use, and no more: other rules may need the rest. */
function bestGroups(offer: LinkedOffer): readonly (readonly ListedTeeTime[])[] {
  const groups = groupsIn(offer);
  const roomy = groups.filter(isRoomy(offer));
  return [...roomy, ...groups.filter((group) => !roomy.includes(group))].slice(0, GROUPS);
}

/** The tee times of a day that sell a product as linked ones, by the holes that each has. */
function offersOf(sheets: readonly ListedTeeSheet[], record: PriceRecord): readonly LinkedOffer[] {
  const [covered, { courseName, productId }] = [coveredBy(record), record];
  const ofCourse = sheets.map((sheet) => ({
    ...sheet,
    teeTimes: sheet.teeTimes.filter(({ course }) => course === courseName),
  }));
  // If the course sells rounds of 18 holes, no linked group is needed for 18 holes.
  if (covered === 18 && ofCourse.some(({ holes, teeTimes }) => holes === 18 && teeTimes.length > 0)) return [];
  return ofCourse
    .filter(({ holes }) => holes < covered)
    .map(({ facilityId, day, holes, teeTimes }) => {
      const sold = teeTimes.filter(({ products }) => products.some(({ mid }) => mid === productId));
      return { facilityId, day, holes, covered, productId, teeTimes: sold };
    });
}

/** Whether the price list offers a product at several times. */
function sells(record: PriceRecord): boolean {
  return timesOnSale(record).length > 1;
}

function freeOf({ productId }: LinkedOffer, products: ListedTeeTime['products']): number {
  return products.find(({ mid }) => mid === productId)?.available ?? 0;
}

/** Groups of tee times, none of them in two groups, each for consecutive rounds of one day. */
function groupsIn(offer: LinkedOffer, players = 1): readonly (readonly ListedTeeTime[])[] {
  const { holes, covered } = offer;
  const needed = Math.ceil(covered / holes);
  const used = new Set<ListedTeeTime>();
  const groups: ListedTeeTime[][] = [];
  const free = offer.teeTimes.filter(({ products }) => freeOf(offer, products) >= players);
  for (const first of free) {
    const group = used.has(first) ? [] : [first];
    for (const next of group.length === 0 ? [] : free) {
      const gap = Date.parse(`${next.time}Z`) - Date.parse(`${group.at(-1)!.time}Z`);
      const isNext = next.time.slice(0, 10) === first.time.slice(0, 10) && gap >= holes * MINUTES_A_HOLE * 60_000;
      if (group.length < needed && isNext && !used.has(next)) group.push(next);
    }
    if (group.length < needed) continue;
    for (const one of group) used.add(one);
    groups.push(group);
  }
  return groups;
}

/**
 * Tee times of an offer whose holes add up to the covered holes, each after the end of the round before it and not yet
 * booked by the run.
 *
 * @throws {Inconclusive} `no-data` if the offer has no such tee times left.
 */
export async function linkedRounds(
  session: Session,
  offer: LinkedOffer,
  players = 1,
): Promise<readonly ListedTeeTime[]> {
  const shared = await material(session);
  const left = { ...offer, teeTimes: offer.teeTimes.filter((teeTime) => !shared.isBooked(teeTime)) };
  const [group] = groupsIn(left, players);
  if (group) return group;
  const needed = Math.ceil(offer.covered / offer.holes);
  throw new Inconclusive(
    'no-data',
    `${needed} tee times for consecutive rounds, with enough free slots (${players}) each`,
  );
}

/** A group of linked tee times that no other journey uses, on one day. */
export interface LinkedRounds {
  readonly sheet: ListedTeeSheet;
  readonly productId: number;
  readonly teeTimes: readonly ListedTeeTime[];
}

/**
 * A further group of linked tee times at the facility that sells them, for as many players.
 *
 * @throws {Inconclusive} `no-data` if the deployment has none.
 */
export async function freshRounds(session: Session, players: number): Promise<LinkedRounds> {
  const { facilityId, productId } = await linkedOffer(session);
  const pool = await material(session);
  const collect = async (day: OpenDay): Promise<LinkedRounds | undefined> => {
    const records = day.records.filter((record) => record.productId === productId && sells(record));
    if (day.facility.id !== facilityId || records.length === 0) return undefined;
    for (const offer of offersOf(await pool.sheetsOf(session, day), records[0]!)) {
      const free = offer.teeTimes.filter((teeTime) => !pool.isTaken(offer, teeTime));
      const [teeTimes] = groupsIn({ ...offer, teeTimes: free }, players);
      if (!teeTimes) continue;
      pool.reserve(offer, teeTimes);
      return { sheet: { facilityId, day: day.day, holes: offer.holes, teeTimes: offer.teeTimes }, productId, teeTimes };
    }
    return undefined;
  };
  const found = await pool.days.find(session, collect, ROUNDS);
  if (!found) throw new Inconclusive('no-data', 'another group of linked tee times');
  return found;
}
