import { authMutants } from './access/auth.js';
import { bookingMutants } from './bookings/bookings.js';
import { cancellationMutants } from './bookings/cancellations.js';
import { bookingRequestMutants } from './bookings/booking-requests.js';
import { callbackMutants } from './tee-times/callbacks.js';
import { mixedUpCallerMutants } from './access/mixed-up-callers.js';
import { courseMutants } from './tee-times/courses.js';
import { countryMutants } from './facilities/countries.js';
import { dateMutants } from './dates.js';
import { edgeCaseMutants } from './edge-cases.js';
import { envelopeMutants } from './envelope.js';
import { errorMutants } from './bookings/errors.js';
import { facilityMutants } from './facilities/facilities.js';
import { fieldRuleMutants } from './fields.js';
import { partialDefectMutants } from './partial-defects.js';
import { linkedMutants } from './bookings/linked.js';
import { paymentMutants } from './bookings/payments.js';
import { pricePageMutants } from './tee-times/price-pages.js';
import { priceMutants } from './tee-times/prices.js';
import { refusedRefreshMutants } from './access/refused-refreshes.js';
import { resultMutants } from './tee-times/results.js';
import { searchMutants } from './tee-times/search.js';
import { teeTimeIdentityMutants } from './tee-times/identity.js';
import { teeTimeMutants } from './tee-times/tee-times.js';
import { tokenMutants } from './access/tokens.js';
import { versionMutants } from './versions.js';
import type { Mutant } from './mutant.js';

/** All mutants, those of the generic rules first. A new file is entered here. */
export const mutants: readonly Mutant[] = [
  ...fieldRuleMutants,
  ...bookingRequestMutants,
  ...linkedMutants,
  ...errorMutants,
  ...authMutants,
  ...callbackMutants,
  ...resultMutants,
  ...searchMutants,
  ...tokenMutants,
  ...refusedRefreshMutants,
  ...versionMutants,
  ...countryMutants,
  ...facilityMutants,
  ...envelopeMutants,
  ...teeTimeMutants,
  ...teeTimeIdentityMutants,
  ...courseMutants,
  ...priceMutants,
  ...pricePageMutants,
  ...dateMutants,
  ...bookingMutants,
  ...cancellationMutants,
  ...paymentMutants,
  ...mixedUpCallerMutants,
  ...edgeCaseMutants,
  ...partialDefectMutants,
];
