/** Everyday defects of a program that works off a queue. */
import type { PlantedDefect, Unplanted } from './certify-suite.js';
import * as client from './client-defects.js';
import { type QueueDefect, queueTests } from './queue-suite.js';

/** Defects of its own. */
export const ofProgram: readonly (Unplanted & { readonly does: QueueDefect })[] = [
  { does: 'takes null alone for players', wanted: ['robust.lawful-forms'], exam: 'filled-optionals' },
  { does: 'answers results with an error', wanted: ['callbacks.answers'] },
  { does: 'hangs up when it has read a result', wanted: ['callbacks.answers'] },
  { does: 'fails at a result that it has had before', wanted: ['callbacks.repeated'], exam: 'callback-repeated' },
  {
    does: 'fails at a result without tee times',
    wanted: ['callbacks.empty', 'callbacks.answers'],
    exam: 'callback-empty',
  },
  { does: 'books each result again', wanted: ['callbacks.repeated'], exam: 'callback-repeated' },
  {
    does: 'books again blindly',
    wanted: ['bookings.looks-before-retry', 'bookings.one-for-one-wish'],
    exam: 'booking-answer-lost',
  },
  { does: 'books again after a cart problem', wanted: ['failures.cart'], exam: 'cart-problem' },
  { does: 'does not wait as it is asked to', wanted: ['limits.retry-after'], exam: 'rate-limited-at-booking' },
  { does: 'reads one page', wanted: ['paging.to-the-end'], exam: 'small-pages' },
];

const tests = queueTests();
/** The test that a refresh token works once refreshes for a client that does not. */
const withoutReuse = tests.filter(({ name }) => !/refresh token/.test(name));

export const queueDefects: readonly PlantedDefect[] = [
  ...[...client.ofRequests, ...client.ofSearches, ...client.ofTeeTimes, ...client.ofForms, ...client.ofRetries].map(
    ({ plant, ...row }) => ({ ...row, how: { tests, plant } }),
  ),
  ...client.ofTokens.map(({ plant, ...row }) => ({ ...row, how: { tests: withoutReuse, plant } })),
  ...ofProgram.map((row) => ({ ...row, how: { tests: queueTests(row.does) } })),
];
