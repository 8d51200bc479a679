import { bookingMutants } from './bookings.js';
import { callbackMutants } from './callbacks.js';
import { contractMutants } from './contract.js';
import { failureMutants } from './failures.js';
import { linkedMutants } from './linked.js';
import type { ClientMutant } from './mutant.js';
import { paymentMutants } from './payments.js';
import { readMutants } from './reads.js';
import { requestMutants } from './requests.js';
import { retryMutants } from './retries.js';
import { robustnessMutants } from './robustness.js';
import { tokenMutants } from './tokens.js';

/** The correct client with one defect each. */
export const clientMutants: readonly ClientMutant[] = [
  ...tokenMutants,
  ...requestMutants,
  ...contractMutants,
  ...readMutants,
  ...bookingMutants,
  ...linkedMutants,
  ...retryMutants,
  ...failureMutants,
  ...paymentMutants,
  ...callbackMutants,
  ...robustnessMutants,
];

/** Obligations that no client can be seen to break, and why. */
export const unbreakable: Readonly<Record<string, string>> = {
  'payments.v5-paused': 'traffic does not show what a client relies on: the obligation is met, or not seen',
};
