import { bodyFor, type Booked, booking, bookOne, group, idsIn } from '../../journeys/bookings.js';
import { changedBooking, plainControl } from '../../journeys/booking-probes.js';
import { freshTeeTime, material } from '../../journeys/material.js';
import { facilityTeeTimes, freeIn, type ListedTeeSheet, type ListedTeeTime } from '../../journeys/pool/reads.js';
import { freshBookings, type ListedBooking } from '../../journeys/booking-lists.js';
import { idleBody, refusedGroup } from '../../journeys/refused-bookings.js';
import { bookingWithDetails, canceledBooking, foreignCancellation } from '../../journeys/booking-variants.js';
import { Inconclusive, unlessInconclusive, unlessOutside } from '../../client/outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { refusesBooking } from './probe.js';
import {
  bulkBooking,
  newestOf,
  newestWith,
  operationIn,
  productBooking,
  roundBooking,
  shows,
} from '../../client/operations.js';
import { isObject } from '../../../common/index.js';
import { type Day, dayAfter, dayAt, dayOf, offsetHours, DAY, HOUR } from '../../client/day.js';
import type { Session } from '../../client/session.js';
import {
  connectedCountries,
  connectedFacilities,
  type FacilityItem,
  namesOfConnectedCountries,
} from '../../journeys/connected-facilities.js';
import type { Answers } from '../../../contract/index.js';
import { type Facts, factsOf, type GroupClaim } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';

/** The newest facility that has a time zone. */
const facilityWithZone = operationIn('findFacility', newestOf('findFacility', shows('timeZone')));

const MORE = 5;
const FAR = 2;
/** Days. */
const WEEK = 7;

/** A facility far from UTC, and its tee times on the same weekday of the next week. */
interface FarFacility {
  readonly id: number;
  readonly timeZone: string;
  readonly offset: number;
  readonly today: Day;
  readonly usual: readonly ListedTeeSheet[];
}

async function* farFacilities(session: Session): AsyncGenerator<FarFacility> {
  const { now } = session;
  for (const { id } of await farApart(session)) {
    const data = await session.data(facilityWithZone, { facilityId: id });
    const first: unknown = Array.isArray(data) ? data[0] : undefined;
    const timeZone = isObject(first) ? String(first['timeZone']) : 'UTC';
    const offset = offsetHours(timeZone, now);
    if (Math.abs(offset) < FAR) continue;
    const today = dayAt(now + offset * HOUR);
    yield { id, timeZone, offset, today, usual: await sheetsOn(session, id, dayAfter(today, WEEK)) };
  }
}

/**
 * Today's tee times at facilities far from UTC: their local times, in epoch milliseconds as if they were UTC. A facility
 * whose tee times of the same weekday all start later than now tells nothing: none of them is past.
 */
async function* todaysTeeTimes(
  session: Session,
): AsyncGenerator<{ readonly timeZone: string; readonly times: readonly number[] }> {
  const { now } = session;
  for await (const { id, timeZone, offset, today, usual } of farFacilities(session)) {
    const earliest = Math.min(now, now + offset * HOUR);
    if (!localTimes(usual).some((time) => time - WEEK * DAY < earliest)) continue;
    yield { timeZone, times: localTimes(await sheetsOn(session, id, today)) };
  }
}

async function sheetsOn(session: Session, facilityId: number, day: Day): Promise<readonly ListedTeeSheet[]> {
  const sheets: ListedTeeSheet[] = [];
  for (const holes of [18, 9] as const) {
    const query = { facilityId, day, holes };
    sheets.push({ ...query, teeTimes: await facilityTeeTimes(session, query) });
  }
  return sheets;
}

const localTimes = (sheets: readonly ListedTeeSheet[]): readonly number[] =>
  sheets.flatMap(({ teeTimes }) => teeTimes.map(({ time }) => Date.parse(`${time.slice(0, 19)}Z`)));

/** One facility for each of several countries, to cover different time zones. */
async function farApart(session: Session): Promise<readonly FacilityItem[]> {
  const near = await connectedCountries(session);
  const known = new Set(near.map(({ country }) => country));
  const others = (await namesOfConnectedCountries(session)).filter((country) => !known.has(country)).slice(-MORE);
  const found = near.map(({ facilities: some }) => some[0]!);
  for (const country of others) found.push(...(await connectedFacilities(session, country)).slice(0, 1));
  return found;
}

const { operation } = productBooking;
const { bookingList } = newestWith;

/**
 * A booking with this shape of body must be accepted. If it is refused and a single booking is accepted, the
 * shape is the reason; a deployment may also refuse all further bookings.
 */
