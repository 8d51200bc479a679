import { type Day, dayAfter, dayOf, offsetHours, HOUR } from '../../client/day.js';
import {
  bookingList,
  identity,
  type KnownBooking,
  knownBookings,
  type ListedBooking,
  type ListVersion,
  listVersions,
  otherChannel,
  wholeBookingLists,
} from '../../journeys/booking-lists.js';
import type { Reply } from '../../client/exchange.js';
import { Inconclusive, unlessInconclusive } from '../../client/outcome.js';
import { bookOne } from '../../journeys/bookings.js';
import { freshTeeTime, type TeeTimeNeed } from '../../journeys/material.js';
import { type BookingListClaim, type Facts, factsOf, type MadeClaim } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { listOf, type Session } from '../../client/session.js';
import { newestWith, operationIn, productBooking } from '../../client/operations.js';
import { isObject } from '../../../common/index.js';

/** What tells one booking from another in a list, apart from its id. */
const contentOf = ({ teetime, teeId, facilityId, createdAt, players, ...item }: ListedBooking): string =>
  JSON.stringify([teetime, teeId, facilityId, createdAt, players, item['contactEmail'], item['contactName']]);

/** The id of each booking that its content tells from all others of the answer. */
function idsByContent(items: readonly ListedBooking[]): ReadonlyMap<string, unknown> {
  const contents = items.map(contentOf);
  const isAlone = (content: string): boolean => contents.indexOf(content) === contents.lastIndexOf(content);
  return new Map(items.map((item) => [contentOf(item), item['bookingId']] as const).filter(([key]) => isAlone(key)));
}

/** Checks all lists of the run: no booking twice in one, and none with another id in the next one. */
async function stableIds({ session, expect }: RuleContext): Promise<void> {
  await wholeBookingLists(session);
  for (const version of session.served('listBookings', listVersions)) {
    // A second answer, which other rules need anyway.
    await bookingList(session, version);
    const known = new Map<string, { readonly id: unknown; readonly seen: string }>();
    for (const { id: exchange, operation, ok, probe, data, asked } of session.run.transport.replies) {
      if (operation !== operationIn('listBookings', version) || !ok || probe || !Array.isArray(data)) continue;
      if (asked?.caller !== 'first') continue;
      const items = data.filter(isObject) as readonly ListedBooking[];
      const ids = items.map(({ bookingId }) => bookingId);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      if (twice !== undefined) session.exchanges.add(exchange);
      expect.that(twice === undefined, `${version} lists a booking more than once.`, { actual: twice });
      for (const [content, id] of idsByContent(items)) {
        const before = known.get(content);
        if (!before) known.set(content, { id, seen: exchange });
        if (!before || before.id === id) continue;
        for (const one of [before.seen, exchange]) session.exchanges.add(one);
        expect.that(false, `${version} lists a booking under another id than before.`, {
          expected: before.id,
          actual: id,
        });
      }
    }
  }
  if (expect.held === 0) throw new Inconclusive('no-data', 'a booking list');
}

export const bookingIdRules: readonly RuleSpec[] = [
  defineRule({ id: 'bookings.item.stable-id', phase: 'evidence', concern: 'meaning', run: stableIds }),
];

/** Tee times are in the time zone of their facility, between 12 hours behind UTC and 14 hours ahead. */
const BEHIND = 13 * HOUR;
const AHEAD = 15 * HOUR;

type Side = 'from' | 'to';

const dayOfTeeTime = ({ teetime }: ListedBooking): string => String(teetime).slice(0, 10);
/** When a booking was made, read as UTC; the API specification does not say whether it is. */
const creationTime = ({ createdAt }: ListedBooking): number => Date.parse(`${String(createdAt).slice(0, 19)}Z`);
const startTime = ({ teetime }: ListedBooking): number => Date.parse(`${String(teetime).slice(0, 19)}Z`);

/** Whether a tee time is before a day, or after it, in every time zone. */
function isOutside(item: ListedBooking, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? startTime(item) < start - BEHIND : startTime(item) >= start + 24 * HOUR + AHEAD;
}

/**
 * Whether a tee time is on or after a day, or before it, in every time zone. It is an open question whether a list
 * includes its last day.
 */
