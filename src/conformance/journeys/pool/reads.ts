import { isObject } from '../../../common/index.js';
import type { components } from '../../../contract/index.js';
import type { Day } from '../../client/day.js';
import type { Reply } from '../../client/exchange.js';
import { unlessInconclusive } from '../../client/outcome.js';
import { isOf, newestWith, operationIn, type PayloadOf, type VersionOf } from '../../client/operations.js';
import { listOf, type Session } from '../../client/session.js';

export type ListedTeeTime = components['schemas']['TeeTimeV3'];
export type PriceRecord = components['schemas']['PriceRecord'];
export type SheetVersion = VersionOf<'listTeeTimes'>;
/** The newest list of a facility's tee times, which has their products. */
export const sheetOperation = operationIn('listTeeTimes', newestWith.facilitySheet);
type ItemOf<V extends SheetVersion> = ListIn<PayloadOf<'listTeeTimes', V>>;
type ListIn<Data> = Data extends { teeTimeV3: (infer Item)[] } | { teeTimeV2: (infer Item)[] } | (infer Item)[]
  ? Item
  : never;
type PlainTeeTime = components['schemas']['TeeTimeV2'];

/** A request for the tee times of one facility on one day; `courseId` only if the version takes it. */
export interface TeeTimeQuery {
  readonly facilityId: number;
  readonly day: Day;
  readonly holes: 9 | 18;
  readonly players?: number;
  readonly courseId?: number;
}

/** A day of a connected facility on which tee times are on sale. */
export interface ListedTeeSheet extends TeeTimeQuery {
  readonly teeTimes: readonly ListedTeeTime[];
}

/** The parameters of a request for tee times. */
export function paramsOf({
  facilityId,
  day,
  holes,
  players = 1,
  courseId,
}: TeeTimeQuery): Record<string, string | number> {
  const course = courseId === undefined ? {} : { courseId };
  return { facilityId, ...course, bookingDate: day.query, players, holes };
}

export async function teeTimes<V extends SheetVersion>(
  session: Session,
  version: V,
  query: TeeTimeQuery,
): Promise<readonly ItemOf<V>[]> {
  return teeTimesIn(version, await session.read(operationIn('listTeeTimes', version), paramsOf(query)));
}

/** The tee times of a facility with their products, read again. */
export async function teeTimesNow(session: Session, query: TeeTimeQuery): Promise<readonly ListedTeeTime[]> {
  const reply = await session.send({ operation: sheetOperation, params: paramsOf(query) });
  return listOf<ListedTeeTime>(reply, (data) => data['teeTimeV3']);
}

/** The tee times of a facility with their products, course by course where the deployment has only that. */
export async function facilityTeeTimes(session: Session, query: TeeTimeQuery): Promise<readonly ListedTeeTime[]> {
  const { scope } = session.run.transport;
  const hasCourses = scope.has(operationIn('listTeeTimes', newestWith.courseSheet));
  if (!scope.has(sheetOperation) && hasCourses) return courseTeeTimes(session, query);
  let fault: unknown;
  try {
    const found = await teeTimes(session, newestWith.facilitySheet, query);
    if (found.length === 0 || found.some(isReadable)) return found.filter(isReadable);
  } catch (error) {
    unlessInconclusive(error);
    fault = error;
  }
  const ofCourses = hasCourses ? await courseTeeTimes(session, query).catch(unlessInconclusive) : undefined;
  if (!ofCourses && fault !== undefined) throw fault;
  return ofCourses ?? [];
}

/** Whether a request can be built from a tee time; the rules of its fields report what is wrong. */
function isReadable({ teeid, time, products }: ListedTeeTime): boolean {
  const isSold = products.some(({ mid, available }) => typeof mid === 'number' && typeof available === 'number');
  return typeof teeid === 'number' && typeof time === 'string' && (isSold || products.length === 0);
}

