import {
  identityIn,
  knownBookings,
  nameOf,
  type ListedBooking,
  listVersions,
  wholeBookingLists,
  type ListVersion,
} from '../../journeys/booking-lists.js';
import { bookedGroups, canceledBooking } from '../../journeys/booking-variants.js';
import { booking, type Booked } from '../../journeys/bookings.js';
import { Inconclusive } from '../../client/outcome.js';
import { closestTo, grouped } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';
import { setDifference } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { states } from './states.js';
import { lastOf, type Session } from '../../client/session.js';
import { newestWith, operationIn, productBooking, shows, versionsOf } from '../../client/operations.js';

/** Fields of the list that one version or another does not have. */
const varying = ['course', 'round', 'facilityId', 'contactName', 'contactFirstName', 'contactLastName'];
const foreign = (version: ListVersion): readonly string[] =>
  varying.filter((field) => !versionsOf('listBookings', shows(field)).includes(version));

/** The form of an empty field is an open question. */
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const flat = (value: unknown): string => text(value).replace(/\s+/g, ' ').trim();
/** The fields that all versions have, in one form. */
function common({ course, round, teetime, players, teeId, status, ...item }: ListedBooking): Record<string, string> {
  const plain = { phone: flat(item['contactPhone']), email: flat(item['contactEmail']), name: nameOf(item) };
  const at = text(item['createdAt']).replace(/(Z|[+-]\d\d:?\d\d)$/, '');
  const rest = { teetime: text(teetime), players: text(players), teeId: text(teeId), status: text(status) };
  return { ...rest, course: text(course ?? round), createdAt: at, ...plain };
}

/** Whether two lists agree about a booking, in the fields that have a value in both. */
function agree(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return Object.entries(one).every(([field, value]) => value === '' || other[field] === '' || other[field] === value);
}

/** The maximum length of a short code. */
const SHORT = 12;

type Lists = Readonly<Record<ListVersion, readonly ListedBooking[]>>;

/** The versions of some lists, newest first, without those that the deployment is said not to have. */
const servedIn = (lists: Lists): readonly ListVersion[] =>
  listVersions.filter((version) => Object.keys(lists).includes(version));

/** Bookings that differ between versions, one sentence for each. */
function differences(lists: Lists): Map<string, { expected: unknown; actual: unknown }> {
  const found = new Map<string, { expected: unknown; actual: unknown }>();
  const same = identityIn(lists);
  const byId = (version: ListVersion): Map<string, Record<string, string>> =>
    new Map(lists[version].map((item) => [same(item), common(item)]));
  const [last, ...others] = servedIn(lists);
  const newest = byId(last!);
  for (const version of servedIn(lists)) {
    const ids = lists[version].map((item) => item['bookingId']);
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
    for (const id of twice) {
      found.set(`${version} lists the booking ${String(id)} more than once.`, { expected: 1, actual: 'more' });
    }
  }
  for (const version of others) {
    const older = byId(version);
    for (const id of new Set([...newest.keys(), ...older.keys()])) {
      const [expected, actual] = [newest.get(id), older.get(id)];
      if (expected && actual && agree(expected, actual)) continue;
      found.set(`${version} and ${last} show the booking ${id} differently.`, { expected, actual });
    }
  }
  return found;
}

/** Reads the lists again: a booking may have been made or cancelled between two of them. */
async function listsAgain(session: Session): Promise<Lists> {
  const found: Partial<Record<ListVersion, readonly ListedBooking[]>> = {};
  const params = { fromDate: session.longAgo.query };
  for (const version of session.served('listBookings', listVersions)) {
    const { data } = await session.send({ operation: operationIn('listBookings', version), params });
    found[version] = Array.isArray(data) ? (data as ListedBooking[]) : [];
  }
  return found as Lists;
}

