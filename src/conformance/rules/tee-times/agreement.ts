import { changedBooking, plainControl } from '../../journeys/booking-probes.js';
import { booking } from '../../journeys/bookings.js';
import { freshBookings } from '../../journeys/booking-lists.js';
import { spanningTeeTime } from '../../journeys/linked-tee-times.js';
import { courseSheet, morePlayers, sheetQuery, shownTeeTimes } from '../../journeys/tee-times-by-version.js';
import { confirmDifferences } from '../../journeys/changing-answers.js';
import { teeSheet, type ListedTeeTime, teeTimes, freeIn } from '../../journeys/tee-sheets.js';
import { rangesOf, withRanges } from './identity.js';
import { plain, type Plain, pricesAgree } from './price-agreement.js';
import { UNKNOWN_ID } from '../../journeys/material.js';
import { dayOf } from '../../client/day.js';
import { isObject } from '../../client/exchange.js';
import { Inconclusive } from '../../client/outcome.js';
import { refusesBooking } from '../bookings/probe.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import type { Session } from '../../client/session.js';
import { isOf, newestWith, productBooking, versionsOf } from '../../client/operations.js';

const { facilitySheet, courseSheet: ofCourse } = newestWith;

/** What `players` of a tee time without products counts; undefined if the tee times do not show it. */
async function playersMeaning(session: Session, version: Plain): Promise<'available' | 'requested' | undefined> {
  const players = await morePlayers(session);
  const query = await sheetQuery(session, version);
  const one = new Map((await shownTeeTimes(session, version, query)).map(({ id, free }) => [id, free]));
  const more = (await shownTeeTimes(session, version, { ...query, players })).filter(({ id }) => one.has(id));
  if (more.length === 0) return undefined;
  if (more.every(({ id, free }) => free === one.get(id))) return 'available';
  return more.every(({ id, free }) => free === players && one.get(id) === 1) ? 'requested' : undefined;
}

/** The extra products of a tee time, by their ids; undefined if they are no list. */
const extrasOf = ({ extraProducts }: Pick<ListedTeeTime, 'extraProducts'>): readonly number[] | undefined =>
  Array.isArray(extraProducts) ? extraProducts.map(({ mid }) => mid) : undefined;

/** Both versions have the field, and nothing else is said to have changed. */
function sameExtras(
  expect: RuleContext['expect'],
  older: readonly { readonly id: number; readonly extraProducts: ListedTeeTime['extraProducts'] }[],
  known: ReadonlyMap<number, ListedTeeTime>,
): void {
  for (const one of older) {
    const counterpart = known.get(one.id);
    const [shown, wanted] = [extrasOf(one), counterpart && extrasOf(counterpart)];
    const what = `${newestWith.plainSheet} and ${facilitySheet} offer other extra products for tee time ${one.id}.`;
    if (shown && wanted) expect.sameItems(shown, wanted, what);
  }
}

async function sameTeeTimes({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  for (const version of session
    .served('listTeeTimes', versionsOf('listTeeTimes'))
    .filter((one) => one !== facilitySheet)) {
    const older = plain.find((one) => one === version);
    const counts = older === undefined || (await playersMeaning(session, older)) === 'available';
    const query = await sheetQuery(session, version);
    await confirmDifferences(session, async (session) => {
      const newest = await teeTimes(session, facilitySheet, { facilityId, day, holes });
      const known = new Map(newest.map((one) => [one.teeid, one]));
      if (isOf('plainSheet', version)) sameExtras(expect, await teeTimes(session, version, query), known);
      for (const one of await shownTeeTimes(session, version, query)) {
        const counterpart = known.get(one.id);
        if (!counterpart) continue;
        // If products have different numbers of free slots, there is no single number to compare with.
        const isPlain = new Set(counterpart.products.map(({ available }) => available)).size === 1;
        const compared = ({ free }: { free: number }): object => (counts && isPlain ? { free } : {});
        const { time, course, holes } = one;
        expect.equal(
          { time, course, holes, ...compared(one) },
          {
            time: counterpart.time,
            course: counterpart.course,
            holes: counterpart.holes,
            ...compared({ free: freeIn(counterpart) }),
          },
          `${version} and ${facilitySheet} show tee time ${one.id} differently.`,
        );
      }
    });
  }
}

/** Tee times with products, of two facilities if the deployment has them. */
async function teeTimesSeen(session: Session): Promise<readonly ListedTeeTime[]> {
  const { teeTimes: sheet } = await teeSheet(session);
  return [...sheet, ...(await teeTimes(session, ofCourse, await courseSheet(session)))];
}

type SoldProduct = ListedTeeTime['products'][number];

/** Whether the name of a product has more holes than the tee time, so that the product spans several tee times. */
const spans = ({ name }: SoldProduct, holes: number): boolean => Number(/\b(18|27|36)\b/.exec(name)?.[1] ?? 0) > holes;

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
  if (element === undefined) observe('teetimes.linked-products', 'empty');
  else tell(element);
}

/** Rules that compare tee times with those of other versions, with their facility and with their bookings. */
export const teeTimeAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'teetimes.same-across-versions', run: sameTeeTimes }),
  defineRule({ id: 'teetimes.price-across-versions', run: pricesAgree }),
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
      observe('teetimes.product-players', products.some(({ players }) => players !== null) ? 'maximum' : 'none');
    },
  }),
  defineRule({ id: 'teetimes.product.linkedProducts', run: linkedForm }),
  defineRule({
    id: 'teetimes.cancellation.bounds-order',
    async run({ session, expect }) {
      for (const version of session.served('listTeeTimes', withRanges)) {
        const what = `A cancellation range of ${version} ends below its beginning.`;
        expect.every(await rangesOf(session, version), (one) => one.minimumPlayer <= one.maximumPlayer, what);
      }
    },
  }),
  defineRule({
    id: 'teetimes.cancellation.by-facility',
    async run({ session, expect }) {
      const newest = await rangesOf(session, facilitySheet);
      for (const version of session.served('listTeeTimes', withRanges).filter((one) => one !== facilitySheet)) {
        const what = `The cancellation ranges of ${version} and ${facilitySheet} differ for the same facility.`;
        expect.sameItems(await rangesOf(session, version), newest, what);
      }
      const players = await morePlayers(session);
      const { facilityId, day, holes } = await teeSheet(session);
      if ((await teeTimes(session, facilitySheet, { facilityId, day, holes, players })).length === 0) return;
      const what = `${facilitySheet} shows other cancellation ranges for ${players} players.`;
      expect.sameItems(await rangesOf(session, facilitySheet, players), newest, what);
    },
  }),
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
