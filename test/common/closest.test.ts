import { expect, test } from 'vitest';
import { didYouMean } from '../../src/common/index.js';

const scenarios = [
  'tee-sheet-unresponsive',
  'tee-time-withdrawn',
  'payment-pi-failed',
  'payment-pv-failed',
  'sold-out',
];

test.each<[word: string, candidates: readonly string[], guess: string]>([
  ['payment-pi-faild', scenarios, 'payment-pi-failed'],
  ['Payment-PI-Failed', scenarios, 'payment-pi-failed'],
  ['tee-sheet-down', scenarios, 'tee-sheet-unresponsive'],
  ['TEE_SHEET_DOWN', scenarios, 'tee-sheet-unresponsive'],
  ['sold', scenarios, 'sold-out'],
  // Two are as near, or only half of it is known.
  ['payment-failed-now', scenarios, ''],
  ['sheet-lost', scenarios, ''],
  ['xy', ['xyz'], ''],
  ['netrate', ['netRate', 'players'], 'netRate'],
  ['contactPhoneNumber', ['contactPhone', 'contactEmail'], 'contactPhone'],
  ['contactName', ['contactFirstName', 'contactLastName'], ''],
])('of %s in %j, %j is meant', (word, candidates, guess) => {
  expect(didYouMean(word, candidates)).toBe(guess && ` Did you mean \`${guess}\`?`);
});
