import { booking, type Booked, group, idsIn } from '../../journeys/bookings.js';
import {
  contentOf,
  type KnownBooking,
  type ListedBooking,
  listVersions,
  freshBookings,
  isListedAsFuture,
  type ListVersion,
  nameOf,
} from '../../journeys/booking-lists.js';
import { bookingEffect } from '../../journeys/booking-effect.js';
import { eventually } from '../../journeys/changing-answers.js';
import {
  bookingWithForeignName,
  bookingWithSingleName,
  bookedGroups,
  isSorted,
  ownInOrder,
} from '../../journeys/booking-variants.js';
import { overfullGroup, lastSlotsRace } from '../../journeys/last-slots.js';
import { freshTeeTime } from '../../journeys/material.js';
import { idleTeeTime, refusedGroup, tracesOfRefusals } from '../../journeys/refused-bookings.js';
import { Inconclusive, unlessInconclusive, unlessOutside } from '../../client/outcome.js';
import type { Expect } from '../expect.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { creations, productBooking } from '../../client/operations.js';
import { everyWayTakes, lowersAvailability, takesNoMore } from './availability.js';
import { asListed, isActive, plain } from './states.js';

/**
 * A booking of the run as a version lists it, by its id or by what was booked: versions may have ids of their own. It may
 * be listed a moment later.
 */
async function shownBy(
  session: Session,
  version: ListVersion,
  booked: Pick<Booked, 'reply' | 'sheet'> & { readonly places?: Booked['places'] },
  item: KnownBooking,
) {
  const days = (booked.places ?? [booked]).map(({ sheet }) => sheet.day);
  const look = async (): Promise<ListedBooking | undefined> => {
    const all = (await freshBookings(session, version, days)) as readonly ListedBooking[];
    const own = new Set(session.run.transport.budget.litter.map(({ bookingId }) => bookingId));
    const others = all.filter(({ bookingId }) => !own.has(String(bookingId)));
    const alike = others.filter((one) => contentOf(one) === contentOf(item));
    // Two courses may have a booking at one time.
    const exact = alike.find((one) => one['teeId'] === item['teeId']);
    return all.find(({ bookingId }) => bookingId === item.bookingId) ?? exact ?? alike[0];
  };
  return eventually(session, booked.reply, look, (found) => found !== undefined);
}

type OwnItem = Pick<Booked, 'reply' | 'sheet' | 'places'> & { readonly item: KnownBooking };

/** The bookings of a request, each with its id: that of the entry with its tee time, in an answer with several. */
function itemsOf({ reply, sheet, places, items, bookingIds }: Booked): readonly OwnItem[] {
  const { bookingIds: entries } = (reply.data ?? {}) as { readonly bookingIds?: readonly ListedBooking[] };
  const times = items.map((item) => String(item['teetime']).replace(' ', 'T'));
  // Of two courses at one time, an entry does not say which it is about.
  const isAlone = (_: unknown, index: number): boolean =>
    times.indexOf(times[index]!) === times.lastIndexOf(times[index]!);
  return items.filter(entries ? isAlone : () => true).map((item, index) => {
    const time = String(item['teetime']).replace(' ', 'T');
    const entry = entries?.find(({ teetime }) => String(teetime).startsWith(time));
    const bookingId = String(entry?.['bookingId'] ?? bookingIds[index]);
    return { reply, sheet, places, item: { ...item, bookingId } };
  });
}

/** Single bookings of each version that creates bookings. */
async function singles(session: Session): Promise<readonly OwnItem[]> {
  const { reply, sheet, teeTime, item, bookingId } = await bookingEffect(session);
  const first = { reply, sheet, places: [{ sheet, teeTime }], item: { ...item, bookingId } };
  const others: (Booked | undefined)[] = [];
  for (const creation of creations)
    if (creation !== productBooking) others.push(await booking(session, creation).catch(unlessOutside));
  const named = [
    await bookingWithForeignName(session).catch(unlessInconclusive),
    await bookingWithSingleName(session).catch(unlessInconclusive),
  ];
  return [first, ...[...others, ...named].flatMap((one) => (one ? itemsOf(one) : []))];
}

