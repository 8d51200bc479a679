import type { Product } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import { listBookings } from '../routes/list-bookings.js';
import type { Schemas } from '../routes/call.js';
import { confirmBulkPayment, confirmPayment } from '../routes/payments.js';
import type { TeeTimeView, TeeTimeWriter } from '../routes/tee-time-texts.js';
import { listTeeTimes } from '../routes/tee-times.js';
import { extraProductOffers, type Handlers, money, shownSteps } from './handlers.js';
import { bookingWriter } from './v1.js';

/** The linked products of the same tee time, in the form of the dialect. */
function linkedProducts(
  { teeTime }: TeeTimeView,
  product: Product,
  answers: Answers,
): Schemas['Product']['linkedProducts'] {
  const how = answers['teetimes.linked-products'];
  if (how === 'empty' || how === 'absent' || product.holes <= teeTime.holes) return [];
  const linked = teeTime.products.filter(({ holes }) => holes <= teeTime.holes);
  return linked.map(({ mid, name }) => (how === 'ids' ? mid : { mid, name }));
}

/** Section "Tee time", Product, with prices for one to four players. */
function product(view: TeeTimeView, one: Product, answers: Answers): Schemas['Product'] {
  const { currency } = view.facility;
  const [shown, links] = [answers['teetimes.product-players'], answers['teetimes.linked-products']];
  const record: Schemas['Product'] = {
    mid: one.mid,
    name: one.name,
    category: one.category,
    available: view.free,
    pricing: shownSteps(view, one, answers).map(({ quantity, price, netRate, publicRate }) => ({
      quantity,
      price: money(price, currency),
      netRate: money(netRate, currency),
      publicRate: money(publicRate, currency),
    })),
    players: shown === 'maximum' ? 4 : null,
    linkedProducts: linkedProducts(view, one, answers),
  };
  // The type is that of the contract, which the default dialect follows.
  const open: Partial<Schemas['Product']> = record;
  if (shown === 'absent') delete open.players;
  if (links === 'absent') delete open.linkedProducts;
  return record;
}

/** Section "Tee time (v3 and v4 and v5 form, `teeTimeV3` element)". */
export const teeTimeV3: TeeTimeWriter<Schemas['TeeTimeV3'], Schemas['TeeTimesV4']> = {
  key: 'v4',
  write(view, answers) {
    const { teeTime, course, facility } = view;
    return {
      teeid: teeTime.teeId,
      time: teeTime.time,
      course: course.name,
      holes: teeTime.holes,
      extraProducts: extraProductOffers(facility),
      products: teeTime.products.map((one) => product(view, one, answers)),
    };
  },
  page: (teeTimes, { cancellation }) => ({
    teeTimeV3: teeTimes,
    facilityCancellationPolicyRange: [...cancellation],
  }),
};

/** Section "Booking (list item)", v4: with the facility, and a course instead of a round. */
const bookingItem = bookingWriter('v4', (booking) => ({
  teetime: booking.time,
  course: booking.course,
  players: booking.players,
  teeId: booking.teeId,
  facilityId: booking.facilityId,
  contactFirstName: booking.contactFirstName,
  contactLastName: booking.contactLastName,
}));

/** Version 4: tee times with products, and the booking list with facility and course. */
export const v4 = {
  listTeeTimes: listTeeTimes(teeTimeV3),
  listBookings: listBookings(bookingItem),
  confirmPayment,
  confirmBulkPayment,
} satisfies Handlers<'v4'>;
