import type { Booking } from '../../model/booking.js';
import { Refusal } from '../../model/refusal.js';
import type { OperationSpec } from '../../../contract/index.js';
import type { Answer, Call, Engine, Route } from './call.js';
import { ownBooking } from './payments.js';

const HOUR = 3_600_000;

/** The hours before the tee time until which a booking can be cancelled, by its number of players. */
function noticeOf({ store }: Engine, { facilityId, players }: Booking): number {
  const { cancellation } = store.world.facility(facilityId)!;
  const range = cancellation.find((one) => players >= one.minimumPlayer && players <= one.maximumPlayer);
  return range?.timePeriod ?? 0;
}

/** The last instant, in epoch milliseconds, at which the facility's policy allows cancelling a booking. */
export function cancellationDeadline(engine: Engine, booking: Booking): number {
  return booking.startsAt - noticeOf(engine, booking) * HOUR;
}

/**
 * Cancels a booking if the facility's policy still allows it (section "Cancellation policy range"): the time until
 * the tee time must be at least the hours that the policy sets for its number of players.
 *
 * @throws {Refusal} `cancellation-denied`
 */
export function cancelUnderPolicy(engine: Engine, booking: Booking): void {
  const { store } = engine;
  if (engine.now() > cancellationDeadline(engine, booking)) {
    const hours = noticeOf(engine, booking);
    const detail = `booking ${booking.bookingId} could be cancelled until ${hours} hours before its tee time`;
    throw new Refusal('cancellation-denied', 'errors.cancellation-denied', { detail });
  }
  store.cancel(booking, engine.now());
}

/** `DELETE .../bookings/{bookingId}`, only in dialects with `booking.cancel: delete`. */
export const cancelBooking: {
  readonly operation: Omit<OperationSpec, 'path'> & { readonly path: string };
  readonly route: Route<{ readonly bookingId: string }>;
} = {
  operation: {
    id: 'cancelBooking',
    name: 'cancelBooking',
    version: 'v4',
    method: 'DELETE',
    path: '/api/v4/bookings/{bookingId}',
    rule: 'bookings.cancel',
    auth: true,
    parameters: [{ name: 'bookingId', in: 'path', required: true, kind: 'string', rule: 'bookings.cancel' }],
  },
  route: ({ engine, channel, params }: Call<{ readonly bookingId: string }>): Answer => {
    const booking = ownBooking(engine, channel.name, params.bookingId);
    cancelUnderPolicy(engine, booking);
    return { data: null };
  },
};
