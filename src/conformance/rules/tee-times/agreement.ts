import { changedBooking, plainControl } from '../../journeys/booking-probes.js';
import { booking } from '../../journeys/bookings.js';
import { freshBookings } from '../../journeys/booking-lists.js';
import { spanningTeeTime } from '../../journeys/linked-tee-times.js';
import { courseSheet, morePlayers, shownTeeTimes } from '../../journeys/tee-times-by-version.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { teeSheet, type ListedTeeTime, teeTimes, freeIn, sheetQuery } from '../../journeys/tee-sheets.js';
import { besideNewest, plain, type Plain, samePrices, shownAgain } from './price-agreement.js';
import { isObject } from '../../../common/index.js';
import { grouped, type SheetClaim, dayKeyOf, type TeeTimeFact } from '../../facts/facts.js';
import { compareMembers, type Exemptions } from '../../facts/agreement.js';
import { ofSheet, type Relation } from '../../facts/relation.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { dayOf } from '../../client/day.js';
import { Inconclusive } from '../../client/outcome.js';
import { without } from '../expect.js';
import { refusesBooking } from '../bookings/probe.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { newestWith, productBooking } from '../../client/operations.js';

const { facilitySheet, courseSheet: ofCourse } = newestWith;

/** What `players` of a tee time without products counts; undefined if the tee times do not show it. */
async function playersMeaning(session: Session, version: Plain): Promise<'available' | 'requested' | undefined> {
  const players = await morePlayers(session);
  const query = await sheetQuery(session, version);
  const one = new Map((await shownTeeTimes(session, version, query)).map(({ id, free }) => [id, free]));
  const more = (await shownTeeTimes(session, version, { ...query, players })).filter(({ id }) => one.has(id));
  if (more.length === 0) return undefined;
  // The capacity is the same for all.
  if (more.every(({ id, free }) => free === one.get(id)))
    return new Set(one.values()).size > 1 ? 'available' : undefined;
  return more.every(({ id, free }) => free === players && one.get(id) === 1) ? 'requested' : undefined;
}

/** Versions without products show as many free slots as those with products, where they show free slots. */
async function sameFreeSlots({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  for (const version of session.served('listTeeTimes', plain)) {
    if ((await playersMeaning(session, version)) !== 'available') continue;
    const query = await sheetQuery(session, version);
    await confirmDifferences(session, async (session) => {
      const newest = await teeTimes(session, facilitySheet, { facilityId, day, holes });
      const known = new Map(newest.map((one) => [one.teeid, one]));
      for (const { id, free } of await shownTeeTimes(session, version, query)) {
        const counterpart = known.get(id);
        // If products have different numbers of free slots, there is no single number to compare with.
        const isOne = new Set(counterpart?.products.map(({ available }) => available)).size === 1;
        const what = `${version} and ${facilitySheet} show tee time ${id} differently.`;
        if (counterpart && isOne) expect.equal({ free }, { free: freeIn(counterpart) }, what);
      }
    });
  }
}

const equal = (one: unknown, other: unknown): boolean => one === other;

/** Another relation compares prices. Free slots change, and whether `players` counts them is an open question. */
const lasting: Exemptions = {
  ...Object.fromEntries(['pricing', 'price', 'netRate', 'publicRate'].map((name) => [name, false] as const)),
  players: false,
  available: false,
};
const withSlots: Exemptions = { ...lasting, available: equal };
const withPlayers: Exemptions = { ...withSlots, players: equal };

/** Whatever the version, a tee time has its time, course, holes, free slots and extra products. */
const sameTeeTimes: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare(facts) {
    for (const { one, other, sheet, newest, about } of shownAgain(facts)) {
      const isSameVersion = sheet.version === newest.version;
      // Between two answers of one version, the run itself may have booked.
      const isQuiet = !isSameVersion || facts.isQuiet(about.claims);
      const isAlike = isQuiet && isSameVersion && sheet.players === newest.players;
      yield* compareMembers(one.item, other.item, {
        exempt: isAlike ? withPlayers : isQuiet ? withSlots : lasting,
        changing: /available|players/,
        what: (member) =>
          `${sheet.version} and ${newest.version} show ${member} of tee time ${String(one.id)} differently.`,
        ...about,
      });
      const [extras, others] = [one, other].map((side) => side.extras?.map(({ mid }) => mid).sort());
      if (!isQuiet || !extras || !others) continue;
      const differ = (): string =>
        `${sheet.version} and ${newest.version} offer other extra products for tee time ${String(one.id)}.`;
      yield { holds: extras.join() === others.join(), what: differ, expected: others, actual: extras, ...about };
    }
    for (const { sheet, newest, about } of besideNewest(facts)) {
      // A sheet with products of one course has fewer, and `players` may select what is shown.
      if (!isPlainSheet(sheet) || sheet.players !== newest.players || !facts.isQuiet(about.claims)) continue;
      const sold = newest.teeTimes.filter((one) => isSold(one, newest.players)).map(startOf);
      const missing = without(sold, sheet.teeTimes.map(startOf));
      yield {
        holds: missing.length === 0,
        what: () => `${sheet.version} lacks a tee time that ${newest.version} has on sale.`,
        expected: `all ${sold.length} tee times on sale`,
        actual: { missing },
        ...about,
      };
    }
  },
};