/** Lists of two versions with the same dates have the same bookings, where the versions share ids. */
const sameSelection: Relation = {
  reads: ['bookings'],
  changes: true,
  ofChannel: true,
  *compare({ bookingLists, writes }) {
    const groups = grouped(bookingLists, ({ channel, from, to }) => [channel, from, to].join(' '));
    for (const lists of groups.values()) {
      for (const list of lists) {
        const others = lists.filter(({ version }) => version > list.version);
        for (const version of new Set(others.map((one) => one.version))) {
          const other = closestTo(
            list,
            others.filter((one) => one.version === version),
          )!;
          const [first, last] = [list.order, other.order].sort((a, b) => a - b);
          if (writes.some((order) => order > first! && order < last!)) continue;
          const [shown, due] = [list, other].map(({ bookings }) => bookings.map(({ bookingId }) => bookingId));
          const isApart = shown!.length > 0 && due!.length > 0 && !shown!.some((id) => due!.includes(id));
          // Two empty lists agree about nothing.
          if (isApart || shown!.length + due!.length === 0) continue;
          const what = (): string => `With the same dates, ${list.version} lists other bookings than ${version}.`;
          const differing = setDifference(shown!, due!);
          yield { holds: differing === undefined, what, ...differing, claims: [list, other] };
        }
      }
    }
  },
};

/** Whether each list still has the booking that the run cancelled. A list with ids of its own says nothing. */
async function keepsCanceled({ session, expect }: RuleContext, bookingId: string): Promise<void> {
  const others = (await booking(session, productBooking)).bookingIds;
  const lists = await listsAgain(session);
  for (const version of session.served('listBookings', listVersions)) {
    const ids = lists[version].map((item) => item['bookingId']);
    expect.about(lastOf(session, operationIn('listBookings', version)));
    if (!others.some((id) => ids.includes(id))) continue;
    expect.that(ids.includes(bookingId), `A booking that was cancelled is missing from the list of ${version}.`, {
      expected: bookingId,
      actual: `${ids.length} other bookings`,
    });
    const status = lists[version].find((item) => item['bookingId'] === bookingId)?.['status'];
    const active = `A booking whose cancellation was accepted is still active in the list of ${version}.`;
    expect.that(!/^\s*book/i.test(String(status)), active, { expected: 'CANCELED', actual: status });
  }
}

/** Each booking of a group with its own tee time. */
function namesEachTime({ expect }: RuleContext, { reply, items }: Booked): void {
  const { bookingIds } = reply.data as { readonly bookingIds: readonly ListedBooking[] };
  const times = bookingIds.map(({ teetime }) => text(teetime).slice(0, 19));
  const sent = items.map(({ teetime }) => text(teetime).replace(' ', 'T'));
  expect.about(reply.id);
  const what = `${reply.what} does not name the tee time of each booking once.`;
  expect.equal(times.sort(), sent.sort(), what);
}

/** Each booking of a group has the id that the price list gives its course. */
const courseIdAsPriced: Relation = {
  reads: ['bookings', 'prices'],
  changes: false,
  *compare({ made }, { prices }) {
    const records = prices.flatMap((page) => page.records.map((record) => ({ page, record })));
    const byCourse = grouped(records, ({ record }) => `${text(record['facilityId'])} ${text(record['courseName'])}`);
    for (const booked of made) {
      const { facilityId, course } = booked.item;
      const { courseId } = booked.entry;
      const priced = byCourse.get(`${text(facilityId)} ${text(course)}`) ?? [];
      const ids = new Set(priced.map(({ record }) => record['courseId']));
      if (courseId === undefined || ids.size !== 1) continue;
      const what = (): string =>
        `${booked.by.what} gives a booking another \`courseId\` than the prices of its course have.`;
      const [expected] = ids;
      const claims = [booked, priced[0]!.page];
      yield { holds: courseId === expected, what, expected, actual: courseId, facility: Number(facilityId), claims };
    }
  },
};

