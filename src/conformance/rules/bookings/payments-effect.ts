import { forms } from '../../client/operations.js';
import { Inconclusive, unlessInconclusive } from '../../client/outcome.js';
import type { Session } from '../../client/session.js';
import { contentOf, type ListedBooking } from '../../journeys/booking-lists.js';
import {
  bulkVersions,
  listedBeforePayments,
  type OwnPayment,
  paid,
  paidBulk,
  upcomingBookings,
} from '../../journeys/payments.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';

/** The payments that were confirmed, without paused ones. */
async function confirmed(session: Session): Promise<readonly OwnPayment[]> {
  const made: OwnPayment[] = [];
  for (const pay of [
    ...forms.payment.toReversed().map((version) => () => paid(session, version)),
    ...bulkVersions.map((version) => () => paidBulk(session, version)),
  ]) {
    const one = await pay().catch(unlessInconclusive);
    if (one?.reply.ok) made.push(one);
  }
  return made;
}

/** Another booking of the same contact and tee time, which came with the payments and which the run has not made. */
function twinOf(
  { run }: Session,
  item: ListedBooking,
  now: readonly ListedBooking[],
  before: readonly ListedBooking[],
): ListedBooking | undefined {
  const own = [...run.transport.budget.litter, ...run.found].map(({ bookingId }) => bookingId);
  const known = new Set<unknown>([...own, ...before.map(({ bookingId }) => bookingId)]);
  const isSame = (one: ListedBooking): boolean => one['teeId'] === item['teeId'] && contentOf(one) === contentOf(item);
  return now.find((one) => !known.has(one['bookingId']) && isSame(one));
}

/** A paid booking is in the list as it was before: active, and one time. */
async function keepsBookings({ session, expect }: RuleContext): Promise<void> {
  const payments = await confirmed(session);
  const before = await listedBeforePayments(session);
  const now = await upcomingBookings(session);
  for (const { bookingIds, reply } of payments) {
    for (const bookingId of bookingIds) {
      const shown = now.find((item) => item['bookingId'] === bookingId);
      const wasListed = before.some((item) => item['bookingId'] === bookingId);
      const gone = `The booking ${bookingId} is no longer listed after ${reply.what}.`;
      if (wasListed) expect.that(shown !== undefined, gone);
      if (!shown) continue;
      const { status } = shown;
      const canceled = `The booking ${bookingId} is canceled after ${reply.what}.`;
      expect.that(!/^\s*cancel/i.test(String(status)), canceled, { expected: 'BOOKED', actual: status });
      const twin = twinOf(session, shown, now, before);
      expect.that(twin === undefined, `Another booking is listed after ${reply.what}.`, { actual: twin });
    }
  }
  if (expect.held === 0) throw new Inconclusive('precondition', 'a listed booking whose payment was confirmed');
}

/** Rules of what a payment does to bookings; after all payments of the run. */
export const paymentEffectRules: readonly RuleSpec[] = [
  defineRule({ id: 'payments.keeps-booking', needs: ['bookings', 'payments'], run: keepsBookings }),
];
