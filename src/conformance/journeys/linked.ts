import type { Day } from '../day.js';
import { Inconclusive } from '../outcome.js';
import type { Session } from '../session.js';
import { countries, facilities, MOST_IDS } from './places.js';
import { NEAREST, type PriceRecord, prices, type TeeTime, teeTimes } from './tee-sheets.js';

/** Tee times of one day and course, and the product of theirs that covers more holes than one of them has. */
export interface LinkedOffer {
  readonly facilityId: number;
  readonly day: Day;
  readonly holes: 9 | 18;
  /** Holes that the product covers, as its name tells. */
  readonly covered: number;
  readonly productId: number;
  /** At least so many that their holes add up to those covered. */
  readonly teeTimes: readonly TeeTime[];
}

const COUNTRIES_SEARCHED = 6;
/** Minutes that a hole takes at most; a round must not begin before the one before it is over. */
const MINUTES_A_HOLE = 16;
/** "18 holes" as the names of products have it, in some languages; a number alone may be an age. */
const HOLES_IN_NAME = /\b(18|27|36)[\s-]*(?:holes?|trous|l[oö]cher|loch|hoyos|buche|buracos|huller|hull|hål|reik)/i;

/** Tee times whose sale must be linked; the only sign of them from outside is the name of the product. */
export function linkedOffer(session: Session): Promise<LinkedOffer> {
  return session.once('linked offer', async (session) => {
    const day = session.day(NEAREST);
    for (const country of (await countries(session, 'v3', true)).slice(0, COUNTRIES_SEARCHED)) {
      const ids = (await facilities(session, 'v3', country, true)).slice(0, MOST_IDS).map(({ id }) => id);
      if (ids.length === 0) continue;
      const { records } = await prices(session, { facilityIds: ids, from: day });
      for (const record of records) {
        const offer = await offerOf(session, record, day);
        if (offer) return offer;
      }
    }
    throw new Inconclusive('no-data', 'a product that spans several linked tee times');
  });
}

async function offerOf(session: Session, record: PriceRecord, day: Day): Promise<LinkedOffer | undefined> {
  const { facilityId, productId, courseName, productName, availability } = record;
  const covered = Number(HOLES_IN_NAME.exec(productName)?.[1] ?? 0);
  if (!Array.isArray(availability) || availability.length < 2) return undefined;
  for (const holes of [9, 18] as const) {
    if (holes >= covered) break;
    if (covered === 18 && (await isSoldWhole(session, record, day))) return undefined;
    const found = await teeTimes(session, 'v4', { facilityId, day, holes });
    const sold = found.filter(
      ({ course, products }) => course === courseName && products.some(({ mid }) => mid === productId),
    );
    if (sold.length >= covered / holes) return { facilityId, day, holes, covered, productId, teeTimes: sold };
  }
  return undefined;
}

/** Whether the course has rounds of 18 holes with the product, so that nothing needs to be linked. */
async function isSoldWhole(session: Session, { facilityId, courseName }: PriceRecord, day: Day): Promise<boolean> {
  const found = await teeTimes(session, 'v4', { facilityId, day, holes: 18 });
  return found.some(({ course }) => course === courseName);
}

/**
 * Tee times of an offer whose holes add up to those covered, each after the round before it; none that was booked.
 *
 * @throws {Inconclusive} `no-data` when the day has no such tee times.
 */
export async function rounds(session: Session, offer: LinkedOffer, players = 1): Promise<readonly TeeTime[]> {
  const { holes, covered, productId } = offer;
  const booked = await bookedRounds(session);
  const free = offer.teeTimes.filter(
    ({ teeid, products }) =>
      !booked.has(teeid) && products.some(({ mid, available }) => mid === productId && available >= players),
  );
  const needed = Math.ceil(covered / holes);
  for (const first of free) {
    const found = [first];
    for (const next of free) {
      const gap = Date.parse(`${next.time}Z`) - Date.parse(`${found.at(-1)!.time}Z`);
      if (found.length < needed && gap >= holes * MINUTES_A_HOLE * 60_000) found.push(next);
    }
    if (found.length === needed) return found;
  }
  throw new Inconclusive('no-data', `${needed} tee times, one after the other, with ${players} free slots each`);
}

/** Ids of the tee times of linked groups that the run has booked. */
export function bookedRounds(session: Session): Promise<Set<number>> {
  return session.once('booked rounds', async () => new Set<number>());
}
