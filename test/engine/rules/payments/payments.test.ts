import { describe, expect } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { open } from '../../../support/client.js';
import { bookOne, cancel, type Method, pay, type PaymentVersion } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';

const METHODS: readonly Method[] = ['GET', 'POST'];
const CONFIRMING: readonly PaymentVersion[] = ['v1', 'v3', 'v4'];
const VERSIONS: readonly PaymentVersion[] = [...CONFIRMING, 'v5'];
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const done = { success: true, data: null };
const strict = { answers: { 'payment.repeat': 'refused', 'booking.cancel': 'delete' } } as const;

describe('the answer', () => {
  for (const version of CONFIRMING) {
    for (const method of METHODS) {
      const ids: RuleId[] = [
        `payments.confirm.${version}` as RuleId,
        'payments.confirm',
        'payments.path.serviceBookingId',
        'payments.method',
      ];
      rule(ids, `${method} in ${version} confirms the payment`, async () => {
        const { sandbox, fairway } = await open();
        const bookingId = await bookOne(fairway);
        const { status, body } = await pay(fairway, version, bookingId, method);
        expect({ status, body }).toEqual({ status: 200, body: done });
        const [booking] = sandbox.db.bookings.findMany((query) => query.where({ bookingId }));
        expect(booking!.paymentConfirmedAt).toBe('2026-06-01T08:00:00.000');
      });
    }
  }

  rule('payments.confirm', 'a body with the sample request is left unread', async () => {
    const { fairway } = await open();
    const path = `/api/v4/bookings/payment/${await bookOne(fairway)}`;
    for (const body of ['', '{}', '{"no": json']) {
      const headers = { 'content-type': 'text/plain' };
      expect((await fairway.send('POST', path, { body, headers })).body).toEqual(done);
    }
  });

  rule('payments.repeat', 'the second time is like the first, in whatever version', async () => {
    const { fairway } = await open();
    const id = await bookOne(fairway);
    for (const version of [...CONFIRMING, ...CONFIRMING]) expect((await pay(fairway, version, id)).body).toEqual(done);
  });

  rule('payments.repeat', 'a dialect may refuse the second time, in whatever version', async () => {
    for (const version of CONFIRMING) {
      const { fairway } = await open({ dialect: strict });
      const id = await bookOne(fairway);
      expect((await pay(fairway, 'v4', id)).body).toEqual(done);
      expect(await pay(fairway, version, id)).toMatchObject({ status: 400, body: failure, rule: 'payments.repeat' });
    }
  });

  rule('payments.keeps-booking', 'the booking is as it was, and no other one is made', async () => {
    const { fairway } = await open();
    const id = await bookOne(fairway);
    const before = (await fairway.get('/api/v4/bookings')).body.data;
    for (const version of VERSIONS) {
      await pay(fairway, version, id);
      expect((await fairway.get('/api/v4/bookings')).body.data).toEqual(before);
    }
    expect(before.find((one: { bookingId: string }) => one.bookingId === id)).toMatchObject({ status: 'BOOKED' });
  });
});

describe('the pause of v5', () => {
  for (const method of METHODS) {
    rule(
      ['payments.confirm.v5', 'payments.paused', 'payments.paused.message'],
      `${method} succeeds and says so`,
      async () => {
        const { fairway } = await open();
        const { status, body } = await pay(fairway, 'v5', await bookOne(fairway), method);
        const message = expect.stringMatching(/^Payment confirmation to providers is temporarily paused/);
        expect({ status, body }).toEqual({ status: 200, body: { ...done, message } });
      },
    );
  }

  const places: readonly [
    'message' | 'data' | 'header',
    (reply: Awaited<ReturnType<typeof pay>>) => unknown,
    string[],
  ][] = [
    ['message', ({ body }) => body.message, ['data', 'message', 'success']],
    ['data', ({ body }) => body.data.message, ['data', 'success']],
    ['header', ({ headers }) => headers.get('x-message'), ['data', 'success']],
  ];
  for (const [place, messageIn, keys] of places) {
    rule(['payments.paused.place', 'payments.paused.message'], `the message may stand in the ${place}`, async () => {
      const { fairway } = await open({ dialect: { answers: { 'payment.v5.paused-message': place } } });
      const reply = await pay(fairway, 'v5', await bookOne(fairway));
      expect(messageIn(reply)).toMatch(/paused/);
      expect(Object.keys(reply.body).sort()).toEqual(keys);
      expect(reply.body.success).toBe(true);
      if (place !== 'data') expect(reply.body.data).toBeNull();
      expect(reply.headers.has('x-message')).toBe(place === 'header');
    });
  }

  rule('payments.paused', 'confirms nothing: the payment can still be confirmed in v4, once', async () => {
    const { sandbox, fairway } = await open({ dialect: strict });
    const bookingId = await bookOne(fairway);
    await pay(fairway, 'v5', bookingId, 'GET');
    expect((await pay(fairway, 'v5', bookingId)).body.success).toBe(true);
    const [booking] = sandbox.db.bookings.findMany((query) => query.where({ bookingId }));
    expect(booking!.paymentConfirmedAt).toBeNull();
    expect((await pay(fairway, 'v4', bookingId)).body).toEqual(done);
    expect(await pay(fairway, 'v4', bookingId)).toMatchObject({ status: 400, rule: 'payments.repeat' });
    expect((await pay(fairway, 'v5', bookingId)).body.success).toBe(true);
  });
});

