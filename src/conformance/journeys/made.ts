import type { Reply } from '../exchange.js';
import { Inconclusive, unlessInconclusive } from '../outcome.js';
import { listOf, type Session } from '../session.js';
import { bodyFor, booking, type Booked, group, roomAt } from './bookings.js';
import { idsIn } from './effects.js';
import { withDetails } from './shapes.js';
import { paramsOf, teeSheet, type TeeTime } from './tee-sheets.js';

const operation = 'v5.createBooking' as const;
const there = (made: readonly (Booked | undefined)[]): readonly Booked[] => made.filter((one) => one !== undefined);

/** The groups that the run has made: arrays of v3 and v5, and an object with details. */
export async function groups(session: Session): Promise<readonly Booked[]> {
  const made: (Booked | undefined)[] = [];
  for (const version of ['v5', 'v3'] as const) made.push(await group(session, version).catch(unlessInconclusive));
  return there([...made, await withDetails(session).catch(unlessInconclusive)]);
}

/** The bookings of the run that were not made as one v5 booking; none that it tries to cancel. */
export async function otherWays(session: Session): Promise<readonly Booked[]> {
  const made: (Booked | undefined)[] = [];
  for (const version of ['v2', 'v3'] as const) made.push(await booking(session, version).catch(unlessInconclusive));
  for (const version of ['v5', 'v3'] as const) made.push(await group(session, version).catch(unlessInconclusive));
  return there(made);
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
    const plain = bodyFor(session, 'v5', { facilityId: sheet.facilityId, teeTime });
    const item = { ...plain, contactFirstName: 'Zo\u00eb', contactLastName: "O'\u0141uka" };
    const reply = await session.send({ operation, body: item });
    const bookingIds = idsIn(reply);
    if (!reply.ok || bookingIds.length === 0) {
      throw new Inconclusive('precondition', `a booking in a foreign name (it was ${reply.status})`);
    }
    return { version: 'v5', sheet, teeTimes: [teeTime], items: [item], reply, bookingIds };
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
