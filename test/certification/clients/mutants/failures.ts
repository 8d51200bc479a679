import type { ObligationId } from '../../../../src/contract/generated/obligations.js';
import { type BookingProblem, problemOf } from '../partner/failure.js';
import { breaking, type ClientMutant, type Mutated } from './mutant.js';

/** Sends the same booking again after one of the documented problems, many times, and never looks into the list. */
function insists({ partner: { bookings } }: Mutated, on: BookingProblem): void {
  const look = bookings.madeAllTheSame.bind(bookings);
  const afterFailure = bookings.afterFailure.bind(bookings);
  const mayRetry = bookings.mayRetry.bind(bookings);
  bookings.madeAllTheSame = async (error, wishes) => (problemOf(error) === on ? [] : look(error, wishes));
  bookings.afterFailure = async (error, last, anew) =>
    problemOf(error) === on ? last : afterFailure(error, last, anew);
  bookings.mayRetry = (error, attempt) => (problemOf(error) === on ? attempt < 12 : mayRetry(error, attempt));
}

function blind(id: ObligationId, on: BookingProblem, what: string, exam: string): readonly ClientMutant[] {
  return breaking(id, [
    {
      name: `insists-after-${on}`,
      does: `It sends a booking again and again after ${what}, and never looks into the list.`,
      exams: [exam],
      plant: (mutated) => insists(mutated, on),
    },
  ]);
}

export const failureMutants: readonly ClientMutant[] = [
  ...blind(
    'failures.tee-sheet-unresponsive',
    'tee-sheet',
    'the tee sheet did not respond',
    'tee-sheet-unresponsive-persistent',
  ),
  ...blind('failures.transfer', 'transfer', 'a failed transfer of funds', 'transfer-failed'),
  ...blind('failures.creation', 'creation', 'a failed creation', 'booking-failed-persistent'),
  ...blind('failures.payment-pi', 'payment-pi', 'a failed first payment step', 'payment-pi-failed-persistent'),
  ...blind('failures.payment-pv', 'payment-pv', 'a failed second payment step', 'payment-pv-failed-persistent'),
  ...blind('failures.cart', 'cart', 'a problem with the tee times in the cart', 'cart-problem'),
  ...blind('failures.unprocessable', 'other', 'a booking that could not be processed', 'unprocessable-persistent'),
];
