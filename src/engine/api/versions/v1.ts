import type { Booking } from '../../model/booking.js';
import type { Facility } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import { idOf } from '../routes/create-bookings.js';
import { type FacilityWriter, listFacilities, showFacility } from '../routes/facilities.js';
import { listBookings } from '../routes/list-bookings.js';
import type { Schemas } from '../routes/call.js';
import { confirmPayment } from '../routes/payments.js';
import { type Handlers, withEmptyFields } from './handlers.js';

/** The address in list items and in the v1 and v2 forms (section "Address"). */
export function address({ address: from }: Facility): Schemas['Address'] {
  const { address1, address2, number, addition, zipcode, place, state, country } = from;
  return { address1, address2, number, addition, zipcode, place, state, country };
}

/** Section "Facility (list item, all versions)", which is also the v1 and v2 by-id form. */
export const facilityItem: FacilityWriter<Schemas['FacilityItem']> = {
  key: 'item',
  write(facility, answers) {
    const { id, name, website, email } = facility;
    const item: Schemas['FacilityItem'] = { id, name, website, email, address: address(facility) };
    return withEmptyFields(item, answers['facility.empty-fields']);
  },
};

/** The writer of a booking list item: what a version begins it with, and what all versions have after that. */
export function bookingWriter<Beginning extends object>(key: string, beginningOf: (booking: Booking) => Beginning) {
  return {
    key,
    write(booking: Booking, answers: Answers) {
      const { contactPhone, contactEmail, createdAt, status } = booking;
      const item = {
        ...beginningOf(booking),
        contactPhone,
        contactEmail,
        createdAt: `${createdAt}${zone(answers)}`,
        bookingId: idOf(booking, answers),
        status,
      };
      return withEmptyFields(item, answers['booking-list.empty-fields']);
    },
  };
}

/** What follows the milliseconds of a creation time: a time zone only if the dialect adds one. */
export function zone(answers: Answers): string {
  return { none: '', z: 'Z', offset: '+00:00' }[answers['time.created-zone']];
}

/** Section "Booking (list item)", v1: a round and one contact name. */
const bookingItem = bookingWriter('v1', ({ time, course, players, teeId, contactFirstName, contactLastName }) => ({
  teetime: time,
  round: course,
  players,
  teeId,
  contactName: `${contactFirstName} ${contactLastName}`.trim(),
}));

/** Version 1: facilities without their details, the booking list, payment confirmation. */
export const v1 = {
  listFacilities: listFacilities(facilityItem, 'v1.listFacilities'),
  findFacility: showFacility(facilityItem, 'v1.findFacility'),
  listBookings: listBookings(bookingItem),
  confirmPayment,
} satisfies Handlers<'v1'>;
