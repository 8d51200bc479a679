import type { components } from '../../generated/types.js';
import { bodyFor, booking, freshBookings, roomAt } from '../journeys/bookings.js';
import { linkedOffer } from '../journeys/linked.js';
import { courseSheet, freeIn, morePlayers, sheetQuery, sheetVersions, shownTeeTimes } from '../journeys/shown.js';
import { spread, steady } from '../journeys/steady.js';
import { paramsOf, type Query, teeSheet, type TeeTime, teeTimes } from '../journeys/tee-sheets.js';
import { UNKNOWN_ID } from '../journeys/unknown-id.js';
import { dayOf } from '../day.js';
import { isObject } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { listOf, type Session } from '../session.js';

type Range = components['schemas']['CancellationRange'];
type Rates = Omit<components['schemas']['PriceStep'], 'quantity'>;

/** What `players` of a v2 or v3 tee time counts; undefined where the tee times do not tell. */
async function playersMeaning(session: Session, version: 'v2' | 'v3'): Promise<'available' | 'requested' | undefined> {
  // Where requests are few only one version is asked for more players.
  if (!spread(session, sheetVersions, 1).includes(version)) return undefined;
  const players = await morePlayers(session);
  const query = await sheetQuery(session, version);
  const one = new Map((await shownTeeTimes(session, version, query)).map(({ id, places }) => [id, places]));
  const more = (await shownTeeTimes(session, version, { ...query, players })).filter(({ id }) => one.has(id));
  if (more.length === 0) return undefined;
  if (more.every(({ id, places }) => places === one.get(id))) return 'available';
  return more.every(({ id, places }) => places === players && one.get(id) === 1) ? 'requested' : undefined;
}

