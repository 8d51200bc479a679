import type { Exam } from '../exam.js';
import { htmlErrors } from './disguises.js';
import { failBookings, failPayments } from './failing.js';

const oneBooking = ['bookings.one-for-one-wish', 'bookings.looks-before-retry'] as const;

/** Bookings whose answers are lost or unreadable. */
const lost: readonly Omit<Exam, 'shows' | 'needs'>[] = [
  {
    id: 'booking-answer-lost',
    title: 'The answer to a booking is lost',
    does: 'The first booking is made, but the connection breaks before its answer.',
    arrange: (sandbox) => failBookings(sandbox, 'connection-reset', { phase: 'after-commit' }),
  },
  {
    id: 'booking-unreachable',
    title: 'A booking does not reach the service',
    does: 'The connection breaks before the service reads the first booking. Nothing is booked.',
    arrange: (sandbox) => failBookings(sandbox, 'connection-reset', { phase: 'before-commit' }),
  },
  {
    id: 'booking-answer-empty',
    title: 'The connection closes without an answer to a booking',
    does: 'The first booking is made, but the connection closes before the first byte of its answer.',
    arrange: (sandbox) => failBookings(sandbox, 'empty-response', { phase: 'after-commit' }),
  },
  {
    id: 'booking-timeout',
    title: 'A booking is made, but never answered',
    does: 'The first booking is made, and its answer never comes.',
    arrange: (sandbox, { hang }) => failBookings(sandbox, 'timeout', { phase: 'after-commit', delay: hang }),
  },
  {
    id: 'booking-hangs',
    title: 'A booking hangs, and is not made',
    does: 'The first booking gets no answer. The service has not read it.',
    arrange: (sandbox, { hang }) => failBookings(sandbox, 'timeout', { phase: 'before-commit', delay: hang }),
  },
  {
    id: 'booking-truncated',
    title: 'The answer to a booking breaks off',
    does: 'The first booking is made, but its answer breaks off in the middle.',
    arrange: (sandbox) => failBookings(sandbox, 'truncated-body'),
  },
  {
    id: 'booking-malformed',
    title: 'The answer to a booking is not valid JSON',
    does: 'The first booking is made, but the JSON of its answer ends in the middle.',
    arrange: (sandbox) => failBookings(sandbox, 'malformed-json'),
  },
  {
    id: 'booking-server-error',
    title: 'A booking is made, but answered with 500',
    does: 'The first booking is made, but its answer is a 500.',
    arrange: (sandbox) => failBookings(sandbox, 'server-error', { phase: 'after-commit' }),
  },
];

const lostPayment: Exam = {
  id: 'payment-answer-lost',
  title: 'The answer to a payment is lost',
  does: 'The first confirmation of a payment takes effect, but the connection breaks before its answer.',
  shows: ['robust.outage'],
  needs: ['payments'],
  arrange: (sandbox) => failPayments(sandbox, 'connection-reset', { phase: 'after-commit' }),
};

/** Failures that may meet any call. */
const anyCall: readonly Exam[] = [
  {
    id: 'outage',
    title: 'A short outage',
    does: 'The second, third and fourth call are answered with 500. After that, everything works.',
    shows: ['robust.outage'],
    arrange: ({ scenarios }) => void scenarios.arm('server-error', { phase: 'before-commit', after: 1, times: 3 }),
  },
  {
    id: 'outage-without-json',
    title: 'An outage with an HTML page',
    does: 'The second and third call are answered with a 500 and a page of HTML in place of JSON.',
    shows: ['robust.outage'],
    disguise: htmlErrors,
    arrange: ({ scenarios }) => void scenarios.arm('server-error', { phase: 'before-commit', after: 1, times: 2 }),
  },
  {
    id: 'long-outage',
    title: 'A long outage',
    does: 'From the third call on, 100 calls are answered with 500.',
    shows: ['robust.outage', 'limits.backs-off'],
    arrange: ({ scenarios }) => void scenarios.arm('server-error', { phase: 'before-commit', after: 2, times: 100 }),
  },
  {
    id: 'connection-lost',
    title: 'Connections break',
    does: 'The connections of the second and fourth call break before their answers.',
    shows: ['robust.outage'],
    arrange: ({ scenarios }) => {
      scenarios.arm('connection-reset', { phase: 'before-commit', steps: ['ok', 'fail', 'ok', 'fail'] });
    },
  },
  {
    id: 'tee-times-unreadable',
    title: 'Tee times are not valid JSON',
    does: 'The JSON of the first tee times ends in the middle, and the next ones break off.',
    shows: ['robust.outage'],
    needs: ['tee sheets'],
    arrange: ({ scenarios }) => {
      scenarios.arm('malformed-json', { operation: 'listTeeTimes' });
      scenarios.arm('truncated-body', { operation: 'listTeeTimes' });
    },
  },
  {
    id: 'slow',
    title: 'The service is slow',
    does: 'The first answers are late, and one of them trickles in.',
    shows: ['tokens.one-at-a-time'],
    arrange: ({ scenarios }, { slow }) => {
      scenarios.arm('slow', { delay: slow, times: 3 });
      scenarios.arm('slow-body', { delay: slow, after: 3 });
    },
  },
  {
    id: 'slow-booking',
    title: 'A booking is slow',
    does: 'The first booking is made at once, and its answer is late.',
    shows: ['bookings.one-for-one-wish'],
    needs: ['bookings'],
    arrange: (sandbox, { slow }) => failBookings(sandbox, 'slow', { delay: slow, phase: 'after-commit' }),
  },
];

/** Failures of the network and of the service. */
export const networkExams: readonly Exam[] = [
  ...lost.map((exam): Exam => ({ ...exam, shows: oneBooking, needs: ['bookings'] })),
  lostPayment,
  ...anyCall,
];