describe('bookings that cannot be named', () => {
  for (const version of VERSIONS) {
    for (const method of METHODS) {
      rule(
        ['payments.booking-unknown', 'payments.channel-scope'],
        `${method} in ${version}: of none or of another channel`,
        async () => {
          const { fairway, links } = await open({ dialect: strict });
          const own = await bookOne(fairway);
          const unknown = `${own.slice(0, -6)}ZZZZZZ`;
          for (const [client, id] of [
            [fairway, unknown],
            [links, own],
            [fairway, 'no-such-booking'],
            [fairway, '5001'],
          ] as const) {
            const reply = await pay(client, version, id, method);
            expect(reply).toMatchObject({ status: 404, rule: 'payments.booking-unknown' });
            expect(reply.body).toEqual({ ...failure, message: expect.stringContaining(id) });
          }
          expect((await pay(fairway, 'v4', own)).body, 'nothing was confirmed on the way').toEqual(done);
        },
      );
    }
  }

  rule('payments.path.serviceBookingId', 'an identifier is taken whole and as it is written', async () => {
    const { fairway } = await open();
    const id = await bookOne(fairway);
    for (const wrong of [id.toLowerCase(), ` ${id}`, `${id} `, id.slice(0, -1), `${id}0`, 'ü/%&', 'x'.repeat(5000)]) {
      expect(await pay(fairway, 'v4', wrong)).toMatchObject({ status: 404, rule: 'payments.booking-unknown' });
    }
    expect(await fairway.post('/api/v4/bookings/payment/', undefined)).toMatchObject({ status: 404, body: failure });
    expect(await pay(fairway, 'v4', id)).toMatchObject({ status: 200 });
  });
});

describe('cancelled bookings', () => {
  for (const version of CONFIRMING) {
    rule('payments.canceled', `${version} refuses them`, async () => {
      const { sandbox, fairway } = await open({ dialect: strict });
      const bookingId = await bookOne(fairway, { days: 30 });
      expect(await cancel(fairway, bookingId)).toMatchObject({ status: 200, body: done });
      expect(await pay(fairway, version, bookingId)).toMatchObject({
        status: 400,
        body: failure,
        rule: 'payments.canceled',
      });
      const [booking] = sandbox.db.bookings.findMany((query) => query.where({ bookingId }));
      expect(booking!.paymentConfirmedAt).toBeNull();
    });
  }

  rule('payments.canceled', 'the cancelled bookings of the start are refused too', async () => {
    const { fairway } = await open();
    const { body } = await fairway.get('/api/v4/bookings?fromDate=01-01-2026');
    const canceled = body.data.filter(({ status }: { status: string }) => status === 'CANCELED');
    expect(canceled.length).toBeGreaterThan(0);
    for (const { bookingId } of canceled) expect(await pay(fairway, 'v4', bookingId)).toMatchObject({ status: 400 });
  });

  rule('payments.canceled', 'a dialect may answer with success, and pays nothing', async () => {
    const { sandbox, fairway } = await open({
      dialect: { answers: { ...strict.answers, 'payment.canceled': 'success' } },
    });
    const bookingId = await bookOne(fairway, { days: 30 });
    await cancel(fairway, bookingId);
    for (let time = 1; time <= 2; time += 1) expect((await pay(fairway, 'v4', bookingId)).body).toEqual(done);
    const [booking] = sandbox.db.bookings.findMany((query) => query.where({ bookingId }));
    expect(booking!.paymentConfirmedAt).toBeNull();
  });
});

rule('payments.sample-path', 'the v2 path of the v4 sample is served only where the dialect says so', async () => {
  const absent = await open();
  const id = await bookOne(absent.fairway);
  for (const method of METHODS)
    expect(await pay(absent.fairway, 'v2', id, method)).toMatchObject({ status: 404, rule: 'versions.path' });

  const { fairway } = await open({ dialect: { answers: { 'payment.v4.v2-path': 'accepted' } } });
  const other = await bookOne(fairway);
  for (const method of METHODS) expect((await pay(fairway, 'v2', other, method)).body).toEqual(done);
});
