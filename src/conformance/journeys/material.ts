import { unlessInconclusive } from '../client/outcome.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { timesOnSale } from './pool/open-days.js';
import { freeIn, type ListedTeeTime } from './pool/reads.js';
import type { TakenTeeTime, TeeTimeNeed } from './pool/need.js';
import { TeeTimePool } from './pool/tee-time-pool.js';

export type { TeeTimeNeed, TakenTeeTime };

/** An id that no facility, course, tee time, product or booking has, close to the largest possible one. */
export const UNKNOWN_ID = 2_147_483_646;

/** Slots that a probe needs: with a second player, one body can have all optional fields. */
export const PROBE_PLAYERS = 2;

/** The pool of the run, and the tee time that all probes share. */
class Material extends TeeTimePool {
  /** It stays free as long as the deployment refuses the probes, as it should. */
  forProbes: TakenTeeTime | undefined;
}

/** The material of the run. */
export const material = resource('material', async () => new Material());

/** A tee time with free slots for some players. */
export function roomFor(players: number): TeeTimeNeed {
  return {
    what: `another tee time with enough free slots (${players})`,
    fits: (teeTime) => freeIn(teeTime) >= players,
    promised: (records) => records.some((one) => timesOnSale(one).some(({ available }) => available >= players)),
  };
}

/** A tee time with free slots for some players, and with extra products. */
export function roomAndExtras(players: number): TeeTimeNeed {
  const { fits, promised } = roomFor(players);
  return {
    what: `another tee time with extra products and enough free slots (${players})`,
    fits: (teeTime, sheet) => hasExtras(teeTime) && fits(teeTime, sheet),
    promised: promised!,
    trait: hasExtras,
  };
}

/** Whether a tee time offers extra products. */
export function hasExtras({ extraProducts }: ListedTeeTime): boolean {
  return Array.isArray(extraProducts) && extraProducts.length > 0;
}

/**
 * A tee time that no other journey uses, with free slots for some players, or with what is needed.
 *
 * @throws {Inconclusive} `no-data` if the deployment has none.
 */
export async function freshTeeTime(session: Session, need: number | TeeTimeNeed = 1): Promise<TakenTeeTime> {
  return (await material(session)).take(session, typeof need === 'number' ? roomFor(need) : need);
}

/**
 * Two tee times of one tee sheet with free slots for some players, the later one first. If no sheet has two, they are
 * of one facility, or of any.
 */
export async function twoTeeTimes(session: Session, players = 1): Promise<readonly [TakenTeeTime, TakenTeeTime]> {
  const pool = await material(session);
  const { what, fits, promised } = roomFor(players);
  const roomy: TeeTimeNeed['fits'] = (teeTime, sheet) => fits(teeTime, sheet) && !pool.isTaken(sheet, teeTime);
  const ofTwo: TeeTimeNeed = {
    what,
    fits: (teeTime, sheet) => fits(teeTime, sheet) && sheet.teeTimes.filter((one) => roomy(one, sheet)).length > 1,
    promised: (records) =>
      records.some((one) => timesOnSale(one).filter((time) => time.available >= players).length > 1),
  };
  const one = await freshTeeTimeOf(session, [ofTwo, players]);
  const { facilityId, day } = one.sheet;
  const near = (wide: boolean): TeeTimeNeed => ({
    what,
    fits: (teeTime, sheet) =>
      fits(teeTime, sheet) && sheet.facilityId === facilityId && (wide || sheet.day.iso === day.iso),
    promised: (records) =>
      promised!(records) && records.some((own) => own.facilityId === facilityId && (wide || own.date === day.iso)),
  });
  const other = await freshTeeTimeOf(session, [near(false), near(true), players]);
  return one.teeTime.time < other.teeTime.time ? [other, one] : [one, other];
}

/** The first need that the deployment meets. */
export async function freshTeeTimeOf(
  session: Session,
  needs: readonly (number | TeeTimeNeed)[],
): Promise<TakenTeeTime> {
  for (const need of needs.slice(0, -1)) {
    const found = await freshTeeTime(session, need).catch(unlessInconclusive);
    if (found) return found;
  }
  return freshTeeTime(session, needs.at(-1));
}

const forProbes = [roomAndExtras(PROBE_PLAYERS), PROBE_PLAYERS, roomAndExtras(1), 1];

/** The tee time of all probes, until a probe is accepted. */
export async function probeTarget(session: Session): Promise<TakenTeeTime> {
  const shared = await material(session);
  return (shared.forProbes ??= await freshTeeTimeOf(session, forProbes));
}

/** Tee times that are left to the rules that need one. */
const SPARE_TEE_TIMES = 12;

/** Gives the next probes another tee time, so that the last one can be booked; false if few are left. */
export async function nextProbeTarget(session: Session): Promise<boolean> {
  const shared = await material(session);
  if (shared.left < SPARE_TEE_TIMES) return false;
  const next = await freshTeeTimeOf(session, forProbes).catch(unlessInconclusive);
  if (next) shared.forProbes = next;
  return next !== undefined;
}

/** A probe was accepted: the next one gets another tee time, so that it is not refused for lack of free slots. */
export async function probeTargetSpent(session: Session): Promise<void> {
  (await material(session)).forProbes = undefined;
}
