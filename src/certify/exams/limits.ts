import type { Exam } from '../exam.js';

/** A rate limit as a scenario of its own, since the wait of the built-in one would make an exam last a minute. */
function limited(id: string, means: string, headers: Readonly<Record<string, string>>): object {
  return {
    id,
    title: 'The channel has sent too many requests',
    means,
    source: { section: 'Limits', item: 'sentence 1' },
    operations: ['*'],
    checkpoint: 'arrival',
    effect: { kind: 'refusal', code: 'rate-limited', rule: 'limits.rate', headers },
    after: { 'before-commit': 'Nothing has happened. The service did not read the request.' },
  };
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
    options: {
      ownScenarios: [limited('rate-limited-briefly', 'The limit is reset in a second.', { 'retry-after': '1' })],
    },
    arrange: ({ scenarios }) => {
      for (const operation of ['createBooking', 'createBulkBooking']) {
        scenarios.arm('rate-limited-briefly', { operation });
      }
    },
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
    id: 'small-pages',
    title: 'Prices come in small pages',
    does: 'Each answer has five price records at most, and `total` counts all of them.',
    shows: ['paging.to-the-end', 'paging.stops'],
    versions: ['v5'],
    answers: { 'prices.default-limit': 5, 'prices.max-limit': 5 },
  },
];
