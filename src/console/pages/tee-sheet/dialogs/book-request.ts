import { curlCommand } from '../../../../common/index.js';
import { baseUrl } from '../../../data/base.js';
import { type AdminType, call, perform } from '../../../data/api.js';
import type { RequestRow } from '../../../data/request-log.js';
import { basic } from '../../../data/client-request.js';
import { type CourseDay, type SheetDay, type SheetTime, usualProduct } from '../cells.js';

export type ChannelLogin = AdminType<'ChannelList'>['channels'][number];

/** What a person fills in to book as a channel. */
export interface BookingDraft {
  readonly channel: string;
  readonly productId: number;
  readonly players: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly email: string;
  /** The other players, one a line. */
  readonly others: string;
  readonly comments: string;
  /** The scenario that it triggers, with its phase, as the header names it; empty for none. */
  readonly failure: string;
  /** The tee times of the further rounds that were chosen; where none was, the suggestion holds. */
  readonly rounds: readonly (number | undefined)[];
}

/** A draft for a tee time: its usual product, and a contact. */
export function draftFor(
  day: SheetDay,
  course: CourseDay,
  teeTime: SheetTime,
  players: number,
  logins: readonly ChannelLogin[],
): BookingDraft {
  const able = logins.find(({ name, revoked }) => !revoked && day.channels.includes(name)) ?? logins[0];
  return {
    channel: able?.name ?? '',
    productId: usualProduct(course, teeTime)?.productId ?? 0,
    players,
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: '+31 20 555 0100',
    email: 'ada@partner.example',
    others: '',
    comments: '',
    failure: '',
    rounds: [],
  };
}

/** The body of the booking: one object, or a list of linked rounds. */
export function bodyOf(
  day: SheetDay,
  course: CourseDay,
  teeTimes: readonly SheetTime[],
  draft: BookingDraft,
  ref: string,
): unknown {
  const product = course.products.find(({ productId }) => productId === draft.productId);
  const others = draft.others.split('\n').flatMap((line) => {
    const [firstName = '', ...rest] = line.trim().split(/\s+/);
    return firstName === '' ? [] : [{ firstName, lastName: rest.join(' ') }];
  });
  const linked = teeTimes.length > 1;
  const items = teeTimes.map((teeTime) => ({
    facilityId: day.facilityId,
    teetime: teeTime.time.replace('T', ' '),
    course: course.name,
    teeId: teeTime.teeId,
    holes: teeTime.holes,
    players: draft.players,
    productId: draft.productId,
    contactFirstName: draft.firstName,
    contactLastName: draft.lastName,
    contactPhone: draft.phone,
    contactEmail: draft.email,
    ...(linked ? { linkedTeeTimeRef: ref } : { netRate: product?.prices[draft.players - 1]?.netRate }),
    ...(others.length > 0 && { additionalPlayers: others }),
    ...(draft.comments !== '' && { comments: draft.comments }),
  }));
  return linked ? items : items[0];
}

/** A UUID of version 4. `crypto.randomUUID` exists on secure origins only. */
export function newRef(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const url = `${baseUrl}/api/v5/bookings`;

/** The command that books the same in a shell. */
export function bookingCurl({ username, password }: ChannelLogin, body: unknown, failure: string): string {
  return curlCommand({
    method: 'POST',
    url,
    user: `${username}:${password}`,
    headers: ['Content-Type: application/json', ...(failure === '' ? [] : [`Teebox-Scenario: ${failure}`])],
    body: JSON.stringify(body),
  });
}

/** What came of a booking. */
export interface BookingOutcome {
  readonly booked: boolean;
  readonly status: number;
  readonly message: string;
  readonly requestId: string | null;
}

/** The request of a booking that failed, as the journal has it; without its id, the last one that lost its answer. */
export async function requestOf({ requestId }: BookingOutcome, channel: string): Promise<RequestRow | undefined> {
  if (requestId !== null) return perform(call('GET', 'requests/{id}', { path: { id: requestId } }));
  const list = await perform(call('GET', 'requests', { query: { operation: 'createBooking', channel } }));
  const last = 'requests' in list ? list.requests.at(-1) : undefined;
  return last?.state === 'cut' ? last : undefined;
}

/** Books as the channel does: by the service, with its credentials. */
export async function sendBooking(
  { username, password }: ChannelLogin,
  body: unknown,
  failure = '',
): Promise<BookingOutcome> {
  const headers = {
    authorization: basic(`${username}:${password}`),
    'content-type': 'application/json',
    ...(failure !== '' && { 'teebox-scenario': failure }),
  };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    const requestId = response.headers.get('teebox-request-id');
    return { booked: response.ok, status: response.status, message: messageOf(text), requestId };
  } catch {
    return { booked: false, status: 0, message: 'No answer came: the connection was lost.', requestId: null };
  }
}

function messageOf(text: string): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const { data, error, message, errors } = body;
    const ids = [data].flat().flatMap((one) => idsIn(one));
    if (ids.length > 0) return ids.join(', ');
    for (const one of [message, error, errors]) if (one !== undefined && one !== null) return wordsIn(one);
    return text;
  } catch {
    return text;
  }
}

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { bookingId, bookingIds } = value as { bookingId?: unknown; bookingIds?: unknown[] };
  return typeof bookingId === 'string' ? [bookingId] : (bookingIds ?? []).flatMap(idsIn);
}

function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(wordsIn).join(' ');
}
