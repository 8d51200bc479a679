import { isOf, shows, versionsOf } from '../../client/operations.js';
import type { ListedBooking, ListVersion } from '../../journeys/booking-lists.js';
import type { Expect } from '../expect.js';

/** The states that the API specification shows (section "States and transitions"). */
export const states: readonly unknown[] = ['BOOKED', 'CANCELED'];

/**
 * Other states than the two that the API specification shows are an open question; other spellings of these are not.
 */
export function isActive(expect: Expect, { status }: ListedBooking, version: ListVersion): void {
  const active = status === 'BOOKED' || (typeof status === 'string' && !/^\s*(book|cancel)/i.test(status));
  expect.that(active, `${version} does not list an active booking as BOOKED.`, { expected: 'BOOKED', actual: status });
}

const singleName = versionsOf('listBookings', shows('contactName'));

/** The fields of a booking request, as the list of a version must show them. */
export function asListed(version: ListVersion, item: Record<string, unknown>): Record<string, unknown> {
  const { players, teeId, contactPhone, contactEmail, contactFirstName, contactLastName } = item;
  const teetime = String(item['teetime']).replace(' ', 'T');
  const course = item['course'] ?? item['round'];
  const names = singleName.includes(version) ? {} : { contactFirstName, contactLastName };
  const where = isOf('bookingList', version) ? { course, facilityId: item['facilityId'] } : { round: course };
  return { teetime, ...where, players, teeId, ...names, contactPhone, contactEmail };
}

/** A phone number to compare: separators are ignored, since many services drop them. */
const digits = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/[\s().-]/g, '') : value);
export const plain = (field: string, value: unknown): unknown => (field === 'contactPhone' ? digits(value) : value);
