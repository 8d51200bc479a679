import { readFromItsDay } from './list.js';
import { isObject } from '../../../common/index.js';
import { DAY, HOUR } from '../../client/day.js';
import { bodyFor, book, type Booked, booking, bookOne, group, idsIn } from '../../journeys/bookings.js';
import {
  contentOf,
  freshBookings,
  isListedAsFuture,
  type KnownBooking,
  type ListedBooking,
  type ListVersion,
  listVersions,
} from '../../journeys/booking-lists.js';
import {
  type BookingEffect,
  bookingEffect,
  secondBookingEffect,
  type ShownAvailability,
} from '../../journeys/booking-effect.js';
import { extrasFor } from '../../journeys/booking-probes.js';
import { eventually } from '../../journeys/changing-answers.js';
import {
  bookedGroups,
  bookingWithForeignName,
  bookingWithSingleName,
  isSorted,
  otherBookings,
  ownInOrder,
} from '../../journeys/booking-variants.js';
import { freeIn, teeTimesNow } from '../../journeys/pool/reads.js';
import { commonSlots, exactlyShown, fittingRace, lastSlotsRaces, overfullGroup } from '../../journeys/last-slots.js';
import { freshTeeTime, freshTeeTimeOf, roomAndExtras } from '../../journeys/material.js';
import {
  freeSlots,
  type GroupForm,
  idleTeeTime,
  refusedGroup,
  tracesOfRefusals,
} from '../../journeys/refused-bookings.js';
import { Finding, Inconclusive, unlessInconclusive, unlessOutside } from '../../client/outcome.js';
import type { Expect } from '../expect.js';
import { type BookingListClaim, grouped, type MadeClaim, type SheetClaim } from '../../facts/facts.js';
import type { Relation } from '../../facts/relation.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { lastOf, type Session } from '../../client/session.js';
import {
  bulkBooking,
  type Creation,
  creations,
  newestWith,
  operationIn,
  productBooking,
} from '../../client/operations.js';
import { isActive, shownAsBooked } from './states.js';
import {
  freeSlotsOf,
  type ListedTeeTime,
  paramsOf,
  sheetOperation,
  type SheetVersion,
} from '../../journeys/tee-sheets.js';

const { facilitySheet } = newestWith;

/**
 * A booking lowers the free slots in each version, in the searches for more players and in the prices. Others may cancel at
 * that moment, so a finding takes a second booking.
 */
async function lowersAvailability({ session, expect }: RuleContext): Promise<void> {
  try {
    await lowers(session, expect, await bookingEffect(session));
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    await lowers(session, expect, await secondBookingEffect(session));
  }
}

async function lowers(session: Session, expect: Expect, effect: BookingEffect): Promise<void> {
  const { before, after, reply, teeTimes, players } = effect;
  const most = (seen: number): number => Math.max(0, seen - players);
  const lowered = ({ free, listing, priced }: ShownAvailability): boolean =>
    Object.entries(free).every(([version, seen]) => seen <= most(before.free[version] ?? Infinity)) &&
    !listing.some((version) => before.listing.includes(version)) &&
    (before.priced === undefined || priced === undefined || priced <= most(before.priced));
  const seen = await eventually(session, reply, after, lowered);
  for (const [version, free] of Object.entries(seen.free)) {
    const was = before.free[version];
    if (was === undefined || was < players) continue;
    expect.about(lastOf(session, operationIn('listTeeTimes', version as SheetVersion)));
    const what = `A booking of ${players} players does not lower the free slots of its tee time in ${version}.`;
    expect.that(free <= most(was), what, { expected: most(was), actual: free });
  }
  for (const version of before.listing) {
    expect.about(lastOf(session, operationIn('listTeeTimes', version as SheetVersion)));
    const what = `${version} lists the tee time ${teeTimes[0]!.teeid} for more players than it has free slots after a booking.`;
    expect.that(!seen.listing.includes(version), what);
  }
  if (before.priced === undefined || seen.priced === undefined || before.priced < players) return;
  expect.about(lastOf(session, operationIn('listPrices')));
  const what = 'A booking does not lower the free slots of its tee time in the prices.';
  expect.that(seen.priced <= most(before.priced), what, { expected: most(before.priced), actual: seen.priced });
}

/**
 * Bookings of all kinds take slots. A booking that changes no number of free slots is a finding; one that takes fewer than
 * it has players must be confirmed, since others may cancel.
 */
