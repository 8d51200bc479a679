import type { Reply } from '../client/exchange.js';
import { Inconclusive, unlessInconclusive } from '../client/outcome.js';
import { bulkBooking, type Creation, productBooking, roundBooking } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { bodyFor, bodyOf, contactAs, contactKnown, formKnown, idsIn } from './bookings.js';
import { freshTeeTime, freshTeeTimeOf, type TakenTeeTime, type TeeTimeNeed } from './material.js';
import { freeIn, type ListedTeeTime, type PriceRecord, teeTimesNow, timesOnSale } from './pool/reads.js';

/** Free slots that may stand for more; a lower number is exact. */
const MANY = 4;
const TEE_TIMES_TRIED = 3;

const isFew = ({ products: [only, ...more] }: ListedTeeTime): boolean =>
  only !== undefined && more.length === 0 && only.available > 0 && only.available < MANY;

/** The free slots of all products of a tee time; undefined if products differ, as they may have slots of their own. */
export function commonSlots(products: readonly { readonly available: unknown }[]): number | undefined {
  const [free, ...others] = new Set(products.map(({ available }) => available));
  return others.length === 0 && typeof free === 'number' ? free : undefined;
}

/** A tee time that shows exactly how many free slots it has: more than one of them, and fewer than {@link MANY}. */
export const exactlyShown: TeeTimeNeed = {
  what: 'a tee time with two or three free slots, the same for all products',
  fits: isExact,
};

function isExact({ products }: ListedTeeTime): boolean {
  const free = commonSlots(products) ?? 0;
  return free > 1 && free < MANY;
}

/** Whether a price list shows a time with few free slots that only one product has. */
function promisesFew(records: readonly PriceRecord[]): boolean {
  const times = records.flatMap((one) =>
    timesOnSale(one).map(({ time, available }) => ({ place: `${one.courseId} ${time}`, available })),
  );
  const places = times.map(({ place }) => place);
  return times.some(({ place, available }) => available < MANY && places.indexOf(place) === places.lastIndexOf(place));
}

const fewSlots: TeeTimeNeed = {
  what: 'a tee time with one product and fewer than four free slots',
  fits: isFew,
  promised: promisesFew,
};

/**
 * A group of two bookings of one tee time that each fit and do not fit together. The free slots are counted
 * just before, and are fewer than four, since four may stand for more.
 */
export const overfullGroup = resource(
  'overfull group',
  async (session): Promise<{ readonly teeTime: ListedTeeTime; readonly reply: Reply }> => {
    await contactKnown(session);
    const place = await asShownNow(session, () => freshTeeTime(session, fewSlots), isFew);
    const { teeTime } = place;
    const players = [teeTime.products[0]!.available, 1];
    const body = players.map((count) => bodyFor(session, productBooking, place, count));
    return { teeTime, reply: await session.send({ operation: productBooking.operation, body, refusable: true }) };
  },
);

/** A tee time as the deployment shows it now, if it still fits: another client may have booked it, or cancelled. */
async function asShownNow(
  session: Session,
  take: () => Promise<TakenTeeTime>,
  fits: (teeTime: ListedTeeTime, before: ListedTeeTime) => boolean,
): Promise<TakenTeeTime> {
  for (let tried = 0; tried < TEE_TIMES_TRIED; tried += 1) {
    const { sheet, teeTime } = await take();
    const shown = (await teeTimesNow(session, sheet)).find(({ teeid }) => teeid === teeTime.teeid);
    if (shown && fits(shown, teeTime)) return { sheet, teeTime: shown };
  }
  throw new Inconclusive('no-data', fewSlots.what);
}

/** Requests that race for the last free slots of a tee time, each for all of them. */
export interface LastSlotsRace {
  readonly teeTime: ListedTeeTime;
  readonly players: number;
  readonly replies: readonly Reply[];
}

/** Whose requests come first in a race: a version that looks before it waits loses only against itself. */
const orders: readonly (readonly Creation[])[] = [
  [productBooking, roundBooking, bulkBooking, productBooking],
  [roundBooking, roundBooking, productBooking, bulkBooking],
  [bulkBooking, bulkBooking, roundBooking, productBooking],
];

/** Races on tee times of their own, as many as there are tee times for. */
export const lastSlotsRaces = resource('races', async (session): Promise<readonly LastSlotsRace[]> => {
  await formKnown(session, bulkBooking);
  const races: LastSlotsRace[] = [];
  for (const order of orders) {
    const next = lastSlotsRace(session, order);
    const race = await (races.length === 0 ? next : next.catch(unlessInconclusive));
    if (!race) break;
    races.push(race);
  }
  return races;
});

async function lastSlotsRace(session: Session, order: readonly Creation[]): Promise<LastSlotsRace> {
  const free: TeeTimeNeed = {
    what: 'another tee time with fewer than four free slots',
    fits: (one) => freeIn(one) > 0 && freeIn(one) < MANY,
    promised: (records) => records.some((one) => timesOnSale(one).some(({ available }) => available < MANY)),
  };
  const take = (): Promise<TakenTeeTime> => freshTeeTimeOf(session, [fewSlots, free, 1]);
  const place = await asShownNow(session, take, (now, before) => freeIn(now) > 0 && freeIn(now) <= freeIn(before));
  const { teeTime } = place;
  const players = freeIn(teeTime);
  // A body without a product could book a slot of another product.
  const racing = teeTime.products.length === 1 ? order : order.map(() => productBooking);
  const sent = await Promise.allSettled(
    racing.map((creation) => {
      const item = bodyFor(session, creation, place, players);
      return session.send({ operation: creation.operation, body: bodyOf(creation, item), refusable: true });
    }),
  );
  const replies = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const lost = sent.find((one) => one.status === 'rejected');
  if (replies.length < 2 && lost) throw lost.reason;
  return { teeTime, players, replies };
}

/** Two bookings that were sent at once, and the tee time that has room for both. */
export interface FittingRace {
  /** As it was shown before them. */
  readonly place: TakenTeeTime;
  /** Those that were accepted, each with a booking of its own. */
  readonly accepted: readonly Reply[];
}

const RACERS = ['First', 'Second'];

/** Two bookings at once, of one player each, of a tee time that shows exactly how many slots it has. */
export async function fittingRace(session: Session): Promise<FittingRace> {
  await formKnown(session, roundBooking);
  const place = await asShownNow(session, () => freshTeeTime(session, exactlyShown), isExact);
  // A body without a product could book a slot of another product.
  const other = place.teeTime.products.length === 1 ? roundBooking : productBooking;
  const sent = await Promise.allSettled(
    [productBooking, other].map((creation, index) => {
      const item = { ...bodyFor(session, creation, place), ...contactAs(session, 'Racer', RACERS[index]!) };
      return session.send({ operation: creation.operation, body: bodyOf(creation, item), refusable: true });
    }),
  );
  const replies = sent.flatMap((one) => (one.status === 'fulfilled' && one.value.ok ? [one.value] : []));
  const byBooking = new Map(replies.map((reply) => [idsIn(reply).join() || reply.id, reply]));
  return { place, accepted: [...byBooking.values()] };
}
