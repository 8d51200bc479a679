import { type AdminType, call, perform } from '../../data/api.js';
import { baseUrl } from '../../data/base.js';
import { type CourseDay, type SheetDay, type SheetTime, usualProduct } from '../tee-sheet/cells.js';
import { dayAfter } from '../../data/local-time.js';
import type { ViewedDocument } from './contract.js';

export type Login = AdminType<'ChannelList'>['channels'][number];

const PLAYERS = 2;
/** How many facilities are tried for free tee times. */
const TRIED = 8;

/** A tee time that a channel can book, with the fields of a booking. */
interface Offer {
  readonly facilityId: number;
  readonly courseId: number;
  readonly date: string;
  readonly course: string;
  readonly teeId: number;
  readonly teetime: string;
  readonly holes: number;
  readonly productId: number;
  readonly netRate: number;
}

/** What exists in the open world for one channel, so that the examples of the reference work there. */
export interface WorldValues {
  readonly values: Readonly<Record<string, string>>;
  /** Two tee times on their own, and two that a linked product needs. */
  readonly offers: readonly Offer[];
  readonly linked: readonly Offer[];
}

/** Looks for what a channel can ask for: tomorrow's free tee times, its last booking. */
export async function worldValues(of: ViewedDocument, channel: string): Promise<WorldValues> {
  const [facilities, rounds, bookings] = await Promise.all([
    perform(call('GET', 'facilities', { query: { channel, limit: TRIED } })),
    perform(call('GET', 'facilities', { query: { channel, goodFor: 'linked-tee-times', limit: TRIED } })),
    perform(call('GET', 'bookings', { query: { channel, status: 'BOOKED', order: 'newest', limit: 50 } })),
  ]);
  const [offers, linked] = await Promise.all([
    firstOffers(facilities.facilities, freeTimes),
    firstOffers(rounds.facilities, linkedTimes),
  ]);
  const [first] = offers;
  const facility = facilities.facilities.find(({ facilityId }) => facilityId === first?.facilityId);
  const values: Record<string, string | number | undefined> = {
    facilityId: first?.facilityId,
    facilityIds: facilities.facilities
      .slice(0, 2)
      .map(({ facilityId }) => facilityId)
      .join(','),
    courseId: first?.courseId,
    teeId: first?.teeId,
    country: facility?.country,
    holes: first?.holes,
    players: PLAYERS,
    callbackUrl: `${baseUrl}/__admin/inbox/reference`,
    serviceBookingId: bookings.bookings[0]?.bookingId,
    bookingId: bookings.bookings[0]?.bookingId,
    bulkBookingId: bookings.bookings.find(({ groupId }) => groupId !== null)?.groupId ?? undefined,
    groupId: bookings.bookings.find(({ groupId }) => groupId !== null)?.groupId ?? undefined,
    channel,
    date: first?.date,
    bookingDate: first && dayFirst(first.date),
    fromDate: first && dayFirst(first.date),
    toDate: first && dayFirst(dayAfter(first.date, 6)),
    ...(of === 'admin' && (await idsOfAdmin())),
  };
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { values: Object.fromEntries(given), offers, linked };
}

/** What the admin API lists, by the start of the path that asks for it. */
async function idsOfAdmin(): Promise<Record<string, string | undefined>> {
  const [callbacks, plans, requests] = await Promise.all([
    perform(call('GET', 'callbacks')),
    perform(call('GET', 'plans')),
    perform(call('GET', 'requests', { query: { limit: 1 } })),
  ]);
  const newest = 'requests' in requests ? requests.requests.at(-1)?.id : undefined;
  return {
    'callbacks id': callbacks.callbacks.at(-1)?.id,
    'plans id': plans.plans.at(-1)?.id,
    'requests id': newest,
    'snapshots name': 'before',
    'inbox name': 'reference',
    since: newest,
  };
}

/** The value of a parameter in this world; undefined if the world has nothing to do with it. */
export function valueFor({ values }: WorldValues, path: string, name: string): string | undefined {
  const [, resource = ''] = /^\/__admin\/(\w+)/.exec(path) ?? [];
  return values[`${resource} ${name}`] ?? values[name];
}

