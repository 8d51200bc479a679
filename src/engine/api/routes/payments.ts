import type { Booking } from '../../model/booking.js';
import { Refusal } from '../../model/refusal.js';
import type { Answer, Call, Engine, Payload } from './call.js';

/** The channel's own booking by its id. A booking of another channel is treated as not found. */
export function ownBooking({ store, answers }: Engine, channel: string, id: string): Booking {
  const short = answers['booking.id-form'] === 'short' ? store.ledger.findByCode(id) : undefined;
  const booking = store.ledger.find(id) ?? short;
  if (booking?.channel === channel) return booking;
  throw unknownBooking(`Your channel has no booking \`${id.slice(0, 80)}\`.`);
}

function unknownBooking(words: string): Refusal {
  return new Refusal('unknown-booking', 'payments.booking-unknown', { words, empty: null });
}

/** Confirms the payment of one booking (section "Confirm booking payment"). */
export function confirmPayment({ engine, channel, params }: Call<{ readonly serviceBookingId: string }>): Answer<null> {
  confirm(engine, [ownBooking(engine, channel.name, params.serviceBookingId)]);
  return { data: null };
}

const paused = 'Payment confirmation to providers is temporarily paused.';

/** In v5 the operation is paused: the response is a success with a message, whose position is an open question. */
export function confirmPausedPayment({
  engine,
  channel,
  params,
}: Call<{ readonly serviceBookingId: string }>): Answer<Payload<'v5.confirmPayment'>> {
  if (!asIfKnown(engine)) ownBooking(engine, channel.name, params.serviceBookingId);
  return pausedAnswer(engine);
}

/** A dialect that answers an unknown booking like a known one reports the pause as well. */
function asIfKnown({ answers }: Engine): boolean {
  return answers['booking.unknown'] === 'empty';
}

function pausedAnswer({ answers }: Engine): Answer<Payload<'v5.confirmPayment'>> {
  switch (answers['payment.v5.paused-message']) {
    case 'data':
      return { data: { message: paused } };
    case 'header':
      return { data: null, headers: { 'x-message': paused } };
    default:
      return { data: null, message: paused };
  }
}

/** Confirms the payment of all bookings of a group (section "Bulk booking payment"). */
export function confirmBulkPayment({
  engine,
  channel,
  params,
}: Call<{ readonly bulkBookingId: number }>): Answer<null> {
  confirm(engine, ownGroup(engine, channel.name, params.bulkBookingId));
  return { data: null };
}

/** The v5 form, which a deployment may have paused as well (question `bulk-payment.v5.state`). */
export function confirmBulkPaymentV5(
  call: Call<{ readonly bulkBookingId: number }>,
): Answer<Payload<'v5.confirmBulkPayment'>> {
  const { engine, channel, params } = call;
  if (engine.answers['bulk-payment.v5.state'] === 'confirmed') return confirmBulkPayment(call);
  if (!asIfKnown(engine)) ownGroup(engine, channel.name, params.bulkBookingId);
  return pausedAnswer(engine);
}

function ownGroup({ store, answers }: Engine, channel: string, id: number): readonly Booking[] {
  const bookings = store.ledger.group(id);
  const foreign = bookings[0]?.channel !== channel;
  const wrongKind = answers['bulk-payment.group-ids'] === 'v3-only' && !store.isBulk(id);
  if (foreign || wrongKind) throw unknownBooking(`Your channel has no bulk booking ${id}.`);
  return bookings;
}

function confirm(engine: Engine, bookings: readonly Booking[]): void {
  const { answers, store } = engine;
  const active = bookings.filter(({ status }) => status === 'BOOKED');
  if (active.length === 0 && answers['payment.canceled'] === 'refused') {
    throw new Refusal('booking-canceled', 'payments.canceled');
  }
  const again = active.length > 0 && active.every(({ paymentConfirmedAt }) => paymentConfirmedAt !== null);
  if (again && answers['payment.repeat'] === 'refused') throw new Refusal('payment-repeated', 'payments.repeat');
  for (const booking of active) store.confirmPayment(booking, engine.now());
}
