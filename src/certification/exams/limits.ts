import type { Exam } from '../exam.js';
import { failBookings } from './failing.js';

type Wait = Readonly<Record<string, string>>;

/** Scenarios of their own, since the waits of the built-in ones would make an exam last for minutes. */
function refusing(id: string, means: string, effect: object): object {
  return {
    id,
    title: means,
    means,
    source: { section: 'Limits', item: 'sentence 1' },
    operations: ['*'],
    checkpoint: 'arrival',
    effect: { kind: 'refusal', ...effect },
    after: { 'before-commit': 'Nothing has happened. The service did not read the request.' },
  };
}

function limited(id: string, means: string, headers: Wait): object {
  return refusing(id, means, { code: 'rate-limited', rule: 'limits.rate', headers });
}

function closed(id: string, means: string, headers: Wait): object {
  return refusing(id, means, { code: 'maintenance', rule: 'errors.service-status', headers });
}

/** A service that asks a client to wait. */
export const limitExams: readonly Exam[] = [
  {
    id: 'rate-limited',
    title: 'Rate limit with Retry-After',
    does: 'The third and fourth call are answered with 429 and `Retry-After: 2`.',
    shows: ['limits.retry-after', 'limits.backs-off'],
    options: {
      ownScenarios: [limited('rate-limited-briefly', 'The limit is reset in two seconds.', { 'retry-after': '2' })],
    },
    arrange: ({ scenarios }) => void scenarios.arm('rate-limited-briefly', { after: 2, times: 2 }),
  },
  {
    id: 'rate-limited-at-booking',
    title: 'Rate limit at a booking',
    does: 'The first booking is answered with 429 and `Retry-After: 1`. Nothing is booked.',
    shows: ['limits.retry-after'],
    needs: ['bookings'],
    options: {
      ownScenarios: [limited('rate-limited-briefly', 'The limit is reset in a second.', { 'retry-after': '1' })],
    },
    arrange: (sandbox) => failBookings(sandbox, 'rate-limited-briefly'),
  },
  {
    id: 'rate-limited-without-wait',
    title: 'Rate limit without Retry-After',
    does: 'The third, fourth and fifth call are answered with 429, which does not say how long to wait.',
    shows: ['limits.backs-off'],
    options: { ownScenarios: [limited('rate-limited-silently', 'The answer does not say when it is reset.', {})] },
    arrange: ({ scenarios }) => void scenarios.arm('rate-limited-silently', { after: 2, times: 3 }),
  },
  {
    id: 'maintenance',
    title: 'Maintenance with Retry-After',
    does: 'The second and third call are answered with 503 and `Retry-After: 2`. After that, everything works.',
    shows: ['limits.retry-after', 'robust.outage'],
    options: { ownScenarios: [closed('maintenance-briefly', 'It ends in two seconds.', { 'retry-after': '2' })] },
    arrange: ({ scenarios }) => void scenarios.arm('maintenance-briefly', { after: 1, times: 2 }),
  },
  {
    id: 'small-pages',
    title: 'Prices come in small pages',
    does: 'Each answer has two price records at most, and `total` counts all of them.',
    shows: ['paging.to-the-end', 'paging.stops'],
    versions: ['v5'],
    needs: ['prices'],
    answers: { 'prices.default-limit': 2, 'prices.max-limit': 2 },
  },
];
