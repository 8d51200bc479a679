import { bookingObligations } from './bookings/bookings.js';
import { callbackObligations } from './callbacks/callbacks.js';
import { failureObligations } from './failures/failures.js';
import { channelObligations } from './channels.js';
import { limitObligations } from './limits.js';
import type { ObligationSpec } from './obligation.js';
import { pagingObligations } from './paging.js';
import { paymentObligations } from './payments/payments.js';
import { requestObligations } from './requests/index.js';
import { robustnessObligations } from './robustness/robustness.js';
import { tokenObligations } from './tokens.js';

/** How each obligation of the catalogue is seen; the files of spec/obligations have the words. */
export const obligationSpecs: readonly ObligationSpec[] = [
  ...tokenObligations,
  ...requestObligations,
  ...channelObligations,
  ...limitObligations,
  ...pagingObligations,
  ...bookingObligations,
  ...failureObligations,
  ...paymentObligations,
  ...callbackObligations,
  ...robustnessObligations,
];
