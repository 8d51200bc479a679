import { type FailureCode, failures } from '../../contract/index.js';
import type { Exam } from '../exam.js';
import { failBookings } from './failing.js';

type Failure = (typeof failures)[FailureCode];

const withDuty = (client: Failure['client']): readonly Failure[] =>
  Object.values(failures).filter((one) => one.client === client);

/** Requests that a persistent failure applies to: more than a careful client sends. */
const PERSISTS = 30;

const titled = (words: string): string => words[0]!.toUpperCase() + words.slice(1);

function before({ scenario, because, obligation }: Failure): Exam {
  return {
    id: scenario,
    title: titled(because),
    does: `The first booking is refused with 400 because ${because}. Nothing is booked.`,
    shows: [obligation, 'bookings.one-for-one-wish'],
    needs: ['bookings'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'before-commit' }),
  };
}

function after({ scenario, because, obligation }: Failure): Exam {
  return {
    id: `${scenario}-committed`,
    title: `${titled(because)}, though the booking is made`,
    does: `The first booking is answered with 400 because ${because}. The booking is in the list all the same.`,
    shows: [obligation, 'bookings.one-for-one-wish'],
    needs: ['bookings'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'after-commit' }),
  };
}

function persistent({ scenario, because, obligation }: Failure): Exam {
  return {
    id: `${scenario}-persistent`,
    title: `${titled(because)}, again and again`,
    does: `Each of the first ${PERSISTS} bookings is refused with 400 because ${because}.`,
    shows: [obligation],
    needs: ['bookings'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario, { phase: 'before-commit', times: PERSISTS }),
  };
}

function cart({ scenario, because, obligation }: Failure): Exam {
  const problem = because.replace(/^of an? /, '');
  return {
    id: scenario,
    title: titled(problem),
    does: `The first booking is refused with 400 because ${because}.`,
    shows: [obligation],
    needs: ['bookings'],
    arrange: ({ scenarios }) => void scenarios.arm(scenario),
  };
}

const group: Exam = {
  id: 'group-partly-made',
  title: 'One booking of a group fails, and the others stay',
  does: 'The second booking of the first group fails. The deployment keeps those before it.',
  shows: ['failures.creation', 'bookings.one-for-one-wish'],
  answers: { 'booking.group-failure': 'earlier-stay' },
  needs: ['groups'],
  arrange: ({ scenarios }) => void scenarios.arm('booking-failed', { item: 2 }),
};

/** What changes between the tee sheet and the booking. */
const changed: readonly Omit<Exam, 'needs'>[] = [
  {
    id: 'price-changed',
    title: 'The price rises before the booking',
    does: 'Between the tee sheet and the first booking, all prices of that day rise by 10 percent.',
    shows: ['bookings.price', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => failBookings(sandbox, 'price-changed'),
  },
  {
    id: 'price-changed-checked',
    title: 'The price rises, and the service compares net rates',
    does: 'Prices rise before the first booking, and a booking with the old net rate is refused as a cart problem.',
    shows: ['bookings.price', 'failures.cart'],
    versions: ['v3', 'v5'],
    answers: { 'booking.net-rate-check': 'checked' },
    arrange: (sandbox) => failBookings(sandbox, 'price-changed'),
  },
  {
    id: 'tee-time-taken',
    title: 'Another channel books the tee time first',
    does: 'Between the tee sheet and the first booking, another channel books all slots of the tee time.',
    shows: ['failures.cart', 'bookings.players-available'],
    arrange: (sandbox) => failBookings(sandbox, 'rival'),
  },
  {
    id: 'day-sold-out',
    title: 'The day sells out before the booking',
    does: 'Between the tee sheet and the first booking, the course has no more free slots on that day.',
    shows: ['failures.cart', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => failBookings(sandbox, 'sold-out'),
  },
  {
    id: 'tee-time-withdrawn',
    title: 'The tee time is withdrawn before the booking',
    does: 'Between the tee sheet and the first booking, the facility removes the tee time.',
    shows: ['failures.cart', 'bookings.current-tee-sheet'],
    arrange: (sandbox) => failBookings(sandbox, 'tee-time-withdrawn'),
  },
];

/** The documented failures of bookings, before and after the commit, and changes before a booking. */
export const failureExams: readonly Exam[] = [
  ...[...withDuty('retry'), ...withDuty('look')].flatMap((failure) => [before(failure), after(failure)]),
  ...withDuty('retry').map(persistent),
  ...withDuty('search').map(cart),
  group,
  ...changed.map((exam): Exam => ({ ...exam, needs: ['bookings'] })),
];
