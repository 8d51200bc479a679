import { authMutants } from './auth.js';
import { bookingMutants } from './bookings.js';
import { bookingRequestMutants } from './booking-requests.js';
import { callbackMutants } from './callback.js';
import { callerMutants } from './callers.js';
import { countryMutants } from './countries.js';
import { dateMutants } from './dates.js';
import { edgeMutants } from './edges.js';
import { envelopeMutants } from './envelope.js';
import { errorMutants } from './errors.js';
import { facilityMutants } from './facilities.js';
import { fieldRuleMutants } from './fields.js';
import { halfMutants } from './halves.js';
import { linkedMutants } from './linked.js';
import { paymentMutants } from './payments.js';
import { priceMutants } from './prices.js';
import { searchMutants } from './search.js';
import { teeTimeMutants } from './tee-times.js';
import { tokenMutants } from './tokens.js';
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
  ...searchMutants,
  ...tokenMutants,
  ...versionMutants,
  ...countryMutants,
  ...facilityMutants,
  ...envelopeMutants,
  ...teeTimeMutants,
  ...priceMutants,
  ...dateMutants,
  ...bookingMutants,
  ...paymentMutants,
  ...callerMutants,
  ...edgeMutants,
  ...halfMutants,
];