type Facility = AdminType<'FacilityList'>['facilities'][number];
type Sell = (course: CourseDay, times: readonly SheetTime[]) => readonly (readonly [SheetTime, number])[];

/** Two tee times of the first facility that has them tomorrow or on one of the days after. */
async function firstOffers(facilities: readonly Facility[], sell: Sell): Promise<readonly Offer[]> {
  for (const { facilityId, scenario } of facilities) {
    if (scenario !== null) continue;
    const path = { facilityId: String(facilityId) };
    const { today } = await perform(call('GET', 'tee-sheets/{facilityId}', { path }));
    for (const days of [1, 2]) {
      const query = { date: dayAfter(today, days) };
      const sheet = await perform(call('GET', 'tee-sheets/{facilityId}', { path, query }));
      for (const course of sheet.courses) {
        const free = course.soldOut ? [] : course.teeTimes.filter((one) => one.free >= PLAYERS);
        const found = sell(course, free).map(([time, productId]) => offerOf(sheet, course, time, productId));
        if (found.length === 2) return found;
      }
    }
  }
  return [];
}

/** Two tee times with a product for one round, the usual one. */
function freeTimes(course: CourseDay, times: readonly SheetTime[]) {
  const sold = times.flatMap((time) => {
    const product = usualProduct(course, time);
    return product && product.holes <= time.holes ? [[time, product.productId] as const] : [];
  });
  return sold.slice(0, 2);
}

/** Two tee times that one product of two rounds links. */
function linkedTimes(_course: CourseDay, times: readonly SheetTime[]) {
  for (const time of times) {
    for (const { productId, rounds, teeIds } of time.linked) {
      const next = times.find(({ teeId }) => teeId === teeIds[0]);
      if (rounds === 2 && next) return [[time, productId] as const, [next, productId] as const];
    }
  }
  return [];
}

function offerOf(sheet: SheetDay, course: CourseDay, time: SheetTime, productId: number): Offer {
  const product = course.products.find((one) => one.productId === productId)!;
  return {
    facilityId: sheet.facilityId,
    courseId: course.courseId,
    date: sheet.date,
    course: course.name,
    teeId: time.teeId,
    teetime: time.time.replace('T', ' '),
    holes: time.holes,
    productId,
    netRate: product.prices.find(({ players }) => players === PLAYERS)!.netRate,
  };
}

/** As the service writes the days of a query. */
function dayFirst(date: string): string {
  return date.split('-').reverse().join('-');
}

/** An example of the contract with what exists in this world; what the world does not know stays as it is. */
export function bodyIn({ values, offers, linked }: WorldValues, example: unknown): unknown {
  const items = itemsOf(example);
  if (items.length === 0) return withValues(example, values);
  const refs = items.map((item) => item['linkedTeeTimeRef']);
  const isLinked = items.length > 1 && refs[0] !== undefined && refs.every((ref) => ref === refs[0]);
  const placed = items.map((item, index) => bookingIn(item, (isLinked ? linked : offers)[index], isLinked));
  if (Array.isArray(example)) return placed;
  return 'details' in (example as object) ? { ...(example as object), details: placed } : placed[0];
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(example: unknown): readonly Item[] {
  const list = Array.isArray(example) ? example : ((example as { details?: unknown[] }).details ?? [example]);
  return (list as Item[]).filter((item) => 'teetime' in item);
}

function bookingIn(item: Item, offer: Offer | undefined, isLinked: boolean): Item {
  if (!offer) return item;
  const { course, netRate } = offer;
  const known: Item = {
    ...offer,
    round: course,
    players: PLAYERS,
    // Which extra products there are is a matter of the facility.
    extraProduct: [],
    netRate: typeof item['netRate'] === 'string' ? netRate.toFixed(2) : netRate,
  };
  const entries = Object.entries(item).filter(([name]) => !(isLinked && name === 'netRate'));
  return Object.fromEntries(entries.map(([name, value]) => [name, known[name] ?? value]));
}

/** The other bodies of both documents: what has the name of a known value gets it. */
function withValues(example: unknown, values: WorldValues['values']): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const known: Item = { ...values, refresh_token: values['refreshToken'] };
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const here = known[name];
      return [name, here === undefined ? value : typeof value === 'number' ? Number(here) : here];
    }),
  );
}