async function everyWayTakes({ session, expect }: RuleContext): Promise<void> {
  const suspects = new Set<Creation>();
  for (const { creation, reply, places, items } of await otherBookings(session)) {
    let takesTooFew = false;
    const untouched = async (): Promise<readonly ListedTeeTime[]> => {
      const still: ListedTeeTime[] = [];
      takesTooFew = false;
      for (const sheet of new Set(places.map((place) => place.sheet))) {
        const { data } = await session.send({ operation: sheetOperation, params: paramsOf(sheet) });
        const list = (data as { readonly teeTimeV3?: readonly ListedTeeTime[] } | null)?.teeTimeV3 ?? [];
        const shown = new Map(list.map((one) => [one.teeid, one]));
        for (const { teeTime } of places.filter((place) => place.sheet === sheet)) {
          const now = shown.get(teeTime.teeid);
          if (now && freeSlotsOf(now) === freeSlotsOf(teeTime)) still.push(teeTime);
          const players = Number(items.find(({ teeId }) => teeId === teeTime.teeid)?.['players']);
          takesTooFew ||= now !== undefined && freeIn(now) > Math.max(0, freeIn(teeTime) - players);
        }
      }
      return still;
    };
    const still = await eventually(session, reply, untouched, (list) => list.length === 0);
    expect.about(lastOf(session, sheetOperation));
    expect.equal(
      still.map(({ teeid }) => teeid),
      [],
      `A booking by ${reply.what} takes no free slot of its tee time.`,
    );
    if (takesTooFew) suspects.add(creation);
  }
  for (const creation of suspects) await takesBoth(session, expect, creation);
}

/**
 * Bookings of two players take two slots, where fewer than four free slots are shown: four may stand for more. A finding
 * takes two of them.
 */
async function takesBoth(session: Session, expect: Expect, creation: Creation): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const place = await freshTeeTimeOf(session, [exactlyShown]).catch(unlessInconclusive);
    if (!place) return;
    const look = async (): Promise<number | undefined> => {
      const shown = await teeTimesNow(session, place.sheet);
      const own = shown.find(({ teeid }) => teeid === place.teeTime.teeid);
      if (!own) return 0;
      // A product without free slots of its own is no longer listed.
      return own.products.length === place.teeTime.products.length ? commonSlots(own.products) : undefined;
    };
    const before = (await look()) ?? ROOM;
    const { reply } = await bookOne(session, creation, place, PLAYERS);
    const most = Math.max(0, before - PLAYERS);
    const after = await eventually(session, reply, look, (now) => now === undefined || now <= most);
    if (before >= ROOM || after === undefined || after <= most) return;
    expect.about(lastOf(session, sheetOperation));
    const what = `A booking of ${PLAYERS} players by ${reply.what} takes fewer free slots than players.`;
    if (tried === 2) expect.that(false, what, { expected: most, actual: after });
  }
}

/** Two bookings at once take the slots of both. Others may cancel, so a finding takes two such pairs. */
async function takesAtOnce(session: Session, expect: Expect): Promise<void> {
  for (let tried = 1; tried <= 2; tried += 1) {
    const race = await fittingRace(session).catch(unlessInconclusive);
    if (!race || race.accepted.length < 2) return;
    const { place, accepted } = race;
    const most = Math.max(0, freeIn(place.teeTime) - accepted.length);
    const look = (): Promise<number> => freeSlots(session, place);
    const after = await eventually(session, accepted.at(-1)!, look, (now) => now <= most);
    if (after <= most) return;
    expect.about(lastOf(session, sheetOperation));
    const what = 'Two bookings that are made at once take fewer free slots than they have players.';
    if (tried === 2) expect.that(false, what, { expected: most, actual: after });
  }
}

/** A booking, and its tee time before and after it. */
interface Taken {
  readonly booked: MadeClaim;
  readonly before: SheetClaim;
  readonly after: SheetClaim;
  /** The free slots that are left at most, and those that are shown. */
  readonly most: number;
  readonly free: number;
}

/**
 * At each facility, bookings of all forms take slots. Others may cancel, so a finding takes two tee times, and more of them
 * where the bookings of other ones have taken theirs.
 */
