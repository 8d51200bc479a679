import type { ObligationSpec } from '../obligation.js';
import { linkedObligations } from './linked.js';
import { looksBeforeRetry, oneForOneWish } from './retries.js';
import { currentTeeSheet, playersAvailable, price } from './tee-sheets.js';

export const bookingObligations: readonly ObligationSpec[] = [
  currentTeeSheet,
  price,
  playersAvailable,
  ...linkedObligations,
  oneForOneWish,
  looksBeforeRetry,
];
