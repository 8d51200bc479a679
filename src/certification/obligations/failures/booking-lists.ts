import { isObject } from '../../../common/index.js';
import { keepNewest } from '../bounded.js';
import { dayOf, isWithin } from '../days.js';
import { isCreation, isSuccess, nameOf } from '../operations.js';
import { idOf, numberOf, type RequestedBooking } from '../bookings/requested-bookings.js';
import { answerOf, type ClientCall } from '../traffic.js';

/** A booking as a list has it, as far as it tells one from another. */
export interface BookingInList {
  readonly bookingId: string;
  readonly teeId: number | undefined;
  readonly players: number | undefined;
  readonly email: string | undefined;
  readonly isActive: boolean;
}

/** The bookings that a list was answered with; undefined if the call is none, or has no readable answer. */
export function listedIn(call: ClientCall): readonly BookingInList[] | undefined {
  if (nameOf(call) !== 'listBookings' || !isSuccess(call)) return undefined;
  const { data } = answerOf(call);
  if (!Array.isArray(data)) return undefined;
  return data.filter(isObject).map(({ bookingId, teeId, players, contactEmail, status }) => ({
    bookingId: idOf(bookingId) ?? '',
    teeId: numberOf(teeId),
    players: numberOf(players),
    email: typeof contactEmail === 'string' ? contactEmail.trim().toLowerCase() : undefined,
    isActive: status !== 'CANCELED',
  }));
}

/** The ids of bookings and of their group that the answer to a creation has. */
export function createdIn(call: ClientCall): { readonly bookingIds: readonly string[]; readonly groupId?: string } {
  const { data } = answerOf(call);
  if (!isCreation(call) || !isSuccess(call) || !isObject(data)) return { bookingIds: [] };
  const list = Array.isArray(data['bookingIds']) ? data['bookingIds'].filter(isObject) : [data];
  const bookingIds = list.flatMap(({ bookingId }) => idOf(bookingId) ?? []);
  const groupId = idOf(data['groupId'] ?? data['bulkBookingId']);
  return { bookingIds, ...(groupId === undefined ? {} : { groupId }) };
}

/** Whether a list of bookings would have the tee time of a booking, by its dates. */
export function covers({ params }: ClientCall, { time }: RequestedBooking): boolean {
  return isWithin(time?.slice(0, 10), dayOf(params['fromDate']), dayOf(params['toDate']));
}

const MAX_IDS = 5000;

/** The ids of bookings that a client has been answered. */
export class KnownIds {
  readonly #ids = new Map<string, true>();
  /** Whether some have been dropped. */
  hasGaps = false;

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) if (keepNewest(this.#ids, id, true, MAX_IDS)) this.hasGaps = true;
  }
}