function isInside(item: ListedBooking, { iso }: Day, side: Side): boolean {
  const start = Date.parse(`${iso}T00:00:00Z`);
  return side === 'from' ? startTime(item) >= start + AHEAD : startTime(item) < start - BEHIND;
}

/** A day with day and month swapped; undefined if that is not another day. */
function misread({ iso }: Day): string | undefined {
  const [year, month, day] = iso.split('-');
  return Number(day) <= 12 && day !== month ? `${year}-${day}-${month}` : undefined;
}

/** The day for which swapping day and month would leave out the most bookings. */
function dayRevealingSwap(session: Session, items: readonly KnownBooking[], side: Side): Day {
  const days = items.map(dayOfTeeTime);
  const between = (low: string, high: string): number => days.filter((day) => low <= day && day < high).length;
  const lost = (day: Day): number => {
    const wrong = misread(day);
    if (wrong === undefined) return 0;
    return side === 'from' ? between(day.iso, wrong) : between(wrong, day.iso);
  };
  const range = Array.from({ length: 250 }, (_, index) => session.day(index - 190));
  return range.reduce((best, day) => (lost(day) > lost(best) ? day : best), session.day(0));
}

/** A day next to a day with a booking: a list that is off by one day shows that booking. */
function dayBeside(items: readonly KnownBooking[], side: Side): Day | undefined {
  for (const item of items) {
    const own = dayOf(dayOfTeeTime(item));
    const day = own && dayAfter(own, side === 'from' ? 1 : -1);
    if (day && isOutside(item, day, side)) return day;
  }
  return undefined;
}

/**
 * Bookings that are upcoming in every time zone. None if a booking was made after now: the clock of the deployment then
 * differs from the clock of the run, and it is unknown what is upcoming.
 */
function upcoming({ now }: Session, items: readonly KnownBooking[]): readonly KnownBooking[] {
  const limit = now + AHEAD;
  if (items.some((item) => creationTime(item) > limit)) return [];
  return items.filter((item) => startTime(item) > limit);
}

function firstUpcomingDay(session: Session, items: readonly KnownBooking[]): Day {
  return dayOf(upcoming(session, items).map(dayOfTeeTime).sort()[0]) ?? session.day(1);
}

/**
 * The bookings of a list that are past in every time zone.
 *
 * @param items All bookings that the list selects from.
 * @throws {Inconclusive} if the list may begin at the present time of the deployment: it leaves out earlier tee times,
 * and no booking was made later.
 */
function pastIn(
  { now }: Session,
  listed: readonly ListedBooking[],
  items: readonly KnownBooking[],
): readonly ListedBooking[] {
  const past = listed.filter((item) => startTime(item) <= now - BEHIND);
  const first = Math.min(...past.map(startTime));
  const left = items.filter((item) => startTime(item) < first);
  if (past.length > 0 && left.length > 0 && items.every((item) => creationTime(item) <= first + AHEAD)) {
    throw new Inconclusive('precondition', 'a deployment clock that agrees with the clock of this run');
  }
  return past;
}

/** Whether a booking was made on an earlier day. */
const createdBefore = ({ createdAt }: ListedBooking, { iso }: Day): boolean => String(createdAt).slice(0, 10) < iso;

/** The day of the earliest past tee time that was booked on an earlier day, or the day before it. */
function pastDay(session: Session, items: readonly KnownBooking[]): Day {
  const past = items.filter((item) => startTime(item) < session.now - AHEAD);
  const earliest = (shift: number, fits: (item: KnownBooking, day: Day) => boolean): Day | undefined =>
    past
      .map((item) => ({ item, day: dayAfter(dayOf(dayOfTeeTime(item)) ?? session.day(0), shift) }))
      .filter(({ item, day }) => isInside(item, day, 'from') && fits(item, day))
      .map(({ day }) => day)
      .sort((one, other) => (one.iso < other.iso ? -1 : 1))[0];
  const day = earliest(0, createdBefore) ?? earliest(-1, createdBefore) ?? earliest(-1, () => true);
  if (!day) throw new Inconclusive('no-data', 'a past booking of the channel');
  return day;
}

const ids = (items: readonly ListedBooking[]): unknown[] => items.map(({ bookingId }) => bookingId);

