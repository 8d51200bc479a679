import { isObject, counted } from '../../../common/index.js';
import { isCreation } from '../operations.js';
import { type ClientCall, readOnce, requestJson } from '../traffic.js';

/** One booking of a request, as far as it has the form of one. */
export interface RequestedBooking {
  readonly facilityId: number;
  readonly teeId: number;
  /** `yyyy-mm-ddTHH:MM:ss`; undefined if it has another form. */
  readonly time: string | undefined;
  /** The name of the course, `round` in v2. */
  readonly course: string | undefined;
  readonly holes: number;
  readonly players: number;
  readonly productId: number | undefined;
  readonly netRate: number | undefined;
  readonly extras: readonly { readonly mid: number; readonly quantity: number }[];
  readonly ref: string | undefined;
  /** Names, e-mail and phone of the contact, in one word; undefined if there is none. */
  readonly contact: string | undefined;
  readonly email: string | undefined;
}

const requestedIn = readOnce((call: ClientCall) => itemsOf(requestJson(call)).filter(isObject).map(requestedBookingOf));

/** The bookings of a request that creates some: one, a list, or the `details` of a payment. */
export function requestedBookingsOf(call: ClientCall): readonly RequestedBooking[] {
  return isCreation(call) ? requestedIn(call) : [];
}

function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  if (isObject(body) && Array.isArray(body['details'])) return body['details'];
  return [body];
}

function requestedBookingOf(item: Readonly<Record<string, unknown>>): RequestedBooking {
  const text = (name: string): string | undefined => textOf(item[name]);
  const name = text('contactName') ?? [text('contactFirstName'), text('contactLastName')].filter(Boolean).join(' ');
  const [email, phone] = [text('contactEmail'), text('contactPhone')];
  const contact = [name, email, phone].map((part = '') => part.trim().toLowerCase()).join('\n');
  const extras = Array.isArray(item['extraProduct']) ? item['extraProduct'].filter(isObject) : [];
  return {
    facilityId: numberOf(item['facilityId']) ?? NaN,
    teeId: numberOf(item['teeId']) ?? NaN,
    time: timeOf(item['teetime']),
    course: text('course') ?? text('round'),
    holes: numberOf(item['holes']) ?? NaN,
    players: numberOf(item['players']) ?? NaN,
    productId: numberOf(item['productId']),
    netRate: numberOf(item['netRate']),
    extras: extras.map(({ mid, quantity }) => ({ mid: numberOf(mid) ?? NaN, quantity: numberOf(quantity) ?? NaN })),
    ref: text('linkedTeeTimeRef'),
    contact: contact.trim() === '' ? undefined : contact,
    email: email?.trim().toLowerCase(),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number, which may be sent as a string. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** An id as text, whether it was sent as a string or a number. Objects may not even convert to text. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A tee time to the second, whether a space or a `T` is in its middle. */
export function timeOf(value: unknown): string | undefined {
  const match = typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?/.exec(value) : null;
  return match ? `${match[1]}T${match[2]}${match[3] ?? ':00'}` : undefined;
}

/** What identifies a requested booking: the tee time, the players and the contact. */
export function keyOf({ facilityId, teeId, players, contact }: RequestedBooking): string | undefined {
  if (contact === undefined || Number.isNaN(teeId)) return undefined;
  return [facilityId, teeId, players, contact].join('\n');
}

const MOST_PLAYERS = 4;

/** Whether a booking is for more players than any may have, which is the matter of `requests.documented-body`. */
export function isTooMany({ players }: RequestedBooking): boolean {
  return players > MOST_PLAYERS;
}

/** A booking in words, without personal data. */
export function wordsOf({ teeId, facilityId, players }: RequestedBooking): string {
  const teeTime = Number.isNaN(teeId) ? 'no tee time' : `tee time ${teeId}`;
  const facility = Number.isNaN(facilityId) ? '' : ` of facility ${facilityId}`;
  return `${teeTime}${facility}${Number.isNaN(players) ? '' : ` for ${counted(players, 'player')}`}`;
}
