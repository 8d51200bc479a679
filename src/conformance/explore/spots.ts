import { isObject } from '../../common/index.js';
import { unlessInconclusive } from '../client/outcome.js';
import type { Session } from '../client/session.js';
import { freshRounds, type LinkedRounds } from '../journeys/linked-tee-times.js';
import { material, type TakenTeeTime, type TeeTimeNeed } from '../journeys/material.js';
import { freeIn, type ListedTeeSheet, paramsOf, pricesFor, sheetOperation } from '../journeys/pool/reads.js';
import type { SpotKind } from './steps.js';

/** A tee time that a walk uses. */
export interface Spot extends TakenTeeTime {
  /** The product that its linked group is sold by. */
  readonly linkedProduct?: number;
  /** Undefined where the price list does not show it. */
  readonly courseId: number | undefined;
  /** Whether the second channel sees it. */
  readonly isShared: boolean;
}

/**
 * Fresh tee times of some kinds: with as many free slots if there are such, otherwise with more, and on one tee sheet as
 * far as it has enough of them.
 *
 * @throws {Inconclusive} `no-data` if the deployment has no more.
 */
export async function takeSpots(
  session: Session,
  kinds: readonly SpotKind[],
  isBookable: (facilityId: number) => boolean,
): Promise<readonly Spot[]> {
  const taken: (TakenTeeTime & { readonly linkedProduct?: number })[] = [];
  const plain = kinds.filter(({ linked }) => linked === undefined);
  for (const { free } of plain) taken.push(await takeOne(session, free, taken[0]?.sheet, plain.length, isBookable));
  const linked = kinds.length - plain.length;
  if (linked > 0) {
    const { sheet, teeTimes, productId } = await roomiestRounds(session);
    for (const teeTime of teeTimes.slice(0, linked)) taken.push({ sheet, teeTime, linkedProduct: productId });
  }
  const spots: Spot[] = [];
  for (const one of taken) spots.push({ ...one, ...(await surroundings(session, one)) });
  return spots;
}

/** A group of linked tee times, with as many free slots as the deployment has. */
async function roomiestRounds(session: Session): Promise<LinkedRounds> {
  for (const players of [4, 3, 2]) {
    const found = await freshRounds(session, players).catch(unlessInconclusive);
    if (found) return found;
  }
  return freshRounds(session, 1);
}

async function takeOne(
  session: Session,
  free: number,
  sheet: ListedTeeSheet | undefined,
  count: number,
  isBookable: (facilityId: number) => boolean,
): Promise<TakenTeeTime> {
  const pool = await material(session);
  const need = (least: number, most: number, of?: ListedTeeSheet): TeeTimeNeed => ({
    what: `another tee time with enough free slots (${least})`,
    fits(teeTime, on) {
      const slots = freeIn(teeTime);
      if (slots < least || slots > most || !isBookable(on.facilityId)) return false;
      if (of) return on === of;
      return count === 1 || on.teeTimes.filter((one) => freeIn(one) > 0 && !pool.isTaken(on, one)).length >= count;
    },
  });
  for (const [least, most, of] of [
    [free, free, sheet],
    [free, 4, sheet],
    [1, 4, sheet],
  ] as const) {
    if (!of) continue;
    const near = bestOf(pool.sheets, need(least, most, of), pool);
    if (near) {
      pool.reserve(near.sheet, [near.teeTime]);
      return near;
    }
  }
  const exact = await pool.take(session, need(free, free)).catch(unlessInconclusive);
  if (exact) return exact;
  return pool.take(session, { ...need(free, 4), fits: (one, on) => freeIn(one) >= free && isBookable(on.facilityId) });
}

/** A tee time among the sheets that were read, without a search for more. */
function bestOf(
  sheets: readonly ListedTeeSheet[],
  { fits }: TeeTimeNeed,
  pool: { isTaken(of: ListedTeeSheet, teeTime: ListedTeeSheet['teeTimes'][number]): boolean },
): TakenTeeTime | undefined {
  for (const sheet of sheets) {
    const teeTime = sheet.teeTimes.findLast((one) => fits(one, sheet) && !pool.isTaken(sheet, one));
    if (teeTime) return { sheet, teeTime };
  }
  return undefined;
}

/** What else a walk needs to know of a tee time. */
async function surroundings(
  session: Session,
  { sheet, teeTime }: TakenTeeTime,
): Promise<Pick<Spot, 'courseId' | 'isShared'>> {
  const { facilityId, day } = sheet;
  const page = await pricesFor(session, { facilityIds: [facilityId], from: day, to: day }).catch(unlessInconclusive);
  const records = Array.isArray(page?.records) ? page.records : [];
  const courseId = records.find(({ courseName }) => courseName === teeTime.course)?.courseId;
  return { courseId, isShared: session.hasSecond && (await isSeenBySecond(session, { sheet, teeTime })) };
}

/** Whether the second channel is connected to the facility, and sells the tee time too. */
async function isSeenBySecond(session: Session, { sheet, teeTime }: TakenTeeTime): Promise<boolean> {
  const { facilityId, day, holes } = sheet;
  const params = paramsOf({ facilityId, day, holes });
  const reply = await session.read(sheetOperation, params, 'second').catch(unlessInconclusive);
  if (!reply?.ok || !isObject(reply.data) || !Array.isArray(reply.data['teeTimeV3'])) return false;
  return (reply.data['teeTimeV3'] as readonly unknown[]).some((one) => isObject(one) && one['teeid'] === teeTime.teeid);
}
