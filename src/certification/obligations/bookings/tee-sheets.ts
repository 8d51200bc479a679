import { counted, exactAmount } from '../../../common/index.js';
import { isSuccess } from '../operations.js';
import { Slips } from '../slips.js';
import type { Exhibit, ObligationSpec, Sight, Watcher } from '../obligation.js';
import type { ClientCall, SessionFacts } from '../traffic.js';
import { type Offer, OfferBook, type OfferedProduct } from './offers.js';
import { type RequestedBooking, isTooMany, requestedBookingsOf, wordsOf } from './requested-bookings.js';

/** What a watcher sees of a booking. */
interface SeenBooking {
  readonly call: ClientCall;
  readonly requested: RequestedBooking;
  /** The answers about its tee time that count, the newest last; empty if none showed it. */
  readonly offers: readonly Offer[];
  readonly book: OfferBook;
}

/** Watches bookings together with the tee times that the client has seen before. */
function watchBookings(
  check: (seen: SeenBooking) => void,
  end: (facts: SessionFacts, book: OfferBook) => void = () => {},
): Watcher {
  const book = new OfferBook();
  return {
    call(call) {
      for (const requested of requestedBookingsOf(call)) {
        book.customer(requested.contact);
        const offers = book.of(requested.facilityId, requested.teeId);
        check({ call, requested, offers, book });
      }
      book.call(call);
    },
    delivery: (delivery) => book.delivery(delivery),
    end: (facts) => end(facts, book),
  };
}

/** The answers that a booking may follow: the newest alone, if the client has just read it. */
function valid({ call, requested, offers, book }: SeenBooking): readonly Offer[] {
  const again = book.reread(call, offers)?.offers.find(({ teeId }) => teeId === requested.teeId);
  return again ? [again] : offers;
}

const MAX_UNKNOWN = 20;
/** Tests of the client's own error handling book what is not there, and are refused. */
const KIND = 'booking';

function hearing(slips: Slips, watcher: Watcher): Watcher {
  return {
    ...watcher,
    call(call) {
      slips.heard(call);
      watcher.call?.(call);
    },
  };
}

export const currentTeeSheet: ObligationSpec = {
  id: 'bookings.current-tee-sheet',
  watch(sight) {
    const unknown: { requested: RequestedBooking; call: ClientCall }[] = [];
    const slips = new Slips(sight);
    const check = (seen: SeenBooking): void => {
      const { call, requested, offers, book } = seen;
      if (offers.length === 0) {
        if (!book.hasGaps && unknown.length < MAX_UNKNOWN) unknown.push({ requested, call });
        return;
      }
      if (isGone(seen)) return goneBreach(sight, seen);
      const faults = valid(seen).map((offer) => ({ offer, fault: faultOf(requested, offer) }));
      if (faults.some(({ fault }) => fault === undefined)) return slips.right(KIND, ...evidenceOf(seen));
      const { fault } = faults.at(-1)!;
      sight.broken({
        message: `A booking of ${wordsOf(requested)} does not fit its tee sheet: ${fault}.`,
        expected: 'It has the time, course, holes and a product of the tee time, as the service last answered them.',
        evidence: evidenceOf(seen),
      });
    };
    const watcher = watchBookings(check, ({ exam }, book) => {
      // Before a session that is no exam, a client may have read any tee sheet.
      if (exam === undefined || book.hasGaps) return;
      for (const { requested, call } of unknown) {
        // A receiver may book before it answers the result that it books from.
        if (book.of(requested.facilityId, requested.teeId).some(({ path }) => path === undefined)) continue;
        slips.wrong(KIND, 'unknown', call, {
          message: `A booking names ${wordsOf(requested)}, which no answer of the service has shown to the client.`,
          expected: 'The client reads the tee sheet first, and books a tee time of it.',
        });
      }
      slips.end();
    });
    return hearing(slips, watcher);
  },
};

function evidenceOf({ call, offers }: SeenBooking): readonly Exhibit[] {
  return [...offers.slice(-1).map(({ seenIn }) => seenIn), { id: call.id }];
}

/** Whether the client has just read a tee sheet that does not have the tee time any more. */
function isGone({ call, requested, offers, book }: SeenBooking): boolean {
  const last = book.reread(call, offers);
  if (!last || last.offers.some(({ teeId }) => teeId === requested.teeId)) return false;
  // Of a request for more players, an answer says nothing about fewer.
  return Number(new URL(last.path, 'http://request.invalid').searchParams.get('players')) <= requested.players;
}

function goneBreach(sight: Sight, { call, requested, offers, book }: SeenBooking): void {
  sight.broken({
    message: `The client booked ${wordsOf(requested)}, which the tee sheet that it had just read does not have any more.`,
    expected: 'It books a tee time of the last answer.',
    evidence: [offers.at(-1)!.seenIn, book.reread(call, offers)!.seenIn, { id: call.id }],
  });
}

