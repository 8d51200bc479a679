import type { Reply } from '../exchange.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { listOf, type Session } from '../session.js';
import { bodyFor, book, booking, type Booked, group, roomAt } from './bookings.js';
import { withDetails } from './shapes.js';
import { paramsOf, teeSheet, type TeeTime } from './tee-sheets.js';

const operation = 'v5.createBooking' as const;

/** What makers make, one after the other, as far as they can. */
async function made(...makers: readonly (() => Promise<Booked>)[]): Promise<readonly Booked[]> {
  const all: Booked[] = [];
  for (const make of makers) {
    const one = await make().catch(unlessInconclusive);
    if (one) all.push(one);
  }
  return all;
}

/** The groups that the run has made: arrays of v5 and v3, and an object with details. */
export function groups(session: Session): Promise<readonly Booked[]> {
  return made(
    () => group(session, 'v5'),
    () => group(session, 'v3'),
    () => withDetails(session),
  );
}

/** The bookings of the run that were not made as one v5 booking; none that it tries to cancel. */
export function otherWays(session: Session): Promise<readonly Booked[]> {
  return made(
    () => booking(session, 'v2'),
    () => booking(session, 'v3'),
    () => group(session, 'v5'),
    () => group(session, 'v3'),
  );
}

/** The free slots of each product of a tee time, as one text. */
export function freeOf({ products }: TeeTime): string {
  return products.map(({ mid, available }) => `${mid} ${available}`).join();
}

/** A booking in a name that not every table of letters has. Made once in a run. */
export function foreignName(session: Session): Promise<Booked> {
  return session.once('booking in a foreign name', async (session) => {
    const first = await booking(session, 'v5');
    const { sheet } = first;
    const teeTime = await roomAt(session, first);
    const name = { contactFirstName: 'Zo\u00eb', contactLastName: "O'\u0141uka" };
    return book(session, 'v5', sheet, [teeTime], false, name);
  });
}

/**
 * A group of two bookings of one tee time that each fit and do not fit together: the places are counted anew just
 * before, and four may stand for more than four.
 */
export function overfull(session: Session): Promise<{ readonly teeTime: TeeTime; readonly reply: Reply }> {
  return session.once('overfull group', async (session) => {
    const { facilityId, day, holes } = await teeSheet(session);
    const used = await session.once('used tee times', async () => new Set<number>());
    const now = await session.send({ operation: 'v4.listTeeTimes', params: paramsOf({ facilityId, day, holes }) });
    const all = listOf<TeeTime>(now, (data) => data['teeTimeV3']);
    const few = ({ products: [only, ...more] }: TeeTime): boolean =>
      only !== undefined && more.length === 0 && only.available > 0 && only.available < 4;
    const teeTime = all.findLast((one) => !used.has(one.teeid) && few(one));
    if (!teeTime) throw new Inconclusive('no-data', 'a tee time with one product and fewer than four free slots');
    used.add(teeTime.teeid);
    const players = [teeTime.products[0]!.available, 1];
    const body = players.map((count) => bodyFor(session, 'v5', { facilityId, teeTime, players: count }));
    return { teeTime, reply: await session.send({ operation, body }) };
  });
}
