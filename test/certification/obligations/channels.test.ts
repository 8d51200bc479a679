import { describe } from 'vitest';
import { type GivenCall, judges } from '../../support/obligations/traffic.js';

const list = (channel: string | undefined, rest: Partial<GivenCall> = {}): GivenCall => ({
  request: 'GET /api/v4/bookings',
  answer: { success: true, data: [] },
  ...(channel === undefined ? {} : { channel }),
  ...rest,
});
const book = (channel: string, data: unknown): GivenCall => ({
  request: 'POST /api/v5/bookings',
  channel,
  headers: { 'content-type': 'application/json' },
  body: {},
  answer: { success: true, data },
});
const pay = (channel: string, id: string): GivenCall => ({ request: `POST /api/v4/bookings/payment/${id}`, channel });
const payGroup = (channel: string, id: number): GivenCall => ({
  request: `POST /api/v4/bulkbookings/payment/${id}`,
  channel,
});
const group = { groupId: 7, bookingIds: [{ bookingId: 'b-1' }] };
const refused = { status: 401, answer: { success: false } };

describe('channel.one', () => {
  judges('channel.one', {
    'one channel': ['pass', list('demo'), list('demo')],
    'one call': ['not-seen', list('demo')],
    'calls whose channel does not show': ['not-seen', list(undefined), list(undefined)],
    'pays for what it booked': ['pass', book('demo', { bookingId: 'b-1' }), pay('demo', 'b-1')],
    'pays for what another channel booked': ['fail', book('demo', { bookingId: 'b-1' }), pay('other', 'b-1')],
    'pays for the group of another channel': ['fail', book('demo', group), payGroup('other', 7)],
    'pays for one of the group of another channel': ['fail', book('demo', group), pay('other', 'b-1')],
    'two channels side by side at a proxy': ['pass', ...['demo', 'other', 'demo', 'other'].map((name) => list(name))],
  });
  judges(
    'channel.one',
    {
      'one channel in an exam': ['pass', list('demo'), list('demo')],
      'two channels in an exam': ['fail', list('demo'), list('other'), list('demo')],
      'other credentials that are refused': ['pass', list('demo'), list('demo'), list('other', refused)],
    },
    { facts: { exam: 'happy-day' } },
  );
});
