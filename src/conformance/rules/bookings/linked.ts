import { linkedGroup } from '../../journeys/booking-variants.js';
import { bodyFor } from '../../journeys/bookings.js';
import { freshRounds, type LinkedOffer, linkedOffer, linkedRounds } from '../../journeys/linked-tee-times.js';
import { resource } from '../../client/resource.js';
import { richControl } from '../../journeys/booking-probes.js';
import { material, probeTarget, probeTargetSpent } from '../../journeys/material.js';
import { teeTimesNow } from '../../journeys/pool/reads.js';
import { type ListedTeeTime, paramsOf, sheetOperation } from '../../journeys/tee-sheets.js';
import { Inconclusive, Refused, unlessInconclusive } from '../../client/outcome.js';
import { dayOf } from '../../client/day.js';
import { listOf, type Session } from '../../client/session.js';
import type { Reply } from '../../client/exchange.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { ALMOST_UUID } from './probe.js';
import { operationIn, productBooking } from '../../client/operations.js';

type GroupItem = Readonly<Record<string, unknown>>;

/** Another tee time of the day that sells the product of a group; undefined if there is none. */
async function roundMore(
  session: Session,
  { facilityId, holes, productId }: LinkedOffer,
  teeTimes: readonly ListedTeeTime[],
  players: number,
): Promise<ListedTeeTime | undefined> {
  const pool = await material(session);
  const day = dayOf(teeTimes[0]!.time)!;
  const reply = await session.read(sheetOperation, paramsOf({ facilityId, day, holes }));
  const listed = listOf<ListedTeeTime>(reply, (data) => data['teeTimeV3']);
  const known = new Set(teeTimes.map(({ teeid }) => teeid));
  return listed.find((one) => {
    const isSold = one.products.some(({ mid, available }) => mid === productId && available >= players);
    return isSold && !known.has(one.teeid) && !pool.isBooked(one);
  });
}

/** One valid round of a linked group. */
function roundOf(session: Session, offer: LinkedOffer, teeTime: ListedTeeTime, ref: string): GroupItem {
  const { productId } = offer;
  return { ...bodyFor(session, productBooking, { sheet: offer, teeTime }), productId, linkedTeeTimeRef: ref };
}

/** The tee times of a group that was refused. */
interface RefusedRounds {
  readonly offer: LinkedOffer;
  readonly teeTimes: readonly ListedTeeTime[];
  readonly players: number;
}

/** The right group of which a variant was refused. */
interface RightGroup extends RefusedRounds {
  readonly items: readonly GroupItem[];
}

type Closing = (session: Session, group: RightGroup) => Promise<void>;

/**
 * Checks that the tee times of a refused group still have free slots of its product.
 *
 * @throws {Inconclusive} `control-failed` if one of them has not.
 */
async function expectGroupFree(session: Session, { offer, teeTimes, players }: RefusedRounds): Promise<void> {
  const { facilityId, holes, productId } = offer;
  const day = dayOf(teeTimes[0]!.time)!;
  const listed = await teeTimesNow(session, { facilityId, day, holes });
  const isFree = ({ teeid }: ListedTeeTime): boolean => {
    const product = listed.find((one) => one.teeid === teeid)?.products.find(({ mid }) => mid === productId);
    return product !== undefined && product.available >= players;
  };
  if (teeTimes.every(isFree)) return;
  (await material(session)).markBooked(teeTimes);
  throw new Inconclusive('control-failed', 'linked tee times that still have free slots after the refusal');
}

/** Books the right group, after the last probe that needs its tee times. */
async function expectGroupBookable(session: Session, { teeTimes, items }: RightGroup): Promise<void> {
  const call = { operation: operationIn('createBooking'), body: items, refusable: true } as const;
  const reply = await session.send(call);
  (await material(session)).markBooked(teeTimes);
  if (!reply.ok) throw new Refused(reply, 'control-failed');
}

