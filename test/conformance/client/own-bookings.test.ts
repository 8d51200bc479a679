import { expect, test } from 'vitest';
import { permissions } from '../../../src/conformance/client/types.js';
import type { RequestCall } from '../../../src/conformance/client/request.js';
import { transportTo } from './transport-to.js';

const allow = new Set(permissions);
const item = {
  facilityId: 1,
  teetime: '2026-03-20 08:00:00',
  course: 'North',
  players: 1,
  teeId: 7,
  holes: 18,
  productId: 3,
  contactFirstName: 'Ann',
  contactLastName: 'Lee',
  contactPhone: '1',
  contactEmail: 'ann@example.com',
};

/** A deployment that lists `theirs` and books `mine` in group 77. */
function served(mine = 'mine', isListed = false) {
  let isMade = isListed;
  const make = transportTo(
    async (request) => {
      const { pathname } = new URL(request.url);
      const list = [{ bookingId: 'theirs', status: 'CANCELED' }, ...(isMade ? [{ bookingId: mine }] : [])];
      isMade ||= request.method === 'POST';
      if (request.method === 'GET' && pathname.endsWith('/bookings'))
        return Response.json({ success: true, data: list });
      const made = { groupId: 77, bookingIds: [{ bookingId: mine }] };
      return Response.json({ success: true, data: pathname.endsWith('/bookings') ? made : null });
    },
    { allow },
  );
  const send = (call: RequestCall) => make.transport.send(call);
  return {
    ...make,
    send,
    book: () => send({ operation: 'v5.createBooking', body: [item] }),
    list: () => send({ operation: 'v4.listBookings' }),
  };
}

const pay = (id: string): RequestCall => ({ operation: 'v4.confirmPayment.post', params: { serviceBookingId: id } });
const payByGet = (id: string): RequestCall => ({ operation: 'v4.confirmPayment', params: { serviceBookingId: id } });
const payGroup = (id: number | string, breaking?: 'payments.path.bulkBookingId'): RequestCall => ({
  operation: 'v4.confirmBulkPayment.post',
  params: { bulkBookingId: id },
  ...(breaking ? { breaking } : {}),
});
const raw = (method: string, path: string): RequestCall => ({ method, path, breaking: 'bookings.cancel' });

test.each<[what: string, call: RequestCall]>([
  ['the payment of a listed booking', pay('theirs')],
  ['the same by GET', payByGet('theirs')],
  ['the payment of a booking that nobody has shown', pay('other')],
  ['the payment of another group', payGroup(78)],
  ['a longer number of a group', payGroup(771, 'payments.path.bulkBookingId')],
  ['the cancellation of a listed booking', raw('DELETE', '/api/v4/bookings/theirs')],
  ['the same in another spelling', raw('DELETE', '/api/V4//Bookings/%74heirs/')],
  ['a change of a listed booking', raw('PUT', '/api/v5/bookings/theirs')],
  ['the same in part', raw('PATCH', '/api/v5/bookings/theirs')],
  ['a command of a listed booking', raw('POST', '/api/v5/bookings/theirs/cancel')],
  ['the cancellation of another group', raw('DELETE', '/api/v3/bulkbookings/78')],
  ['an own booking with another letter case', pay('MINE')],
])('%s is not sent', async (_, call) => {
  const { send, sent, book, list } = served();
  await book();
  await list();
  const before = sent.length;
  await expect(send(call)).rejects.toThrow(/that this run has made|this run has not made/);
  expect(sent.length).toBe(before);
});

test.each<[what: string, call: RequestCall]>([
  ['the payment of an own booking', pay('mine')],
  ['the payment of an own group', payGroup(77)],
  ['the cancellation of an own booking', raw('DELETE', '/api/v4/bookings/mine')],
  ['the payment of a made-up booking', pay('no-such-booking')],
  ['the payment of a made-up group', payGroup(2_147_483_646)],
  ['an own group that is no number', payGroup('77abc', 'payments.path.bulkBookingId')],
  ['a payment without an id', raw('POST', '/api/v4/bookings/payment/')],
])('%s is sent', async (_, call) => {
  const { send, sent, book } = served();
  await book();
  const before = sent.length;
  await send(call);
  expect(sent.length).toBe(before + 1);
});

test('an id that a list showed before the booking is not the run’s', async () => {
  const { send, book, list } = served('mine', true);
  await list();
  await book();
  await expect(send(pay('mine'))).rejects.toMatchObject({ reason: 'precondition' });
});

test('an id of any form is recognised', async () => {
  const id = 'TT-1/2;x=..%41 ä.json';
  const { send, sent, book } = served(id);
  await book();
  const before = sent.length;
  await send(pay(id));
  expect(sent.length).toBe(before + 1);
});

test('payments are listed by what they confirm, each once', async () => {
  const { transport, send, book } = served();
  await book();
  for (const call of [pay('mine'), payByGet('mine'), payGroup(77), pay('no-such-booking')]) await send(call);
  expect(transport.own.payments).toMatchObject([
    { kind: 'payment', bookingId: 'mine', channel: 'first', what: 'payment of booking mine', exchange: 'x3' },
    { kind: 'payment', group: 77, channel: 'first', what: 'payment of group 77', exchange: 'x5' },
  ]);
});