async function sameTeeTimes({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  for (const version of ['v2', 'v3', 'v5'] as const) {
    const counts = version === 'v5' || (await playersMeaning(session, version)) === 'available';
    const query = await sheetQuery(session, version);
    await steady(session, async (session) => {
      const newest = await teeTimes(session, 'v4', { facilityId, day, holes });
      const known = new Map(newest.map((one) => [one.teeid, one]));
      for (const one of await shownTeeTimes(session, version, query)) {
        const twin = known.get(one.id);
        if (!twin) continue;
        // A tee time whose products differ in their free slots has no one number to compare with.
        const plain = new Set(twin.products.map(({ available }) => available)).size === 1;
        const free = ({ places }: { places: number }): object => (counts && plain ? { places } : {});
        const { time, course, holes } = one;
        expect.equal(
          { time, course, holes, ...free(one) },
          { time: twin.time, course: twin.course, holes: twin.holes, ...free({ places: freeIn(twin) }) },
          `${version} tells tee time ${one.id} otherwise than v4.`,
        );
      }
    });
  }
}

async function samePrices({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  const query: Query = { facilityId, day, holes };
  for (const version of ['v2', 'v3'] as const) {
    await steady(session, async (session) => {
      const newest = await teeTimes(session, 'v4', query);
      const known = new Map(newest.map((one) => [one.teeid, one]));
      for (const { id, pricing } of await teeTimes(session, version, query)) {
        for (const { players, price } of pricing) {
          const steps = (known.get(id)?.products ?? []).flatMap((product) => product.pricing);
          const fitting = steps.filter(({ quantity }) => quantity === Number(players)).map((step) => step.price);
          const what = `${version} has a price for ${players} players of tee time ${id} that v4 has not.`;
          if (fitting.length > 0) expect.subset([price], fitting, what);
        }
      }
    });
  }
}

/** The prices of a tee time in the form of v4, one text for each. */
function pricesOf({ products, extraProducts }: TeeTime): readonly string[] {
  const rates = ({ price, netRate, publicRate }: Rates): string =>
    [price, netRate, publicRate].map(({ amount, currency }) => `${amount} ${currency}`).join();
  return [
    ...products.flatMap(({ mid, pricing }) => pricing.map((one) => `product ${mid} ${one.quantity} ${rates(one)}`)),
    ...(extraProducts ?? []).map((one) => `extra ${one.mid} ${rates(one)}`),
  ].sort();
}

/** What v5 shows of a tee time has the form of v4, and so the same prices, whole and in each part. */
async function samePricesInBoth({ session, expect }: RuleContext): Promise<void> {
  const { facilityId, day, holes } = await teeSheet(session);
  const query = await sheetQuery(session, 'v5');
  await steady(session, async (session) => {
    const newest = await teeTimes(session, 'v4', { facilityId, day, holes });
    const known = new Map(newest.map((one) => [one.teeid, one]));
    for (const one of await teeTimes(session, 'v5', query)) {
      const twin = known.get(one.teeid);
      const what = `v5 has other prices for tee time ${one.teeid} than v4.`;
      if (twin) expect.equal(pricesOf(one), pricesOf(twin), what);
    }
  });
}

async function ranges(session: Session, version: 'v3' | 'v4' | 'v5', players = 1): Promise<readonly Range[]> {
  const query = { ...(await sheetQuery(session, version)), players };
  const reply = await session.read(`${version}.listTeeTimes`, paramsOf(query));
  const listed = listOf<Range>(reply, (data) => data['facilityCancellationPolicyRange']);
  return listed.map(({ minimumPlayer, maximumPlayer, timePeriod }) => ({ minimumPlayer, maximumPlayer, timePeriod }));
}

/** Tee times in the form of v4 of two facilities, if there are two with something to show. */
async function teeTimesSeen(session: Session): Promise<readonly TeeTime[]> {
  const { teeTimes: sheet } = await teeSheet(session);
  return [...sheet, ...(await teeTimes(session, 'v5', await courseSheet(session)))];
}

type Product = TeeTime['products'][number];

/** Whether the name of a product tells more holes than the tee time has, so that it spans several of them. */
const spans = ({ name }: Product, holes: number): boolean => Number(/\b(18|27|36)\b/.exec(name)?.[1] ?? 0) > holes;

async function linkedForm({ session, observe }: RuleContext): Promise<void> {
  const first = (found: readonly TeeTime[]): unknown =>
    found.flatMap(({ products }) => products.flatMap((one) => one.linkedProducts as readonly unknown[]))[0];
  const tell = (element: unknown): void => {
    if (typeof element === 'number') observe('teetimes.linked-products', 'ids');
    else if (isObject(element)) observe('teetimes.linked-products', 'objects');
  };
  let seen = await teeTimesSeen(session);
  const telling = seen.some(({ products, holes }) => products.some((one) => spans(one, holes)));
  // Only where a product spans several tee times does an empty array say something.
  if (first(seen) === undefined && !telling) seen = (await linkedOffer(session)).teeTimes;
  const element = first(seen);
  if (element === undefined) observe('teetimes.linked-products', 'empty');
  else tell(element);
}

/** Rules of how tee times of several versions, their facility, and bookings of them agree. */
export const teeTimeAgreementRules: readonly RuleSpec[] = [
  defineRule({ id: 'teetimes.same-across-versions', run: sameTeeTimes }),
  defineRule({
    id: 'teetimes.price-across-versions',
    async run(context) {
      await samePrices(context);
      await samePricesInBoth(context);
    },
  }),
  defineRule({
    id: 'teetimes.item-v3.players-meaning',
    async run({ session, observe }) {
      const newer = await playersMeaning(session, 'v3');
      const older = session.run.transport.limited ? newer : await playersMeaning(session, 'v2');
      if (older !== undefined && older === newer) observe('teetimes.players-field', older);
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
      for (const version of ['v3', 'v4', 'v5'] as const) {
        const what = `A cancellation range of ${version} ends below its beginning.`;
        expect.every(await ranges(session, version), (one) => one.minimumPlayer <= one.maximumPlayer, what);
      }
    },
  }),
  defineRule({
    id: 'teetimes.cancellation.by-facility',
    async run({ session, expect }) {
      const newest = await ranges(session, 'v4');
      for (const version of ['v3', 'v5'] as const) {
        const what = `The cancellation ranges of ${version} are not those that v4 gives for the same facility.`;
        expect.sameItems(await ranges(session, version), newest, what);
      }
      if (session.run.transport.limited) return;
      const players = await morePlayers(session);
      const { facilityId, day, holes } = await teeSheet(session);
      if ((await teeTimes(session, 'v4', { facilityId, day, holes, players })).length === 0) return;
      const what = `v4 gives other cancellation ranges where it is asked for ${players} players.`;
      expect.sameItems(await ranges(session, 'v4', players), newest, what);
    },
  }),
  defineRule({
    id: 'teetimes.item.teeid-books',
    needs: ['bookings'],
    async run({ session, expect }) {
      const { teeTimes: taken, bookingIds } = await booking(session, 'v5');
      const { teeid, time } = taken[0]!;
      const list = await freshBookings(session, 'v4', dayOf(time)!);
      const own = list.find(({ bookingId }) => bookingId === bookingIds[0]);
      if (!own) throw new Inconclusive('precondition', 'the booking in the list of bookings');
      expect.equal(
        { teeId: own.teeId, teetime: own.teetime },
        { teeId: teeid, teetime: time },
        'A booking of a tee time by its `teeid` is a booking of another one.',
      );
    },
  }),
  defineRule({
    id: 'teetimes.product.mid-books',
    needs: ['bookings'],
    async run(context) {
      const booked = await booking(context.session, 'v5');
      const { sheet, reply } = booked;
      const teeTime = await roomAt(context.session, booked);
      const body = { ...bodyFor(context.session, 'v5', { ...sheet, teeTime }), productId: UNKNOWN_ID };
      const what = 'A product that the tee time does not have is booked.';
      await context.refuses({ operation: 'v5.createBooking', body }, reply, what);
    },
  }),
];
