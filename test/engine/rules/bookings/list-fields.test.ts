import { describe, expect, test } from 'vitest';
import type { RuleId } from '../../../../src/contract/generated/rule-basis.js';
import { LISTING, type ListingVersion, listOf, LONG_AGO } from '../../../support/booking-list.js';
import { type Client, open } from '../../../support/client.js';
import { bookBulk, bookGroup, bookOne } from '../../../support/payments.js';
import { rule } from '../../../support/rule.js';
import type { Json } from '../../../support/scenes.js';

type Check = (value: Json) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const whole: Check = (value) => Number.isSafeInteger(value);
const one =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value);
/** A date and time that exist, in the form given. */
const moment =
  (form: RegExp): Check =>
  (value) =>
    form.test(value) && new Date(`${value}Z`).toISOString().startsWith(value);

const EVERY: readonly ListingVersion[] = LISTING;

/** Section "Booking (list item)": which version has which field, and what it is. */
const fields: readonly { name: string; versions: readonly ListingVersion[]; check: Check }[] = [
  { name: 'teetime', versions: EVERY, check: moment(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/) },
  { name: 'course', versions: ['v4'], check: text },
  { name: 'round', versions: ['v1', 'v2'], check: text },
  { name: 'players', versions: EVERY, check: (value) => whole(value) && value >= 1 && value <= 4 },
  { name: 'teeId', versions: EVERY, check: whole },
  { name: 'facilityId', versions: ['v4'], check: whole },
  { name: 'contactFirstName', versions: ['v2', 'v4'], check: text },
  { name: 'contactLastName', versions: ['v2', 'v4'], check: text },
  { name: 'contactName', versions: ['v1'], check: text },
  { name: 'contactPhone', versions: EVERY, check: text },
  { name: 'contactEmail', versions: EVERY, check: text },
  { name: 'createdAt', versions: EVERY, check: moment(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/) },
  { name: 'bookingId', versions: EVERY, check: text },
  { name: 'status', versions: EVERY, check: one('BOOKED', 'CANCELED') },
];

/** Seed bookings of a channel, past and to come, and new ones of every kind. */
async function fullList(client: Client): Promise<Record<ListingVersion, Json[]>> {
  await bookOne(client, { facilityId: 1001 });
  await bookGroup(client);
  await bookBulk(client);
  const [v1, v2, v4] = await Promise.all(LISTING.map((version) => listOf(client, version, { fromDate: LONG_AGO })));
  return { v1: v1!, v2: v2!, v4: v4! };
}

describe('the fields of a listed booking', () => {
  for (const { name, versions, check } of fields) {
    rule(`bookings.item.${name}` as RuleId, `${name} in ${versions.join(', ')}`, async () => {
      const { fairway, links } = await open();
      for (const client of [fairway, links]) {
        const lists = await fullList(client);
        for (const version of versions) {
          expect(lists[version]).toHaveLength(19);
          const wrong = lists[version].filter((item) => !Object.hasOwn(item, name) || !check(item[name]));
          expect(wrong, version).toEqual([]);
        }
      }
    });
  }

  for (const version of LISTING) {
    rule('bookings.item.version-fields', `${version} has its own fields and none of the others'`, async () => {
      const { fairway } = await open();
      const due = fields.filter(({ versions }) => versions.includes(version)).map(({ name }) => name);
      const forms = new Set((await fullList(fairway))[version].map((item) => Object.keys(item).sort().join()));
      expect(forms).toEqual(new Set([due.sort().join()]));
    });
  }

  test('nothing of the request that the list does not have comes back', async () => {
    const { fairway } = await open();
    const lists = await fullList(fairway);
    for (const items of Object.values(lists)) {
      for (const stray of ['productId', 'holes', 'netRate', 'comments', 'channel', 'groupId', 'linkedTeeTimeRef']) {
        expect(items.filter((item) => Object.hasOwn(item, stray))).toEqual([]);
      }
    }
  });
});

describe('what the fields say', () => {
  /** A list item in the terms of v1, the narrowest version. */
  const narrowed = ({ course, contactFirstName, contactLastName, ...item }: Json) => {
    const wide = { round: course, ...item, contactName: `${contactFirstName} ${contactLastName}` };
    delete wide.facilityId;
    return wide;
  };
  const names = (items: readonly Json[]) =>
    items.map(({ contactFirstName, contactLastName }) => [contactFirstName, contactLastName]);

  const ranges = [
    {},
    { fromDate: LONG_AGO },
    { fromDate: '25-05-2026' },
    { toDate: '12-06-2026' },
    { fromDate: '25-05-2026', toDate: '12-06-2026' },
  ];

  for (const range of ranges) {
    rule('bookings.list.same-across-versions', `is the same in every version: ${JSON.stringify(range)}`, async () => {
      const { fairway, caddie } = await open();
      await bookOne(fairway);
      await bookBulk(fairway);
      for (const client of [fairway, caddie]) {
        const [v1, v2, v4] = await Promise.all(LISTING.map((version) => listOf(client, version, range)));
        expect(v1!.length).toBeGreaterThan(0);
        expect(v2!.map(narrowed)).toEqual(v1);
        expect(v4!.map(narrowed)).toEqual(v1);
        expect(names(v2!)).toEqual(names(v4!));
      }
    });
  }

  test('facility, course and tee time are those of the world', async () => {
    const { sandbox, fairway } = await open();
    for (const { facilityId, course, teeId, bookingId, teetime } of (await fullList(fairway)).v4) {
      const facility = sandbox.db.facilities.findFirst((query) => query.where({ id: facilityId }))!;
      expect(facility.courses.map(({ name }) => name)).toContain(course);
      const kept = sandbox.db.bookings.findFirst((query) => query.where({ bookingId }))!;
      expect([kept.teeId, kept.time, kept.facilityId]).toEqual([teeId, teetime, facilityId]);
    }
  });

  rule('bookings.item.createdAt', 'is the moment at which the booking was made, and no other', async () => {
    const { sandbox, fairway } = await open();
    const made: [string, string][] = [];
    for (const instant of ['2026-06-01T08:00:00.000', '2026-06-01T08:00:00.007', '2026-06-02T23:59:59.999']) {
      sandbox.clock.set(`${instant}Z`);
      made.push([await bookOne(fairway), instant]);
    }
    for (const version of LISTING) {
      const listed = await listOf(fairway, version);
      const seen = made.map(([id]) => [id, listed.find(({ bookingId }) => bookingId === id).createdAt]);
      expect(seen).toEqual(made);
    }
  });
});