const slotsTaken: Relation = {
  reads: ['sheets', 'bookings'],
  changes: true,
  ofChannel: true,
  *compare({ made, sheets }) {
    // A sheet for more players lacks a tee time that has slots left for fewer.
    const whole = sheets.filter(({ version, players }) => version === facilitySheet && players === 1);
    const byDay = grouped(whole, (one) => `${one.channel} ${one.facilityId} ${one.day}`);
    for (const [facility, all] of grouped(made, ({ item }) => Number(item['facilityId']))) {
      const few = new Map<unknown, Taken>();
      let hasTaken = false;
      const what = (): string => `Bookings at the facility ${facility} take fewer free slots than they have players.`;
      for (const booked of all) {
        const day = String(booked.item['teetime']).slice(0, 10);
        const taken = takenOf(booked, byDay.get(`${booked.channel} ${facility} ${day}`) ?? []);
        if (!taken) continue;
        const { before, after, most, free } = taken;
        if (free > most) few.set(booked.item['teeId'], taken);
        else yield { facility, day, what, holds: true, claims: [after, booked], earlier: [before] };
        hasTaken ||= free <= most;
      }
      if (few.size < (hasTaken ? 3 : 2)) continue;
      const suspects = [...few.values()];
      const { most: expected, free: actual } = suspects[0]!;
      const claims = suspects.flatMap(({ after, booked }) => [after, booked]);
      const earlier = suspects.map(({ before }) => before);
      yield { facility, what, holds: false, expected, actual, claims, earlier };
    }
  },
};

/**
 * What a booking took of its tee time, where all products show the same free slots: by the first sheet that shows it, or
 * else by the last one.
 */
function takenOf(booked: MadeClaim, sheets: readonly SheetClaim[]): Taken | undefined {
  const productsIn = ({ teeTimes }: SheetClaim) =>
    teeTimes.find(({ id }) => id === booked.item['teeId'])?.products ?? [];
  let last: Taken | undefined;
  for (const after of sheets) {
    if (after.order < booked.order) continue;
    const before = sheets.findLast(({ order, holes }) => order < booked.order && holes === after.holes);
    if (!before) continue;
    const [had, has] = [productsIn(before), productsIn(after)];
    const [was, free] = [commonSlots(had), has.length === 0 ? 0 : commonSlots(has)];
    // A product without free slots of its own is no longer listed.
    if (!was || free === undefined || (free > 0 && has.length !== had.length)) continue;
    const most = was < ROOM ? Math.max(0, was - Number(booked.item['players'])) : ROOM - 1;
    last = { booked, before, after, most, free };
    if (free <= most) break;
  }
  return last;
}

/** Whether a booking of one player has taken more than its slot, and left some. */
const isTooMany = (before: number, after: number): boolean => after > 0 && before - after > 1;

/**
 * A booking of each version takes as many slots as it has players. Two further bookings must confirm a finding: a deployment
 * may sell a tee time to one party alone, and others may book at that moment. A tee time that shows {@link ROOM} free slots
 * may have more, which hides the defect.
 */
async function takesItsPlayers({ session, expect }: RuleContext): Promise<void> {
  for (const creation of creations) {
    const made = await booking(session, creation).catch(unlessInconclusive);
    if (!made) continue;
    const first = made.places[0]!;
    let [before, after] = [freeIn(first.teeTime), await freeSlots(session, first)];
    let [isOpen, more] = [isTooMany(before, after), 0];
    for (let tried = 0; isOpen && tried < 4 && more < 2; tried += 1) {
      const place = await freshTeeTimeOf(session, [ROOM, ROOM - 1]).catch(unlessInconclusive);
      if (!place) break;
      before = await freeSlots(session, place);
      if (!(await book(session, creation, [place], creation.form === 'bulk').catch(unlessInconclusive))) break;
      after = await freeSlots(session, place);
      if (isTooMany(before, after)) more += 1;
      else isOpen = before >= ROOM;
    }
    expect.about(lastOf(session, sheetOperation));
    const what = `A booking of 1 player by ${made.reply.what} takes more than one free slot, and leaves others.`;
    expect.that(more < 2, what, { expected: before - 1, actual: after });
  }
}

/** Players of the booking with everything, and the free slots that its tee time needs to show that more are taken. */
const [PLAYERS, ROOM] = [2, 4];

/**
 * Extra products and named players take no slots. A finding takes two such bookings, and a plain booking that takes as
 * many slots as it has players: a deployment may sell a tee time to one party alone.
 */