/** Asserts that a list shows what was booked, in the fields that have a value: the document does not show which may be empty. */
function showsItem(
  { expect }: Pick<RuleContext, 'expect'>,
  version: ListVersion,
  item: KnownBooking,
  shown: ListedBooking,
) {
  for (const [field, value] of Object.entries(asListed(version, item))) {
    const listed = shown[field] ?? undefined;
    if (listed === undefined || value === undefined) continue;
    const what = `The \`${field}\` of a booking in the list of ${version} differs from the value that was booked.`;
    expect.equal(plain(field, listed), plain(field, value), what);
  }
  const [booked, name] = [nameOf(item), nameOf(shown)];
  if (name === '') return;
  const what = `The name of the contact in ${version} differs from the booked name.`;
  expect.that(
    booked.split(' ').every((part) => name.includes(part)),
    what,
    { expected: booked, actual: name },
  );
}

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

const DAY = 86_400_000;

/** The bookings of a run are made within minutes, whatever clock the deployment has and whenever they are played. */
function areMadeAtOnce(expect: Expect, shown: readonly ListedBooking[]): void {
  const times = shown.map(({ createdAt }) => Date.parse(`${String(createdAt).slice(0, 19)}Z`)).filter(Number.isFinite);
  if (times.length < 2) return;
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time).toISOString());
  const what = 'The creation times of bookings that were made one after the other are days apart.';
  expect.that(Date.parse(last!) - Date.parse(first!) < DAY, what, { actual: [first, last] });
}

/** A refused group keeps no slot, unless one of its bookings stays: whether it does is an open question. */
async function groupLeavesNothing(session: Session, expect: Expect): Promise<void> {
  expect.that(true, 'no trace');
  const group = await refusedGroup(session).catch(unlessInconclusive);
  if (!group || group.stays) return;
  const [expected, actual] = group.free;
  expect.that(actual >= expected, 'A group that was refused leaves a slot behind that is taken.', { expected, actual });
}

/** Rules of the effects of a booking on other answers. */
export const bookingEffectRules: readonly RuleSpec[] = [
  defineRule({
    id: 'bookings.effect.availability',
    needs: ['bookings'],
    async run(context) {
      // A booking of two players may be refused, while others are accepted.
      const lacking = await lowersAvailability(context).catch((error: unknown) => inconclusive(error));
      await everyWayTakes(context);
      await takesNoMore(context);
      if (lacking) throw lacking;
    },
  }),
  defineRule({
    id: 'bookings.effect.lists',
    needs: ['bookings'],
    async run(context) {
      const { session, expect } = context;
      const groups = (await bookedGroups(session)).flatMap(itemsOf);
      const all: ListedBooking[] = [];
      for (const { item, ...booked } of [...(await singles(session)), ...groups]) {
        const ids = new Set<unknown>();
        for (const version of servedLists(session)) {
          const shown = await shownBy(session, version, booked, item);
          expect.that(shown !== undefined, `${version} does not list the booking ${item.bookingId}.`);
          const asked = { reply: booked.reply, id: String(shown!['bookingId']), time: String(item['teetime']) };
          const missing = `${version} without parameters does not list the future booking ${item.bookingId}.`;
          expect.that((await isListedAsFuture(session, version, asked)) !== false, missing);
          ids.add(shown!['bookingId']);
          all.push(shown!);
          showsItem(context, version, item, shown!);
        }
        const what = 'No version lists a booking with the id that its creation returned.';
        expect.that(ids.has(item.bookingId), what, { expected: item.bookingId, actual: [...ids] });
      }
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
      const { teeTime, players, replies } = await lastSlotsRace(session);
      for (const { id } of replies) session.exchanges.add(id);
      const won = replies.filter(({ ok }) => ok).length;
      if (won === 0) throw new Inconclusive('precondition', 'one successful booking of several concurrent ones');
      const what = `The last ${players} free slots of the tee time ${teeTime.teeid} were booked ${won} times at once.`;
      expect.that(won === 1, what, { expected: 1, actual: won });
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
      // Another client may have taken the slot, so a finding takes two such tee times.
      for (let time = 0; time < 2; time += 1) {
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
      const own = await ownInOrder(session);
      const [byTime, byCreation] = [isSorted(own.map(({ time }) => time)), isSorted(own.map(({ made }) => made))];
      // If bookings were made in the order of their tee times, both orders fit and nothing is observed.
      if (byTime === byCreation)
        throw new Inconclusive('no-data', 'bookings made in another order than they are played');
      observe('booking-list.order', byTime ? 'teetime' : 'created');
    },
  }),
];