const isPlainSheet = ({ version }: SheetClaim): boolean => plain.some((one) => one === version);

/** Where it starts. Its id is of its version, perhaps. */
const startOf = ({ time, course }: TeeTimeFact): object => ({ time, course });

/** Whether one tee time alone is enough for a product, and has places for so many. */
const isSold = ({ products = [], holes }: TeeTimeFact, players: number): boolean =>
  products.some(
    ({ available, name, steps, item }) =>
      Number(available) >= players &&
      steps.some(({ quantity }) => quantity === players) &&
      !spans({ name: String(name) }, Number(holes)) &&
      ![(item as { readonly linkedProducts?: unknown }).linkedProducts].flat().some(Boolean),
  );

/** The policy is that of the facility, whatever is asked of its tee times on a day. */
const oneCancellationPolicy: Relation = {
  reads: ['sheets'],
  changes: true,
  *compare({ sheets }) {
    const withPolicy = sheets.filter(({ ranges }) => ranges !== undefined);
    for (const all of grouped(withPolicy, dayKeyOf).values()) {
      const first = all.find(({ version }) => version === facilitySheet) ?? all[0]!;
      const expected = policyOf(first);
      for (const sheet of all) {
        if (sheet === first) continue;
        const { version, players, facilityId: facility, day } = sheet;
        const actual = policyOf(sheet);
        const what = (): string =>
          version === first.version
            ? `${version} shows other cancellation ranges for ${players} players.`
            : `The cancellation ranges of ${version} and ${first.version} differ for the same facility.`;
        const holds = actual.join() === expected.join();
        yield { facility, day, holds, what, expected, actual, claims: [sheet, first] };
      }
    }
  },
};

/** The ranges of a policy in words, in one order. */
function policyOf({ ranges = [] }: SheetClaim): readonly string[] {
  return ranges
    .map(({ minimumPlayer: from, maximumPlayer: to, timePeriod }) => `${from} to ${to} players: ${timePeriod} hours`)
    .sort();
}

const boundsInOrder = ofSheet(function* ({ version, ranges }) {
  const wrong = ranges?.find(({ minimumPlayer, maximumPlayer }) => Number(minimumPlayer) > Number(maximumPlayer));
  const what = (): string => `A cancellation range of ${version} ends below its beginning.`;
  if (ranges && ranges.length > 0) yield { holds: wrong === undefined, what, actual: wrong };
});

/** Tee times with products, of two facilities if the deployment has them. */
async function teeTimesSeen(session: Session): Promise<readonly ListedTeeTime[]> {
  const { teeTimes: sheet } = await teeSheet(session);
  return [...sheet, ...(await teeTimes(session, ofCourse, await courseSheet(session)))];
}

type SoldProduct = ListedTeeTime['products'][number];

/** Whether the name of a product has more holes than the tee time, so that the product spans several tee times. */
const spans = ({ name }: Pick<SoldProduct, 'name'>, holes: number): boolean =>
  Number(/\b(18|27|36)\b/.exec(name)?.[1] ?? 0) > holes;

