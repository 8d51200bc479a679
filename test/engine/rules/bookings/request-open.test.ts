import { describe, expect } from 'vitest';
import { forms } from '../../dialect/forms.js';
import { listedIds, LONG_AGO } from '../../../support/booking-list.js';
import { open } from '../../../support/client.js';
import { everyWay, refusedField, keptIn, waysOf } from '../../../support/requests.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

const PATH = '/api/v5/bookings';
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const shift = (teetime: string, minutes: number): string =>
  new Date(Date.parse(`${teetime}Z`) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

describe('a `teetime` that is not the time of `teeId`', () => {
  for (const { name, post } of everyWay) {
    rule('bookings.request.teetime.check', `${name}: is refused, although both are well-formed`, async () => {
      const clients = await open();
      const [teeTime, other] = await teeTimesOf(clients.fairway);
      const before = keptIn(clients.sandbox);
      // A minute later, a day later, and the time of another tee time of the same day.
      const wrong = [shift(teeTime!.time, 1), shift(teeTime!.time, 1440), other!.time.replace('T', ' ')];
      for (const teetime of wrong) {
        const { status, body } = await post(clients.fairway, teeTime!, { teetime });
        expect({ status, body }, teetime).toEqual({ status: 400, body: failure });
        expect(body.message).toContain('cart');
      }
      expect(keptIn(clients.sandbox)).toEqual(before);
      expect((await post(clients.fairway, teeTime!, { teetime: shift(teeTime!.time, 0) })).status).toBe(200);
    });
  }
});

describe('`netRate` of a bulk booking', () => {
  const table = [
    { version: 'v3', given: undefined, want: 400 },
    { version: 'v3', given: 80, want: 200 },
    { version: 'v5', given: undefined, want: 200 },
  ] as const;
  for (const { version, given, want } of table) {
    for (const { name, at, post } of waysOf([version])) {
      rule('bookings.request.netRate.bulk', `${name} with ${given ?? 'none'}: ${want}`, async () => {
        const clients = await open();
        const teeTime = await findTeeTime(clients.fairway);
        const before = keptIn(clients.sandbox);
        const reply = await post(clients.fairway, teeTime, { netRate: given });
        expect(reply.status).toBe(want);
        if (want === 200) return;
        expect(reply).toMatchObject(refusedField('bookings.request.netRate', `${at}netRate`));
        expect(keptIn(clients.sandbox)).toEqual(before);
      });
    }
  }

  rule('bookings.request.netRate.bulk', 'one item without it is enough, wherever it stands', async () => {
    const { fairway } = await open();
    const [bulk] = waysOf(['v3']);
    const [first, second] = await teeTimesOf(fairway);
    const items = [forms.v3(first!, {}), forms.v3(second!, { netRate: undefined })];
    const reply = await fairway.post('/api/v3/bulkbookings', items);
    expect(reply).toMatchObject(refusedField('bookings.request.netRate', '[1].netRate'));
    expect((await bulk!.post(fairway, first!)).status).toBe(200);
  });
});

describe('a value of another type', () => {
  /** A value that the field takes, in the type of another field. */
  const table: readonly { field: string; wrong: (teeTime: TeeTime) => unknown }[] = [
    { field: 'players', wrong: () => '1' },
    { field: 'holes', wrong: ({ holes }) => String(holes) },
    { field: 'teeId', wrong: ({ teeid }) => String(teeid) },
    { field: 'teetime', wrong: ({ time }) => Date.parse(`${time}Z`) },
    { field: 'contactPhone', wrong: () => 31_205_550_100 },
    { field: 'contactLastName', wrong: () => ['Lovelace'] },
    { field: 'comments', wrong: () => 5 },
  ];
  for (const { name, at, post } of everyWay) {
    rule('bookings.request.form', `${name}: is refused, field by field`, async () => {
      const clients = await open();
      const teeTime = await findTeeTime(clients.fairway);
      const before = keptIn(clients.sandbox);
      for (const { field, wrong } of table) {
        const { status, body } = await post(clients.fairway, teeTime, { [field]: wrong(teeTime) });
        expect({ status, body }, field).toEqual({ status: 400, body: failure });
        expect(body.message).toContain(`\`${at}${field}\``);
      }
      expect(keptIn(clients.sandbox)).toEqual(before);
      expect((await post(clients.fairway, teeTime)).status).toBe(200);
    });
  }
});

describe('an extra product that the tee time does not offer', () => {
  for (const { name, post } of waysOf(['v5'])) {
    rule('bookings.request.extraProduct.unknown', `${name}: is refused, and one that it offers is not`, async () => {
      const clients = await open();
      const teeTime = await findTeeTime(clients.fairway);
      const offered = teeTime.extraProducts.map(({ mid }) => mid);
      expect(offered.length).toBeGreaterThan(0);
      const before = keptIn(clients.sandbox);
      for (const mid of [1, 2_147_483_646, Math.max(...offered) + 1000]) {
        const reply = await post(clients.fairway, teeTime, { extraProduct: [{ mid, quantity: 1 }] });
        expect(reply, String(mid)).toMatchObject({ status: 400, body: failure });
        expect(reply.body.message).toMatch(/: `extraProduct` must name /);
      }
      expect(keptIn(clients.sandbox)).toEqual(before);
      const extraProduct = offered.map((mid) => ({ mid, quantity: 1 }));
      expect((await post(clients.fairway, teeTime, { extraProduct })).status).toBe(200);
    });
  }
});

describe('bodies of v5 that the API specification does not show', () => {
  const table: readonly {
    id: 'bookings.create.other-shapes' | 'bookings.create.empty';
    given: string;
    body: (booking: unknown) => unknown;
  }[] = [
    { id: 'bookings.create.other-shapes', given: 'a text', body: () => '"booking"' },
    { id: 'bookings.create.other-shapes', given: 'null', body: () => 'null' },
    { id: 'bookings.create.other-shapes', given: 'a list in a list', body: (booking) => [[booking]] },
    { id: 'bookings.create.other-shapes', given: '`details` that is no list', body: (details) => ({ details }) },
    { id: 'bookings.create.other-shapes', given: 'another name', body: (booking) => ({ bookings: [booking] }) },
    { id: 'bookings.create.empty', given: 'an empty array', body: () => [] },
    { id: 'bookings.create.empty', given: 'empty `details`', body: () => ({ details: [] }) },
    { id: 'bookings.create.empty', given: 'an intent alone', body: () => ({ details: [], paymentIntent: 'pi_1' }) },
  ];
  for (const { id, given, body } of table) {
    rule(id, `${given}: is refused, and books nothing`, async () => {
      const { fairway } = await open();
      const booking = bookingFor(await findTeeTime(fairway));
      const before = await listedIds(fairway, 'v4', { fromDate: LONG_AGO });
      const reply = await fairway.post(PATH, body(booking));
      expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: failure });
      expect(await listedIds(fairway, 'v4', { fromDate: LONG_AGO })).toEqual(before);
      expect((await fairway.post(PATH, [booking])).status, 'the same booking in a shape that is shown').toBe(200);
    });
  }
});