async function takesNoMore({ session, expect }: RuleContext): Promise<void> {
  const { before, after, players } = await bookingEffect(session);
  const [was, now] = [before.free[facilitySheet], (await after()).free[facilitySheet]];
  if (was === undefined || now === undefined || was - now !== players) return;
  await takesEach(session, expect);
  let seen: readonly [before: number, after: number] | undefined;
  for (let tried = 0; tried < 2; tried += 1) {
    seen = await withEverything(session).catch(unlessInconclusive);
    expect.about(lastOf(session, sheetOperation));
    if (!seen || seen[0] - seen[1] <= PLAYERS) return;
  }
  const what = `A booking of ${PLAYERS} players with extra products and names takes more free slots than players.`;
  expect.that(false, what, { expected: seen![0] - PLAYERS, actual: seen![1] });
}

/** Two bookings of one tee time in one request take the slots of both, if they are accepted. */
async function takesEach(session: Session, expect: Expect): Promise<void> {
  const place = await freshTeeTimeOf(session, [ROOM]).catch(unlessInconclusive);
  if (!place) return;
  const body = [1, PLAYERS].map((players) => bodyFor(session, productBooking, place, players));
  const before = await freeSlots(session, place);
  const reply = await session.send({ operation: productBooking.operation, body, refusable: true });
  if (!reply.ok || idsIn(reply).length < 2) return;
  const most = Math.max(0, before - 1 - PLAYERS);
  const after = await eventually(
    session,
    reply,
    () => freeSlots(session, place),
    (now) => now <= most,
  );
  expect.about(lastOf(session, sheetOperation));
  const what = `Bookings of 1 and of ${PLAYERS} players of one tee time, in one request, do not take the slots of both.`;
  expect.that(after <= most, what, { expected: most, actual: after });
}

/** The free slots before and after a booking with extra products and named players; undefined if it is refused. */
async function withEverything(session: Session): Promise<readonly [number, number] | undefined> {
  const place = await freshTeeTimeOf(session, [roomAndExtras(ROOM), ROOM]);
  const plain = bodyFor(session, productBooking, place, PLAYERS);
  const extraProduct = extrasFor(place.teeTime.extraProducts);
  const additionalPlayers = [{ firstName: 'Second', lastName: 'Player' }];
  const before = await freeSlots(session, place);
  const body = { ...plain, extraProduct, additionalPlayers };
  const reply = await session.send({ operation: productBooking.operation, body, refusable: true });
  return reply.ok ? [before, await freeSlots(session, place)] : undefined;
}

/**
 * A booking of the run as a version lists it, by its id or by what was booked: versions may have ids of their own. It may
 * be listed a moment later.
 */
async function shownBy(
  session: Session,
  version: ListVersion,
  booked: Pick<Booked, 'reply' | 'places'>,
  item: KnownBooking,
) {
  const days = booked.places.map(({ sheet }) => sheet.day);
  const look = async (isFirst: boolean): Promise<ListedBooking | undefined> => {
    const since = isFirst ? booked.reply : undefined;
    const all = (await freshBookings(session, version, days, { since })) as readonly ListedBooking[];
    // Of what a list shows for a refused booking, nobody knows whether it is that.
    const own = new Set(session.run.transport.own.all.map(({ bookingId }) => bookingId));
    const others = all.filter(({ bookingId }) => !own.has(String(bookingId)));
    const alike = others.filter((one) => contentOf(one) === contentOf(item));
    // Two courses may have a booking at the same time.
    const exact = alike.find((one) => one['teeId'] === item['teeId']);
    return all.find(({ bookingId }) => bookingId === item.bookingId) ?? exact ?? alike[0];
  };
  return eventually(session, booked.reply, look, (found) => found !== undefined);
}

type OwnItem = Pick<Booked, 'reply' | 'places'> & { readonly item: KnownBooking };

/** The bookings of a request, each with its id: that of the entry with its tee time, in an answer with several. */
function itemsOf({ reply, places, items, bookingIds }: Booked): readonly OwnItem[] {
  const list = isObject(reply.data) ? reply.data['bookingIds'] : undefined;
  const entries = Array.isArray(list) ? list.filter(isObject) : undefined;
  const times = items.map((item) => String(item['teetime']).replace(' ', 'T'));
  // Of two courses at the same time, an entry does not say which it is about.
  const isAlone = (time: string): boolean => times.indexOf(time) === times.lastIndexOf(time);
  return items.flatMap((item, index) => {
    const time = times[index]!;
    if (entries && !isAlone(time)) return [];
    const entry = entries?.find(({ teetime }) => String(teetime).startsWith(time));
    const bookingId = String(entry?.['bookingId'] ?? bookingIds[index]);
    return [{ reply, places, item: { ...item, bookingId } }];
  });
}