async function linkedForm({ session, observe }: RuleContext): Promise<void> {
  const first = (found: readonly ListedTeeTime[]): unknown =>
    found.flatMap(({ products }) => products.flatMap((one) => one.linkedProducts as readonly unknown[]))[0];
  const tell = (element: unknown): void => {
    if (typeof element === 'number') observe('teetimes.linked-products', 'ids');
    else if (isObject(element)) observe('teetimes.linked-products', 'objects');
  };
  let seen = await teeTimesSeen(session);
  const telling = seen.some(({ products, holes }) => products.some((one) => spans(one, holes)));
  // An empty array is evidence only if a product spans several tee times.
  if (first(seen) === undefined && !telling) seen = [await spanningTeeTime(session)];
  const element = first(seen);
  if (element !== undefined) return tell(element);
  const lists: readonly unknown[] = seen.flatMap(({ products }) => products.map((one) => one.linkedProducts));
  if (lists.every(Array.isArray)) observe('teetimes.linked-products', 'empty');
  else if (lists.every((list) => list === undefined)) observe('teetimes.linked-products', 'absent');
}

/** Rules that compare tee times with those of other versions, with their facility and with their bookings. */
export const teeTimeAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'teetimes.same-across-versions', run: sameFreeSlots, relation: sameTeeTimes }),
  defineRule({ id: 'teetimes.price-across-versions', relation: samePrices }),
  defineRule({
    id: 'teetimes.item-v3.players-meaning',
    async run({ session, expect, observe }) {
      const found = new Set<'available' | 'requested' | undefined>();
      for (const version of session.served('listTeeTimes', plain).toReversed())
        found.add(await playersMeaning(session, version));
      const [meaning] = found;
      if (meaning !== undefined && found.size === 1) observe('teetimes.players-field', meaning);
      else expect.that(found.size > 0, 'The versions answer it differently, or not at all.');
    },
  }),
  defineRule({
    id: 'teetimes.product.players',
    async run({ session, observe }) {
      const products = (await teeTimesSeen(session)).flatMap((one) => one.products);
      if (products.length === 0) return;
      const shown = products.map((one: { readonly players?: unknown }) => one.players);
      if (shown.some((one) => typeof one === 'number')) observe('teetimes.product-players', 'maximum');
      else if (shown.every((one) => one === undefined)) observe('teetimes.product-players', 'absent');
      else if (shown.every((one) => one === null)) observe('teetimes.product-players', 'none');
    },
  }),
  defineRule({ id: 'teetimes.product.linked-elements', run: linkedForm }),
  defineRule({ id: 'teetimes.cancellation.bounds-order', relation: boundsInOrder }),
  defineRule({ id: 'teetimes.cancellation.by-facility', relation: oneCancellationPolicy }),
  defineRule({
    id: 'teetimes.item.teeid-books',
    needs: ['bookings'],
    async run({ session, expect }) {
      const { teeTimes: taken, bookingIds } = await booking(session, productBooking);
      const { teeid, time } = taken[0]!;
      const list = await freshBookings(session, newestWith.bookingList, dayOf(time)!);
      const own = list.find(({ bookingId }) => bookingId === bookingIds[0]);
      if (!own) throw new Inconclusive('precondition', 'the booking in the list of bookings');
      // Whether a list has every field of a booking is open (`booking-list.empty-fields`).
      const shows = typeof own.teeId === 'number';
      expect.equal(
        { ...(shows ? { teeId: own.teeId } : {}), teetime: own.teetime },
        { ...(shows ? { teeId: teeid } : {}), teetime: time },
        'A booking by `teeid` books another tee time.',
      );
    },
  }),
  defineRule({
    id: 'teetimes.product.mid-books',
    needs: ['bookings'],
    async run(context) {
      const { session } = context;
      const control = await plainControl(session, productBooking);
      const probe = await changedBooking(session, productBooking, control, () => ({ productId: UNKNOWN_ID }));
      await refusesBooking(context, probe, control.reply, 'A product that the tee time does not offer can be booked.');
    },
  }),
];
