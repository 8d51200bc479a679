import type { Cents } from './world.js';

/** A booking as the caller asked for it, after its body was read; one form for all versions. */
export interface BookingRequest {
  readonly facilityId: number;
  readonly teeId: number;
  /** Local time at the facility, `yyyy-mm-ddTHH:MM:ss`. */
  readonly time: string;
  /** Name of the course (`round` in v2). */
  readonly course: string;
  readonly holes: number;
  readonly players: number;
  /** Null in versions that know no products: the first product of the tee time is meant. */
  readonly productId: number | null;
  readonly contactFirstName: string;
  readonly contactLastName: string;
  readonly contactPhone: string;
  readonly contactEmail: string;
  readonly netRate: Cents | null;
  readonly extraProducts: readonly { readonly mid: number; readonly quantity: number }[];
  readonly comments: string | null;
  readonly additionalPlayers: readonly { readonly firstName: string; readonly lastName: string }[];
  readonly linkedTeeTimeRef: string | null;
  readonly providerPlayerTypeId: string | null;
}

/** Section "States and transitions". */
export type BookingStatus = 'BOOKED' | 'CANCELED';

/** What the ledger adds to a request when it is booked. */
export interface BookingFields extends BookingRequest {
  /** Order of creation in this sandbox, from 1. */
  readonly sequence: number;
  /** The composite identifier: prefix, facility, tee time, suffix. */
  readonly bookingId: string;
  /** The short identifier of the same booking. */
  readonly code: string;
  readonly channel: string;
  readonly courseId: number;
  /** Day number of the tee time in the facility's calendar. */
  readonly day: number;
  /** The tee time as an instant, epoch milliseconds. */
  readonly startsAt: number;
  /** The tee time with the facility's clock read as UTC, epoch milliseconds. */
  readonly startsAtAsUtc: number;
  readonly productId: number;
  /** Identifier shared by the bookings of one request, or null. */
  readonly groupId: number | null;
  readonly paymentIntent: string | null;
  /** ISO 8601 with milliseconds, UTC, no zone. */
  readonly createdAt: string;
}

export interface Booking extends BookingFields {}

/**
 * A booking in the ledger. A class and not a plain object, so that the data library keeps this very object
 * and a change of status needs no second write.
 */
export class Booking {
  status: BookingStatus = 'BOOKED';
  canceledAt: string | null = null;
  paymentConfirmedAt: string | null = null;

  constructor(fields: BookingFields) {
    Object.assign(this, fields);
  }
}

/** What the bookings of one request have in common. */
export interface BookingTerms {
  readonly channel: string;
  readonly groupId: number | null;
  readonly paymentIntent: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}
