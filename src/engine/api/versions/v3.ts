import type { Facility, PaymentRule } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import { createBulkBooking } from '../routes/create-bookings.js';
import { type FacilityWriter, listCountries, listFacilities, showFacility } from '../routes/facilities.js';
import type { Schemas } from '../routes/call.js';
import { confirmBulkPayment, confirmPayment } from '../routes/payments.js';
import type { TeeTimeWriter } from '../routes/tee-time-texts.js';
import { listTeeTimes } from '../routes/tee-times.js';
import { extraProductOffers, type Handlers, withEmptyFields } from './handlers.js';
import { facilityItem, zone } from './v1.js';
import { facilityDetails, playerPrices, playersField } from './v2.js';

/** Durations in the unit of the dialect. The API specification does not state the unit. */
function paymentRule(rule: PaymentRule, unit: Answers['payment-rule.duration-unit']): Schemas['PaymentRule'] {
  const convert = (hours: number): number =>
    unit === 'days' ? Math.round(hours / 24) : unit === 'minutes' ? hours * 60 : hours;
  return {
    ...rule,
    firstPaymentConditionDuration: convert(rule.firstPaymentConditionDuration),
    lastPaymentConditionDuration: convert(rule.lastPaymentConditionDuration),
  };
}

/** The address of the by-id form, with coordinates (section "Address"). */
function fullAddress({ address }: Facility): Schemas['FacilityAddress'] {
  const { mid, address1, number, addition, zipcode, place, state, country, latitude, longitude, region } = address;
  return { mid, address1, number, addition, zipcode, place, state, country, latitude, longitude, region };
}

/** Section "Facility (v3 by-id form)": an array of the record and its terms. */
const facilityPair: FacilityWriter<[Schemas['FacilityRecord'], Schemas['FacilityTerms']]> = {
  key: 'pair-v3',
  write(facility, answers) {
    const { id, name, website, email, timeZone, language, currency, created } = facility;
    const record: Schemas['FacilityRecord'] = {
      id,
      name,
      website,
      email,
      timeZone,
      address: fullAddress(facility),
      language,
      currencyCode: currency,
      created: `${created}${zone(answers)}`,
    };
    const terms: Schemas['FacilityTerms'] = {
      paymentRule: paymentRule(facility.paymentRule, answers['payment-rule.duration-unit']),
      applicableForWhitelable: facility.applicableForWhitelable,
    };
    return [withEmptyFields(record, answers['facility.empty-fields']), terms];
  },
};

const details: FacilityWriter<Schemas['FacilityDetailsV3']> = {
  key: 'details-v3',
  write(facility, answers, base) {
    const { reservationsContact } = facility;
    const record: Schemas['FacilityDetailsV3'] = { ...facilityDetails(facility, base), reservationsContact };
    return withEmptyFields(record, answers['facility.empty-fields']);
  },
};

/** Section "Tee time (v3 form, `teeTimeV2` element)". */
const teeTimeV2: TeeTimeWriter<Schemas['TeeTimeV2'], Schemas['TeeTimesV3']> = {
  key: 'v3',
  write(view, answers) {
    const { teeTime, course, facility } = view;
    return {
      id: teeTime.teeId,
      time: teeTime.time,
      course: course.name,
      holes: teeTime.holes,
      players: playersField(view, answers),
      extraProducts: extraProductOffers(facility),
      pricing: playerPrices(view, answers),
    };
  },
  page: (teeTimes, { cancellation }) => ({
    teeTimeV2: teeTimes,
    facilityCancellationPolicyRange: [...cancellation],
  }),
};

/** Version 3: facilities with terms, tee times with extra products and policy, bulk bookings and their payment. */
export const v3 = {
  listCountries,
  listFacilities: listFacilities(facilityItem, 'v3.listFacilities'),
  findFacility: showFacility(facilityPair, 'v3.findFacility'),
  facilityDetails: showFacility(details, 'v3.facilityDetails'),
  listTeeTimes: listTeeTimes(teeTimeV2),
  createBulkBooking,
  confirmPayment,
  confirmBulkPayment,
} satisfies Handlers<'v3'>;
