import { priceSteps } from '../domain/tee-sheet.js';
import type { Product } from '../domain/world.js';
import type { Answers } from '../generated/questions.js';
import { idOf } from '../routes/create-bookings.js';
import { type BookingWriter, listBookings } from '../routes/list-bookings.js';
import { confirmBulkPayment, confirmPayment } from '../routes/payments.js';
import type { TeeTimeView, TeeTimeWriter } from '../routes/tee-time-texts.js';
import { listTeeTimes } from '../routes/tee-times.js';
import { withEmptyFields } from './empty-fields.js';
import type { Handlers } from './handlers.js';
import { extraProductOffers, money } from './money.js';
import { createdAt } from './v1.js';

/** The products of the same tee time that this one is linked to, in the form the dialect gives them. */
function linkedProducts({ slot }: TeeTimeView, product: Product, answers: Answers): unknown[] {
  const how = answers['teetimes.linked-products'];
  if (how === 'empty' || product.holes <= slot.holes) return [];
  const linked = slot.products.filter(({ holes }) => holes <= slot.holes);
  return linked.map(({ mid, name }) => (how === 'ids' ? mid : { mid, name }));
}

/** Section "Tee time", Product, with its price for one to four players. */
function product(view: TeeTimeView, one: Product, answers: Answers): unknown {
  const { currency } = view.facility;
  return {
    mid: one.mid,
    name: one.name,
    category: one.category,
    available: view.free,
    pricing: priceSteps(view.course, one, view.sheet.day).map(({ quantity, price, netRate, publicRate }) => ({
      quantity,
      price: money(price, currency),
      netRate: money(netRate, currency),
      publicRate: money(publicRate, currency),
    })),
    players: answers['teetimes.product-players'] === 'maximum' ? 4 : null,
    linkedProducts: linkedProducts(view, one, answers),
  };
}

/** Section "Tee time (v3 and v4 and v5 form, `teeTimeV3` element)". */
export const teeTimeV3: TeeTimeWriter = {
  key: 'v4',
  write(view, answers) {
    const { slot, course, facility } = view;
    return {
      teeid: slot.teeId,
      time: slot.time,
      course: course.name,
      holes: slot.holes,
      extraProducts: extraProductOffers(facility),
      products: slot.products.map((one) => product(view, one, answers)),
    };
  },
  wrap: (teeTimes, { cancellation }) =>
    `{"teeTimeV3":${teeTimes},"facilityCancellationPolicyRange":${JSON.stringify(cancellation)}}`,
};

/** Section "Booking (list item)", v4: with facility, and a course in place of a round. */
const bookingItem: BookingWriter = {
  key: 'v4',
  write(booking, answers) {
    const { time, course, players, teeId, facilityId, contactFirstName, contactLastName, contactPhone, contactEmail } =
      booking;
    const item = {
      teetime: time,
      course,
      players,
      teeId,
      facilityId,
      contactFirstName,
      contactLastName,
      contactPhone,
      contactEmail,
      createdAt: createdAt(booking, answers),
      bookingId: idOf(booking, answers),
      status: booking.status,
    };
    return withEmptyFields(item, answers['booking-list.empty-fields']);
  },
};

/** Version 4: tee times with products, and the booking list with facility and course. */
export const v4 = {
  listTeeTimes: listTeeTimes(teeTimeV3),
  listBookings: listBookings(bookingItem),
  confirmPayment,
  confirmBulkPayment,
} satisfies Handlers<'v4'>;
