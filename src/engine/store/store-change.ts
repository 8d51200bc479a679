import type { Amendment } from '../model/amend.js';
import { type Booking, type BookingState, recordOf } from '../model/booking.js';

/** One change of a store as data. Its size does not depend on what else is in the store. */
export type StoreChange = BookedChange | CanceledChange | PaidChange | AmendedChange | TokenChange;

/** What was booked in one step. */
export interface BookedChange {
  readonly kind: 'booked';
  readonly bookings: readonly BookingState[];
  /** Whether the group of these bookings was made by the v3 bulk operation. */
  readonly bulk?: true;
}

export interface CanceledChange {
  readonly kind: 'canceled';
  /** The number of the booking. */
  readonly sequence: number;
  readonly canceledAt: string;
}

export interface PaidChange {
  readonly kind: 'paid';
  readonly sequence: number;
  readonly paymentConfirmedAt: string;
}

/** The first `kept` changes by operators stay, and these follow. */
export interface AmendedChange {
  readonly kind: 'amended';
  readonly kept: number;
  readonly amendments: readonly Amendment[];
}

export type TokenChange = RefreshedChange | ExpiredChange | RevokedChange;

/** A channel got a new pair of tokens, which follow from the seed and their numbers. */
export interface RefreshedChange {
  readonly kind: 'refreshed';
  readonly channel: string;
  /** The number of tokens issued so far, with these. */
  readonly issued: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Whether the older access tokens of the channel were revoked. */
  readonly revokes?: true;
}

/** An access token expired early. */
export interface ExpiredChange {
  readonly kind: 'expired';
  readonly token: string;
  readonly expiresAt: number;
}

/** All tokens of a channel were revoked. */
export interface RevokedChange {
  readonly kind: 'revoked';
  readonly channel: string;
  /** Whether its password was revoked too. */
  readonly password?: true;
}

/** The change that made bookings. */
export function bookedChange(booked: readonly Booking[], isBulk: boolean): BookedChange {
  return { kind: 'booked', bookings: booked.map(recordOf), ...(isBulk ? { bulk: true } : {}) };
}

/** The change from one list of changes by operators to another. */
export function amendedChange(before: readonly Amendment[], now: readonly Amendment[]): AmendedChange {
  let kept = 0;
  while (kept < before.length && before[kept] === now[kept]) kept += 1;
  return { kind: 'amended', kept, amendments: now.slice(kept).map((one) => ({ ...one })) };
}
