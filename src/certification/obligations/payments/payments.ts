import { isObject } from '../../../common/index.js';
import { operations } from '../../../contract/index.js';
import { keepNewest } from '../bounded.js';
import { requestedBookingsOf } from '../bookings/requested-bookings.js';
import { createdIn, KnownIds, listedIn } from '../failures/booking-lists.js';
import type { Breach, Exhibit, ObligationSpec } from '../obligation.js';
import { isCreation, isSuccess, nameOf } from '../operations.js';
import { count, isNoValue, Slips } from '../slips.js';
import { answerOf, type ClientCall, requestJson } from '../traffic.js';

/** A payment that a client confirms. */
interface PaymentCall {
  readonly id: string;
  readonly isBulk: boolean;
}

function paymentOf(call: ClientCall): PaymentCall | undefined {
  switch (nameOf(call)) {
    case 'confirmPayment':
      return { id: call.params['serviceBookingId'] ?? '', isBulk: false };
    case 'confirmBulkPayment':
      return { id: call.params['bulkBookingId'] ?? '', isBulk: true };
    default:
      return undefined;
  }
}

/** The identifiers that the client of a session knows. */
class Identifiers {
  readonly bookings = new KnownIds();
  readonly groups = new KnownIds();
  /** Other things that a booking has: its tee time, its references. */
  readonly others = new KnownIds();
  #unread = false;

  /** Whether the client may know some that are not known here. */
  get hasGaps(): boolean {
    return this.#unread || this.bookings.hasGaps || this.groups.hasGaps;
  }

  call(call: ClientCall): void {
    const listed = listedIn(call);
    const { bookingIds, groupId } = createdIn(call);
    this.bookings.add([...bookingIds, ...(listed ?? []).map(({ bookingId }) => bookingId)]);
    if (groupId !== undefined) this.groups.add([groupId]);
    if (!isCreation(call)) {
      this.#unread ||= nameOf(call) === 'listBookings' && isSuccess(call) && !listed;
      return;
    }
    this.#unread ||= isSuccess(call) && bookingIds.length === 0;
    const body = requestJson(call);
    const intent = isObject(body) ? body['paymentIntent'] : undefined;
    const refs = requestedBookingsOf(call).flatMap(({ teeId, ref }) => [
      String(teeId),
      ...(ref === undefined ? [] : [ref]),
    ]);
    this.others.add([...refs, ...(typeof intent === 'string' ? [intent] : [])]);
  }

  /** What an identifier is instead of the one that a payment needs. */
  mistaken({ id, isBulk }: PaymentCall): string | undefined {
    const [right, wrong] = isBulk ? [this.groups, this.bookings] : [this.bookings, this.groups];
    if (right.has(id)) return undefined;
    if (wrong.has(id)) return isBulk ? 'the identifier of one booking' : 'the identifier of a group';
    return this.others.has(id) ? 'the tee time or a reference of a booking' : undefined;
  }

  isOfGroup({ id }: PaymentCall): boolean {
    return this.groups.has(id);
  }

  isOwn({ id, isBulk }: PaymentCall): boolean {
    return (isBulk ? this.groups : this.bookings).has(id);
  }
}

const MOST_BREACHES = 20;

const own: ObligationSpec = {
  id: 'payments.own',
  watch(sight) {
    const known = new Identifiers();
    const breaches: Breach[] = [];
    const slips = new Slips({
      counts: sight.counts,
      does: sight.does.bind(sight),
      met: sight.met.bind(sight),
      mistaken: sight.mistaken.bind(sight),
      broken: (breach) => void (breaches.length < MOST_BREACHES && breaches.push(breach)),
    });
    return {
      call(call) {
        slips.heard(call);
        known.call(call);
        const payment = paymentOf(call);
        if (!payment || known.mistaken(payment) !== undefined) return;
        if (known.isOwn(payment)) return slips.right('payment', call);
        if (known.hasGaps) return;
        const said = {
          message: `The client confirmed the payment of ${wordsOf(payment)}, which no answer of the service has named.`,
          expected: 'It confirms payments of the bookings that it made, by the identifiers that the service answered.',
        };
        if (!isNoValue(payment.id)) slips.wrong('payment', 'unknown', call, said);
        else if (!slips.hasTrouble) breaches.push({ ...said, evidence: [call], isAccident: true });
      },
      // Before a session that is no exam, a client may have booked anything.
      end({ exam }) {
        slips.end();
        if (exam !== undefined) breaches.forEach((breach) => sight.broken(breach));
      },
    };
  },
};

function wordsOf({ id, isBulk }: PaymentCall): string {
  return `${isBulk ? 'bulk booking' : 'booking'} \`${id.slice(0, 80)}\``;
}

const identifier: ObligationSpec = {
  id: 'payments.identifier',
  watch(sight) {
    const known = new Identifiers();
    return {
      call(call) {
        known.call(call);
        const payment = paymentOf(call);
        if (!payment) return;
        const mistaken = known.mistaken(payment);
        if (mistaken === undefined) {
          if (!known.isOwn(payment)) return;
          count(sight, payment.isBulk ? 'bulk' : 'one');
          return sight.met(call);
        }
        // One that is confirmed is that of a booking made before, which is a number as well.
        if (isConfirmed(call, payment)) return;
        sight.broken({
          message: `The client confirmed the payment of ${wordsOf(payment)}, which is ${mistaken}.`,
          expected: 'A payment of a booking has its `bookingId`, and one of a group its `groupId` or `bulkBookingId`.',
          evidence: [call],
          rights: () => sight.counts.get(known.isOfGroup(payment) ? 'bulk' : 'one') ?? 0,
        });
      },
    };
  },
};

/** Whether an answer says, wherever it says it, that confirming payments is paused. */
function isPaused(call: ClientCall): boolean {
  const words = /\bpaus/i;
  return words.test(call.responseBody ?? '') || [...call.responseHeaders].some(([, value]) => words.test(value));
}

/** The operations that confirm nothing while they are paused. */
const pausedOperations = new Set<string>(
  operations.filter(({ rule }) => rule === 'payments.paused').map(({ id }) => id),
);
const isOfPaused = ({ operation }: ClientCall): boolean => operation !== undefined && pausedOperations.has(operation);

/** Whether an answer tells the client that the payment is confirmed. In v5 the operation for one booking is paused. */
function isConfirmed(call: ClientCall, { isBulk }: PaymentCall): boolean {
  const isReadable = answerOf(call).json !== undefined;
  return isSuccess(call) && isReadable && (isBulk || !isOfPaused(call)) && !isPaused(call);
}

const MAX_CONFIRMED = 5000;

const v5Paused: ObligationSpec = {
  id: 'payments.v5-paused',
  watch(sight) {
    const paused = new Map<string, Exhibit>();
    return {
      call(call) {
        const payment = paymentOf(call);
        if (!payment || payment.isBulk) return;
        if (isOfPaused(call)) return void keepNewest(paused, payment.id, { id: call.id }, MAX_CONFIRMED);
        if (!isConfirmed(call, payment)) return;
        const before = paused.get(payment.id);
        sight.met(...(before ? [before] : []), call);
      },
    };
  },
};

export const paymentObligations: readonly ObligationSpec[] = [own, identifier, v5Paused];
