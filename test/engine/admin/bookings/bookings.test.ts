import { describe, expect, test } from 'vitest';
import { adminOf, expectedProblem } from '../../../support/admin.js';
import { type Client, open } from '../../../support/client.js';
import { bookingFor, findTeeTime, type Json, OPEN_FACILITY } from '../../../support/scenes.js';
import { freeIn, openAtOnce, viewsOf } from '../../../support/views.js';

const DAYS = 10;

/** Books the first tee time of the tenth day for two. */
async function bookTwo(client: Client): Promise<{ readonly id: string; readonly teeId: number }> {
  const teeTime = await findTeeTime(client, { days: DAYS, players: 2 });
  const { body } = await client.post('/api/v5/bookings', bookingFor(teeTime, { players: 2 }));
  return { id: body.data.bookingId, teeId: teeTime.teeid };
}

describe('the operator sees every booking', () => {
  test('with all that is known of it', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const { id, teeId } = await bookTwo(fairway);
    await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
    const { body } = await admin('GET', `bookings/${id}`);
    expect(body).toMatchObject({
      bookingId: id,
      status: 'BOOKED',
      channel: 'fairway',
      facilityId: OPEN_FACILITY,
      teeId,
      players: 2,
      groupId: null,
      contactLastName: 'Lovelace',
      payment: 'confirmed',
      createdAt: '2026-06-01T08:00:00.000Z',
      paymentConfirmedAt: '2026-06-01T08:00:00.000Z',
      canceledAt: null,
    });
    expect((await admin('GET', `bookings/${body.code}`)).body).toEqual(body);
  });

  test.each([
    ['', () => true],
    ['?channel=links', ({ channel }: Json) => channel === 'links'],
    ['?status=CANCELED', ({ status }: Json) => status === 'CANCELED'],
    ['?channel=fairway&status=BOOKED', ({ channel, status }: Json) => channel === 'fairway' && status === 'BOOKED'],
    [`?facilityId=${OPEN_FACILITY}`, ({ facilityId }: Json) => facilityId === OPEN_FACILITY],
    ['?groupId=5001', ({ groupId }: Json) => groupId === 5001],
    ['?payment=confirmed', ({ paymentConfirmedAt }: Json) => paymentConfirmedAt !== null],
    ['?payment=intent', ({ paymentIntent }: Json) => paymentIntent === 'pi_1'],
    ['?payment=none&channel=links', ({ channel }: Json) => channel === 'links'],
    ['?text=LOVELACE', ({ contactLastName }: Json) => contactLastName === 'Lovelace'],
    ['?text=partner.example%20ada', ({ contactFirstName }: Json) => contactFirstName === 'Ada'],
    ['?text=byron', ({ additionalPlayers }: Json) => additionalPlayers.length > 0],
  ])('bookings%s', async (query, fits) => {
    const { sandbox, fairway } = await open();
    const { id } = await bookTwo(fairway);
    await fairway.post(`/api/v4/bookings/payment/${id}`, undefined);
    const additionalPlayers = [{ firstName: 'George', lastName: 'Byron' }];
    const details = [
      bookingFor(await findTeeTime(fairway, { days: DAYS, players: 2 }), { players: 2, additionalPlayers }),
    ];
    await fairway.post('/api/v5/bookings', { details, paymentIntent: 'pi_1' });
    const { count, bookings } = (await adminOf(sandbox)('GET', `bookings${query}`)).body;
    const want = sandbox.db.bookings.findMany((q) => q.where(fits)).map(({ bookingId }) => bookingId);
    expect(want.length).toBeGreaterThan(0);
    expect(bookings.map(({ bookingId }: Json) => bookingId)).toEqual(want);
    expect(count).toBe(want.length);
  });

  test('page by page', async () => {
    const { sandbox } = await open();
    const admin = adminOf(sandbox);
    const { count, bookings } = (await admin('GET', 'bookings')).body;
    const page = (await admin('GET', 'bookings?limit=2&offset=3')).body;
    expect(page).toEqual({ count, bookings: bookings.slice(3, 5) });
    const newest = (await admin('GET', 'bookings?order=newest&limit=2&offset=3')).body;
    expect(newest).toEqual({ count, bookings: bookings.toReversed().slice(3, 5) });
  });
});

describe('cancelling', () => {
  test('gives the places back in every view', async () => {
    const { sandbox, fairway } = await openAtOnce();
    const admin = adminOf(sandbox);
    const teeTime = await findTeeTime(fairway, { days: DAYS, players: 2 });
    const freeNow = async () => freeIn(await viewsOf(fairway, { days: DAYS }), teeTime.teeid);
    const before = await freeNow();
    const { id } = await bookTwo(fairway);
    expect(await freeNow()).not.toEqual(before);

    const { status, body } = await admin('POST', `bookings/${id}/cancel`);
    expect(status).toBe(200);
    expect(body.booking).toMatchObject({ bookingId: id, status: 'CANCELED', canceledAt: '2026-06-01T08:00:00.000Z' });
    expect(body.teeTime).toMatchObject({ teeId: teeTime.teeid, free: before['v4'], bookings: [] });
    expect(await freeNow()).toEqual(before);
    const listed = (await fairway.get('/api/v4/bookings')).body.data.find(({ bookingId }: Json) => bookingId === id);
    expect(listed.status).toBe('CANCELED');
  });

  test('is denied after the deadline, unless it is forced, and once', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const { id } = await bookTwo(fairway);
    const { cancellableUntil, startsAt } = (await admin('GET', `bookings/${id}`)).body;
    const hours = (Date.parse(startsAt) - Date.parse(cancellableUntil)) / 3_600_000;
    await admin('POST', 'clock', { set: new Date(Date.parse(cancellableUntil) + 1).toISOString() });

    const denied = (await admin('POST', `bookings/${id}/cancel`)).body;
    expect(denied).toEqual(expectedProblem(409, expect.stringContaining(`until ${hours} hours before its tee time`)));
    expect((await admin('GET', `bookings/${id}`)).body.status).toBe('BOOKED');
    expect((await admin('POST', `bookings/${id}/cancel?force=true`)).body.booking.status).toBe('CANCELED');
    const again = (await admin('POST', `bookings/${id}/cancel?force=true`)).body;
    expect(again).toEqual(expectedProblem(409, expect.stringContaining('is cancelled already')));
  });

  test('works at a tee time that is withdrawn', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const { id, teeId } = await bookTwo(fairway);
    await admin('POST', `tee-sheets/${OPEN_FACILITY}/changes`, { change: 'tee-time-withdrawn', teeId });
    const { status, body } = await admin('POST', `bookings/${id}/cancel`);
    expect({ status, teeTime: body.teeTime }).toMatchObject({ status: 200, teeTime: { teeId, bookings: [] } });
  });

  test('is granted at the deadline itself', async () => {
    const { sandbox, fairway } = await open();
    const admin = adminOf(sandbox);
    const { id } = await bookTwo(fairway);
    await admin('POST', 'clock', { set: (await admin('GET', `bookings/${id}`)).body.cancellableUntil });
    expect((await admin('POST', `bookings/${id}/cancel`)).status).toBe(200);
  });
});
