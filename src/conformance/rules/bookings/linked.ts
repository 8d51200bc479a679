import { linkedGroup } from '../../journeys/booking-variants.js';
import { bodyFor } from '../../journeys/bookings.js';
import { type LinkedOffer, linkedOffer, linkedRounds } from '../../journeys/linked-tee-times.js';
import { material } from '../../journeys/material.js';
import type { ListedTeeTime } from '../../journeys/tee-sheets.js';
import { Inconclusive } from '../../client/outcome.js';
import type { Probe } from '../../client/request.js';
import type { Session } from '../../client/session.js';
import { defineRule, type RuleContext, type RuleSpec } from '../rule.js';
import { forms, operationIn } from '../../client/operations.js';

type GroupItem = Readonly<Record<string, unknown>>;

/** One valid round of a linked group. */
function roundOf(
  session: Session,
  { facilityId, productId }: LinkedOffer,
  teeTime: ListedTeeTime,
  ref: string,
): GroupItem {
  return { ...bodyFor(session, forms.productBooking, { facilityId, teeTime }), productId, linkedTeeTimeRef: ref };
}

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
  players = 1,
): RuleSpec {
  return defineRule({
    id,
    needs: ['bookings'],
    async run(context) {
      const { session } = context;
      const [offer, { reply }] = [await linkedOffer(session), await linkedGroup(session)];
      const teeTimes = await linkedRounds(session, offer, players);
      const ref = session.uuid();
      const items = teeTimes.map((teeTime) => roundOf(session, offer, teeTime, ref));
      const probe: Probe = { operation: operationIn('createBooking'), body: spoil(items, teeTimes, session, offer) };
      try {
        await context.refuses(probe, reply, what);
      } catch (error) {
        // The tee times may now be booked, and the next probe would be refused for that reason.
        (await material(session)).markBooked(teeTimes);
        throw error;
      }
    },
  });
}

/** Another product of a tee time, which by its name needs no link. */
function otherProduct({ products }: ListedTeeTime, { productId }: LinkedOffer): number {
  const other = products.find(({ mid, available }) => mid !== productId && available > 0);
  if (!other) throw new Inconclusive('no-data', 'a tee time that sells another product beside the linked one');
  return other.mid;
}

/**
 * The group can be booked. A refusal is a finding only if the tee time can be booked with another product, and the
 * product of the group cannot be booked alone: only its name shows that it needs several tee times.
 */
async function bookable(context: RuleContext): Promise<void> {
  const { session, expect, probe } = context;
  const offer = await linkedOffer(session);
  const [teeTime] = await linkedRounds(session, offer);
  try {
    expect.succeeds((await linkedGroup(session)).reply, 'A linked group is refused.');
  } catch (error) {
    if (!(error instanceof Inconclusive) || error.reason !== 'precondition') throw error;
    const { linkedTeeTimeRef: _, ...single } = roundOf(session, offer, teeTime!, '');
    const alone = await probe({ operation: operationIn('createBooking'), body: single });
    if (alone.ok) throw new Inconclusive('no-data', 'a product that spans several linked tee times');
    const body = { ...single, productId: otherProduct(teeTime!, offer) };
    const ordinary = await session.send({ operation: operationIn('createBooking'), body });
    expect.that(!ordinary.ok, 'A product that spans several tee times cannot be booked over linked ones.', {
      expected: 'a linked group',
      actual: error.missing,
    });
    throw error;
  }
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
    items.map((item) => ({ ...item, linkedTeeTimeRef: 'not-a-uuid' })),
  ),
  spoils('bookings.linked.same-ref', 'A linked group is booked with a reference for each round.', (items, _, session) =>
    items.map((item) => ({ ...item, linkedTeeTimeRef: session.uuid() })),
  ),
  spoils('bookings.linked.one-product', 'A linked group is booked with two products.', (items, teeTimes, _, offer) => [
    ...items.slice(0, -1),
    { ...items.at(-1), productId: otherProduct(teeTimes.at(-1)!, offer) },
  ]),
  spoils(
    'bookings.linked.same-players',
    'A linked group is booked with more players in one round than in another.',
    (items) => [...items.slice(0, -1), { ...items.at(-1), players: 2 }],
    2,
  ),
  spoils('bookings.linked.holes-sum', 'A linked group is booked with fewer holes than its product covers.', (items) =>
    items.slice(0, -1),
  ),
];
