import { forms } from '../engine/dialect/forms.js';
import type { Client, Reply } from './client.js';
import { bookingFor, findTeeTime, type Wanted } from './scenes.js';

/** Books one tee time in v5 and gives its identifier. */
export async function bookOne(client: Client, wanted: Wanted = {}): Promise<string> {
  const { body } = await client.post('/api/v5/bookings', bookingFor(await findTeeTime(client, wanted)));
  return body.data.bookingId;
}

export interface Group {
  readonly id: number;
  readonly bookingIds: readonly string[];
}

function groupOf({ body: { data } }: Reply): Group {
  const bookingIds = data.bookingIds.map(({ bookingId }: { bookingId: string }) => bookingId);
  return { id: data.groupId ?? data.bulkBookingId, bookingIds };
}

/** Books two tee times in one v5 request. */
export async function bookGroup(client: Client): Promise<Group> {
  const items = [bookingFor(await findTeeTime(client)), bookingFor(await findTeeTime(client, { days: 11 }))];
  return groupOf(await client.post('/api/v5/bookings', items));
}

/** Books two tee times in one v3 request, whose bookings name no product and everything else. */
export async function bookBulk(client: Client): Promise<Group> {
  const items = [forms.v3(await findTeeTime(client), {}), forms.v3(await findTeeTime(client, { days: 11 }), {})];
  return groupOf(await client.post('/api/v3/bulkbookings', items));
}

export type PaymentVersion = 'v1' | 'v3' | 'v4' | 'v5';
export type Method = 'GET' | 'POST';

/** Confirms the payment of a booking. */
export function pay(
  client: Client,
  version: PaymentVersion | 'v2',
  id: string,
  method: Method = 'POST',
): Promise<Reply> {
  return client.send(method, `/api/${version}/bookings/payment/${encodeURIComponent(id)}`);
}

/** Confirms the payment of a group. */
export function payBulk(
  client: Client,
  version: 'v3' | 'v4' | 'v5',
  id: number | string,
  method: Method = 'POST',
): Promise<Reply> {
  return client.send(method, `/api/${version}/bulkbookings/payment/${id}`);
}

/** Cancels a booking, where the dialect has `booking.cancel: delete`. */
export function cancel(client: Client, id: string): Promise<Reply> {
  return client.send('DELETE', `/api/v4/bookings/${encodeURIComponent(id)}`);
}
