import type { components } from '../../../../src/contract/generated/types.js';
import { type Day, queryDate } from './dates.js';
import type { Transport } from './transport.js';

type TeeTimeV3 = components['schemas']['TeeTimeV3'];
export type Holes = 9 | 18;

/** A tee time that can be booked, in one form for all versions. */
export interface Offer {
  readonly facilityId: number;
  readonly teeId: number;
  /** ISO 8601, without zone. */
  readonly time: string;
  readonly course: string;
  readonly holes: Holes;
  readonly available: number;
  /** Not in v2. */
  readonly product?: { readonly id: number; readonly name: string; readonly isFirst: boolean };
  /** What the facility gets for all players; not in v2. */
  readonly netRate?: number;
}

/** What a customer looks for. */
export interface Query {
  readonly facilityId: number;
  readonly courseId?: number;
  readonly day: Day;
  readonly players: number;
  readonly holes: Holes;
}

/** The net rate of all players. Where several cost no more than one, each price is that of one player. */
function totalOf(steps: readonly components['schemas']['PriceStep'][], players: number): number | undefined {
  const [one, rate] = [1, players].map((count) => steps.find(({ quantity }) => quantity === count)?.netRate?.amount);
  if (rate === undefined || one === undefined || players === 1 || rate > 1.25 * one) return rate;
  return Math.round(rate * players * 100) / 100;
}

/** The offers of tee times in the form of v4, v5 and the search: one for each green fee with free slots. */
export function offersOf(facilityId: number, teeTimes: readonly TeeTimeV3[] | null, players: number): Offer[] {
  return (teeTimes ?? []).flatMap(({ teeid, time, course, holes, products }) =>
    (products ?? []).flatMap(({ mid, name, available, pricing }, index): Offer[] => {
      if (available < players) return [];
      const rate = totalOf(pricing ?? [], players);
      const product = { id: mid, name: name ?? '', isFirst: index === 0 };
      const offer = { facilityId, teeId: teeid, time, course, holes, available, product };
      return [{ ...offer, ...(rate === undefined ? {} : { netRate: rate }) }];
    }),
  );
}

/** The holes that a green fee covers, which stand in its name, or else those of the tee time. */
export function coveredBy({ product, holes }: Offer): number {
  return Number(/(\d+)[ -]holes?\b/i.exec(product?.name ?? '')?.[1] ?? holes);
}

/** Whether a green fee is for one round, so that it can be booked without linked tee times. */
export function isOneRound(offer: Offer): boolean {
  return coveredBy(offer) <= offer.holes;
}

/** Reads tee sheets. */
export class TeeSheets {
  constructor(readonly transport: Transport) {}

  /** Of a course in v5, of a facility in v4. */
  async offers({ facilityId, courseId, day, players, holes }: Query): Promise<Offer[]> {
    const { call } = this.transport;
    const query = { bookingDate: this.dateOf(day), players, holes };
    const sheet = await this.transport.data(
      courseId === undefined
        ? call.GET('/api/v4/teetimes/{facilityId}', { params: { path: { facilityId }, query } })
        : call.GET('/api/v5/teetimes/{facilityId}/{courseId}', { params: { path: { facilityId, courseId }, query } }),
    );
    return offersOf(facilityId, sheet?.teeTimeV3 ?? [], players);
  }

  /** The tee times of the v2 form, which has rounds and no products. */
  async rounds({ facilityId, day, players, holes }: Query): Promise<Offer[]> {
    const params = { path: { facilityId }, query: { bookingDate: this.dateOf(day), players, holes } };
    const sheet = await this.transport.data(this.transport.call.GET('/api/v2/teetimes/{facilityId}', { params }));
    return (sheet ?? []).flatMap((one): Offer[] => {
      if (one.players < players) return [];
      return [
        { facilityId, teeId: one.id, time: one.time, course: one.round, holes: one.holes, available: one.players },
      ];
    });
  }

  /** The hours before a tee time up to which it can be cancelled, by the terms of the v3 form. */
  async cancellationHours({ facilityId, day, players, holes }: Query): Promise<number | undefined> {
    const params = { path: { facilityId }, query: { bookingDate: this.dateOf(day), players, holes } };
    const sheet = await this.transport.data(this.transport.call.GET('/api/v3/teetimes/{facilityId}', { params }));
    const ranges = sheet?.facilityCancellationPolicyRange ?? [];
    return ranges.find((one) => one.minimumPlayer <= players && players <= one.maximumPlayer)?.timePeriod;
  }

  dateOf(day: Day): string {
    return queryDate(day);
  }
}