/** How a booking differs from a tee time. What is missing on either side differs in nothing. */
function faultOf(requested: RequestedBooking, offer: Offer): string | undefined {
  const { time, course, holes, productId } = requested;
  if (time !== undefined && offer.time !== undefined && time !== offer.time) {
    return `it names the time ${time}, and the tee time is at ${offer.time}`;
  }
  // A name with other letters than those of ASCII is the matter of robust.non-ascii.
  const isPlain = offer.course !== undefined && /^[\x20-\x7e]*$/.test(offer.course);
  if (course !== undefined && isPlain && course.trim() !== offer.course.trim()) {
    return `it names the course \`${course.slice(0, 80)}\`, and the tee time is on \`${offer.course.slice(0, 80)}\``;
  }
  if (!Number.isNaN(holes) && offer.holes !== undefined && holes !== offer.holes) {
    return `it names ${holes} holes, and the tee time has ${offer.holes}`;
  }
  if (productId !== undefined && offer.products?.length && !productOf(requested, offer)) {
    return `it names the product ${productId}, which the tee time does not have`;
  }
  return undefined;
}

function productOf({ productId }: RequestedBooking, { products }: Offer): OfferedProduct | undefined {
  return products?.find(({ mid }) => mid === productId);
}

export const playersAvailable: ObligationSpec = {
  id: 'bookings.players-available',
  watch(sight) {
    const check = (seen: SeenBooking): void => {
      const { call, requested } = seen;
      const free = valid(seen).flatMap((offer) => productOf(requested, offer)?.available ?? []);
      if (free.length === 0 || Number.isNaN(requested.players)) return;
      if (isTooMany(requested) && !isSuccess(call)) return;
      const same = requestedBookingsOf(call).filter(
        (one) => one.teeId === requested.teeId && one.productId === requested.productId,
      );
      const players = same.reduce((sum, one) => sum + one.players, 0);
      const most = Math.max(...free);
      if (players <= most) return sight.met(...evidenceOf(seen));
      if (same[0] !== requested) return;
      sight.broken({
        message: `The client booked ${wordsOf({ ...requested, players })}, but the product has only ${counted(most, 'free slot')}.`,
        expected: 'It books at most as many players as the product has free slots.',
        evidence: evidenceOf(seen),
      });
    };
    return watchBookings(check);
  },
};

/** Amounts are compared as cents: a total may have been added up. */
const CENT = 0.0051;

export const price: ObligationSpec = {
  id: 'bookings.price',
  watch(sight) {
    const check = (seen: SeenBooking): void => {
      const { call, requested } = seen;
      const { netRate, ref } = requested;
      // How a price is parted among linked rounds is not shown.
      const isLinked = ref !== undefined && requestedBookingsOf(call).filter((one) => one.ref === ref).length > 1;
      if (netRate === undefined || isLinked) return;
      const totals = valid(seen).map((offer) => totalsOf(requested, offer));
      const right = totals.flatMap((list) => list ?? []);
      if (right.some((total) => Math.abs(total - netRate) < CENT)) return sight.met(...evidenceOf(seen));
      // The forms without products name a price, and no net rate: a client has it from elsewhere.
      const isKnown = totals.length > 0 && !totals.includes(undefined);
      if (!isKnown || valid(seen).every(({ products }) => products === undefined)) return;
      sight.broken({
        message: `The client booked ${wordsOf(requested)} with the net rate ${netRate}, and the total of its tee sheet is ${exactAmount(right[0]!)}.`,
        expected:
          'It sends the net rate of the tee sheet for its product and number of players, plus those of its extra products.',
        evidence: evidenceOf(seen),
      });
    };
    return watchBookings(check);
  },
};

/**
 * The net rates that fit a booking; undefined if the answer has too little for that. The API specification does not
 * show whether a price is that of each player or of all (`teetimes.price-meaning`), nor the same of extra products:
 * each way is right. Without the extra products, none is: the net rate is the total (section Booking request).
 */
function totalsOf(requested: RequestedBooking, offer: Offer): readonly number[] | undefined {
  const { productId, players, extras } = requested;
  const products = offer.products?.filter(({ mid }) => productId === undefined || mid === productId) ?? [];
  const steps = [...products.flatMap((product) => product.steps), ...offer.steps];
  const rates = steps.filter((step) => step.players === players).map(({ netRate }) => netRate);
  const known = rates.filter((rate) => rate !== undefined);
  const priced = extras.map(({ mid, quantity }) => ({ rate: offer.extras.get(mid) ?? NaN, quantity }));
  const extra = priced.reduce((sum, { rate, quantity }) => sum + rate * quantity, 0);
  if (known.length === 0 || known.length < rates.length || Number.isNaN(extra)) return undefined;
  const once = priced.reduce((sum, { rate }) => sum + rate, 0);
  return known.flatMap((rate) => [rate, rate * players]).flatMap((total) => [total + extra, total + once]);
}