async function taken({ session, expect }: RuleContext, make: () => Promise<Booked>, shape: string): Promise<Booked> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    await booking(session, productBooking);
    const item = await idleBody(session);
    const body = shape === 'an array' ? [item] : { details: [item] };
    const again = await session.send({ operation, body });
    if (!again.ok && !(await session.send({ operation, body: item })).ok) throw error;
    expect.succeeds(again, `A ${productBooking.version} booking is refused as ${shape}.`);
    if (idsIn(again).length > 0) throw error;
    expect.that(false, `The answer to a ${productBooking.version} booking as ${shape} has no booking identifiers.`, {
      actual: again.text,
    });
    throw error;
  }
}

/** The required response to a group: a group number, and each booking of the request exactly once. */
function isGroup({ expect }: RuleContext, { reply, items }: Booked): void {
  const { groupId, bookingIds } = reply.data as { groupId?: unknown; bookingIds?: readonly ListedBooking[] };
  expect.that(Number.isInteger(groupId), 'A group has no `groupId`.', { expected: 'an integer', actual: groupId });
  const times = (bookingIds ?? []).map(({ teetime }) => String(teetime).slice(0, 19));
  const sent = items.map(({ teetime }) => String(teetime).replace(' ', 'T'));
  const what = 'A group does not name each booking of the request once, with its tee time.';
  expect.equal([...times].sort(), [...sent].sort(), what);
}

async function shapes(context: RuleContext): Promise<void> {
  const { session, expect } = context;
  expect.succeeds(
    (await booking(session, productBooking)).reply,
    `A ${productBooking.version} booking is refused as one object.`,
  );
  await taken(context, () => group(session, productBooking), 'an array');
  await taken(context, () => bookingWithDetails(session), 'an object with `details`');
}

const otherShapesOf: readonly ((item: unknown) => unknown)[] = [
  (item) => ({ bookings: [item] }),
  () => 7,
  (item) => ({ details: [item], paymentIntent: 7 }),
];

/** Bodies of which the API specification does not say that they are refused. */
async function otherShapes(context: RuleContext): Promise<void> {
  const { session } = context;
  const control = await plainControl(session, productBooking);
  for (const shape of otherShapesOf) {
    const { body: item } = await changedBooking(session, productBooking, control, () => ({}));
    const body = shape(item);
    const what = `A ${productBooking.version} booking of another shape is accepted.`;
    await refusesBooking(context, { operation, body }, control.reply, what);
  }
}

/**
 * Bookings in `details` must be accepted without a payment intent. If they are refused, one is added to find the
 * reason.
 */
async function needsNoIntent({ session, expect }: RuleContext): Promise<void> {
  try {
    expect.succeeds((await bookingWithDetails(session)).reply, 'An object with `details` is refused.');
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    const details = [await idleBody(session)];
    const refused = await session.send({ operation, body: { details }, refusable: true });
    if (refused.ok) throw error;
    const reply = await session.send({
      operation,
      body: { details, paymentIntent: 'pi_conformance_check' },
      refusable: true,
    });
    expect.about(refused.id, reply.id);
    expect.that(!reply.ok, 'Bookings in `details` are accepted only with a `paymentIntent`.', {
      expected: 'success without it',
      actual: error.missing,
    });
    throw error;
  }
}

async function timeBorders({ session, observe }: RuleContext): Promise<void> {
  const { now } = session;
  for await (const { timeZone, times } of todaysTeeTimes(session)) {
    const offset = offsetHours(timeZone, now);
    const [utc, local] = [now, now + offset * HOUR];
    const [low, high] = [Math.min(utc, local), Math.max(utc, local)];
    // If the list shows bookings that are past in every time zone, it does not depend on a clock.
    if (times.some((time) => time < low)) continue;
    if (times.some((time) => time > low && time < high)) {
      return observe('time.borders', offset < 0 ? 'facility' : 'utc');
    }
  }
  const zone = zoneOfDays(factsOf(session.run)) ?? (await zoneOfPlannedBooking(session));
  if (zone) return observe('time.borders', zone);
  throw new Inconclusive('no-data', 'a tee time at a facility far from UTC that is on another day by UTC');
}

/** The day of a local time by UTC; undefined for an unknown zone or time. */
function utcDayOf(teetime: unknown, zone: string | undefined): string | undefined {
  const time = Date.parse(`${String(teetime).slice(0, 19).replace(' ', 'T')}Z`);
  if (zone === undefined || !Number.isFinite(time)) return undefined;
  return new Date(time - offsetHours(zone, time) * HOUR).toISOString().slice(0, 10);
}

