import type { Facility, PaymentRule } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import { listCountries } from '../routes/countries.js';
import { createBulkBooking } from '../routes/create-bookings.js';
import { type FacilityWriter, listFacilities, showFacility } from '../routes/facilities.js';
import { confirmBulkPayment, confirmPayment } from '../routes/payments.js';
import type { TeeTimeWriter } from '../routes/tee-time-texts.js';
import { listTeeTimes } from '../routes/tee-times.js';
import { withEmptyFields } from './empty-fields.js';
import type { Handlers } from './handlers.js';
import { extraProductOffers } from './money.js';
import { facilityItem } from './v1.js';
import { facilityDetails, playerPrices, playersField } from './v2.js';

/** Durations in the unit of the dialect; the document does not state it. */
function paymentRule(rule: PaymentRule, unit: Answers['payment-rule.duration-unit']): PaymentRule {
  const convert = (hours: number): number =>
    unit === 'days' ? Math.round(hours / 24) : unit === 'minutes' ? hours * 60 : hours;
  return {
    ...rule,
    firstPaymentConditionDuration: convert(rule.firstPaymentConditionDuration),
    lastPaymentConditionDuration: convert(rule.lastPaymentConditionDuration),
  };
}

/** The address of the by-id form, with place on earth (section "Address"). */
function fullAddress({ address }: Facility): Record<string, unknown> {
  const { mid, address1, number, addition, zipcode, place, state, country, latitude, longitude, region } = address;
  return { mid, address1, number, addition, zipcode, place, state, country, latitude, longitude, region };
}

/** Section "Facility (v3 by-id form)": the record and its terms, as an array of two. */
const facilityPair: FacilityWriter = {
  key: 'pair-v3',
  write(facility, answers) {
    const { id, name, website, email, timeZone, language, currency, created } = facility;
    const record = {
      id,
      name,
      website,
      email,
      timeZone,
      address: fullAddress(facility),
      language,
      currencyCode: currency,
      created: answers['time.created-zone'] === 'z' ? `${created}Z` : created,
    };
    const terms = {
      paymentRule: paymentRule(facility.paymentRule, answers['payment-rule.duration-unit']),
      applicableForWhitelable: facility.applicableForWhitelable,
    };
    return [withEmptyFields(record, answers['facility.empty-fields']), terms];
  },
};

const details: FacilityWriter = {
  key: 'details-v3',
  write(facility, answers, base) {
    const { reservationsContact } = facility;
    const record = { ...facilityDetails(facility, base), reservationsContact };
    return withEmptyFields(record, answers['facility.empty-fields']);
  },
};

/** Section "Tee time (v3 form, `teeTimeV2` element)". */
const teeTimeV2: TeeTimeWriter = {
  key: 'v3',
  write(view, answers) {
    const { slot, course, facility } = view;
    return {
      id: slot.teeId,
      time: slot.time,
      course: course.name,
      holes: slot.holes,
      players: playersField(view, answers),
      extraProducts: extraProductOffers(facility),
      pricing: playerPrices(view),
    };
  },
  wrap: (teeTimes, { cancellation }) =>
    `{"teeTimeV2":${teeTimes},"facilityCancellationPolicyRange":${JSON.stringify(cancellation)}}`,
};

/** Version 3: facilities with their terms, tee times with extras and policy, bulk bookings and their payment. */
export const v3 = {
  listCountries,
  listFacilities: listFacilities(facilityItem),
  findFacility: showFacility(facilityPair),
  facilityDetails: showFacility(details),
  listTeeTimes: listTeeTimes(teeTimeV2),
  createBulkBooking,
  confirmPayment,
  confirmBulkPayment,
} satisfies Handlers<'v3'>;
