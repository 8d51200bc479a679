import { keepNewest } from '../bounded.js';
import { offersOf } from '../bookings/offers.js';
import { keyOf, wishesOf, wordsOf } from '../bookings/wishes.js';
import type { Exhibit } from '../obligation.js';
import { isCancellation, isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';

const MAX_TEE_TIMES = 1000;
/** Bookings of one tee time. */
const MAX_BOOKINGS = 20;

/** Two bookings of one tee time of a result. */
export interface DoubleBooking {
  readonly words: string;
  readonly evidence: readonly Exhibit[];
}

/** A booking, and the same before it. */
interface LastBooking extends Exhibit {
  readonly at: number;
  readonly words: string;
  readonly before: LastBooking | undefined;
}

/**
 * Finds bookings that are made for each delivery of a result. A client that has read the tee time anew in between,
 * searches anew, or has cancelled a booking, may book the same again for another reason.
 */
export class DoubleBookings {
  /** By tee time, and then by wish. */
  readonly #booked = new Map<string, Map<string, LastBooking>>();
  #result: { readonly teeTimes: ReadonlySet<string>; readonly seenIn: Exhibit } | undefined;

  /** A result for which nothing may be booked again. A receiver may book before it answers. */
  watch(delivery: ClientDelivery): DoubleBooking | undefined {
    const teeTimes = new Set(offersOf(delivery).map(placeOf));
    const seenIn = { id: delivery.id };
    this.#result = { teeTimes, seenIn };
    const booked = [...teeTimes].flatMap((teeTime) => [...(this.#booked.get(teeTime)?.values() ?? [])]);
    const found = booked.find(({ at, before }) => before && before.at <= delivery.at && delivery.at <= at);
    return found && { words: found.words, evidence: [{ id: found.before!.id }, seenIn, { id: found.id }] };
  }

  call(call: ClientCall): DoubleBooking | undefined {
    if (nameOf(call) === 'searchTeeTimes') {
      this.#booked.clear();
      this.#result = undefined;
    }
    if (isCancellation(call) && isSuccess(call)) this.#booked.clear();
    for (const offer of offersOf(call)) this.#booked.delete(placeOf(offer));
    if (!isSuccess(call)) return undefined;
    // One request may book the same for several customers.
    const wishes = new Map(wishesOf(call).map((wish) => [keyOf(wish), wish]));
    let double: DoubleBooking | undefined;
    for (const [key, wish] of wishes) {
      if (key === undefined) continue;
      const { id, at } = call;
      const teeTime = placeOf(wish);
      const booked = this.#booked.get(teeTime) ?? new Map<string, LastBooking>();
      const last = booked.get(key);
      const before = last && { ...last, before: undefined };
      const booking = { id, at, words: wordsOf(wish), before };
      if (before && this.#result?.teeTimes.has(teeTime)) {
        double ??= { words: booking.words, evidence: [{ id: before.id }, this.#result.seenIn, { id }] };
      }
      keepNewest(booked, key, booking, MAX_BOOKINGS);
      keepNewest(this.#booked, teeTime, booked, MAX_TEE_TIMES);
    }
    return double;
  }
}

function placeOf({ facilityId, teeId }: { readonly facilityId: number; readonly teeId: number }): string {
  return `${facilityId}/${teeId}`;
}
