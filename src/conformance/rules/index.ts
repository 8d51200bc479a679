import type { RuleSpec } from '../rule.js';
import { bookingRequestRules } from './booking-requests.js';
import { optionalRequestRules } from './booking-requests-optional.js';
import { bookingAgreementRules } from './bookings-agreement.js';
import { bookingCreateRules } from './bookings-create.js';
import { bookingEffectRules } from './bookings-effect.js';
import { bookingListRules } from './bookings-list.js';
import { paymentRules } from './payments.js';
import { errorRules } from './errors.js';
import { linkedRules } from './linked.js';
import { versionRules } from './versions.js';
import { tokenRules } from './tokens.js';
import { searchRules } from './search.js';
import { callbackRules } from './callback.js';
import { authRules } from './auth.js';
import { countryRules } from './countries.js';
import { envelopeRules } from './envelope.js';
import { facilityRules } from './facilities.js';
import { facilityListRules } from './facility-lists.js';
import { dateRules } from './dates.js';
import { limitRules } from './limits.js';
import { priceRules } from './prices.js';
import { pagingRules } from './prices-paging.js';
import { teeTimeAgreementRules } from './tee-times-agreement.js';
import { teeTimeRules } from './tee-times.js';

/** The rules written by hand, a file for each resource. A new file is entered here. */
export const handWritten: readonly RuleSpec[] = [
  ...countryRules,
  ...facilityRules,
  ...facilityListRules,
  ...teeTimeRules,
  ...teeTimeAgreementRules,
  ...priceRules,
  ...pagingRules,
  ...dateRules,
  ...authRules,
  // After those of their phase that book, for the same reason as the last ones below.
  ...limitRules,
  ...versionRules,
  ...searchRules,
  ...callbackRules,
  ...tokenRules,
  ...envelopeRules,
  ...errorRules,
  ...optionalRequestRules,
  ...linkedRules,
  ...bookingListRules,
  ...bookingAgreementRules,
  ...bookingEffectRules,
  ...bookingCreateRules,
  ...paymentRules,
  // Last of those that book: a deployment that checks nothing uses up the budget here.
  ...bookingRequestRules,
];
