import type { Reply } from '../exchange.js';
import { Inconclusive } from '../outcome.js';
import { type Session } from '../session.js';
import { bodyFor, type BookVersion, freshTeeTime } from './bookings.js';
import { paramsOf, type PriceRecord, type TeeSheet, teeSheet, type TeeTime } from './tee-sheets.js';

/** A single booking that a journey made, and the request it came from. */
export interface Made {
  readonly version: BookVersion;
  readonly sheet: TeeSheet;
  readonly teeTime: TeeTime;
  readonly item: Record<string, unknown>;
  readonly reply: Reply;
  readonly bookingId: string;
  /** Of a bulk booking of one. */
  readonly groupId?: number;
}

const OPERATIONS = { v2: 'v2.createBooking', v3: 'v3.createBulkBooking', v5: 'v5.createBooking' } as const;

/** The identifiers of the bookings that an answer tells of. */
export function idsIn({ data }: Pick<Reply, 'data'>): readonly string[] {
  const { bookingIds, bookingId } = (data ?? {}) as { bookingIds?: unknown; bookingId?: unknown };
  const list = Array.isArray(bookingIds)
    ? bookingIds.map((one: { bookingId?: unknown }) => one?.bookingId)
    : [bookingId];
  return list.filter((id): id is string => typeof id === 'string');
}

/** The number of the group that an answer tells of. */
export function groupIn({ data }: Pick<Reply, 'data'>): number | undefined {
  const { groupId, bulkBookingId } = (data ?? {}) as { groupId?: unknown; bulkBookingId?: unknown };
  const id = groupId ?? bulkBookingId;
  return typeof id === 'number' ? id : undefined;
}

/**
 * Books one tee time anew.
 *
 * @throws {Inconclusive} `precondition` when it is refused.
 */
export async function bookOne(
  session: Session,
  version: BookVersion,
  { sheet, teeTime }: Pick<Made, 'sheet' | 'teeTime'>,
  players = 1,
): Promise<Made> {
  const item = bodyFor(session, version, { facilityId: sheet.facilityId, teeTime, players });
  const reply = await session.send({ operation: OPERATIONS[version], body: version === 'v3' ? [item] : item });
  const [bookingId] = idsIn(reply);
  if (!reply.ok || bookingId === undefined) {
    throw new Inconclusive('precondition', `a booking by ${reply.what} (it was ${reply.status})`);
  }
  const groupId = groupIn(reply);
  return { version, sheet, teeTime, item, reply, bookingId, ...(groupId === undefined ? {} : { groupId }) };
}

/** What the deployment shows of one tee time. */
export interface Glance {
  /** Free slots of the product in v4 and v5; 0 where the tee time is no longer shown. */
  readonly free: Readonly<Record<string, number>>;
  /** Versions that still list it for as many players as it had free slots at first. */
  readonly listing: readonly string[];
  /** Free slots in the prices; undefined where they do not tell of it, 0 where they tell of others. */
  readonly priced: number | undefined;
}

/** A booking of two players, with what was shown of its tee time before and after it. Made once in a run. */
export interface Effect extends Made {
  readonly before: Glance;
  after(): Promise<Glance>;
}

export function effect(session: Session): Promise<Effect> {
  return session.once('effect of a booking', async (session) => {
    const [later, earlier] = [await freshTeeTime(session, 2), await freshTeeTime(session, 2)];
    // The order of bookings by creation shall not be that by tee time, neither way round.
    await session.once('a tee time left over', async () => later);
    const product = earlier.teeTime.products.find(({ available }) => available >= 2)!;
    const look = (from: Session): Promise<Glance> => glance(from, earlier.sheet, earlier.teeTime, product);
    const before = await look(session);
    const made = await bookOne(session, 'v5', earlier, 2);
    return { ...made, before, after: () => look(session) };
  });
}

