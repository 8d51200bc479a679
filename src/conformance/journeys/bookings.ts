import type { OperationId } from '../../generated/operations.js';
import type { components } from '../../generated/types.js';
import { type Day, dayAfter } from '../day.js';
import type { Caller, Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import { payloadOf, type Session } from '../session.js';
import { bookedRounds, linkedOffer, rounds } from './linked.js';
import { type TeeSheet, teeSheet, type TeeTime } from './tee-sheets.js';

type Schemas = components['schemas'];
export type ListVersion = 'v1' | 'v2' | 'v4';
type ListItem = { v1: Schemas['BookingV1']; v2: Schemas['BookingV2']; v4: Schemas['BookingV4'] };
export type BookVersion = 'v2' | 'v3' | 'v5';

/** The booking list of a channel, as it was when first asked for; {@link freshBookings} asks again. */
export function bookings<V extends ListVersion>(
  session: Session,
  version: V,
  range: { readonly from?: Day; readonly to?: Day } = {},
  as: Caller = 'first',
): Promise<readonly ListItem[V][]> {
  const params = { fromDate: range.from?.query, toDate: range.to?.query };
  return session.list<ListItem[V]>(`${version}.listBookings`, params, as);
}

/** The booking list around a day, asked for anew. */
export async function freshBookings<V extends ListVersion>(
  session: Session,
  version: V,
  day: Day,
  as: Caller = 'first',
): Promise<readonly ListItem[V][]> {
  const params = { fromDate: dayAfter(day, -1).query, toDate: dayAfter(day, 1).query };
  const reply = await session.send({ operation: `${version}.listBookings`, params, as });
  const data = payloadOf(reply);
  if (!Array.isArray(data)) throw new Inconclusive('precondition', `a list in the answer to ${reply.what}`);
  return data as ListItem[V][];
}

/**
 * A tee time of the run's tee sheet that no other journey uses, with so many free slots.
 *
 * @throws {Inconclusive} `no-data` when all are taken.
 */
export async function freshTeeTime(session: Session, players = 1): Promise<{ sheet: TeeSheet; teeTime: TeeTime }> {
  const sheet = await teeSheet(session);
  const used = await session.once('used tee times', async () => new Set<number>());
  // From the end of the day: later tee times are the ones least asked for.
  const teeTime = sheet.teeTimes.findLast(
    ({ teeid, products }) => !used.has(teeid) && products.some((product) => product.available >= players),
  );
  if (!teeTime) throw new Inconclusive('no-data', `another tee time with ${players} free slots`);
  used.add(teeTime.teeid);
  return { sheet, teeTime };
}

/** The tee time that was booked, where it has room for another player, and else one that no other journey uses. */
export async function roomAt(session: Session, { sheet, teeTimes: [booked] }: Booked): Promise<TeeTime> {
  const { products } = (sheet.teeTimes.find(({ teeid }) => teeid === booked!.teeid) ?? booked)!;
  if (products.some(({ available }) => available > 1)) return booked!;
  return (await freshTeeTime(session)).teeTime;
}

/** A body that the version takes for a tee time and its first product; `comments` tells the run. */
export function bodyFor(
  session: Session,
  version: BookVersion,
  { facilityId, teeTime, players = 1 }: { facilityId: number; teeTime: TeeTime; players?: number },
): Record<string, unknown> {
  const { teeid, time, course, holes, products } = teeTime;
  const product = products.find(({ available }) => available >= players) ?? products[0];
  const common = {
    facilityId,
    teetime: time.replace('T', ' '),
    players,
    teeId: teeid,
    holes,
    contactFirstName: 'Conformance',
    contactLastName: 'Check',
    contactPhone: '+31 20 555 0100',
    contactEmail: 'conformance.check@example.com',
    comments: `conformance check ${session.run.runId}`,
  };
  if (version === 'v2') return { ...common, round: course };
  if (version === 'v5') return { ...common, course, productId: product?.mid };
  const netRate = product?.pricing.find(({ quantity }) => quantity === players)?.netRate.amount ?? 0;
  return { ...common, course, netRate, extraProduct: [], additionalPlayers: [] };
}

/** What a journey booked. */
export interface Booked {
  readonly version: BookVersion;
  readonly sheet: TeeSheet;
  readonly teeTimes: readonly TeeTime[];
  /** The single bookings as they were sent. */
  readonly items: readonly Record<string, unknown>[];
  readonly reply: Reply;
  readonly bookingIds: readonly string[];
  /** Of a group. */
  readonly groupId?: number;
}

/** One booking of one player, made once in a run for each version; in v3 it is a list of one. */
export function booking(session: Session, version: BookVersion): Promise<Booked> {
  return session.once(`booking ${version}`, async (session) => {
    const make = async (): Promise<Booked> => {
      const { sheet, teeTime } = await freshTeeTime(session);
      return book(session, version, sheet, [teeTime], version === 'v3');
    };
    // Somebody may have taken the tee time since it was shown.
    return make().catch((error: unknown) => {
      if (error instanceof Inconclusive && error.reason === 'precondition') return make();
      throw error;
    });
  });
}

/** A group of two bookings: v5 as an array, v3 as a bulk booking. Made once in a run. */
export function group(session: Session, version: 'v3' | 'v5'): Promise<Booked> {
  return session.once(`group ${version}`, async (session) => {
    const { sheet, teeTime } = await freshTeeTime(session);
    const other = await freshTeeTime(session);
    return book(session, version, sheet, [teeTime, other.teeTime], true);
  });
}

/** Linked tee times of one product, booked as a group with one reference. Made once in a run. */
export function linkedGroup(session: Session): Promise<Booked> {
  return session.once('linked group', async (session) => {
    const offer = await linkedOffer(session);
    const teeTimes = await rounds(session, offer);
    const linkedTeeTimeRef = session.uuid();
    const sheet: TeeSheet = { ...offer, facilityName: '' };
    const changes = { productId: offer.productId, linkedTeeTimeRef };
    const booked = await book(session, 'v5', sheet, teeTimes, true, changes);
    for (const { teeid } of teeTimes) (await bookedRounds(session)).add(teeid);
    return booked;
  });
}

/** Books tee times in a version, as one booking or as a list, with the same changes to each. */
export async function book(
  session: Session,
  version: BookVersion,
  sheet: TeeSheet,
  teeTimes: readonly TeeTime[],
  asList: boolean,
  changes: Record<string, unknown> = {},
): Promise<Booked> {
  const { facilityId } = sheet;
  const items = teeTimes.map((teeTime) => ({ ...bodyFor(session, version, { facilityId, teeTime }), ...changes }));
  const operation: OperationId = version === 'v3' ? 'v3.createBulkBooking' : `${version}.createBooking`;
  const reply = await session.send({ operation, body: asList ? items : items[0] });
  const data = payloadOf(reply) as Record<string, unknown> | null;
  const list = data?.['bookingIds'];
  const ids = Array.isArray(list) ? list.map((item: { bookingId: unknown }) => item?.bookingId) : [data?.['bookingId']];
  const bookingIds = ids.filter((id): id is string => typeof id === 'string');
  if (bookingIds.length === 0) throw new Inconclusive('precondition', `an identifier in the answer to ${reply.what}`);
  const groupId = data?.['groupId'] ?? data?.['bulkBookingId'];
  return { version, sheet, teeTimes, items, reply, bookingIds, ...(typeof groupId === 'number' ? { groupId } : {}) };
}
