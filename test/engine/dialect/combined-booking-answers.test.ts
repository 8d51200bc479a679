import { describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.js';
import { accessTokenOf, bare, bearer } from '../../support/credentials.js';
import { bookBulk, bookGroup, bookOne, cancel, pay, payBulk } from '../../support/payments.js';
import { bookingFor, dayIn, findTeeTime, teeTimesPath } from '../../support/scenes.js';
import { pricesPath } from '../../support/views.js';
import { bookIn, forms } from './forms.js';
import { stage } from './question.js';

const BOTH = ['GET', 'POST'] as const;
const done = { success: true, data: null };

describe('identifiers and payments', () => {
  test('a short identifier pays and cancels, in every version', async () => {
    const { fairway, links } = await stage({ 'booking.id-form': 'short', 'booking.cancel': 'delete' });
    const id = await bookOne(fairway, { days: 30 });
    expect(id).toMatch(/^[0-9A-Z]{8}$/);
    for (const version of ['v1', 'v3', 'v4', 'v5'] as const) {
      for (const method of BOTH) expect((await pay(fairway, version, id, method)).body.success).toBe(true);
      expect(await pay(links, version, id)).toMatchObject({ status: 404 });
    }
    expect((await cancel(links, id)).status).toBe(404);
    expect((await cancel(fairway, id)).body).toEqual(done);
  });

  test('a short code is unknown where identifiers are composite', async () => {
    const { sandbox, fairway } = await stage({});
    const bookingId = await bookOne(fairway);
    const { code } = sandbox.db.bookings.findFirst((query) => query.where({ bookingId }))!;
    expect(await pay(fairway, 'v4', code)).toMatchObject({ status: 404, rule: 'payments.booking-unknown' });
  });

  test.each([
    ['get', 'POST', 'GET'],
    ['post', 'GET', 'POST'],
  ] as const)('%s alone refuses %s, for known and unknown alike', async (option, wrong, right) => {
    const { fairway } = await stage({
      'payment.method': { v4: option },
      'bulk-payment.method': { v5: option },
      'booking.unknown': 'empty',
    });
    const [id, { id: group }] = [await bookOne(fairway), await bookBulk(fairway)];
    const refused = [
      await pay(fairway, 'v4', id, wrong),
      await pay(fairway, 'v4', 'none', wrong),
      await payBulk(fairway, 'v5', group, wrong),
    ];
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 405, rule: 'payments.method', body: { success: false, data: null } });
      expect(reply.headers.get('allow')).toBe(right);
    }
    for (const reply of [await pay(fairway, 'v4', id, right), await payBulk(fairway, 'v5', group, right)])
      expect(reply.body).toEqual(done);
  });

  test('the v2 path of a payment takes the methods and the credentials of v4', async () => {
    const { fairway } = await stage({
      'payment.v4.v2-path': 'accepted',
      'payment.method': { v4: 'post' },
      'auth.schemes': { v4: 'basic' },
    });
    const id = await bookOne(fairway);
    expect((await pay(fairway, 'v2', id, 'POST')).body).toEqual(done);
    const refused = await pay(fairway, 'v2', id, 'GET');
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    const path = `/api/v2/bookings/payment/${id}`;
    expect(await bare(fairway, 'POST', path, { headers: bearer(await accessTokenOf(fairway)) })).toMatchObject({
      status: 401,
    });
  });

  test('the paused v5 group says so where the paused v5 booking does', async () => {
    const { fairway } = await stage({ 'bulk-payment.v5.state': 'paused', 'payment.v5.paused-message': 'header' });
    const [single, bulk] = [
      await pay(fairway, 'v5', await bookOne(fairway)),
      await payBulk(fairway, 'v5', (await bookGroup(fairway)).id),
    ];
    for (const reply of [single, bulk]) {
      expect(reply.body).toEqual(done);
      expect(reply.headers.get('x-message')).toMatch(/paused/);
    }
  });

  test('a payment confirmed, cancelled and confirmed again is refused for the cancellation', async () => {
    const { fairway } = await stage({ 'booking.cancel': 'delete', 'payment.repeat': 'refused' });
    const id = await bookOne(fairway, { days: 30 });
    await pay(fairway, 'v4', id);
    await cancel(fairway, id);
    expect(await pay(fairway, 'v4', id)).toMatchObject({ status: 400, rule: 'payments.canceled' });
  });
});