/** The day of a tee time at its facility and by UTC, where these are two. */
function twoDaysOf(teetime: unknown, zone: string | undefined): readonly [local: string, utc: string] | undefined {
  const [local, utc] = [String(teetime).slice(0, 10), utcDayOf(teetime, zone)];
  return utc === undefined || utc === local ? undefined : [local, utc];
}

/**
 * The zone that decides on which day a tee time is: of a booking of the run on another day by UTC than at its facility, a
 * list from the later one of these days on shows it or not.
 */
function zoneOfDays(facts: Facts): Answers['time.borders'] | undefined {
  for (const { from, to, version, channel, bookings, order } of facts.bookingLists) {
    for (const { bookingId, item, ...booked } of from === undefined || to !== undefined ? [] : facts.made) {
      const days = twoDaysOf(item['teetime'], facts.zoneOf(Number(item['facilityId'])));
      if (!days || channel !== booked.channel || order < booked.order) continue;
      const [local, utc] = days;
      if (from !== (local > utc ? local : utc)) continue;
      const [ofLater, ofEarlier] = local > utc ? (['facility', 'utc'] as const) : (['utc', 'facility'] as const);
      if (bookings.some((one) => one['bookingId'] === bookingId)) return ofLater;
      const isListed = facts.bookingLists.some(
        (list) => list.version === version && list.bookings.some((one) => one['bookingId'] === bookingId),
      );
      if (isListed) return ofEarlier;
    }
  }
  return undefined;
}

/** The same, of a booking that the run has on two days; without one, it makes one. */
async function zoneOfPlannedBooking(session: Session): Promise<Answers['time.borders'] | undefined> {
  const facts = factsOf(session.run);
  const known = facts.made
    .filter(({ channel }) => channel === 'first')
    .map(({ item }) => twoDaysOf(item['teetime'], facts.zoneOf(Number(item['facilityId']))));
  const days = known.find((one) => one !== undefined) ?? (await bookOnTwoDays(session));
  for (const day of days?.toSorted() ?? []) {
    const params = { fromDate: dayOf(day)!.query };
    await session.send({ operation: operationIn('listBookings', bookingList), params });
  }
  return zoneOfDays(factsOf(session.run));
}

/** Books a tee time that is on another day by UTC than at its facility; gives back both days. */
async function bookOnTwoDays(session: Session): Promise<readonly [local: string, utc: string] | undefined> {
  const pool = await material(session);
  for await (const { timeZone, usual } of farFacilities(session)) {
    for (const sheet of usual) {
      const isOpen = (teeTime: ListedTeeTime): boolean => freeIn(teeTime) > 0 && !pool.isTaken(sheet, teeTime);
      const teeTime = sheet.teeTimes.find((one) => isOpen(one) && twoDaysOf(one.time, timeZone));
      if (!teeTime) continue;
      pool.reserve(sheet, [teeTime]);
      if (!(await session.run.transport.hasRoom(1))) return undefined;
      const made = await bookOne(session, productBooking, { sheet, teeTime }).catch(unlessInconclusive);
      if (made) return twoDaysOf(teeTime.time, timeZone);
    }
  }
  return undefined;
}

/** No two groups have one number, unless one request was sent twice and answered with the same bookings. */
const oneNumberEach: Relation = {
  reads: ['bookings'],
  changes: false,
  *compare({ groups }) {
    const known = new Map<string, GroupClaim>();
    for (const group of groups) {
      const { field, number, bookingIds, by } = group;
      // Bulk bookings and groups may be numbered separately.
      const key = `${field} ${String(number)}`;
      const other = known.get(key);
      known.set(key, group);
      const isAgain = other?.bookingIds.some((id) => bookingIds.includes(id));
      const what = (): string => `${by.what} gives a group of bookings the number of another one.`;
      yield { holds: !other || isAgain === true, what, actual: number, claims: other ? [group, other] : [group] };
    }
  },
};

