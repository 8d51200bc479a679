import { bookingEffect, type ShownAvailability } from '../../journeys/booking-effect.js';
import { otherBookings } from '../../journeys/booking-variants.js';
import { eventually } from '../../journeys/changing-answers.js';
import { freeSlotsOf, type ListedTeeTime, paramsOf, sheetOperation } from '../../journeys/tee-sheets.js';
import { unlessInconclusive } from '../../client/outcome.js';
import { newestWith, productBooking } from '../../client/operations.js';
import type { Session } from '../../client/session.js';
import { bodyFor } from '../../journeys/bookings.js';
import { freshTeeTimeOf, roomAndExtras } from '../../journeys/material.js';
import { freeSlots } from '../../journeys/refused-bookings.js';
import type { RuleContext } from '../rule.js';

const { facilitySheet } = newestWith;

/** A booking lowers the free slots in each version, in the searches for more players and in the prices. */
export async function lowersAvailability({ session, expect }: RuleContext): Promise<void> {
  const { before, after, reply, teeTime, item } = await bookingEffect(session);
  const players = item['players'] as number;
  const most = (seen: number): number => Math.max(0, seen - players);
  const lowered = ({ free, listing, priced }: ShownAvailability): boolean =>
    Object.entries(free).every(([version, seen]) => seen <= most(before.free[version] ?? Infinity)) &&
    !listing.some((version) => before.listing.includes(version)) &&
    (before.priced === undefined || priced === undefined || priced <= most(before.priced));
  const seen = await eventually(session, reply, after, lowered);
  for (const [version, free] of Object.entries(seen.free)) {
    const was = before.free[version];
    if (was === undefined || was < players) continue;
    const what = `A booking of ${players} players does not lower the free slots of its tee time in ${version}.`;
    expect.that(free <= most(was), what, { expected: most(was), actual: free });
  }
  for (const version of before.listing) {
    const what = `${version} lists the tee time ${teeTime.teeid} for more players than it has free slots after a booking.`;
    expect.that(!seen.listing.includes(version), what);
  }
  if (before.priced === undefined || seen.priced === undefined || before.priced < players) return;
  const what = 'A booking does not lower the free slots of its tee time in the prices.';
  expect.that(seen.priced <= most(before.priced), what, { expected: most(before.priced), actual: seen.priced });
}

/** Bookings of all kinds take slots. Only a booking that changes no number of free slots is a finding. */
export async function everyWayTakes({ session, expect }: RuleContext): Promise<void> {
  for (const { reply, places } of await otherBookings(session)) {
    const untouched = async (): Promise<readonly ListedTeeTime[]> => {
      const still: ListedTeeTime[] = [];
      for (const sheet of new Set(places.map((place) => place.sheet))) {
        const { data } = await session.send({ operation: sheetOperation, params: paramsOf(sheet) });
        const list = (data as { readonly teeTimeV3?: readonly ListedTeeTime[] } | null)?.teeTimeV3 ?? [];
        const now = new Map(list.map((one) => [one.teeid, freeSlotsOf(one)]));
        const own = places.filter((place) => place.sheet === sheet).map(({ teeTime }) => teeTime);
        still.push(...own.filter((one) => now.get(one.teeid) === freeSlotsOf(one)));
      }
      return still;
    };
    const still = await eventually(session, reply, untouched, (list) => list.length === 0);
    expect.equal(
      still.map(({ teeid }) => teeid),
      [],
      `A booking by ${reply.what} takes no free slot of its tee time.`,
    );
  }
}

/** Players of the booking with everything, and the free slots that its tee time needs to show that more are taken. */
const [PLAYERS, ROOM] = [2, 4];

/**
 * Extra products and named players take no slots. A finding takes two such bookings, and a plain booking that takes as
 * many slots as it has players: a deployment may sell a tee time to one party alone.
 */
export async function takesNoMore({ session, expect }: RuleContext): Promise<void> {
  const { before, after, item } = await bookingEffect(session);
  const [was, now] = [before.free[facilitySheet], (await after()).free[facilitySheet]];
  if (was === undefined || now === undefined || was - now !== item['players']) return;
  let seen: readonly [before: number, after: number] | undefined;
  for (let tried = 0; tried < 2; tried += 1) {
    seen = await withEverything(session).catch(unlessInconclusive);
    if (!seen || seen[0] - seen[1] <= PLAYERS) return;
  }
  const what = `A booking of ${PLAYERS} players with extra products and names takes more free slots than players.`;
  expect.that(false, what, { expected: seen![0] - PLAYERS, actual: seen![1] });
}

/** The free slots before and after a booking with extra products and named players; undefined if it is refused. */
async function withEverything(session: Session): Promise<readonly [number, number] | undefined> {
  const place = await freshTeeTimeOf(session, [roomAndExtras(ROOM), ROOM]);
  const { sheet, teeTime } = place;
  const plain = bodyFor(session, productBooking, { facilityId: sheet.facilityId, teeTime, players: PLAYERS });
  const extraProduct = teeTime.extraProducts.slice(0, 1).map(({ mid }) => ({ mid, quantity: 1 }));
  const additionalPlayers = [{ firstName: 'Second', lastName: 'Player' }];
  const before = await freeSlots(session, place);
  const body = { ...plain, extraProduct, additionalPlayers };
  const reply = await session.send({ operation: productBooking.operation, body, refusable: true });
  return reply.ok ? [before, await freeSlots(session, place)] : undefined;
}
