import { teeTimesOf } from '../facts/facts.js';
import type { Reply } from '../client/exchange.js';
import { unlessInconclusive } from '../client/outcome.js';
import { isOf, operationIn, productBooking, shows, versionsOf } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Session } from '../client/session.js';
import { type Booked, bookOne } from './bookings.js';
import { type TakenTeeTime, twoTeeTimes } from './material.js';
import { priceParamsOf, recordsIn } from './pool/reads.js';
import { type ListedTeeSheet, type ListedTeeTime, paramsOf, type PriceRecord, sheetVersions } from './tee-sheets.js';

/** The versions that show products, and so the free slots of each. */
const withProducts = versionsOf('listTeeTimes', shows('products'));

/** What the deployment shows of one tee time. */
export interface ShownAvailability {
  /** Free slots of the product by version, if the version shows products; 0 if the tee time is no longer shown. */
  readonly free: Readonly<Record<string, number>>;
  /** Versions that still list it for as many players as it had free slots at first. */
  readonly listing: readonly string[];
  /** Free slots in the price list: undefined if it does not have the product, 0 if it has only other times. */
  readonly priced: number | undefined;
}

/** A booking of two players, or of one if no tee time has room for two, with the availability of its tee time before and after it. */
export interface BookingEffect extends Booked {
  readonly players: number;
  readonly before: ShownAvailability;
  /**
   * A tee time after the booked one, which a later booking takes. Since other bookings go from late to early tee times,
   * the order of creation then differs from the order of tee times, and from its reverse.
   */
  readonly later: TakenTeeTime;
  after(): Promise<ShownAvailability>;
}

export const bookingEffect = resource('effect of a booking', effectOfBooking);

/** Another one, of other tee times. */
export const secondBookingEffect = resource('effect of a second booking', effectOfBooking);

async function effectOfBooking(session: Session): Promise<BookingEffect> {
  const two = await twoTeeTimes(session, 2).catch(unlessInconclusive);
  const [later, earlier] = two ?? (await twoTeeTimes(session));
  const players = two ? 2 : 1;
  const product = earlier.teeTime.products.find(({ available }) => available >= players)!;
  const look = (from: Session): Promise<ShownAvailability> => glance(from, earlier.sheet, earlier.teeTime, product);
  const before = await look(session);
  const made = await bookOne(session, productBooking, earlier, players);
  return { ...made, players, before, later, after: () => look(session) };
}

async function glance(
  session: Session,
  sheet: ListedTeeSheet,
  { teeid, time, course }: ListedTeeTime,
  { mid, available }: ListedTeeTime['products'][number],
): Promise<ShownAvailability> {
  const listing: string[] = [];
  const free: Record<string, number> = {};
  const records = await pricesOf(session, sheet);
  const record = records.find(({ productId, courseName }) => productId === mid && courseName === course);
  const clock = time.slice(11, 19);
  const slot = record?.availability?.find((one) => one.time === clock);
  for (const version of session.served('listTeeTimes', sheetVersions)) {
    const all = records.find(({ courseName }) => courseName === course)?.courseId;
    if (isOf('courseSheet', version) && all === undefined) continue;
    const courseId = isOf('courseSheet', version) ? all : undefined;
    const query = (players: number) => paramsOf({ ...sheet, players, ...(courseId === undefined ? {} : { courseId }) });
    const some = await session.send({ operation: operationIn('listTeeTimes', version), params: query(available) });
    if (!some.ok) continue;
    const isListed = listed(some).some((one) => idOf(one) === teeid);
    const reply = await session.send({ operation: operationIn('listTeeTimes', version), params: query(1) });
    if (!withProducts.includes(version)) {
      // Whether `players` narrows the tee times of a version without products is shown by what it leaves out.
      const found = new Set(listed(some).map(idOf));
      if (isListed && listed(reply).some((one) => !found.has(idOf(one)))) listing.push(version);
      continue;
    }
    if (isListed) listing.push(version);
    if (!reply.ok) continue;
    const shown = listed(reply).find((one) => idOf(one) === teeid) as ListedTeeTime | undefined;
    free[version] = shown?.products?.find((product) => product.mid === mid)?.available ?? 0;
  }
  return { free, listing, priced: slot?.available ?? (record ? 0 : undefined) };
}

async function pricesOf(session: Session, { facilityId, day }: ListedTeeSheet): Promise<readonly PriceRecord[]> {
  const params = priceParamsOf({ facilityIds: [facilityId], from: day });
  return recordsIn((await session.send({ operation: operationIn('listPrices'), params })).data);
}

const listed = ({ data }: Reply): readonly object[] => (teeTimesOf(data) ?? []) as readonly object[];

function idOf(teeTime: object): unknown {
  const { id, teeid } = teeTime as { id?: unknown; teeid?: unknown };
  return teeid ?? id;
}
