import type { ObligationId, ScenarioId } from '../../contract/index.js';
import type { Exam } from '../exam.js';
import { strikeBookings } from './strikes.js';

/** A documented failure of a booking: its scenario, the words for it, and the obligation that it shows. */
type Failure = readonly [scenario: ScenarioId, words: string, shows: ObligationId];

/** The documented failures that ask for a retry. */
const retried: readonly Failure[] = [
  ['tee-sheet-unresponsive', 'the tee sheet servers do not respond', 'failures.tee-sheet-unresponsive'],
  ['booking-failed', 'the creation of the booking fails', 'failures.creation'],
  ['payment-pi-failed', 'the first payment step (PI) fails', 'failures.payment-pi'],
  ['payment-pv-failed', 'the second payment step (PV) fails', 'failures.payment-pv'],
  ['unprocessable', 'the booking cannot be processed', 'failures.unprocessable'],
];
const transfer: Failure = ['transfer-failed', 'the transfer of funds fails', 'failures.transfer'];

/** Requests that a failure which persists strikes: more than a careful client sends. */
const PERSISTS = 12;

const titled = (words: string): string => words[0]!.toUpperCase() + words.slice(1);

function before([scenario, words, shows]: Failure): Exam {
  return {
    id: scenario,
    title: titled(words),
    does: `The first booking is refused with 400 because ${words}. Nothing is booked.`,
    shows: [shows, 'bookings.one-for-one-wish'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'before-commit' }),
  };
}

function after([scenario, words, shows]: Failure): Exam {
  return {
    id: `${scenario}-committed`,
    title: `${titled(words)}, though the booking is made`,
    does: `The first booking is answered with 400 because ${words}. The booking is in the list all the same.`,
    shows: [shows, 'bookings.one-for-one-wish'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'after-commit' }),
  };
}

function persistent([scenario, words, shows]: Failure): Exam {
  return {
    id: `${scenario}-persistent`,
    title: `${titled(words)}, again and again`,
    does: `Each of the first ${PERSISTS} bookings is refused with 400 because ${words}.`,
    shows: [shows],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'before-commit', times: PERSISTS }),
  };
}

const cart: Exam = {
  id: 'cart-problem',
  title: 'Problem with the tee times in the cart',
  does: 'The first booking is refused with 400 because of a problem with the tee times in the cart.',
  shows: ['failures.cart'],
  arrange: ({ scenarios }) => void scenarios.arm('cart-problem'),
};

const group: Exam = {
  id: 'group-partly-made',
  title: 'One booking of a group fails, and the others stay',
  does: 'The second booking of the first group fails. The deployment keeps those before it.',
  shows: ['failures.creation', 'bookings.one-for-one-wish'],
  answers: { 'booking.group-failure': 'earlier-stay' },
  arrange: ({ scenarios }) => void scenarios.arm('booking-failed', { item: 2 }),
};

/** What changes between the tee sheet and the booking. */
const changed: readonly Exam[] = [
  {
    id: 'price-changed',
    title: 'The price rises before the booking',
    does: 'Between the tee sheet and the first booking, all prices of that day rise by 10 percent.',
    shows: ['bookings.price', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => strikeBookings(sandbox, 'price-changed'),
  },
  {
    id: 'price-changed-checked',
    title: 'The price rises, and the service compares net rates',
    does: 'Prices rise before the first booking, and a booking with the old net rate is refused as a cart problem.',
    shows: ['bookings.price', 'failures.cart'],
    versions: ['v3', 'v5'],
    answers: { 'booking.net-rate-check': 'checked' },
    arrange: (sandbox) => strikeBookings(sandbox, 'price-changed'),
  },
  {
    id: 'tee-time-taken',
    title: 'Another channel books the tee time first',
    does: 'Between the tee sheet and the first booking, another channel books all slots of the tee time.',
    shows: ['failures.cart', 'bookings.players-available'],
    arrange: (sandbox) => strikeBookings(sandbox, 'rival'),
  },
  {
    id: 'day-sold-out',
    title: 'The day sells out before the booking',
    does: 'Between the tee sheet and the first booking, the course has no more free slots on that day.',
    shows: ['failures.cart', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => strikeBookings(sandbox, 'sold-out'),
  },
  {
    id: 'tee-time-withdrawn',
    title: 'The tee time is withdrawn before the booking',
    does: 'Between the tee sheet and the first booking, the facility removes the tee time.',
    shows: ['failures.cart', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => strikeBookings(sandbox, 'tee-time-withdrawn'),
  },
];

/** The documented failures of bookings, before and after the commit, and changes before a booking. */
export const failureExams: readonly Exam[] = [
  ...[...retried, transfer].flatMap((failure) => [before(failure), after(failure)]),
  ...retried.map(persistent),
  cart,
  group,
  ...changed,
];