/** Single bookings of each version that creates bookings. */
async function singles(session: Session): Promise<readonly OwnItem[]> {
  const made: (Booked | undefined)[] = [await bookingEffect(session)];
  for (const creation of creations)
    if (creation !== productBooking) made.push(await booking(session, creation).catch(unlessOutside));
  made.push(await bookingWithForeignName(session).catch(unlessInconclusive));
  made.push(await bookingWithSingleName(session).catch(unlessInconclusive));
  return made.flatMap((one) => (one ? itemsOf(one) : []));
}

/** Every later list shows a booking as it was made, and since when. */
const originalValues: Relation = {
  reads: ['bookings'],
  changes: true,
  *compare({ made, bookingLists }) {
    const first = new Map<string, { readonly list: BookingListClaim; readonly createdAt: unknown }>();
    for (const list of bookingLists) {
      const listed = new Map(list.bookings.map((one) => [one['bookingId'], one]));
      for (const booked of made) {
        const shown = listed.get(booked.bookingId);
        if (!shown || list.channel !== booked.channel || list.order < booked.order) continue;
        const { facilityId, teetime } = booked.item;
        const [facility, day] = [Number(facilityId), String(teetime).slice(0, 10)];
        const claims = [list, booked];
        for (const compared of shownAsBooked(list.version as ListVersion, booked.item, shown))
          yield { facility, day, claims, ...compared };
        const { createdAt } = shown;
        const key = `${list.version} ${booked.bookingId}`;
        const before = first.get(key);
        if (!before) first.set(key, { list, createdAt });
        else if (createdAt !== undefined && before.createdAt !== undefined) {
          const what = (): string =>
            `${list.version} lists the booking ${booked.bookingId} with another \`createdAt\` than before.`;
          const [expected, earlier] = [before.createdAt, [booked, before.list]];
          const holds = createdAt === expected;
          yield { facility, day, holds, what, expected, actual: createdAt, claims: [list], earlier };
        }
      }
    }
  },
};

/** Milliseconds by which a tee time may be on another day elsewhere: 12 hours behind UTC to 14 hours ahead, and one more. */
const [BEHIND, AHEAD] = [13 * HOUR, 15 * HOUR];
const startOf = (teetime: unknown): number => Date.parse(`${String(teetime).slice(0, 19).replace(' ', 'T')}Z`);

/** Whether a list covers a tee time, whatever time zone decides. Without `fromDate`, it begins where its first tee time shows. */
function covers({ from, to, bookings }: BookingListClaim, start: number): boolean {
  const first = from === undefined ? Math.min(...bookings.map(({ teetime }) => startOf(teetime))) : Date.parse(from);
  const isAfter = from === undefined ? start >= first + DAY : start >= first + AHEAD;
  return isAfter && (to === undefined || start < Date.parse(to) - BEHIND);
}

/** The number of the request that an answer is to; what is asked again is among other facts. */
const sentAs = ({ by }: BookingListClaim): number => Number(by.id.slice(1));

/**
 * Every later list that covers a booking has it, whatever was written before. Versions may have ids of their own, so a list
 * must have shown another booking of the same operation by its id.
 */
const inLaterLists: Relation = {
  reads: ['bookings'],
  changes: true,
  ofChannel: true,
  *compare({ made, bookingLists }, all) {
    const operations = new Map(all.made.map(({ bookingId, by }) => [bookingId, by.operation]));
    const known = new Set(
      all.bookingLists.flatMap(({ version, bookings }) =>
        bookings.map((one) => `${version} ${operations.get(String(one['bookingId']))}`),
      ),
    );
    const shown = new Map<string, number>();
    for (const list of all.bookingLists)
      for (const one of list.bookings) shown.set(`${list.version} ${String(one['bookingId'])}`, sentAs(list));
    for (const list of bookingLists) {
      const { version, channel } = list;
      const listed = new Set(list.bookings.map((one) => one['bookingId']));
      for (const booked of made) {
        const { bookingId, item, by } = booked;
        if (channel !== booked.channel || list.order < booked.order) continue;
        // A booking may be listed a moment later.
        if (!listed.has(bookingId) && (shown.get(`${version} ${bookingId}`) ?? 0) > sentAs(list)) continue;
        if (!known.has(`${version} ${by.operation}`) || !covers(list, startOf(item['teetime']))) continue;
        const what = (): string => `${version} does not list the booking ${bookingId} of ${by.what}.`;
        const about = { facility: Number(item['facilityId']), claims: [list, booked] };
        yield { holds: listed.has(bookingId), what, expected: bookingId, ...about };
      }
    }
  },
};