export const bookingCreateRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.create.status',
    needs: ['bookings'],
    async run({ session, observe }) {
      const { status } = (await booking(session, productBooking)).reply;
      if (status === 200 || status === 201) observe('success.create-status', status);
    },
  }),
  defineRule({ id: 'bookings.create.shapes', needs: ['bookings'], run: shapes }),
  defineRule({
    id: 'bookings.create.multiple',
    needs: ['bookings'],
    async run(context) {
      const made = await taken(context, () => group(context.session, productBooking), 'an array');
      isGroup(context, made);
    },
  }),
  defineRule({
    id: 'bookings.create.with-payment',
    needs: ['bookings'],
    async run(context) {
      const made = await taken(context, () => bookingWithDetails(context.session), 'an object with `details`');
      isGroup(context, made);
    },
  }),
  defineRule({
    id: 'bookings.create.empty',
    needs: ['bookings'],
    async run(context) {
      const { reply } = await booking(context.session, productBooking);
      for (const body of [[], { details: [] }]) {
        const what = `A ${productBooking.version} request without a booking is accepted: ${JSON.stringify(body)}.`;
        await refusesBooking(context, { operation, body }, reply, what);
      }
    },
  }),
  defineRule({ id: 'bookings.create.payment-intent', needs: ['bookings'], run: needsNoIntent }),
  defineRule({ id: 'bookings.create.other-shapes', needs: ['bookings'], run: otherShapes }),
  defineRule({
    id: 'bookings.create.unique-id',
    needs: ['bookings'],
    relation: oneNumberEach,
    async run({ session, expect }) {
      const made = [
        await booking(session, roundBooking).catch(unlessOutside),
        await booking(session, productBooking).catch(unlessOutside),
        await group(session, productBooking).catch(unlessOutside),
      ];
      const bulk = await booking(session, bulkBooking).catch(unlessOutside);
      const named = [...made, bulk].flatMap((one) => (one?.bookingIds ?? []).map((id) => ({ id, by: one!.reply.id })));
      const ids = named.map(({ id }) => id);
      const repeated = named.find(({ id }, at) => ids.indexOf(id) < at);
      if (repeated) expect.about(repeated.by);
      expect.equal([...new Set(ids)], ids, 'Two bookings have the same identifier.');
      // Bulk bookings and groups may be numbered separately.
      for (const groups of [
        [made[2], await bookingWithDetails(session).catch(unlessInconclusive)],
        [bulk, await group(session, bulkBooking).catch(unlessInconclusive)],
      ]) {
        const numbers = groups.flatMap((one) => one?.groupId ?? []);
        expect.about(groups[1]?.reply.id, groups[0]?.reply.id);
        expect.equal([...new Set(numbers)], numbers, 'Two groups of bookings have the same number.');
      }
    },
  }),
  defineRule({
    id: 'bookings.create.atomic',
    needs: ['bookings'],
    async run({ session, observe }) {
      observe(
        'booking.group-failure',
        (await refusedGroup(session, { form: 'list', lacks: 'tee time' })).stays ? 'earlier-stay' : 'nothing',
      );
    },
  }),
  defineRule({
    id: 'bookings.item.optional-fields',
    needs: ['bookings'],
    async run({ session, probe, observe }) {
      const place = await freshTeeTime(session);
      const { contactFirstName: _, contactLastName: __, ...rest } = bodyFor(session, productBooking, place);
      const reply = await probe({ operation, body: { ...rest, contactName: 'Conformance' } });
      const [id] = idsIn(reply);
      if (!reply.ok || id === undefined) throw new Inconclusive('precondition', 'a booking without a last name');
      const items = (await freshBookings(session, bookingList, place.sheet.day)) as readonly ListedBooking[];
      const shown = items.find(({ bookingId }) => bookingId === id);
      if (!shown) throw new Inconclusive('precondition', 'the booking without a last name in the list');
      const names = [shown['contactFirstName'], shown['contactLastName']];
      if (names.includes('')) observe('booking-list.empty-fields', 'present');
      else if (names.includes(null)) observe('booking-list.empty-fields', 'null');
      else if (names.includes(undefined)) observe('booking-list.empty-fields', 'absent');
    },
  }),
  // After the survey has booked in all time zones.
  defineRule({ id: 'bookings.time-borders', needs: ['bookings'], phase: 'evidence', run: timeBorders }),
  defineRule({
    id: 'bookings.cancel',
    needs: ['bookings'],
    async run({ session, observe }) {
      const { reply, shown } = await canceledBooking(session);
      if (reply.ok && shown === 'CANCELED') observe('booking.cancel', 'delete');
      else if ([404, 405, 501].includes(reply.status)) observe('booking.cancel', 'none');
    },
  }),
  defineRule({
    id: 'bookings.cancel.channel-scope',
    needs: ['bookings', 'second-channel'],
    async run({ session, expect }) {
      const { bookingId, reply, isCanceled } = await foreignCancellation(session);
      const what = `A channel cancels the booking ${bookingId} of another channel.`;
      expect.that(!isCanceled, what, { expected: 'a refusal', actual: reply.text });
    },
  }),
];
