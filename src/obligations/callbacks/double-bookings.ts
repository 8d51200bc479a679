import { keepNewest } from '../bounded.js';
import { isTeeSheet, offersOf } from '../bookings/offers.js';
import { keyOf, wishesOf, wordsOf } from '../bookings/wishes.js';
import type { Exhibit } from '../obligation.js';
import { isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';

const MAX_BOOKINGS = 1000;
const MAX_DOUBLED = 20;

/** Two bookings of one tee time of a result. */
export interface DoubleBooking {
  readonly words: string;
  readonly evidence: readonly Exhibit[];
}

/**
 * Finds bookings that are made for each delivery of a result. A client that has read tee times in between may book the same
 * again for another reason.
 */
export class DoubleBookings {
  readonly #booked = new Map<string, Exhibit>();
  /** Second bookings for which no result was known yet. */
  #doubled: { readonly teeTime: string; readonly at: number; readonly double: DoubleBooking }[] = [];
  #result: { readonly teeTimes: ReadonlySet<string>; readonly seenIn: Exhibit } | undefined;

  /**
   * A result after which nothing may be booked again. A client may book before it has answered it: the result is heard when
   * it is over. Returns such a booking.
   */
  watch(delivery: ClientDelivery): DoubleBooking | undefined {
    const teeTimes = new Set(offersOf(delivery).map(({ facilityId, teeId }) => `${facilityId}/${teeId}`));
    const seenIn = { id: delivery.id };
    this.#result = { teeTimes, seenIn };
    const found = this.#doubled.find(({ teeTime, at }) => at > delivery.at && teeTimes.has(teeTime));
    if (!found) return undefined;
    this.#doubled = this.#doubled.filter((one) => one !== found);
    return { ...found.double, evidence: [seenIn, ...found.double.evidence] };
  }

  call(call: ClientCall): DoubleBooking | undefined {
    if (isTeeSheet(call) || nameOf(call) === 'searchTeeTimes') {
      this.#booked.clear();
      this.#doubled = [];
      this.#result = undefined;
    }
    if (!isSuccess(call)) return undefined;
    // One request may book the same for several customers.
    const wishes = new Map(wishesOf(call).map((wish) => [keyOf(wish), wish]));
    let double: DoubleBooking | undefined;
    for (const [key, wish] of wishes) {
      if (key === undefined) continue;
      const before = this.#booked.get(key);
      const teeTime = `${wish.facilityId}/${wish.teeId}`;
      if (before && this.#result?.teeTimes.has(teeTime)) {
        double ??= { words: wordsOf(wish), evidence: [before, this.#result.seenIn, { id: call.id }] };
      } else if (before) {
        const second = { words: wordsOf(wish), evidence: [before, { id: call.id }] };
        this.#doubled = [...this.#doubled, { teeTime, at: call.at, double: second }].slice(-MAX_DOUBLED);
      }
      keepNewest(this.#booked, key, { id: call.id }, MAX_BOOKINGS);
    }
    return double;
  }
}
