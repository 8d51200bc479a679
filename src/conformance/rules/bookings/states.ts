import { isOf, shows, versionsOf } from '../../client/operations.js';
import { type ListedBooking, type ListVersion, nameOf } from '../../journeys/booking-lists.js';
import type { Compared } from '../../facts/relation.js';
import { isSameJson } from '../../../common/index.js';
import type { Expect } from '../expect.js';

/** The states that the API specification shows (section "States and transitions"). */
export const states: readonly unknown[] = ['BOOKED', 'CANCELED'];

/**
 * Whether a status may be that of an active booking, or that of a cancelled one. Other states than the two that the API
 * specification shows are an open question; other spellings of these are not.
 */
export function mayBe(state: 'active' | 'cancelled', status: unknown): boolean {
  if (state === 'cancelled') return !/^\s*book/i.test(String(status));
  return status === 'BOOKED' || (typeof status === 'string' && !/^\s*(book|cancel)/i.test(status));
}

export function isActive(expect: Expect, { status }: ListedBooking, version: ListVersion): void {
  expect.that(mayBe('active', status), `${version} does not list an active booking as BOOKED.`, {
    expected: 'BOOKED',
    actual: status,
  });
}

const singleName = versionsOf('listBookings', shows('contactName'));

/** The fields of a booking request, as the list of a version must show them. */
function asListed(version: ListVersion, item: Record<string, unknown>): Record<string, unknown> {
  const { players, teeId, contactPhone, contactEmail, contactFirstName, contactLastName } = item;
  const teetime = String(item['teetime']).replace(' ', 'T');
  const course = item['course'] ?? item['round'];
  const names = singleName.includes(version) ? {} : { contactFirstName, contactLastName };
  const where = isOf('bookingList', version) ? { course, facilityId: item['facilityId'] } : { round: course };
  return { teetime, ...where, players, teeId, ...names, contactPhone, contactEmail };
}

/** A phone number to compare: separators are ignored, since many services drop them. */
const digits = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/[\s().-]/g, '') : value);
const plain = (field: string, value: unknown): unknown => (field === 'contactPhone' ? digits(value) : value);

/**
 * A list shows what was booked, in the fields that have a value: the API specification does not show which may be
 * empty.
 */
export function* shownAsBooked(version: ListVersion, item: ListedBooking, shown: ListedBooking): Iterable<Compared> {
  for (const [field, value] of Object.entries(asListed(version, item))) {
    const listed = shown[field] ?? undefined;
    if (listed === undefined || value === undefined) continue;
    const [expected, actual] = [plain(field, value), plain(field, listed)];
    const what = (): string =>
      `The \`${field}\` of a booking in the list of ${version} differs from the value that was booked.`;
    yield { holds: isSameJson(actual, expected), what, expected, actual };
  }
  const [expected, actual] = [nameOf(item), nameOf(shown)];
  if (actual === '') return;
  const what = (): string => `The name of the contact in ${version} differs from the booked name.`;
  yield { holds: expected.split(' ').every((part) => actual.includes(part)), what, expected, actual };
}