/** Rules of how the versions of the booking list agree, and of the form of ids and creation times. */
export const bookingAgreementRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.id.form',
    async run({ session, observe }) {
      const [item] = (await wholeBookingLists(session))[newestWith.bookingList];
      if (!item) throw new Inconclusive('no-data', 'a booking of the channel');
      const { bookingId, facilityId, teeId } = item;
      const parts = [facilityId, teeId].filter((part) => typeof part === 'number').map(String);
      if (parts.length > 0 && parts.every((part) => String(bookingId).includes(part)))
        observe('booking.id-form', 'composite');
      else if (String(bookingId).length <= SHORT) observe('booking.id-form', 'short');
    },
  }),
  defineRule({
    id: 'bookings.item.created-zone',
    async run({ session, observe }) {
      const [moment] = (await knownBookings(session)).map(({ createdAt }) => String(createdAt));
      if (moment === undefined) throw new Inconclusive('no-data', 'a booking of the channel');
      if (/\dZ$/.test(moment)) observe('time.created-zone', 'z');
      else if (/[+-]\d\d:?\d\d$/.test(moment)) observe('time.created-zone', 'offset');
      else if (/:\d\d(\.\d+)?$/.test(moment)) observe('time.created-zone', 'none');
    },
  }),
  defineRule({
    id: 'bookings.list.same-across-versions',
    relation: sameSelection,
    async run({ session, expect }) {
      const lists = await wholeBookingLists(session);
      if (servedIn(lists).length < 2) throw new Inconclusive('out-of-scope', 'two versions of the booking list');
      if (servedIn(lists).every((version) => lists[version].length === 0)) {
        throw new Inconclusive('no-data', 'a booking of the channel');
      }
      const first = differences(lists);
      const second = first.size === 0 ? first : differences(await listsAgain(session));
      const [still] = [...second.keys()].filter((what) => first.has(what));
      if (still !== undefined) expect.that(false, still, second.get(still));
      expect.that(true, 'the same in every version');
    },
  }),
  defineRule({
    id: 'bookings.group-item.agrees',
    needs: ['bookings'],
    relation: courseIdAsPriced,
    async run(context) {
      for (const made of await bookedGroups(context.session)) namesEachTime(context, made);
      if (context.expect.held === 0) throw new Inconclusive('precondition', 'a group of bookings');
    },
  }),
  defineRule({
    id: 'bookings.status.canceled-stays',
    needs: ['bookings'],
    async run(context) {
      const { bookingId, reply } = await canceledBooking(context.session);
      // A 202 promises a cancellation for later.
      if (reply.ok && reply.status !== 202) await keepsCanceled(context, bookingId);
      const canceled = (await knownBookings(context.session)).filter(({ status }) => status === 'CANCELED');
      const lists = await wholeBookingLists(context.session);
      const same = identityIn(lists);
      for (const version of context.session.served('listBookings', listVersions)) {
        const what = `A cancelled booking is missing from the list of ${version}.`;
        context.expect.subset(canceled.map(same), lists[version].map(same), what);
      }
      if (context.expect.held === 0) throw new Inconclusive('no-data', 'a cancelled booking of the channel');
    },
  }),
  defineRule({
    id: 'bookings.item.status.values',
    async run({ session, expect }) {
      const items = expect.some(await knownBookings(session), 'a booking of the channel');
      const what = 'A booking is listed with a status that the API specification does not show.';
      expect.every(items, ({ status }) => states.includes(status), what, 'BOOKED or CANCELED');
    },
  }),
  defineRule({
    id: 'bookings.item.version-fields',
    phase: 'evidence',
    async run({ session, expect }) {
      await wholeBookingLists(session);
      const replies = session.run.transport.replies.filter(
        ({ ok, probe, data }) => ok && !probe && Array.isArray(data),
      );
      for (const version of session.served('listBookings', listVersions)) {
        const of = replies.filter(({ operation }) => operation === operationIn('listBookings', version));
        for (const { id, data } of of) {
          session.exchanges.add(id);
          const fits = (item: ListedBooking): boolean => !foreign(version).some((field) => field in item);
          const what = `A booking listed by ${version} has a field of another version.`;
          expect.every(data as ListedBooking[], fits, what, `no ${foreign(version).join(', ')}`);
        }
      }
      if (expect.held === 0) throw new Inconclusive('no-data', 'a booking of the channel');
    },
  }),
];
