import type { Facility } from '../../model/world.js';
import type { Answers } from '../../../contract/index.js';
import { createRoundBooking } from '../routes/create-bookings.js';
import { type FacilityWriter, listCountries, listFacilities, showFacility } from '../routes/facilities.js';
import { listBookings } from '../routes/list-bookings.js';
import type { Schemas } from '../routes/call.js';
import type { TeeTimeView, TeeTimeWriter } from '../routes/tee-time-texts.js';
import { listTeeTimes } from '../routes/tee-times.js';
import { type Handlers, money, shownSteps, withEmptyFields } from './handlers.js';
import { address, bookingWriter, facilityItem } from './v1.js';

/** Section "Verbose facility details" without the contact that v3 adds. */
export function facilityDetails(facility: Facility, base: string): Schemas['FacilityDetailsV2'] {
  const { latitude, longitude } = facility.address;
  return {
    id: facility.id,
    name: facility.name,
    latitude,
    longitude,
    address: address(facility),
    phoneNumber: facility.phoneNumber,
    email: facility.email,
    website: facility.website,
    foundedIn: facility.foundedIn,
    description: facility.description,
    services: facility.services,
    ...facilityImagePaths(facility, base),
  };
}

const details: FacilityWriter<Schemas['FacilityDetailsV2']> = {
  key: 'details-v2',
  write: (facility, answers, base) =>
    withEmptyFields(facilityDetails(facility, base), answers['facility.empty-fields']),
};

/** `players` of the v2 and v3 forms, whose meaning is open (question `teetimes.players-field`). */
export function playersField({ free, players }: TeeTimeView, answers: Answers): number {
  return answers['teetimes.players-field'] === 'requested' ? players : free;
}

/** Prices by number of players of the first product, which versions without products use. */
export function playerPrices(view: TeeTimeView, answers: Answers): Schemas['PlayerPrice'][] {
  return shownSteps(view, view.teeTime.products[0]!, answers).map(({ quantity, price }) => ({
    players: String(quantity),
    price: money(price, view.facility.currency),
  }));
}

/** Section "Tee time (v2 form)". */
const teeTimeRound: TeeTimeWriter<Schemas['TeeTimeRound'], Schemas['TeeTimeRound'][]> = {
  key: 'v2',
  write(view, answers) {
    const { teeTime, course } = view;
    return {
      id: teeTime.teeId,
      time: teeTime.time,
      round: course.name,
      holes: teeTime.holes,
      players: playersField(view, answers),
      pricing: playerPrices(view, answers),
    };
  },
  page: (teeTimes) => teeTimes,
};

/** Section "Booking (list item)", v2: first and last name instead of one contact name. */
const bookingItem = bookingWriter('v2', ({ time, course, players, teeId, contactFirstName, contactLastName }) => ({
  teetime: time,
  round: course,
  players,
  teeId,
  contactFirstName,
  contactLastName,
}));

/** Version 2 adds countries, details, tee times as a plain array, and single bookings of a round. */
export const v2 = {
  listCountries,
  listFacilities: listFacilities(facilityItem, 'v2.listFacilities'),
  findFacility: showFacility(facilityItem, 'v2.findFacility'),
  facilityDetails: showFacility(details, 'v2.facilityDetails'),
  listTeeTimes: listTeeTimes(teeTimeRound),
  createBooking: createRoundBooking,
  listBookings: listBookings(bookingItem),
} satisfies Handlers<'v2'>;

/** The URLs of a facility's images, as in the verbose details: under `{base_url}`, or those that a file gives. */
export function facilityImagePaths(facility: Facility, base: string): { logo: string; images: string[] } {
  const folder = `${base}/images/${facility.id}`;
  const drawn = Array.from({ length: facility.images }, (_, index) => `${folder}/${index + 1}.svg`);
  const { logoUrl: logo = `${folder}/logo.svg`, imageUrls: images = drawn } = facility;
  return { logo, images: [...images] };
}