async function glance(
  session: Session,
  sheet: TeeSheet,
  { teeid, time, course }: TeeTime,
  { mid, available }: TeeTime['products'][number],
): Promise<Glance> {
  const listing: string[] = [];
  const free: Record<string, number> = {};
  const { records } = await pricesOf(session, sheet);
  const record = records.find(({ productId, courseName }) => productId === mid && courseName === course);
  const clock = time.slice(11, 19);
  const slot = record?.availability?.find((one) => one.time === clock);
  for (const version of ['v2', 'v3', 'v4', 'v5'] as const) {
    const all = records.find(({ courseName }) => courseName === course)?.courseId;
    if (version === 'v5' && all === undefined) continue;
    const courseId = version === 'v5' ? all : undefined;
    const query = (players: number) => paramsOf({ ...sheet, players, ...(courseId === undefined ? {} : { courseId }) });
    const some = await session.send({ operation: `${version}.listTeeTimes`, params: query(available) });
    if (!some.ok) continue;
    if (listed(some).some((one) => idOf(one) === teeid)) listing.push(version);
    if (version === 'v2' || version === 'v3') continue;
    const reply = await session.send({ operation: `${version}.listTeeTimes`, params: query(1) });
    if (!reply.ok) continue;
    const shown = listed(reply).find((one) => idOf(one) === teeid) as TeeTime | undefined;
    free[version] = shown?.products?.find((product) => product.mid === mid)?.available ?? 0;
  }
  return { free, listing, priced: slot?.available ?? (record ? 0 : undefined) };
}

async function pricesOf(session: Session, sheet: TeeSheet): Promise<{ readonly records: readonly PriceRecord[] }> {
  const { facilityId, day } = sheet;
  const params = { facilityIds: String(facilityId), fromDate: day.query, toDate: day.query };
  const { data } = await session.send({ operation: 'v5.listPrices', params });
  const { records } = (data ?? {}) as { records?: unknown };
  return { records: Array.isArray(records) ? (records as PriceRecord[]) : [] };
}

/** The tee times of an answer of any version. */
function listed({ data }: Reply): readonly object[] {
  const { teeTimeV2, teeTimeV3 } = (data ?? {}) as { teeTimeV2?: unknown; teeTimeV3?: unknown };
  const list = [data, teeTimeV2, teeTimeV3].find(Array.isArray);
  return (list ?? []) as object[];
}

function idOf(teeTime: object): unknown {
  const { id, teeid } = teeTime as { id?: unknown; teeid?: unknown };
  return teeid ?? id;
}

/** Requests that race for the last places of a tee time, each for all of them. Run once in a run. */
export interface Race {
  readonly teeTime: TeeTime;
  readonly players: number;
  readonly replies: readonly Reply[];
}

export function race(session: Session): Promise<Race> {
  return session.once('race', async (session) => {
    const { facilityId, teeTimes } = await teeSheet(session);
    const used = await session.once('used tee times', async () => new Set<number>());
    const free = ({ products }: TeeTime): number => Math.max(0, ...products.map(({ available }) => available));
    const left = teeTimes.filter((one) => !used.has(one.teeid) && free(one) > 0);
    // Four may stand for more than four; where fewer are free, the number is exact.
    const teeTime = left.findLast((one) => free(one) < 4) ?? left.at(-1);
    if (!teeTime) throw new Inconclusive('no-data', 'another tee time with free slots');
    used.add(teeTime.teeid);
    const players = free(teeTime);
    // Without a product in the body, a tee time with several could sell two pools of places.
    const versions: readonly BookVersion[] =
      teeTime.products.length === 1 ? ['v5', 'v2', 'v3', 'v5'] : ['v5', 'v5', 'v5', 'v5'];
    const sent = await Promise.allSettled(
      versions.map((version) => {
        const item = bodyFor(session, version, { facilityId, teeTime, players });
        return session.send({ operation: OPERATIONS[version], body: version === 'v3' ? [item] : item });
      }),
    );
    const replies = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const lost = sent.find((one) => one.status === 'rejected');
    if (replies.length < 2 && lost) throw lost.reason;
    return { teeTime, players, replies };
  });
}

const TIMES = 4;

/**
 * Looks until it is so, or until patience is over: what was written may take a moment to show. The waits follow from
 * how long the deployment took to answer the write.
 */
export async function eventually<T>(
  session: Session,
  { durationMs }: Pick<Reply, 'durationMs'>,
  look: () => Promise<T>,
  enough: (seen: T) => boolean,
): Promise<T> {
  let seen = await look();
  for (let time = 1; time < TIMES && !enough(seen); time += 1) {
    await session.run.host.sleep(Math.max(durationMs, 50) * 2 ** time);
    seen = await look();
  }
  return seen;
}
