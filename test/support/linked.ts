import type { Client, Reply } from './client.js';
import { bookingFor, teeTimesOf, type TeeTime } from './scenes.js';

/** Two references of linked tee times. */
export const REF = '3f1d2c4b-5a69-4788-9706-15243342516f';
export const OTHER_REF = '9c1e7d50-2b3a-4f6c-8d7e-0a1b2c3d4e5f';

/** A green fee that needs linked tee times, as the world knows it. */
export interface LinkedProduct {
  readonly facilityId: number;
  readonly mid: number;
  /** Holes that the product covers and holes of one tee time. */
  readonly holes: number;
  readonly round: number;
}

/** Every green fee for more holes than one tee time has, at the facilities of a channel. */
export function linkedProducts({ sandbox, channel }: Client): LinkedProduct[] {
  const open = sandbox.db.facilities.findMany().filter(({ channels }) => channels.includes(channel));
  return open.flatMap(({ id, courses }) =>
    courses
      .flatMap(({ products }) => products)
      .filter(({ holes, teeTimeHoles }) => holes > teeTimeHoles)
      .map(({ mid, holes, teeTimeHoles }) => ({ facilityId: id, mid, holes, round: teeTimeHoles })),
  );
}

/** 18 holes over tee times of 9, at a facility that `fairway` and `links` share. */
export const TWICE_ROUND: LinkedProduct = { facilityId: 1010, mid: 101033, holes: 18, round: 9 };

/** Tee times of one open day in the next weeks that sell the product to so many players. */
export async function roundsOf(client: Client, product: LinkedProduct, players = 2): Promise<TeeTime[]> {
  const { facilityId, round, mid } = product;
  for (let days = 9; days < 23; days += 1) {
    const teeTimes = await teeTimesOf(client, { facilityId, days, players, holes: round });
    const rounds = teeTimes.filter(({ products }) => products.some((one) => one.mid === mid));
    if (rounds.length >= 4) return rounds;
  }
  throw new Error(`No day sells product ${mid} four times. Please look for another product.`);
}

/** A booking of one round of the product, with the reference and for two players. */
export function roundFor(
  { facilityId, mid }: LinkedProduct,
  teeTime: TeeTime,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return bookingFor(teeTime, { facilityId, productId: mid, players: 2, linkedTeeTimeRef: REF, ...changes });
}

/** Sends rounds as a list or as details. */
export function postRounds(client: Client, rounds: readonly unknown[], shape: 'list' | 'details'): Promise<Reply> {
  return client.post('/api/v5/bookings', shape === 'list' ? rounds : { details: rounds, paymentIntent: 'pi_1' });
}