type Assertions = Pick<RuleContext, 'session' | 'expect'>;

/** Asserts that a list has all of some bookings. */
async function listsAll(
  { session, expect }: Assertions,
  expected: readonly ListedBooking[],
  found: readonly ListedBooking[],
  what: string,
): Promise<void> {
  const same = await identity(session);
  expect.subset(expected.map(same), found.map(same), what);
}
const times = (items: readonly ListedBooking[]): ListedBooking[] => items.map(({ teetime }) => ({ teetime }));

/** Sends invalid dates. The API specification does not say that they are refused. */
async function refusesNoDate(context: RuleContext): Promise<void> {
  for (const version of context.session.served('listBookings', listVersions)) {
    for (const name of ['fromDate', 'toDate']) {
      const operation = operationIn('listBookings', version);
      const control = { operation, params: { fromDate: context.session.longAgo.query } };
      const probe = { operation, params: { ...control.params, [name]: 'not-a-date' } };
      await context.refuses(probe, control, `The booking list of ${version} accepts a \`${name}\` that is not a date.`);
    }
  }
}

/** Checks each version of the list. */
async function eachVersion(session: Session, check: (version: ListVersion) => Promise<void>): Promise<void> {
  await wholeBookingLists(session);
  for (const version of session.served('listBookings', listVersions)) await check(version);
}

/** Without `fromDate`, `toDate` may narrow the upcoming bookings or all of them. */
async function alone({ session, expect }: RuleContext): Promise<void> {
  const items = expect.some(await knownBookings(session), 'a booking of the channel');
  const to = firstUpcomingDay(session, items);
  await eachVersion(session, async (version) => {
    const where = `${version} with toDate=${to.query} and no fromDate lists`;
    const found = times(await bookingList(session, version, { to }));
    const past = pastIn(session, found, items);
    expect.every(found, (item) => !past.includes(item), `${where} a past booking.`);
    expect.that(true, where);
  });
}

/** `fromDate` only adds bookings. The list with it is read again, since a booking may have been made in between. */
async function addsPast({ session, expect }: Assertions, version: ListVersion): Promise<void> {
  const shown = ids(await bookingList(session, version));
  let all = ids((await wholeBookingLists(session))[version]);
  if (!shown.every((id) => all.includes(id))) {
    const request = { operation: operationIn('listBookings', version), params: { fromDate: session.longAgo.query } };
    all = ids(listOf<ListedBooking>(await session.send(request), (data) => data));
  }
  const what = `A booking that ${version} lists without parameters is missing from its list with fromDate=${session.longAgo.query}.`;
  expect.subset(shown, all, what);
}

/** With both dates, a list has no booking before the first one. */
async function betweenDates({ session, expect }: RuleContext, version: ListVersion): Promise<void> {
  const items = await knownBookings(session);
  const from = firstUpcomingDay(session, items);
  const both = times(await bookingList(session, version, { from, to: dayAfter(from, 1) }));
  const before = `With a toDate, ${version} lists a booking before its fromDate.`;
  expect.every(both, (item) => !isOutside(item, from, 'from'), before, `${from.iso} or later`);
}

/**
 * A list from the day of a booking has that booking, where its tee time lies on that day or later in every time zone: the
 * document does not show which zone decides.
 */
const fromItsDay: Relation = {
  reads: ['bookings', 'facilities'],
  changes: true,
  ofChannel: true,
  *compare({ made, bookingLists }, all) {
    const shown = new Set(
      all.bookingLists.flatMap(({ version, bookings }) =>
        bookings.map((one) => `${version} ${String(one['bookingId'])}`),
      ),
    );
    for (const list of bookingLists) {
      const { from, to, version, channel } = list;
      const listed = new Set(list.bookings.map((one) => one['bookingId']));
      for (const booked of from === undefined || to !== undefined ? [] : made) {
        const { bookingId, item } = booked;
        const isShown = shown.has(`${version} ${bookingId}`);
        if (!isShown || channel !== booked.channel || list.order < booked.order) continue;
        if (!isFrom(from!, item, all)) continue;
        const day = String(item['teetime']).slice(0, 10);
        const what = (): string =>
          `A booking with a tee time on ${day} is missing from the list of ${version} from ${from}.`;
        const about = { facility: Number(item['facilityId']), day, claims: [list, booked] };
        yield { holds: listed.has(bookingId), what, expected: bookingId, actual: [...listed], ...about };
      }
    }
  },
};

