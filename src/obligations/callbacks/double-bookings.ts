import { keepNewest } from '../bounded.js';
import { isTeeSheet, offersOf } from '../bookings/offers.js';
import { keyOf, wishesOf, wordsOf } from '../bookings/wishes.js';
import type { Exhibit } from '../obligation.js';
import { isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';

const MAX_BOOKINGS = 1000;

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
  #result: { readonly teeTimes: ReadonlySet<string>; readonly seenIn: Exhibit } | undefined;

  /** A result after which nothing may be booked again. */
  watch(delivery: ClientDelivery): void {
    const teeTimes = new Set(offersOf(delivery).map(({ facilityId, teeId }) => `${facilityId}/${teeId}`));
    this.#result = { teeTimes, seenIn: { id: delivery.id } };
  }

  call(call: ClientCall): DoubleBooking | undefined {
    if (isTeeSheet(call) || nameOf(call) === 'searchTeeTimes') {
      this.#booked.clear();
      this.#result = undefined;
    }
    if (!isSuccess(call)) return undefined;
    // One request may book the same for several customers.
    const wishes = new Map(wishesOf(call).map((wish) => [keyOf(wish), wish]));
    let double: DoubleBooking | undefined;
    for (const [key, wish] of wishes) {
      if (key === undefined) continue;
      const before = this.#booked.get(key);
      if (before && this.#result?.teeTimes.has(`${wish.facilityId}/${wish.teeId}`)) {
        double ??= { words: wordsOf(wish), evidence: [before, this.#result.seenIn, { id: call.id }] };
      }
      keepNewest(this.#booked, key, { id: call.id }, MAX_BOOKINGS);
    }
    return double;
  }
}