async function courseTeeTimes(session: Session, query: TeeTimeQuery): Promise<readonly ListedTeeTime[]> {
  const { facilityId, day } = query;
  const records = recordsIn(await pricesFor(session, { facilityIds: [facilityId], from: day, to: day }));
  const found: ListedTeeTime[] = [];
  for (const courseId of new Set(records.map((record) => record.courseId).filter(Number.isInteger))) {
    found.push(...(await teeTimes(session, newestWith.courseSheet, { ...query, courseId })));
  }
  return found.filter(isReadable);
}

/**
 * The tee times of an answer, without elements that are no objects. A version without products may have the form with
 * products (`teetimes.v3-form`).
 */
export function teeTimesIn<V extends SheetVersion>(version: V, reply: Reply): readonly ItemOf<V>[] {
  const isPlain = isOf('plainSheet', version);
  const hasProducts = isObject(reply.data) && Array.isArray(reply.data['teeTimeV3']);
  if (isPlain && !hasProducts) return listOf<ItemOf<V>>(reply, (data) => data['teeTimeV2']).filter(isObject);
  if (isOf('roundSheet', version)) return listOf<ItemOf<V>>(reply, (data) => data).filter(isObject);
  const found = listOf<ListedTeeTime>(reply, (data) => data['teeTimeV3'])
    .filter(isObject)
    .map(withList);
  return (isPlain ? found.map(withoutProducts) : found) as ItemOf<V>[];
}

/** The rule of the field reports products of another form. */
function withList(teeTime: ListedTeeTime): ListedTeeTime {
  return Array.isArray(teeTime.products) ? teeTime : { ...teeTime, products: [] };
}

function withoutProducts(teeTime: ListedTeeTime): PlainTeeTime {
  const { teeid: id, time, course, holes, extraProducts, products } = teeTime;
  const steps = products.flatMap(({ pricing }) => pricing);
  const pricing = steps.map(({ quantity, price }) => ({ players: String(quantity), price }));
  return { id, time, course, holes, players: freeIn(teeTime), extraProducts, pricing };
}

/** The days and facilities of a price request, and the part of the list. */
export interface PriceRequest {
  readonly facilityIds: readonly number[];
  readonly from: Day;
  readonly to?: Day;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** The parameters of a price request; without a last day, of one day. */
export function priceParamsOf({ facilityIds, from, to = from, offset, limit }: PriceRequest) {
  return { facilityIds: facilityIds.join(','), fromDate: from.query, toDate: to.query, offset, limit };
}

/** A page of price records. */
export async function pricesFor(session: Session, request: PriceRequest): Promise<components['schemas']['PricePage']> {
  return (await session.data(operationIn('listPrices'), priceParamsOf(request))) as components['schemas']['PricePage'];
}

/** The records of a price page; none if it has another form. */
export function recordsIn(page: unknown): readonly PriceRecord[] {
  return isObject(page) && Array.isArray(page['records']) ? (page['records'] as PriceRecord[]) : [];
}

/** The times of a price record that have free slots. */
export function timesOnSale({ availability }: PriceRecord): readonly { readonly time: string; available: number }[] {
  return Array.isArray(availability) ? availability.filter(({ available }) => available > 0) : [];
}

/** Free slots of a tee time: the most that one of its products has. */
export function freeIn({ products }: ListedTeeTime): number {
  return Math.max(0, ...products.map(({ available }) => available).filter((one) => typeof one === 'number'));
}

/** "18 holes" in product names of several languages. A number alone may be an age. */
const HOLES_IN_NAME = /\b(18|27|36)[\s-]*(?:holes?|trous|l[oö]cher|loch|hoyos|buche|buracos|huller|hull|hål|reik)/i;

/** The holes that a product covers according to its name; 0 if the name does not show them. */
export function coveredBy({ productName }: Pick<PriceRecord, 'productName'>): number {
  return Number(HOLES_IN_NAME.exec(productName)?.[1] ?? 0);
}

/** The product that a single booking takes: one with free slots that, by its name, no group of tee times is needed for. */
export function productFor(
  { holes, products }: ListedTeeTime,
  players: number,
): ListedTeeTime['products'][number] | undefined {
  const free = products.filter(({ available }) => available >= players);
  return free.find(({ name }) => coveredBy({ productName: name }) <= holes) ?? free[0] ?? products[0];
}
