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
import { prices } from '../../journeys/tee-sheets.js';
import { Inconclusive } from '../../client/outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { states } from './states.js';
import type { Session } from '../../client/session.js';
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

/** Whether each list still has the booking that the run cancelled. A list with ids of its own says nothing. */
async function keepsCanceled({ session, expect }: RuleContext, bookingId: string): Promise<void> {
  const others = (await booking(session, productBooking)).bookingIds;
  const lists = await listsAgain(session);
  for (const version of session.served('listBookings', listVersions)) {
    const ids = lists[version].map((item) => item['bookingId']);
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

/** Each booking of a group with its own tee time, and with the id that the prices give its course. */
async function groupAgrees({ session, expect }: RuleContext, made: Booked): Promise<void> {
  const { reply, sheet, items } = made;
  const { bookingIds } = reply.data as { readonly bookingIds: readonly ListedBooking[] };
  const times = bookingIds.map(({ teetime }) => text(teetime).slice(0, 19));
  const sent = items.map(({ teetime }) => text(teetime).replace(' ', 'T'));
  const what = `${reply.what} does not name the tee time of each booking once.`;
  expect.equal([...times].sort(), [...sent].sort(), what);
  const { records } = await prices(session, { facilityIds: [sheet.facilityId], from: sheet.day });
  for (const item of items) {
    const time = text(item['teetime']).replace(' ', 'T');
    // Of two courses at one time, an entry does not say which it is about.
    if (sent.indexOf(time) !== sent.lastIndexOf(time)) continue;
    const entry = bookingIds[times.indexOf(time)];
    const priced = records.find(({ courseName }) => courseName === item['course'])?.courseId;
    if (priced === undefined) continue;
    const other = `${reply.what} gives a booking another \`courseId\` than the prices of its course have.`;
    expect.equal(entry?.['courseId'], priced, other);
  }
}

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
    async run(context) {
      for (const made of await bookedGroups(context.session)) await groupAgrees(context, made);
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
      const items = await knownBookings(session);
      if (items.length === 0) throw new Inconclusive('no-data', 'a booking of the channel');
      const what = 'A booking is listed with a status that the document does not show.';
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