/** Whether a tee time lies on a day or later in every time zone. */
function isFrom(day: string, { teetime, facilityId }: Readonly<Record<string, unknown>>, facts: Facts): boolean {
  const zone = facts.zoneOf(Number(facilityId));
  const local = Date.parse(`${String(teetime).slice(0, 19).replace(' ', 'T')}Z`);
  return zone !== undefined && local - offsetHours(zone, local) * HOUR >= Date.parse(`${day}T12:00:00Z`);
}

/** At 14:00, it is noon by UTC, or later, unless the facility is more than two hours ahead. */
const afternoon: TeeTimeNeed = {
  what: 'a tee time in the afternoon',
  fits: ({ time }) => Number(String(time).slice(11, 13)) >= 14,
};

/** Reads a list from the day of a booking of the run that lies on its day in every time zone. Without one, it makes one. */
export async function readFromItsDay(session: Session): Promise<void> {
  const find = (): Day | undefined => {
    const facts = factsOf(session.run);
    const own = facts.made.filter(({ channel }) => channel === 'first');
    const days = own.flatMap(({ item }) => {
      const day = String(item['teetime']).slice(0, 10);
      return isFrom(day, item, facts) ? [day] : [];
    });
    return dayOf(days.at(-1) ?? '');
  };
  let day = find();
  if (!day) {
    const place = await freshTeeTime(session, afternoon).catch(unlessInconclusive);
    if (!place || !(await session.run.transport.hasRoom(1))) return;
    await bookOne(session, productBooking, place).catch(unlessInconclusive);
    day = find();
  }
  const operation = operationIn('listBookings', newestWith.bookingList);
  if (day) await session.send({ operation, params: { fromDate: day.query } });
}

/** Time zones differ by a quarter of an hour at least. Clocks that agree differ by less than two minutes. */
const ZONE_STEP = HOUR / 4;
const AGREEING = HOUR / 30;

/** Whether the deployment has the clock of the run, by when it says that a booking was made; its zone is not shown. */
function hasOurClock(item: ListedBooking, { by }: MadeClaim): boolean {
  const ahead = creationTime(item) - by.at;
  return Math.abs(ahead) < AHEAD && Math.abs(ahead - Math.round(ahead / ZONE_STEP) * ZONE_STEP) < AGREEING;
}

/** A list without parameters has no tee time that was past in every time zone when the list was read. */
const onlyUpcoming: Relation = {
  reads: ['bookings'],
  changes: true,
  ofChannel: true,
  *compare({ made, bookingLists }) {
    const own = new Map(made.map((one) => [one.bookingId, one]));
    for (const list of bookingLists) {
      if (list.from !== undefined || list.to !== undefined) continue;
      const items = list.bookings as readonly ListedBooking[];
      const known = items.flatMap((item) => {
        const booked = own.get(String(item['bookingId']));
        return booked ? [{ item, booked }] : [];
      });
      if (known.length === 0 || !known.every(({ item, booked }) => hasOurClock(item, booked))) continue;
      const claims = [list, known[0]!.booked];
      const what = (): string => `The list of ${list.version} without parameters contains a past booking.`;
      for (const { teetime } of items) {
        const holds = !(startTime({ teetime }) <= list.by.at - BEHIND);
        yield { holds, what, expected: 'a future tee time', actual: teetime, claims };
      }
    }
  },
};

/** No booking is in lists of both channels. */
export const ofOneChannel: Relation = {
  reads: ['bookings'],
  changes: true,
  ofChannel: true,
  *compare({ bookingLists }) {
    const owners = new Map<unknown, BookingListClaim>();
    const others = bookingLists.filter(({ channel }) => channel === 'second');
    if (others.length === 0) return;
    for (const list of others) for (const { bookingId } of list.bookings) owners.set(bookingId, list);
    for (const list of bookingLists.filter(({ channel }) => channel === 'first')) {
      for (const { bookingId } of list.bookings) {
        const other = owners.get(bookingId);
        const what = (): string => `The booking ${String(bookingId)} is listed to both channels.`;
        yield { holds: other === undefined, what, actual: bookingId, claims: other ? [list, other] : [list] };
      }
    }
  },
};

