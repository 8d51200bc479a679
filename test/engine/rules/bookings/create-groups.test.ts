import { describe, expect, test } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { forms } from '../../dialect/forms.js';
import { listedIds, listOf, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open, type Reply } from '../../../support/client.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime, type Json, type TeeTime, teeTimesOf } from '../../../support/scenes.js';

const PATH = '/api/v5/bookings';
const BULK = '/api/v3/bulkbookings';
const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };

interface Way {
  readonly name: string;
  readonly rules: readonly RuleId[];
  readonly key: 'groupId' | 'bulkBookingId';
  readonly item: (teeTime: TeeTime, changes: Record<string, unknown>) => Json;
  readonly post: (client: Client, items: readonly Json[]) => Promise<Reply>;
}

const GROUP = ['bookings.group.groupId', 'bookings.group.bookingIds'] as const;
const ITEMS = ['bookings.group-item.bookingId', 'bookings.group-item.teetime', 'bookings.group-item.courseId'] as const;

/** The requests that make several bookings. */
const ways: readonly Way[] = [
  {
    name: 'an array in v5',
    rules: ['bookings.create.multiple', ...GROUP],
    key: 'groupId',
    item: forms.v5,
    post: (client, items) => client.post(PATH, items),
  },
  {
    name: 'details in v5',
    rules: ['bookings.create.with-payment', ...GROUP],
    key: 'groupId',
    item: forms.v5,
    post: (client, details) => client.post(PATH, { details }),
  },
  {
    name: 'details and a payment intent in v5',
    rules: ['bookings.create.with-payment', 'bookings.create.payment-intent', ...GROUP],
    key: 'groupId',
    item: forms.v5,
    post: (client, details) => client.post(PATH, { details, paymentIntent: 'pi_3NqX' }),
  },
  {
    name: 'an array in v3',
    rules: ['bookings.create.bulk', 'bookings.bulk.bulkBookingId', 'bookings.bulk.bookingIds'],
    key: 'bulkBookingId',
    item: forms.v3,
    post: (client, items) => client.post(BULK, items),
  },
];

/** Tee times on three days at two facilities with several courses, in an order that is not that of time. */
async function severalTeeTimes(client: Client): Promise<readonly (readonly [facilityId: number, TeeTime])[]> {
  const wishes = [
    { facilityId: 1016, days: 12 },
    { facilityId: 1010, days: 11 },
    { facilityId: 1016, days: 10 },
  ];
  return Promise.all(
    wishes.map(async (wanted) => [wanted.facilityId, (await teeTimesOf(client, wanted)).at(-1)!] as const),
  );
}

/** The id under which prices show a course, which is what `courseId` means. */
async function courseIdOf(client: Client, facilityId: number, course: string, day: string): Promise<number> {
  const date = day.split('-').reverse().join('-');
  const path = `/api/v5/price/insideDateRange?facilityIds=${facilityId}&fromDate=${date}&toDate=${date}`;
  const { records } = (await client.get(path)).body.data;
  return records.find(({ courseName }: Json) => courseName === course).courseId;
}

const everyBooking = (client: Client) => listedIds(client, 'v4', { fromDate: LONG_AGO });