describe('paths', () => {
  test('a slash at the end is unknown on paths that only some dialects have, too', async () => {
    const answers = {
      'path.trailing-slash': 404,
      'payment.v4.v2-path': 'accepted',
      'booking.cancel': 'delete',
    } as const;
    const { fairway } = await stage(answers);
    const id = await bookOne(fairway, { days: 30 });
    const replies: Reply[] = [
      await fairway.send('POST', `/api/v2/bookings/payment/${id}/`),
      await fairway.send('DELETE', `/api/v4/bookings/${id}/`),
      await fairway.post('/api/v1/token/refreshToken/', {}),
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 404, rule: 'versions.path', body: { success: false } });
    expect((await fairway.send('DELETE', `/api/v4/bookings/${id}`)).body).toEqual(done);
  });
});

describe('creation', () => {
  test('what stays of a failed list can be paid, and its group is not that of the next list', async () => {
    const { sandbox, fairway } = await stage({ 'booking.group-failure': 'earlier-stay', 'success.create-status': 201 });
    const [good, bad] = [forms.v5(await findTeeTime(fairway), {}), forms.v5(await findTeeTime(fairway), { teeId: 1 })];
    const known = sandbox.db.bookings.findMany().length;
    expect((await fairway.post('/api/v5/bookings', [good, bad])).status).toBe(400);
    const [left, ...others] = sandbox.db.bookings.findMany().slice(known);
    expect(others).toEqual([]);
    expect((await pay(fairway, 'v4', left!.bookingId)).body).toEqual(done);
    expect((await bookGroup(fairway)).id).not.toBe(left!.groupId);
  });

  test('a field that a version does not have is refused as such, not for its value', async () => {
    const { fairway } = await stage({
      'booking.unknown-fields': 'refused',
      'booking.net-rate-form': 'number',
      'booking.net-rate-check': 'checked',
    });
    expect(await bookIn(fairway, 'v2', { netRate: '1' })).toMatchObject({
      status: 400,
      rule: 'bookings.request.unknown-fields',
    });
    const lenient = await stage({ 'booking.net-rate-form': 'number', 'booking.net-rate-check': 'checked' });
    expect((await bookIn(lenient.fairway, 'v2', { netRate: '1' })).status).toBe(200);
  });

  test('a booking at a facility of other channels, where that is open, is listed for its channel alone', async () => {
    const { fairway, links } = await stage({ 'facility.unconnected': 'open', 'booking.id-form': 'short' });
    const strange = { facilityId: 1006 };
    const { body } = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway, strange), strange));
    const has = (reply: Reply): boolean =>
      reply.body.data.some(({ bookingId }: { bookingId: string }) => bookingId === body.data.bookingId);
    expect([has(await fairway.get('/api/v4/bookings')), has(await links.get('/api/v4/bookings'))]).toEqual([
      true,
      false,
    ]);
  });
});

describe('prices and tee times', () => {
  const page = (extra: Record<string, number>) =>
    pricesPath({ facilityIds: 1001, fromDate: dayIn(1).query, toDate: dayIn(9).query, ...extra });

  test('a default above the maximum is cut, not refused, because no client sent it', async () => {
    const { fairway } = await stage({
      'prices.default-limit': 9,
      'prices.max-limit': 4,
      'prices.over-max-limit': 'refused',
    });
    expect((await fairway.get(page({}))).body.data.records).toHaveLength(4);
    expect((await fairway.get(page({ limit: 9 }))).status).toBe(400);
  });

  test('a default offset and a default limit cut one page out of the whole', async () => {
    const { fairway } = await stage({ 'prices.default-offset': 2, 'prices.default-limit': 3 });
    const [cut, whole] = [await fairway.get(page({})), await fairway.get(page({ offset: 0, limit: 1000 }))];
    expect(cut.body.data).toEqual({ records: whole.body.data.records.slice(2, 5), total: whole.body.data.total });
    expect((await fairway.get(page({ offset: 0 }))).body.data.records).toEqual(whole.body.data.records.slice(0, 3));
  });

  test('an unknown facility is reported before an unconnected one', async () => {
    const { fairway } = await stage({ 'facility.unconnected': 'refused', 'facility.unknown': 400 });
    const statuses = [7, 1006].map(
      async (facilityId) => (await fairway.get(teeTimesPath('v4', { facilityId }))).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 403]);
  });
});
