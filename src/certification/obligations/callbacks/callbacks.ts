import type { Exhibit, ObligationSpec, Sight, Watcher } from '../obligation.js';
import { identityOf, isCancellation, isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';
import { askedAgain, type OpenSearch, Searches, type Trait, type TraitedDelivery } from './searches.js';
import { keepNewest } from '../bounded.js';
import { count } from '../slips.js';
import { offersOf } from '../bookings/offers.js';
import { keyOf, requestedBookingsOf, wordsOf } from '../bookings/requested-bookings.js';

const MAX_TEE_TIMES = 1000;
/** Bookings of one tee time. */
const MAX_BOOKINGS = 20;

/** Two bookings of one tee time of a result. */
interface DoubleBooking {
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
class DoubleBookings {
  /** By tee time, and then by requested booking. */
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
    const request = identityOf(call);
    const byKey = new Map(requestedBookingsOf(call).map((requested) => [keyOf(requested), requested]));
    let double: DoubleBooking | undefined;
    for (const [bookingKey, requested] of byKey) {
      if (bookingKey === undefined) continue;
      const key = `${request}\n${bookingKey}`;
      const { id, at } = call;
      const teeTime = placeOf(requested);
      const booked = this.#booked.get(teeTime) ?? new Map<string, LastBooking>();
      const last = booked.get(key);
      const before = last && { ...last, before: undefined };
      const booking = { id, at, words: wordsOf(requested), before };
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

const MAX_SHOWN = 5;

/** The inbox of the sandbox answers by itself. */
function isOfClient({ url }: ClientDelivery): boolean {
  return !url.includes('/__admin/inbox');
}

const ANSWERED = 'answered';

const answers: ObligationSpec = {
  id: 'callbacks.answers',
  watch(sight) {
    const searches = new Searches();
    let cut: Exhibit | undefined;
    const expected = 'The client answers the result with a status from 200 to 299, within seconds.';
    return {
      call: (call) => void searches.call(call),
      delivery(delivery) {
        const { traits, isReadable } = searches.delivery(delivery);
        const { status, why } = delivery;
        if (!isOfClient(delivery)) return;
        if (why === 'timeout') {
          const message = 'The client took the result of a search, and did not answer in time.';
          return sight.broken({ message, expected, evidence: [delivery] });
        }
        if (status >= 200 && status < 300) {
          count(sight, ANSWERED);
          return sight.met(delivery);
        }
        // Nobody may listen any more; and what cannot be used may be refused.
        const isUsual = isReadable && !['late', 'repeated', 'out-of-order'].some((trait) => traits.has(trait as Trait));
        if (isUsual && why === 'cut') cut ??= { id: delivery.id };
        if (status === 0 || !isUsual) return;
        const message = `The client answered the result of a search with the status ${status}.`;
        sight.broken({ message, expected, evidence: [delivery] });
      },
      // A receiver that answers others may have ended in the middle.
      end() {
        if (!cut || sight.counts.has(ANSWERED)) return;
        const message = 'The client took the result of a search, and hung up without an answer.';
        sight.broken({ message, expected, evidence: [cut] });
      },
    };
  },
};

/** Breaks an obligation if the receiver failed at a delivery; returns whether it did. */
function failedAt(sight: Sight, { delivery }: TraitedDelivery, what: string): boolean {
  if (delivery.status < 500) return false;
  sight.broken({
    message: `The client answered ${what} with the status ${delivery.status}.`,
    expected: 'It takes the result without an error.',
    evidence: [delivery],
  });
  return true;
}

/** Results that must not be booked for a second time. */
function isNoSecondBooking(id: 'callbacks.late' | 'callbacks.repeated', trait: Trait, what: string): ObligationSpec {
  return {
    id,
    watch(sight) {
      const searches = new Searches();
      const doubles = new DoubleBookings();
      const tell = (double: DoubleBooking | undefined): void => {
        if (!double) return;
        sight.broken({
          message: `The client booked ${double.words} twice for the same contact: ${what} was booked again.`,
          expected: 'It makes one booking for each purchase, however often and whenever a result arrives.',
          evidence: double.evidence,
          repeats: { call: double.evidence.at(-1)!, most: 1 },
        });
      };
      const taken: Exhibit[] = [];
      const missed: Exhibit[] = [];
      return {
        call(call) {
          searches.call(call);
          tell(doubles.call(call));
        },
        delivery(delivery) {
          const seen = searches.delivery(delivery);
          if (!isOfClient(delivery) || !seen.traits.has(trait) || failedAt(sight, seen, what)) return;
          tell(doubles.watch(delivery));
          const list = delivery.status === 0 ? missed : taken;
          if (list.length < MAX_SHOWN) list.push({ id: delivery.id });
        },
        end({ clientOk }) {
          for (const one of taken) sight.met(one);
          // Whoever did not wait for it, and came to a good end, copes with it too.
          if (clientOk === true) for (const one of missed) sight.met(one);
        },
      };
    },
  };
}

const outOfOrder: ObligationSpec = {
  id: 'callbacks.out-of-order',
  watch: (sight) =>
    results((seen) => {
      const { delivery, traits } = seen;
      if (!traits.has('out-of-order') || failedAt(sight, seen, 'a result that came out of order')) return;
      if (delivery.status > 0) sight.met(delivery);
    }),
};

function results(check: (seen: TraitedDelivery) => void): Watcher {
  const searches = new Searches();
  return {
    call: (call) => void searches.call(call),
    delivery(delivery) {
      const seen = searches.delivery(delivery);
      if (isOfClient(delivery)) check(seen);
    },
  };
}

const empty: ObligationSpec = {
  id: 'callbacks.empty',
  watch(sight) {
    let open: Exhibit | undefined;
    const watcher = results((seen) => {
      const { delivery, traits } = seen;
      if (!traits.has('empty') || failedAt(sight, seen, 'an empty result')) return;
      if (delivery.status > 0) open = { id: delivery.id };
    });
    return {
      ...watcher,
      call(call) {
        watcher.call?.(call);
        if (open && nameOf(call) !== 'refreshToken') sight.met(open, call);
        open = undefined;
      },
      end({ clientOk }) {
        if (open && clientOk === true) sight.met(open);
      },
    };
  },
};

/** What a client does that books a tee time of a result. */
function bookingAt(facilityId: number): string {
  return `books from results at ${facilityId}`;
}

/** A result that lacks facilities, until the client has asked for them again. */
interface Gap {
  readonly seenIn: Exhibit;
  readonly search: OpenSearch;
  readonly isReadable: boolean;
  readonly missing: Set<number>;
  readonly teeTimes: ReadonlySet<string>;
  /** What the client booked from it instead. */
  after: Exhibit | undefined;
}

const MAX_GAPS = 100;

const partial: ObligationSpec = {
  id: 'callbacks.partial',
  watch(sight) {
    const gaps: Gap[] = [];
    /** Of tee sheets: whoever books one of these may have it from there. */
    const onSheets = new Map<string, true>();
    const inResults = new Map<string, true>();
    const watcher = results((seen) => {
      const { delivery, search, missing, isReadable } = seen;
      for (const offer of offersOf(delivery)) keepNewest(inResults, placeOf(offer), true, MAX_TEE_TIMES);
      if (!search || missing.length === 0) return;
      // What cannot be read may be refused.
      if (isReadable && failedAt(sight, seen, 'an incomplete result')) return;
      if (delivery.status === 0 || gaps.length >= MAX_GAPS) return;
      const seenIn = { id: delivery.id };
      const teeTimes = new Set(offersOf(delivery).map(placeOf));
      gaps.push({ seenIn, search, isReadable, missing: new Set(missing), teeTimes, after: undefined });
    });
    return {
      ...watcher,
      call(call) {
        watcher.call?.(call);
        for (const offer of offersOf(call)) keepNewest(onSheets, placeOf(offer), true, MAX_TEE_TIMES);
        const booked = isSuccess(call) ? requestedBookingsOf(call).filter((one) => !onSheets.has(placeOf(one))) : [];
        for (const one of booked) if (inResults.has(placeOf(one))) sight.does(bookingAt(one.facilityId));
        for (const gap of gaps.filter(({ missing }) => missing.size > 0)) {
          for (const id of askedAgain(call, gap.search)) gap.missing.delete(id);
          if (gap.missing.size === 0) sight.met(gap.seenIn, call);
          else if (booked.some((one) => gap.teeTimes.has(placeOf(one)))) gap.after = { id: call.id };
        }
      },
      end({ clientOk, usual }) {
        // A person may have been shown that the result is incomplete, and wants no more than what it has.
        if (clientOk !== true) return;
        for (const { seenIn, missing, after } of gaps.filter(({ isReadable }) => isReadable)) {
          const wanted = [...missing].find((id) => usual?.habits.has(bookingAt(id)));
          if (wanted === undefined || !after) continue;
          sight.broken({
            message: `A result lacked facility ${wanted}, and the client booked another one from it without asking again, though it books there if the result has it.`,
            expected: 'It asks again for a facility that a result lacks: nothing is known about its tee times.',
            evidence: [seenIn, after],
          });
        }
      },
    };
  },
};

const missing: ObligationSpec = {
  id: 'callbacks.missing',
  watch(sight) {
    const searches = new Searches();
    let lost: OpenSearch | undefined;
    return {
      call(call) {
        const search = searches.call(call);
        if (lost && askedAgain(call, lost).length > 0) sight.met(lost, call);
        if (search?.isLost) lost ??= search;
      },
      end({ exam, hung, clientOk }) {
        if (!lost || clientOk === undefined) return;
        // Nobody waits for a result in a client that has ended.
        if (!hung) return sight.met(lost);
        if (exam === undefined) return;
        sight.broken({
          message: 'The result of a search never came, and the client waited for it until its time was over.',
          expected:
            'It waits for a limited time, then searches again, reads the tee sheets, or gives up with a message.',
          evidence: [lost],
        });
      },
    };
  },
};

export const callbackObligations: readonly ObligationSpec[] = [
  answers,
  isNoSecondBooking('callbacks.late', 'late', 'a late result'),
  isNoSecondBooking('callbacks.repeated', 'repeated', 'a repeated result'),
  outOfOrder,
  partial,
  empty,
  missing,
];