const listedAsMade: Relation = {
  reads: ['bookings'],
  changes: true,
  *compare(facts, all) {
    yield* originalValues.compare(facts, all);
    yield* inLaterLists.compare(facts, all);
  },
};

/** @throws {Inconclusive} `out-of-scope` if the deployment is said to have no list of bookings. */
function servedLists(session: Session): readonly ListVersion[] {
  const served = session.served('listBookings', listVersions);
  if (served.length === 0) throw new Inconclusive('out-of-scope', 'a list of bookings, which is outside');
  return served;
}

async function areActive(session: Session, expect: Expect, items: readonly OwnItem[]): Promise<void> {
  for (const { item, ...booked } of items) {
    for (const version of servedLists(session)) {
      const shown = await shownBy(session, version, booked, item);
      if (shown) isActive(expect, shown, version);
    }
  }
}

function inconclusive(error: unknown): Inconclusive {
  if (error instanceof Inconclusive) return error;
  throw error;
}

/** The bookings of a run are made within minutes, whatever clock the deployment has and whenever they are played. */
function areMadeAtOnce(expect: Expect, shown: readonly ListedBooking[]): void {
  const times = shown.map(({ createdAt }) => Date.parse(`${String(createdAt).slice(0, 19)}Z`)).filter(Number.isFinite);
  if (times.length < 2) return;
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time).toISOString());
  const what = 'The creation times of bookings that were made one after the other are days apart.';
  expect.that(Date.parse(last!) - Date.parse(first!) < DAY, what, { actual: [first, last] });
}

const groupForms: Readonly<Record<GroupForm, string>> = {
  list: `${productBooking.version} list of bookings`,
  details: `${productBooking.version} group with \`details\``,
  bulk: `${bulkBooking.version} bulk booking`,
};

/**
 * A refused group keeps no slot, unless one of its bookings stays: whether it does is an open question, with one answer for
 * all forms.
 */
async function groupLeavesNothing(session: Session, expect: Expect): Promise<void> {
  expect.that(true, 'no trace');
  let known: { readonly form: GroupForm; readonly stays: boolean } | undefined;
  for (const form of Object.keys(groupForms) as GroupForm[]) {
    const group = await refusedGroup(session, { form, lacks: 'slots' }).catch(unlessInconclusive);
    if (!group) continue;
    const [expected, actual] = group.free;
    const taken = `A ${groupForms[form]} that was refused leaves a slot behind that is taken.`;
    if (!group.stays) expect.that(actual >= expected, taken, { expected, actual });
    const { stays } = group;
    known ??= { form, stays };
    const [kept, other] = stays ? [form, known.form] : [known.form, form];
    const what = `A ${groupForms[kept]} that was refused keeps its first item, and a ${groupForms[other]} does not.`;
    expect.that(stays === known.stays, what, { expected: 'both keep nothing', actual: `${kept} keeps a booking` });
  }
}