/** A right group of tee times of its own, which the run sends only together with a wrong one. */
const rightGroup = resource('right linked group', async (session): Promise<readonly GroupItem[]> => {
  const [offer, { sheet, teeTimes }] = [await linkedOffer(session), await freshRounds(session, 1)];
  const ref = session.uuid();
  return teeTimes.map((teeTime) => roundOf(session, { ...offer, day: sheet.day }, teeTime, ref));
});

/** A rule that sends an invalid variant of a linked group that was booked; the variant must be refused. */
function spoils(
  id: RuleSpec['id'],
  what: string,
  spoil: (
    items: readonly GroupItem[],
    teeTimes: readonly ListedTeeTime[],
    session: Session,
    offer: LinkedOffer,
  ) => unknown,
  {
    players = 1,
    closing = expectGroupFree,
    isLonger = false,
    isBehind = false,
    before,
  }: {
    readonly players?: number;
    readonly closing?: Closing;
    /** Whether the variant is sent with one more round than the product covers, too. */
    readonly isLonger?: boolean;
    /** Whether the variant stands behind a right group in one of the shapes: each request more is four bookings in doubt. */
    readonly isBehind?: boolean;
    /** What must hold before the variant is sent. */
    readonly before?: (context: RuleContext) => Promise<void>;
  } = {},
): RuleSpec {
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const { session } = context;
      const [offer, { reply }] = [await linkedOffer(session), await linkedGroup(session)];
      await before?.(context);
      const teeTimes = await linkedRounds(session, offer, players);
      const ref = session.uuid();
      const items = teeTimes.map((teeTime) => roundOf(session, offer, teeTime, ref));
      const spoiled = spoil(items, teeTimes, session, offer);
      const more = isLonger ? await roundMore(session, offer, teeTimes, players) : undefined;
      const longer = more
        ? [spoil([...items, roundOf(session, offer, more, ref)], [...teeTimes, more], session, offer)]
        : [];
      // As a list and in `details`: each shape may check by itself. A service may check the first group of a request alone.
      const right = (isBehind ? await rightGroup(session).catch(unlessInconclusive) : undefined) ?? [];
      const shapes = Array.isArray(spoiled)
        ? [spoiled, { details: [...right, ...(spoiled as readonly GroupItem[])] }]
        : [spoiled];
      const bodies = [...shapes, ...longer];
      try {
        for (const body of bodies)
          await context.refuses({ operation: operationIn('createBooking'), body }, reply, what);
        context.closeWith('linked tee times', () => closing(session, { offer, teeTimes, items, players }));
      } catch (error) {
        // The tee times may now be booked, and the next probe would be refused for that reason.
        (await material(session)).markBooked(teeTimes);
        throw error;
      }
    },
  });
}

/** What is answered to a linked group without its last round, in the first of both shapes that is accepted. */
const shortGroup = resource('linked group with too few holes', async (session): Promise<Reply> => {
  const offer = await linkedOffer(session);
  const teeTimes = await linkedRounds(session, offer);
  const ref = session.uuid();
  const short = teeTimes.slice(0, -1).map((teeTime) => roundOf(session, offer, teeTime, ref));
  const call = { operation: operationIn('createBooking'), breaking: 'bookings.linked.holes-sum' } as const;
  const inList = await session.send({ ...call, body: short });
  const reply = inList.ok ? inList : await session.send({ ...call, body: { details: short } });
  if (reply.ok) (await material(session)).markBooked(teeTimes);
  return reply;
});

const TOO_FEW_HOLES = 'A linked group is booked with fewer holes than its product covers.';

/** Another product of a tee time, which by its name needs no link. */
function otherProduct({ products }: ListedTeeTime, { productId }: LinkedOffer): number {
  const other = products.find(({ mid, available }) => mid !== productId && available > 0);
  if (!other) throw new Inconclusive('no-data', 'a tee time that sells another product beside the linked one');
  return other.mid;
}

/**
 * The group can be booked. A refusal is a finding only if its tee times are still free, one of them can be booked with
 * another product, and the product of the group cannot be booked alone: only its name shows that it needs several tee
 * times.
 */