/** Rules of the booking list that need no booking of the run: they read the existing bookings. */
export const bookingListRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.list',
    async run({ session, expect }) {
      // The complete lists first: other rules compare with them.
      const past = { fromDate: session.longAgo.query };
      const calls = [
        ...listVersions.map((version) => [version, past] as const),
        ...listVersions.map((version) => [version, {}] as const),
      ];
      for (const [version, params] of calls) {
        const reply = await session.read(operationIn('listBookings', version), params);
        expect.succeeds(reply, `${version} does not return the bookings.`);
      }
    },
  }),
  defineRule({
    id: 'bookings.list.fromDate',
    relation: fromItsDay,
    async run({ session, expect }) {
      const known = await knownBookings(session);
      const from = dayRevealingSwap(session, known, 'from');
      const expected = known.filter((item) => isInside(item, from, 'from'));
      await eachVersion(session, async (version) => {
        const what = `A booking with a tee time after fromDate=${from.query} is missing from the list of ${version}.`;
        await listsAll({ session, expect }, expected, await bookingList(session, version, { from }), what);
        await addsPast({ session, expect }, version);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.toDate',
    async run({ session, expect }) {
      const known = await knownBookings(session);
      const to = dayRevealingSwap(session, known, 'to');
      const from = session.longAgo;
      // Another version may list earlier ones, if it ignores the dates.
      const expected = known.filter((item) => isInside(item, to, 'to') && isInside(item, from, 'from'));
      await eachVersion(session, async (version) => {
        const what = `A booking with a tee time before toDate=${to.query} is missing from the list of ${version}.`;
        const found = await bookingList(session, version, { from, to });
        await listsAll({ session, expect }, expected, found, what);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.to-date-narrows',
    async run(context) {
      const { session, expect } = context;
      const known = expect.some(await knownBookings(session), 'a booking of the channel');
      const to = dayRevealingSwap(session, known, 'to');
      const edge = dayBeside(known, 'to');
      const last = dayOf(known.map(dayOfTeeTime).sort().at(-1));
      // Two days before the last tee time, which is outside then in every time zone.
      const beforeLast = last ? [dayAfter(last, -2)] : [];
      await eachVersion(session, async (version) => {
        const what = `${version} lists a booking with a tee time after its toDate.`;
        for (const day of [to, edge ?? to, ...beforeLast]) {
          const narrow = await bookingList(session, version, { from: session.longAgo, to: day });
          expect.every(times(narrow), (item) => !isOutside(item, day, 'to'), what, `up to ${day.iso}`);
        }
        if (known.some((item) => dayOfTeeTime(item) > to.iso)) expect.that(true, what);
        const day = firstUpcomingDay(session, known);
        const alone = times(await bookingList(session, version, { to: day }));
        expect.every(alone, (item) => !isOutside(item, day, 'to'), what, `up to ${day.iso}`);
        await betweenDates(context, version);
      });
    },
  }),
  defineRule({ id: 'bookings.list.to-date-alone', run: alone }),
  defineRule({ id: 'bookings.list.no-date', run: refusesNoDate }),
  defineRule({
    id: 'bookings.list.by-teetime',
    async run({ session, expect }) {
      const from = pastDay(session, await knownBookings(session));
      const edge = dayBeside(await knownBookings(session), 'from');
      await eachVersion(session, async (version) => {
        for (const day of [from, edge ?? from]) {
          const found = await bookingList(session, version, { from: day });
          const early = `${version} lists a booking with a tee time before fromDate=${day.query}.`;
          expect.every(times(found), (item) => !isOutside(item, day, 'from'), early, `${day.iso} or later`);
        }
        const found = await bookingList(session, version, { from });
        const made = (await knownBookings(session)).filter(
          (item) => isInside(item, from, 'from') && createdBefore(item, from),
        );
        const what = `A booking created before fromDate=${from.query} for a later tee time is missing from the list of ${version}.`;
        await listsAll({ session, expect }, made, found, what);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.future-only',
    relation: onlyUpcoming,
    async run({ session, expect }) {
      await eachVersion(session, async (version) => {
        const found = await bookingList(session, version);
        const past = pastIn(session, found, await knownBookings(session));
        const what = `The list of ${version} without parameters contains a past booking.`;
        expect.every(found, (item) => !past.includes(item), what, 'a future tee time');
        const next = upcoming(session, await knownBookings(session));
        await listsAll({ session, expect }, next, found, `A future booking is missing from the list of ${version}.`);
      });
      if (expect.held === 0) throw new Inconclusive('no-data', 'a booking of the channel');
    },
  }),
  defineRule({
    id: 'bookings.list.from-date-past',
    async run({ session, expect }) {
      const from = pastDay(session, await knownBookings(session));
      const past = (await knownBookings(session)).filter(
        (item) => isInside(item, from, 'from') && startTime(item) < session.now - AHEAD,
      );
      await eachVersion(session, async (version) => {
        const what = `A past booking is missing from the list of ${version} with fromDate=${from.query}.`;
        await listsAll({ session, expect }, past, await bookingList(session, version, { from }), what);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.to-date-inclusive',
    async run({ session, observe }) {
      const items = await knownBookings(session);
      const last = dayOf(items.map(dayOfTeeTime).sort().at(-1));
      if (!last) throw new Inconclusive('no-data', 'a booking of the channel');
      const on = (items: readonly ListedBooking[]): boolean => items.some((item) => dayOfTeeTime(item) === last.iso);
      if (on(await bookingList(session, newestWith.bookingList, { from: last, to: last })))
        observe('booking-list.to-date', 'inclusive');
      else if (on(await bookingList(session, newestWith.bookingList, { from: last, to: dayAfter(last, 1) })))
        observe('booking-list.to-date', 'exclusive');
    },
  }),
  defineRule({
    id: 'bookings.list.canceled-included',
    async run({ session, expect }) {
      const isCanceled = ({ status }: KnownBooking): boolean => status === 'CANCELED';
      const canceled = (await knownBookings(session)).filter(isCanceled);
      expect.some(canceled, 'a cancelled booking of the channel');
      const next = upcoming(session, await knownBookings(session)).filter(isCanceled);
      await eachVersion(session, async (version) => {
        const what = `A cancelled booking is missing from the list of ${version}.`;
        await listsAll({ session, expect }, canceled, (await wholeBookingLists(session))[version], what);
        await listsAll({ session, expect }, next, await bookingList(session, version), what);
      });
    },
  }),
  defineRule({
    id: 'bookings.list.channel-scope',
    relation: ofOneChannel,
    needs: ['second-channel'],
    // After the bookings of the run, which no other channel has made.
    phase: 'last',
    async run({ session, expect }) {
      await otherChannel(session);
      const made = session.run.transport.own.all.filter(({ channel }) => channel === 'first');
      const listed = Object.values(await wholeBookingLists(session)).flatMap(ids);
      const own = new Set([...listed, ...made.map(({ bookingId }) => bookingId)]);
      if (own.size === 0) throw new Inconclusive('no-data', 'a booking of the first channel');
      for (const version of session.served('listBookings', listVersions)) {
        const operation = operationIn('listBookings', version);
        const params = { fromDate: session.longAgo.query };
        const alone = await session.send({ operation, params, as: 'second' });
        const others = new Set(ids(listOf<ListedBooking>(alone, (data) => data)));
        const what = `${version} shows one channel a booking of another channel.`;
        const isOwn = (reply: Reply, foreign: ReadonlySet<unknown>, what: string): void => {
          const actual = ids(listOf<ListedBooking>(reply, (data) => data)).find((id) => foreign.has(id));
          expect.about(reply.id);
          expect.that(actual === undefined, what, { actual });
        };
        isOwn(alone, own, what);
        if (version !== newestWith.bookingList) continue;
        // The same address at the same moment: its answer depends on who asks.
        const [first, second] = await Promise.all(
          (['first', 'second'] as const).map((as) => session.send({ operation, params, as })),
        );
        const atOnce = `${version} shows one channel a booking of another channel where both ask at once.`;
        isOwn(first!, others, atOnce);
        isOwn(second!, own, atOnce);
      }
    },
  }),
];