for (const { name, rules, key, item, post } of ways) {
  describe(name, () => {
    rule([...rules, ...ITEMS], 'is answered with a group: an entry for each booking, in the order sent', async () => {
      const { fairway } = await open();
      const teeTimes = await severalTeeTimes(fairway);
      const reply = await post(
        fairway,
        teeTimes.map(([facilityId, teeTime]) => item(teeTime, { facilityId })),
      );
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
      const { [key]: id, bookingIds, ...rest } = reply.body.data;
      expect([Number.isSafeInteger(id), rest]).toEqual([true, {}]);
      const want = [];
      for (const [facilityId, { time, course }] of teeTimes) {
        const courseId = await courseIdOf(fairway, facilityId, course, time.slice(0, 10));
        want.push({ bookingId: expect.any(String), teetime: time, courseId });
      }
      expect(bookingIds).toEqual(want);
      for (const { teetime, courseId } of bookingIds) {
        expect(teetime).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
        expect(Number.isSafeInteger(courseId)).toBe(true);
      }
      const listed = await listOf(fairway, 'v4');
      for (const [at, { bookingId }] of bookingIds.entries()) {
        const [facilityId, { teeid, time, course }] = teeTimes[at]!;
        const booking = listed.find((one) => one.bookingId === bookingId);
        expect(booking).toMatchObject({ teeId: teeid, teetime: time, course, facilityId, status: 'BOOKED' });
      }
    });

    rule('bookings.group-item.agrees', 'each booking has its own tee time and course, in any order', async () => {
      for (const order of [
        [0, 1, 2],
        [2, 0, 1],
      ]) {
        const { fairway } = await open();
        const teeTimes = await severalTeeTimes(fairway);
        const sent = order.map((at) => teeTimes[at]!);
        const items = sent.map(([facilityId, teeTime]) => item(teeTime, { facilityId }));
        const { bookingIds } = (await post(fairway, items)).body.data;
        const listed = await listOf(fairway, 'v4');
        const seen = [];
        for (const { bookingId, teetime, courseId } of bookingIds) {
          const booking = listed.find((one) => one.bookingId === bookingId);
          const own = await courseIdOf(fairway, booking.facilityId, booking.course, booking.teetime.slice(0, 10));
          expect({ teetime, courseId }).toEqual({ teetime: booking.teetime, courseId: own });
          seen.push(teetime);
        }
        expect(seen).toEqual(sent.map(([, { time }]) => time));
      }
    });

    rule(rules, 'one booking is a group too, and one tee time may be booked twice', async () => {
      const { fairway } = await open();
      const teeTime = await findTeeTime(fairway, { players: 4 });
      const groups = [];
      for (const count of [1, 2]) {
        const { body } = await post(
          fairway,
          Array.from({ length: count }, () => item(teeTime, {})),
        );
        expect(body.data.bookingIds).toHaveLength(count);
        expect(Number.isSafeInteger(body.data[key])).toBe(true);
        groups.push(body.data);
      }
      expect(groups[0][key]).not.toBe(groups[1][key]);
      const ids = groups.flatMap(({ bookingIds }) => bookingIds.map(({ bookingId }: Json) => bookingId));
      expect(new Set(ids).size).toBe(3);
    });

    test('no booking, and what is no booking, is refused', async () => {
      const { fairway } = await open();
      const good = item(await findTeeTime(fairway), {});
      const before = await everyBooking(fairway);
      for (const list of [[], [null], [good, null], [good, {}], [good, 1], [[good]]]) {
        const { status, body } = await post(fairway, list);
        expect({ status, body }, JSON.stringify(list)).toEqual({ status: 400, body: failure });
      }
      expect(await everyBooking(fairway)).toEqual(before);
    });

    test.each([
      { what: 'a field that is missing', changes: { contactPhone: undefined }, at: 2 },
      { what: 'a tee time that is none', changes: { teeId: 1 }, at: 1 },
      { what: 'more players than are free', changes: { players: 4 }, at: 1 },
      { what: 'another course', changes: { course: 'Nowhere' }, at: 0 },
    ])('all are booked or, for $what, none', async ({ changes, at }) => {
      const { sandbox, fairway } = await open();
      const teeTimes = (await teeTimesOf(fairway)).filter(({ products }) => products[0].available < 4).slice(0, 3);
      expect(teeTimes).toHaveLength(3);
      const before = [await everyBooking(fairway), await teeTimesOf(fairway)];
      const list = teeTimes.map((teeTime, index) => item(teeTime, index === at ? changes : {}));
      const made = sandbox.db.bookings.findMany().length;
      const { status, body } = await post(fairway, list);
      expect({ status, body }).toEqual({ status: 400, body: failure });
      expect([await everyBooking(fairway), await teeTimesOf(fairway)]).toEqual(before);
      expect(sandbox.db.bookings.findMany()).toHaveLength(made);
      expect(
        (
          await post(
            fairway,
            list.filter((_, index) => index !== at),
          )
        ).status,
      ).toBe(200);
    });
  });
}

describe('details', () => {
  rule('bookings.create.with-payment', 'with and without an intent are answered just as the array', async () => {
    const answers = [];
    for (const wrap of [
      (list: Json) => list,
      (details: Json) => ({ details }),
      (details: Json) => ({ details, paymentIntent: 'pi_1' }),
    ]) {
      const { fairway } = await open();
      const list = [bookingFor(await findTeeTime(fairway)), bookingFor(await findTeeTime(fairway, { days: 11 }))];
      answers.push((await fairway.post(PATH, wrap(list))).body);
    }
    expect(answers[0].data.bookingIds).toHaveLength(2);
    expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
  });

  rule('bookings.create.payment-intent', 'the intent must be a text, and may be left out', async () => {
    const { sandbox, fairway } = await open();
    const details = [bookingFor(await findTeeTime(fairway, { players: 4 }))];
    const before = await everyBooking(fairway);
    for (const paymentIntent of [1, 0, true, ['pi_1'], { id: 'pi_1' }]) {
      const reply = await fairway.post(PATH, { details, paymentIntent });
      expect(reply).toMatchObject({ status: 400, body: failure });
      expect(reply.body.message).toContain('`paymentIntent`');
    }
    expect(await everyBooking(fairway)).toEqual(before);
    for (const paymentIntent of ['pi_3NqX', undefined]) {
      const { body } = await fairway.post(PATH, { details, paymentIntent });
      const { bookingId } = body.data.bookingIds[0];
      const kept = sandbox.db.bookings.findFirst((query) => query.where({ bookingId }))!;
      expect(kept.paymentIntent).toBe(paymentIntent ?? null);
    }
  });
});

rule('bookings.create.bulk', 'v3 takes a list alone', async () => {
  const { fairway } = await open();
  const booking = forms.v3(await findTeeTime(fairway), {});
  const before = await everyBooking(fairway);
  for (const body of [booking, { details: [booking] }, {}, 'null', '"list"']) {
    const reply = await fairway.post(BULK, body);
    expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: failure });
  }
  expect(await everyBooking(fairway)).toEqual(before);
});
