import { expect, test } from 'vitest';
import { adminOf } from '../../../support/admin.js';
import { type Client, open } from '../../../support/client.js';
import { bookingFor, findTeeTime, type Json, OPEN_FACILITY, type TeeTime } from '../../../support/scenes.js';
import { openAtOnce, resultOf } from '../../../support/views.js';

const DAYS = 10;

async function book(client: Client, headers: Record<string, string> = {}): Promise<{ id: string; teeTime: TeeTime }> {
  const teeTime = await findTeeTime(client, { days: DAYS, players: 2 });
  const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime, { players: 2 }), { headers });
  return { id: body?.data?.bookingId, teeTime };
}

/** What a history tells, as lines. */
async function told(client: Client, id: string): Promise<{ lines: string[]; gaps: string[] }> {
  const { body } = await adminOf(client.sandbox)('GET', `bookings/${id}/history`);
  const lines = body.events.map(
    ({ kind, requestId, operation, status, words }: Json) =>
      `${kind} ${requestId ?? '-'} ${operation ?? '-'} ${status ?? '-'}: ${words}`,
  );
  return { lines, gaps: body.gaps };
}

test('a booking that was made, listed, paid twice and cancelled', async () => {
  const { sandbox, fairway } = await open();
  const { id } = await book(fairway);
  await fairway.get('/api/v4/bookings');
  await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
  await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
  await fairway.post(`/api/v5/bookings/payment/${id}`, undefined);
  await adminOf(sandbox)('POST', 'clock', { advance: 'PT1H' });
  await adminOf(sandbox)('POST', `bookings/${id}/cancel`);
  await adminOf(sandbox)('POST', 'clock', { advance: 'PT1H' });
  await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
  const { lines, gaps } = await told(fairway, id);
  expect(lines).toEqual([
    'created req-2 v5.createBooking 200: fairway booked 2 slots.',
    'listed req-3 v4.listBookings 200: fairway saw it in the list of bookings.',
    expect.stringMatching(/^payment req-4 v4\.confirmPayment\S* 200: The payment was confirmed\.$/),
    expect.stringMatching(/^payment req-5 v4\.confirmPayment\S* 200: Payment confirmation changed nothing\.$/),
    expect.stringMatching(/^payment req-6 \S+ \d+: Payment confirmation \S+/),
    'cancelled - - -: It was cancelled; no request in the journal did it. The operator can, and so can a request that is no longer kept.',
    expect.stringMatching(/^payment req-7 v4\.confirmPayment\S* \d+: Payment confirmation /),
  ]);
  expect(gaps).toEqual([]);
});

test('a booking whose answer was lost is told as such', async () => {
  const { sandbox, fairway } = await open();
  await book(fairway, { 'teebox-scenario': 'server-error; phase=after-commit' });
  const [booking] = (await adminOf(sandbox)('GET', 'bookings?text=lovelace')).body.bookings;
  const { lines } = await told(fairway, booking.bookingId);
  expect(lines).toEqual([
    expect.stringMatching(/^created req-2 v5\.createBooking 5\d\d: fairway booked 2 slots; the answer did not say so/),
  ]);
});

test('a cancellation by the operator at the instant of the booking, and one that the world began with', async () => {
  const { sandbox, fairway } = await open();
  const admin = adminOf(sandbox);
  const { id } = await book(fairway);
  await admin('POST', `bookings/${id}/cancel`);
  const { lines } = await told(fairway, id);
  expect(lines[1]).toMatch(/^cancelled - - -: It was cancelled; no request in the journal did it\./);
  const [seeded] = (await admin('GET', 'bookings?status=CANCELED&limit=1')).body.bookings;
  const { lines: old } = await told(fairway, seeded.bookingId);
  expect(old[1]).toBe('cancelled - - -: It was cancelled when it was made.');
});

test('of two confirmations, the one that was not lost before it had an effect', async () => {
  const { fairway } = await open();
  const { id } = await book(fairway);
  const pay = (scenario?: string) =>
    fairway
      .post(`/api/v4/bookings/payment/${id}`, undefined, { headers: scenario ? { 'teebox-scenario': scenario } : {} })
      .catch(() => undefined);
  await pay('connection-reset; phase=before-commit');
  await pay();
  const { lines } = await told(fairway, id);
  expect(lines[1]).toMatch(/^payment req-3 .*: Payment confirmation got no answer/);
  expect(lines[2]).toMatch(/^payment req-4 .* 200: The payment was confirmed\.$/);
});

test('a cancellation by a request', async () => {
  const { fairway } = await open({ dialect: { answers: { 'booking.cancel': 'delete' } } });
  const { id } = await book(fairway);
  await fairway.send('DELETE', `/api/v4/bookings/${id}`);
  const { lines } = await told(fairway, id);
  expect(lines[1]).toMatch(/^cancelled req-3 v4\.cancelBooking 200: It was cancelled\.$/);
});

test('the payment of a group', async () => {
  const { fairway } = await open();
  const teeTime = await findTeeTime(fairway, { days: DAYS });
  const { data } = (await fairway.post('/api/v5/bookings', [bookingFor(teeTime), bookingFor(teeTime)])).body;
  await fairway.post(`/api/v4/bulkbookings/payment/${data.groupId}`, undefined);
  const { lines } = await told(fairway, data.bookingIds[1].bookingId);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^payment req-3 v4\.confirmBulkPayment\S* 200: The payment was confirmed\.$/);
});

test('a result with its tee time', async () => {
  const { fairway } = await openAtOnce();
  const { id } = await book(fairway);
  await resultOf(fairway, { facilityIds: [OPEN_FACILITY], from: DAYS });
  const { lines } = await told(fairway, id);
  expect(lines[1]).toMatch(
    /^callback req-3 \S+ \d+: A search result with its tee time was delivered after 1 attempt\.$/,
  );
});

test('what the journal does not have is said', async () => {
  const { sandbox, fairway } = await open();
  const admin = adminOf(sandbox);
  const seeded = (await admin('GET', 'bookings?limit=1')).body.bookings[0].bookingId;
  expect((await told(fairway, seeded)).gaps).toEqual([expect.stringMatching(/^The journal is empty\. It came with/)]);
  const { id, teeTime } = await book(fairway);
  expect((await told(fairway, seeded)).gaps).toEqual([expect.stringMatching(/^The journal begins at 2026-06-01T08/)]);
  await admin('DELETE', 'requests');
  const { lines, gaps } = await told(fairway, id);
  expect(lines).toEqual(['created - - -: fairway booked 2 slots.']);
  expect(gaps).toEqual([expect.stringMatching(/^The journal is empty/)]);
  const path = `tee-sheets/${OPEN_FACILITY}/changes`;
  const { booking } = (await admin('POST', path, { change: 'rival', teeId: teeTime.teeid })).body;
  const rival = await told(fairway, booking.bookingId);
  expect(rival.gaps).toEqual(['No request made it: an operator let another buyer book.']);
});

test('a list that is too long to keep leaves a gap', async () => {
  const { fairway } = await open();
  const { id } = await book(fairway);
  const comments = 'Please keep the buggy dry. '.repeat(3000);
  const teeTime = await findTeeTime(fairway, { days: DAYS });
  await fairway.post('/api/v5/bookings', bookingFor(teeTime, { comments, contactLastName: comments }));
  const list = await fairway.get('/api/v4/bookings');
  expect(list.text.length).toBeGreaterThan(65_536);
  expect((await told(fairway, id)).gaps).toEqual([
    'Of 1 list only the length is kept, so it is not known whether it had this booking.',
  ]);
});
