import {
  type Identity,
  identityIn,
  identityOf,
  knownBookings,
  nameOf,
  type ListedBooking,
  listVersions,
  wholeBookingLists,
  type ListVersion,
} from '../../journeys/booking-lists.js';
import { bookedGroups, type CanceledBooking, canceledBooking } from '../../journeys/booking-variants.js';
import { booking, type Booked } from '../../journeys/bookings.js';
import { confirmDifferences, eventually } from '../../journeys/changing-answers.js';
import { Inconclusive } from '../../client/outcome.js';
import { type BookingListClaim, closestTo, type Facts, grouped } from '../../facts/facts.js';
import { compareMembers, inTurn } from '../../facts/agreement.js';
import type { Comparison, Relation } from '../../facts/relation.js';
import { isObject, MASK } from '../../../common/index.js';
import { setDifference } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { states } from './states.js';
import { lastOf, listOf, type Session } from '../../client/session.js';
import { newestWith, operationIn, productBooking, shows, versionsOf } from '../../client/operations.js';

/** Fields of the list that one version or another does not have. */
const varying = ['course', 'round', 'facilityId', 'contactName', 'contactFirstName', 'contactLastName'];
const foreign = (version: ListVersion): readonly string[] =>
  varying.filter((field) => !versionsOf('listBookings', shows(field)).includes(version));

/** The form of an empty field is an open question. */
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const flat = (value: unknown): string => text(value).replace(/\s+/g, ' ').trim();
/** The fields of a booking in one form. A field that its version lacks is empty. */
function common({ course, round, teetime, players, teeId, status, ...item }: ListedBooking): Record<string, string> {
  const names = { first: flat(item['contactFirstName']), last: flat(item['contactLastName']), name: nameOf(item) };
  const plain = { phone: flat(item['contactPhone']), email: flat(item['contactEmail']), ...names };
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

/** The list of each version, read again: a booking was cancelled since the first time. */
async function listsAgain(session: Session): Promise<Lists> {
  const found: Partial<Record<ListVersion, readonly ListedBooking[]>> = {};
  const params = { fromDate: session.longAgo.query };
  for (const version of session.served('listBookings', listVersions)) {
    const { data } = await session.send({ operation: operationIn('listBookings', version), params });
    found[version] = Array.isArray(data) ? (data as ListedBooking[]) : [];
  }
  return found as Lists;
}

/** The lists of two versions with the same dates, between which nothing was written, and what tells their bookings. */
interface ListedTwice {
  readonly list: BookingListClaim;
  /** The list of the newer version. */
  readonly other: BookingListClaim;
  readonly same: Identity;
}

export function* listedTwice(facts: Facts): Iterable<ListedTwice> {
  const groups = grouped(facts.bookingLists, ({ channel, from, to }) => [channel, from, to].join(' '));
  for (const lists of groups.values()) {
    for (const list of lists) {
      const others = lists.filter(({ version }) => version > list.version);
      for (const version of new Set(others.map((one) => one.version))) {
        const other = closestTo(
          list,
          others.filter((one) => one.version === version),
        )!;
        if (!facts.isQuiet([list, other])) continue;
        yield { list, other, same: identityOf(other.bookings, list.bookings) };
      }
    }
  }
}

/** The two lists have the same bookings. */
export function* sameBookings({ list, other, same }: ListedTwice): Iterable<Comparison> {
  const [shown, due] = [list, other].map(({ bookings }) => bookings.map(same));
  // Two empty lists agree about nothing.
  if (shown!.length + due!.length === 0) return;
  const what = (): string => `With the same dates, ${list.version} lists other bookings than ${other.version}.`;
  const differing = setDifference(shown!, due!);
  yield { holds: differing === undefined, what, claims: [list, other], ...differing };
}

/** A booking has the same values in both lists. */
function* sameValues({ list, other, same }: ListedTwice): Iterable<Comparison> {
  const newer = grouped(other.bookings, same);
  const claims = [list, other];
  for (const item of list.bookings) {
    const [due, ...more] = newer.get(same(item)) ?? [];
    // Where versions have ids of their own, nothing may tell two bookings of one guest at the same time.
    if (!due || more.length > 0) continue;
    const [actual, expected] = [common(item), common(due)];
    const what = (): string => `${list.version} and ${other.version} show the booking ${same(item)} differently.`;
    yield { holds: agree(expected, actual), what, expected, actual, claims };
  }
}

/** A list shows a booking as the list of the same version before it did, whatever its dates. */
function* sameAsBefore(facts: Facts): Iterable<Comparison> {
  const keyOf = ({ bookingId: id }: ListedBooking, { channel, version }: BookingListClaim): string | undefined =>
    typeof id === 'string' && !id.includes(MASK) ? `${channel} ${version} ${id}` : undefined;
  for (const { item, claim, before, earlier } of inTurn(facts.bookingLists, ({ bookings }) => bookings, keyOf)) {
    const claims = [claim, earlier];
    yield* compareMembers(item, before, {
      claims,
      exempt: { status: (one, other) => one === other || !facts.isQuiet(claims) },
      changing: /^status$/,
      what: (member) =>
        `${claim.version} shows another ${member} of the booking ${String(item['bookingId'])} than before.`,
    });
  }
}

/** With the same dates, every version lists the same bookings with the same values, each once. */
export const sameLists: Relation = {
  reads: ['bookings'],
  changes: true,
  ofChannel: true,
  *compare(facts) {
    for (const list of facts.bookingLists) {
      const seen = new Set<unknown>();
      const again = list.bookings.find(({ bookingId }) => seen.size === seen.add(bookingId).size)?.['bookingId'];
      const what = (): string => `${list.version} lists the booking ${String(again)} more than once.`;
      if (again !== undefined) yield { holds: false, what, claims: [list] };
    }
    yield* sameAsBefore(facts);
    for (const twice of listedTwice(facts)) {
      yield* sameBookings(twice);
      yield* sameValues(twice);
    }
  },
};

/**
 * Lists that are read at once are those that were asked for: two versions with other dates, and then each with the dates of
 * the other one. A service that keeps a request where another one finds it answers one of them with the wrong dates.
 */
function atOnce({ session, expect }: RuleContext): Promise<void> {
  const [newer, older = newer] = session.served('listBookings', listVersions);
  if (!newer) return Promise.resolve();
  return confirmDifferences(session, async (anew) => {
    const past = { fromDate: anew.longAgo.query };
    const read = async (...calls: readonly (readonly [version: ListVersion, params: Partial<typeof past>])[]) => {
      const replies = await Promise.all(
        calls.map(([version, params]) => anew.send({ operation: operationIn('listBookings', version), params })),
      );
      return replies.map((reply) => ({ reply, items: listOf<unknown>(reply, (data) => data).filter(isObject) }));
    };
    const [allOfNewer, nextOfOlder] = await read([newer, past], [older!, {}]);
    const [nextOfNewer, allOfOlder] = await read([newer, {}], [older!, past]);
    for (const [one, other] of [
      [allOfOlder!, allOfNewer!],
      [nextOfOlder!, nextOfNewer!],
    ] as const) {
      const same = identityOf(other.items, one.items);
      expect.about(one.reply.id, other.reply.id);
      const what = `With the same dates, ${older} and ${newer} list other bookings where lists are read at once.`;
      expect.sameItems(one.items.map(same), other.items.map(same), what);
    }
  });
}

/** Whether each list still has the booking that the run cancelled. A list with ids of its own says nothing. */
async function keepsCanceled({ session, expect }: RuleContext, { bookingId, reply }: CanceledBooking): Promise<void> {
  const others = (await booking(session, productBooking)).bookingIds;
  const isActive = (list: readonly ListedBooking[]): boolean =>
    list.some((item) => item['bookingId'] === bookingId && /^\s*book/i.test(String(item['status'])));
  const look = () => listsAgain(session);
  const lists = await eventually(session, reply, look, (all) => !Object.values(all).some(isActive));
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
    expect.that(!isActive(lists[version]), active, { expected: 'CANCELED', actual: status });
  }
}

