import type { RuleSpec } from './rule.js';
import { bookingRequestRules, openRequestRules } from './bookings/requests.js';
import { optionalRequestRules } from './bookings/requests-optional.js';
import { bookingAgreementRules } from './bookings/agreement.js';
import { bookingIdRules, bookingListRules } from './bookings/list.js';
import { bookingCreateRules } from './bookings/create.js';
import { bookingEffectRules } from './bookings/effect.js';
import { paymentEffectRules, paymentRules } from './bookings/payments.js';
import { errorRules } from './errors.js';
import { linkedRules } from './bookings/linked.js';
import { versionRules } from './versions.js';
import { serverErrorRules } from './server-errors.js';
import { tokenRules } from './tokens.js';
import { searchRules } from './tee-times/search.js';
import { callbackRules } from './tee-times/callback.js';
import { deliveryRules } from './tee-times/delivery.js';
import { authRules } from './auth.js';
import { countryRules } from './facilities/countries.js';
import { envelopeRules } from './envelope.js';
import { facilityAgreementRules } from './facilities/agreement.js';
import { facilityRules } from './facilities/facilities.js';
import { facilityListRules } from './facilities/lists.js';
import { dateRules } from './dates.js';
import { limitRules } from './limits.js';
import { priceAgreementRules } from './prices/agreement.js';
import { priceRules } from './prices/prices.js';
import { pagingRules } from './prices/paging.js';
import { teeTimeAgreementRules } from './tee-times/agreement.js';
import { teeTimeIdentityRules } from './tee-times/identity.js';
import { teeTimeRules } from './tee-times/tee-times.js';

/** The rules written by hand, in one file for each resource. Add a new file here. */
export const handWritten: readonly RuleSpec[] = [
  ...countryRules,
  ...facilityRules,
  ...facilityListRules,
  ...facilityAgreementRules,
  ...teeTimeRules,
  ...teeTimeAgreementRules,
  ...teeTimeIdentityRules,
  ...priceRules,
  ...pagingRules,
  ...priceAgreementRules,
  ...dateRules,
  ...authRules,
  // After the other rules of their phase that book, for the same reason as the last ones below.
  ...limitRules,
  ...versionRules,
  ...searchRules,
  ...callbackRules,
  ...deliveryRules,
  ...tokenRules,
  ...envelopeRules,
  ...errorRules,
  ...optionalRequestRules,
  ...openRequestRules,
  ...linkedRules,
  ...bookingListRules,
  ...bookingEffectRules,
  // After them: one of the bookings is canceled here.
  ...bookingAgreementRules,
  ...bookingIdRules,
  ...bookingCreateRules,
  ...paymentRules,
  ...paymentEffectRules,
  // Last of the rules that book: a deployment without any validation uses up the budget here.
  ...bookingRequestRules,
  ...serverErrorRules,
];
