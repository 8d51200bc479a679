import type { Booking } from '../../model/booking.js';
import type { Engine } from '../../api/routes/call.js';
import { cancellationDeadline } from '../../api/routes/cancel.js';

/** Moments are stored in UTC without a designator. */
function zoned(moment: string | null): string | null {
  return moment === null ? null : `${moment}Z`;
}

/** How far its payment is: confirmed, begun with an intent, or neither. */
export function paymentOf({ paymentConfirmedAt, paymentIntent }: Booking): 'confirmed' | 'intent' | 'none' {
  if (paymentConfirmedAt !== null) return 'confirmed';
  return paymentIntent === null ? 'none' : 'intent';
}

/** A booking in the admin API. */
export function viewOf(engine: Engine, booking: Booking): unknown {
  const { startsAt, netRate, groupId } = booking;
  return {
    bookingId: booking.bookingId,
    code: booking.code,
    status: booking.status,
    channel: booking.channel,
    facilityId: booking.facilityId,
    courseId: booking.courseId,
    course: booking.course,
    teeId: booking.teeId,
    time: booking.time,
    startsAt: new Date(startsAt).toISOString(),
    timeZone: engine.store.world.facility(booking.facilityId)!.timeZone,
    cancellableUntil: new Date(cancellationDeadline(engine, booking)).toISOString(),
    holes: booking.holes,
    players: booking.players,
    productId: booking.productId,
    extraProducts: booking.extraProducts,
    netRate: netRate === null ? null : netRate / 100,
    groupId,
    bulk: groupId !== null && engine.store.isBulk(groupId),
    linkedTeeTimeRef: booking.linkedTeeTimeRef,
    contactFirstName: booking.contactFirstName,
    contactLastName: booking.contactLastName,
    contactPhone: booking.contactPhone,
    contactEmail: booking.contactEmail,
    additionalPlayers: booking.additionalPlayers,
    comments: booking.comments,
    payment: paymentOf(booking),
    paymentIntent: booking.paymentIntent,
    createdAt: zoned(booking.createdAt),
    paymentConfirmedAt: zoned(booking.paymentConfirmedAt),
    canceledAt: zoned(booking.canceledAt),
  };
}