/** The tee times that the answer to a group names, and those that were booked. */
export function timesOfGroup({ reply, items }: Pick<Booked, 'reply' | 'items'>) {
  const { bookingIds } = reply.data as { readonly bookingIds: readonly (ListedBooking | null)[] };
  const named = bookingIds.map((one) => text(one?.['teetime']).slice(0, 19)).sort();
  const booked = items.map(({ teetime }) => text(teetime).replace(' ', 'T')).sort();
  return { named, booked, what: `${reply.what} does not name the tee time of each booking once.` };
}

/** Each booking of a group with its own tee time. */
function namesEachTime({ expect }: RuleContext, made: Booked): void {
  const { named, booked, what } = timesOfGroup(made);
  expect.about(made.reply.id);
  expect.equal(named, booked, what);
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
    relation: sameLists,
    async run(context) {
      const { session, expect } = context;
      session.needsTwoOf('listBookings');
      expect.some(await knownBookings(session), 'a booking of the channel');
      await atOnce(context);
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
      const canceled = await canceledBooking(context.session);
      // A 202 promises a cancellation for later.
      if (canceled.reply.ok && canceled.reply.status !== 202) await keepsCanceled(context, canceled);
      const known = (await knownBookings(context.session)).filter(({ status }) => status === 'CANCELED');
      const lists = await wholeBookingLists(context.session);
      const same = identityIn(lists);
      for (const version of context.session.served('listBookings', listVersions)) {
        const what = `A cancelled booking is missing from the list of ${version}.`;
        context.expect.about(lastOf(context.session, operationIn('listBookings', version)));
        context.expect.subset(known.map(same), lists[version].map(same), what);
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