async function bookable(context: RuleContext): Promise<void> {
  const { session, expect, probe } = context;
  const offer = await linkedOffer(session);
  const teeTimes = await linkedRounds(session, offer);
  const [teeTime] = teeTimes;
  try {
    const { reply, refusedInCapitals } = await linkedGroup(session);
    expect.succeeds(reply, 'A linked group is refused.');
    if (refusedInCapitals) expect.about(refusedInCapitals.reply.id, reply.id);
    expect.that(!refusedInCapitals, 'A linked group is refused for its `linkedTeeTimeRef` in capitals.', {
      expected: 'success, as with small letters',
      actual: refusedInCapitals?.missing,
    });
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    await expectGroupFree(session, { offer, teeTimes, players: 1 });
    const { linkedTeeTimeRef: _, ...single } = roundOf(session, offer, teeTime!, '');
    const alone = await probe({ operation: operationIn('createBooking'), body: single });
    if (alone.ok) return takesReference(context, error);
    const body = { ...single, productId: otherProduct(teeTime!, offer) };
    const ordinary = await session.send({ operation: operationIn('createBooking'), body });
    if (error instanceof Refused) expect.about(error.reply.id, ordinary.id);
    expect.that(!ordinary.ok, 'A product that spans several tee times cannot be booked over linked ones.', {
      expected: 'a linked group',
      actual: error.missing,
    });
    throw error;
  }
}

/**
 * A deployment may sell a product of several rounds without a link. It must still take a reference: a list with one is
 * sent, and then the same list without it.
 */
async function takesReference({ session, expect }: RuleContext, refusal: Inconclusive): Promise<void> {
  const taken = await richControl(session, productBooking, 'reference').catch(unlessInconclusive);
  if (taken) throw new Inconclusive('no-data', 'a product that spans several linked tee times');
  const body = [bodyFor(session, productBooking, await probeTarget(session))];
  const plain = await session.send({ operation: operationIn('createBooking'), body, refusable: true });
  if (plain.ok) await probeTargetSpent(session);
  expect.that(
    !plain.ok,
    'Every booking with a `linkedTeeTimeRef` is refused, and the same one is accepted without it.',
    {
      expected: 'success',
      actual: refusal.missing,
    },
  );
  throw refusal;
}

/** Rules of linked tee times. */
export const linkedRules: readonly RuleSpec[] = [
  defineRule({ id: 'bookings.linked.when', needs: ['bookings'], run: bookable }),
  spoils(
    'bookings.linked.ref-required',
    'A product that spans several tee times is booked for one of them, without a reference.',
    ([first]) => ({ ...first, linkedTeeTimeRef: undefined }),
  ),
  spoils('bookings.linked.ref-uuid', 'A linked group is booked with a reference that is no UUID.', (items) =>
    items.map((item) => ({ ...item, linkedTeeTimeRef: ALMOST_UUID })),
  ),
  spoils(
    'bookings.linked.same-ref',
    'A linked group is booked with a reference for each round.',
    (items, _, session) => items.map((item) => ({ ...item, linkedTeeTimeRef: session.uuid() })),
    {
      // Where a group may be short, each round with a reference of its own is a group.
      before: async ({ session }) => {
        if ((await shortGroup(session)).ok)
          throw new Inconclusive('precondition', 'a refusal of a linked group with too few holes');
      },
    },
  ),
  spoils(
    'bookings.linked.one-product',
    'A linked group is booked with two products.',
    (items, teeTimes, _, offer) => [
      ...items.slice(0, -1),
      { ...items.at(-1), productId: otherProduct(teeTimes.at(-1)!, offer) },
    ],
    { isBehind: true },
  ),
  spoils(
    'bookings.linked.same-players',
    'A linked group is booked with more players in one round than in another.',
    (items) => [...items.slice(0, -1), { ...items.at(-1), players: 2 }],
    { players: 2, isLonger: true, isBehind: true },
  ),
  spoils('bookings.linked.holes-sum', TOO_FEW_HOLES, (items) => ({ details: items.slice(0, -1) }), {
    before: async ({ session, expect }) => expect.refused(await shortGroup(session), TOO_FEW_HOLES),
    closing: expectGroupBookable,
  }),
];
