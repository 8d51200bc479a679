import { describe, expect } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { type Client, open } from '../../../support/client.js';
import {
  bookBulk,
  bookGroup,
  bookOne,
  cancel,
  type Group,
  type Method,
  pay,
  payBulk,
} from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';

const METHODS: readonly Method[] = ['GET', 'POST'];
const VERSIONS = ['v3', 'v4', 'v5'] as const;
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const done = { success: true, data: null };
const strict = { answers: { 'payment.repeat': 'refused', 'booking.cancel': 'delete' } } as const;

/** When the payment of each booking of a group was confirmed. */
function confirmedAt({ sandbox }: Client, { bookingIds }: Group): (string | null)[] {
  return bookingIds.map(
    (bookingId) => sandbox.db.bookings.findFirst((query) => query.where({ bookingId }))!.paymentConfirmedAt,
  );
}

const NOW = '2026-06-01T08:00:00.000';

describe('the answer', () => {
  for (const version of VERSIONS) {
    for (const method of METHODS) {
      const ids = [
        `payments.confirm-bulk.${version}` as RuleId,
        'payments.confirm-bulk',
        'payments.path.bulkBookingId',
      ] as const;
      rule(
        [...ids, 'payments.method'],
        `${method} in ${version} confirms every booking of a v3 bulk booking`,
        async () => {
          const { fairway } = await open();
          const bulk = await bookBulk(fairway);
          const { status, body } = await payBulk(fairway, version, bulk.id, method);
          expect({ status, body }).toEqual({ status: 200, body: done });
          expect(confirmedAt(fairway, bulk)).toEqual([NOW, NOW]);
        },
      );
    }

    rule('payments.confirm-bulk.group-ids', `${version} takes the group of a v5 multiple booking`, async () => {
      const { fairway } = await open();
      const group = await bookGroup(fairway);
      expect((await payBulk(fairway, version, group.id)).body).toEqual(done);
      expect(confirmedAt(fairway, group)).toEqual([NOW, NOW]);
    });

    rule(
      'payments.confirm-bulk.group-ids',
      `${version} leaves it unknown where the dialect knows v3 groups alone`,
      async () => {
        const { fairway } = await open({ dialect: { answers: { 'bulk-payment.group-ids': 'v3-only' } } });
        const [group, bulk] = [await bookGroup(fairway), await bookBulk(fairway)];
        expect(await payBulk(fairway, version, group.id)).toMatchObject({
          status: 404,
          rule: 'payments.booking-unknown',
        });
        expect((await payBulk(fairway, version, bulk.id)).body).toEqual(done);
        expect(confirmedAt(fairway, group)).toEqual([null, null]);
      },
    );
  }

  rule('payments.confirm-bulk', 'only the named group is confirmed', async () => {
    const { fairway } = await open();
    const [first, second] = [await bookBulk(fairway), await bookGroup(fairway)];
    expect(first.id).not.toBe(second.id);
    await payBulk(fairway, 'v4', first.id);
    expect(confirmedAt(fairway, second)).toEqual([null, null]);
  });

  rule('payments.confirm-bulk.state', 'v5 is paused where the dialect says so, and confirms nothing then', async () => {
    const { fairway } = await open({ dialect: { answers: { 'bulk-payment.v5.state': 'paused' } } });
    const bulk = await bookBulk(fairway);
    for (const method of METHODS) {
      const { status, body } = await payBulk(fairway, 'v5', bulk.id, method);
      expect({ status, body }).toEqual({ status: 200, body: { ...done, message: expect.stringMatching(/paused/) } });
    }
    expect(confirmedAt(fairway, bulk)).toEqual([null, null]);
    expect((await payBulk(fairway, 'v4', bulk.id)).body).toEqual(done);
    expect(confirmedAt(fairway, bulk)).toEqual([NOW, NOW]);
  });
});

