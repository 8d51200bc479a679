import { access, collapses } from './access.js';
import { bookingAnswers } from './booking-answers.js';
import { bookingMistakes } from './booking-mistakes.js';
import { bookingRequests } from './booking-requests.js';
import { bookings } from './bookings.js';
import { envelope } from './envelope.js';
import { everyday } from './everyday.js';
import { facilities } from './facilities.js';
import { bookingLists } from './lists.js';
import { payments } from './payments.js';
import { priceRecords } from './price-records.js';
import { prices } from './prices.js';
import type { Defect } from './row.js';
import { results } from './results.js';
import { searches } from './searches.js';
import { teeTimeFields } from './tee-time-fields.js';
import { teeTimeFinds } from './tee-time-finds.js';
import { teeTimes } from './tee-times.js';
import { tokens } from './tokens.js';

/** Mistakes that break the API specification, as the teams of a service make them. */
export const defects: readonly Defect[] = [
  ...envelope,
  ...facilities,
  ...teeTimes,
  ...teeTimeFields,
  ...teeTimeFinds,
  ...prices,
  ...priceRecords,
  ...searches,
  ...results,
  ...bookings,
  ...bookingRequests,
  ...bookingAnswers,
  ...bookingMistakes,
  ...bookingLists,
  ...payments,
  ...access,
  ...tokens,
  ...collapses,
  ...everyday,
];
