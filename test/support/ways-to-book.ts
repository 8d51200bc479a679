import { forms } from '../engine/dialect/forms.js';
import type { Client, Reply } from './client.js';
import type { Json, TeeTime } from './scenes.js';

type Changes = Record<string, unknown>;

/** The five ways to book one tee time, over all versions and shapes. */
export const ways: Readonly<Record<string, (client: Client, teeTime: TeeTime, changes?: Changes) => Promise<Reply>>> = {
  'v5 single': (client, teeTime, changes = {}) => client.post('/api/v5/bookings', forms.v5(teeTime, changes)),
  'v5 array': (client, teeTime, changes = {}) => client.post('/api/v5/bookings', [forms.v5(teeTime, changes)]),
  'v5 details': (client, teeTime, changes = {}) =>
    client.post('/api/v5/bookings', { details: [forms.v5(teeTime, changes)], paymentIntent: 'pi_1' }),
  'v3 bulk': (client, teeTime, changes = {}) => client.post('/api/v3/bulkbookings', [forms.v3(teeTime, changes)]),
  'v2 single': (client, teeTime, changes = {}) => client.post('/api/v2/bookings', forms.v2(teeTime, changes)),
};

export const wayNames = Object.keys(ways);

/** The identifiers of the bookings that an answer tells of. */
export function bookedIds({ body: { data } }: Reply): string[] {
  return (data.bookingIds ?? [data]).map(({ bookingId }: Json) => bookingId);
}
