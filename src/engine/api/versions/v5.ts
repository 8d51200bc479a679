import { weekdayName } from '../../model/calendar.js';
import { createBooking } from '../routes/create-bookings.js';
import type { Schemas } from '../routes/call.js';
import { confirmBulkPaymentV5, confirmPausedPayment } from '../routes/payments.js';
import { listPrices, type PriceWriter } from '../routes/prices.js';
import { searchTeeTimes } from '../routes/search.js';
import { listCourseTeeTimes } from '../routes/tee-times.js';
import type { Handlers } from './handlers.js';
import { teeTimeV3 } from './v4.js';

/** The type is that of the contract, which the default dialect follows. */
function withoutAvailability(record: Schemas['PriceRecord']): Schemas['PriceRecord'] {
  const { availability: _, ...rest } = record;
  return rest as Schemas['PriceRecord'];
}

/** Section "Price record (pricing endpoint)"; the price is for one player. */
const priceRecord: PriceWriter<Schemas['PriceRecord']> = {
  write({ facility, course, product, day, date, steps, availability }, answers) {
    const record: Schemas['PriceRecord'] = {
      facilityId: facility.id,
      facilityName: facility.name,
      courseId: course.id,
      courseName: course.name,
      countryName: facility.address.country,
      date,
      dayOfWeek: weekdayName(day),
      productId: product.mid,
      productName: product.name,
      price: steps[0]!.price / 100,
      currency: facility.currency,
      availability,
    };
    const shown = answers['prices.availability'];
    const leftOut = shown === 'absent' || (shown === 'absent-when-empty' && availability.length === 0);
    return leftOut ? withoutAvailability(record) : record;
  },
};

/** Writes the tee times of the result of a search, which this version alone has. */
export const searchResultWriter = teeTimeV3;

/** Version 5: tee times by course, the search over facilities, prices, bookings in three shapes, paused payments. */
export const v5 = {
  listTeeTimes: listCourseTeeTimes(teeTimeV3),
  searchTeeTimes: searchTeeTimes(searchResultWriter),
  listPrices: listPrices(priceRecord),
  createBooking,
  confirmPayment: confirmPausedPayment,
  confirmBulkPayment: confirmBulkPaymentV5,
} satisfies Handlers<'v5'>;
