import { operations } from '../../contract/index.js';
import type { Exam } from '../exam.js';

const ID = 'refused-for-good';
const TITLE = 'Refused for good';
const names = [...new Set<string>(operations.map(({ name }) => name))];

/**
 * Refuses every request from one on, except refreshes. It is not in the catalogue and shows no obligation: a client does
 * not repeat what is refused like this, so the program that runs its tests does. The message asks for no other attempt, as
 * those of some refused bookings do (Errors, list 1).
 */
export function refusedForGood({ before }: { readonly before: number }): Exam {
  return {
    id: ID,
    title: TITLE,
    does: 'From one call on, all but those that refresh are answered with 400.',
    shows: [],
    options: {
      ownScenarios: [
        {
          id: ID,
          title: TITLE,
          means: 'The same request is refused each time.',
          source: { section: 'Errors', item: 'sentence 1' },
          operations: names.filter((name) => name !== 'refreshToken'),
          checkpoint: 'arrival',
          effect: { kind: 'refusal', code: 'booking-canceled', rule: 'errors.validation-status' },
          after: { 'before-commit': 'Nothing has happened.' },
        },
      ],
    },
    arrange: ({ scenarios }) => void scenarios.arm(ID, { after: before, times: 'always' }),
  };
}