/** Rules of the effects of a booking on other answers. */
export const bookingEffectRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.effect.availability',
    needs: ['bookings'],
    relation: slotsTaken,
    async run(context) {
      // A booking of two players may be refused, while others are accepted.
      const lacking = await lowersAvailability(context).catch((error: unknown) => inconclusive(error));
      await everyWayTakes(context);
      await takesItsPlayers(context);
      await takesAtOnce(context.session, context.expect);
      await takesNoMore(context);
      if (lacking) throw lacking;
    },
  }),
  defineRule({
    id: 'bookings.effect.lists',
    needs: ['bookings'],
    relation: listedAsMade,
    async run(context) {
      const { session, expect } = context;
      const groups = (await bookedGroups(session)).flatMap(itemsOf);
      const all: ListedBooking[] = [];
      for (const { item, ...booked } of [...(await singles(session)), ...groups]) {
        const ids = new Set<unknown>();
        for (const version of servedLists(session)) {
          const shown = await shownBy(session, version, booked, item);
          const list = lastOf(session, operationIn('listBookings', version));
          expect.about(list);
          expect.that(shown !== undefined, `${version} does not list the booking ${item.bookingId}.`);
          const asked = { reply: booked.reply, id: String(shown!['bookingId']), time: String(item['teetime']) };
          const future = await isListedAsFuture(session, version, asked);
          expect.about(lastOf(session, operationIn('listBookings', version)));
          const missing = `${version} without parameters does not list the future booking ${item.bookingId}.`;
          expect.that(future !== false, missing);
          expect.about(list);
          ids.add(shown!['bookingId']);
          all.push(shown!);
          for (const { holds, what, ...values } of shownAsBooked(version, item, shown!))
            expect.that(holds, what(), values);
        }
        const what = 'No version lists a booking with the id that its creation returned.';
        expect.about(booked.reply.id);
        expect.that(ids.has(item.bookingId), what, { expected: item.bookingId, actual: [...ids] });
      }
      await readFromItsDay(session);
      areMadeAtOnce(expect, all);
    },
  }),
  defineRule({
    id: 'bookings.effect.booked',
    needs: ['bookings'],
    run: async ({ session, expect }) => areActive(session, expect, await singles(session)),
  }),
  defineRule({
    id: 'bookings.status.booked',
    needs: ['bookings'],
    async run({ session, expect }) {
      for (const creation of session.creations('product'))
        await areActive(session, expect, itemsOf(await group(session, creation)));
    },
  }),
  defineRule({
    id: 'bookings.effect.no-overbooking',
    needs: ['bookings'],
    async run({ session, expect }) {
      for (const { teeTime, players, replies } of await lastSlotsRaces(session)) {
        for (const { id } of replies) session.exchanges.add(id);
        // Two equal requests may be taken for one that was sent twice, and answered with one booking.
        const won = new Set(replies.filter(({ ok }) => ok).map((reply) => idsIn(reply).join() || reply.id)).size;
        if (won === 0) continue;
        const what = `The last ${players} free slots of the tee time ${teeTime.teeid} were booked ${won} times at once.`;
        expect.that(won === 1, what, { expected: 1, actual: won });
      }
      if (expect.held === 0) {
        throw new Inconclusive('precondition', 'one successful booking of several concurrent ones');
      }
      const group = await overfullGroup(session).catch(unlessInconclusive);
      if (!group) return;
      const twice = `A group books the tee time ${group.teeTime.teeid} twice, for more players than it has free slots.`;
      expect.that(idsIn(group.reply).length < 2, twice, { expected: 'at most one booking', actual: group.reply.text });
    },
  }),
  defineRule({
    id: 'bookings.effect.refused-no-trace',
    needs: ['bookings'],
    async run({ session, probe, expect }) {
      let found: string | undefined;
      // Another client may have taken the slot, so a finding takes three such tee times.
      for (let time = 0; time < 3; time += 1) {
        const taken = time === 0 ? await idleTeeTime(session) : await freshTeeTime(session);
        found = await tracesOfRefusals(session, probe, taken);
        if (found === undefined) return groupLeavesNothing(session, expect);
      }
      expect.that(false, `A booking that was refused leaves ${found} behind.`, { expected: 'nothing', actual: found });
    },
  }),
  defineRule({
    id: 'bookings.list.order',
    needs: ['bookings'],
    async run({ session, observe }) {
      const orders = new Set<'teetime' | 'created' | undefined>();
      // A few bookings in no order may come in one of these by chance.
      for (let read = 0; read < 3; read += 1) {
        const own = await ownInOrder(session);
        const [byTime, byCreation] = [isSorted(own.map(({ time }) => time)), isSorted(own.map(({ made }) => made))];
        if (byTime && byCreation)
          throw new Inconclusive('no-data', 'bookings made in another order than they are played');
        orders.add(byTime ? 'teetime' : byCreation ? 'created' : undefined);
      }
      const [order] = orders;
      if (orders.size > 1 || order === undefined)
        throw new Inconclusive('no-data', 'a booking list that is always by tee time, or always by creation');
      observe('booking-list.order', order);
    },
  }),
];