describe('groups that cannot be named', () => {
  for (const version of VERSIONS) {
    rule(
      ['payments.booking-unknown', 'payments.channel-scope'],
      `${version}: of none or of another channel`,
      async () => {
        const { fairway, links } = await open();
        const bulk = await bookBulk(fairway);
        for (const [client, id] of [
          [fairway, 2147483646],
          [fairway, 0],
          [fairway, -bulk.id],
          [links, bulk.id],
        ] as const) {
          const reply = await payBulk(client, version, id);
          expect(reply).toMatchObject({ status: 404, rule: 'payments.booking-unknown' });
          expect(reply.body).toEqual({ ...failure, message: expect.stringContaining(String(id)) });
        }
        expect(confirmedAt(fairway, bulk)).toEqual([null, null]);
      },
    );

    rule('payments.path.bulkBookingId', `${version}: not by an integer`, async () => {
      const { fairway } = await open();
      const bulk = await bookBulk(fairway);
      for (const id of [
        bulk.bookingIds[0]!,
        `${bulk.id}.0`,
        `${bulk.id}a`,
        '0x1389',
        '1e3',
        '%20',
        '99999999999999999999',
      ]) {
        const reply = await payBulk(fairway, version, id);
        expect(reply, id).toMatchObject({ status: 400, rule: 'payments.path.bulkBookingId' });
        expect(reply.body).toEqual({ ...failure, message: expect.stringContaining('`bulkBookingId`') });
      }
      expect(confirmedAt(fairway, bulk)).toEqual([null, null]);
    });
  }

  rule('payments.booking-unknown', 'a single booking is no group', async () => {
    const { fairway } = await open();
    const bookingId = await bookOne(fairway);
    expect(await payBulk(fairway, 'v4', 5001)).toMatchObject({ status: 404 });
    expect(confirmedAt(fairway, { id: 0, bookingIds: [bookingId] })).toEqual([null]);
  });
});

describe('repeated and cancelled', () => {
  rule('payments.repeat', 'the second time is like the first', async () => {
    const { sandbox, fairway } = await open();
    const bulk = await bookBulk(fairway);
    await payBulk(fairway, 'v3', bulk.id);
    sandbox.clock.advance(60_000);
    for (const version of VERSIONS) expect((await payBulk(fairway, version, bulk.id)).body).toEqual(done);
    expect(confirmedAt(fairway, bulk), 'the first confirmation counts').toEqual([NOW, NOW]);
  });

  rule('payments.repeat', 'a dialect may refuse it, once every booking of the group is confirmed', async () => {
    const { fairway } = await open({ dialect: strict });
    const bulk = await bookBulk(fairway);
    expect((await pay(fairway, 'v4', bulk.bookingIds[0]!)).body).toEqual(done);
    expect((await payBulk(fairway, 'v4', bulk.id)).body).toEqual(done);
    expect(await payBulk(fairway, 'v5', bulk.id)).toMatchObject({
      status: 400,
      body: failure,
      rule: 'payments.repeat',
    });
    expect(await pay(fairway, 'v4', bulk.bookingIds[1]!)).toMatchObject({ status: 400, rule: 'payments.repeat' });
  });

  rule('payments.canceled', 'of a group partly cancelled the rest is confirmed', async () => {
    const { fairway } = await open({ dialect: strict });
    const bulk = await bookBulk(fairway);
    await cancel(fairway, bulk.bookingIds[0]!);
    expect((await payBulk(fairway, 'v4', bulk.id)).body).toEqual(done);
    expect(confirmedAt(fairway, bulk)).toEqual([null, NOW]);
  });

  rule('payments.canceled', 'a group wholly cancelled is refused', async () => {
    const { fairway } = await open({ dialect: strict });
    const bulk = await bookBulk(fairway);
    for (const id of bulk.bookingIds) await cancel(fairway, id);
    for (const version of VERSIONS) {
      expect(await payBulk(fairway, version, bulk.id)).toMatchObject({
        status: 400,
        body: failure,
        rule: 'payments.canceled',
      });
    }
    expect(confirmedAt(fairway, bulk)).toEqual([null, null]);
  });
});
