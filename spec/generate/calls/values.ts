import type { Sandbox } from '../../../src/engine/library.js';
import type { Values } from './call.js';

/** A course with one green fee, at a facility that is connected to the first channel. */
const FACILITY = { facilityId: 1001, courseId: 10011, holes: 18 };
/** A course of 9 holes that sells 18 holes as two linked tee times. */
const LINKED = { facilityId: 1007, courseId: 10072, holes: 9, productHoles: 18 };
/** A day that is far enough away to be in the future for years. */
const DAY = { query: '11-06-2030', next: '12-06-2030' };
const PLAYERS = 2;

/** The client of a channel: the data of an answer to a request. */
export type Ask = (path: string) => Promise<unknown>;

interface Product {
  readonly mid: number;
  readonly available: number;
  readonly pricing: readonly { readonly quantity: number; readonly netRate: { readonly amount: number } }[];
}

interface TeeTime {
  readonly teeid: number;
  readonly time: string;
  readonly course: string;
  readonly extraProducts: readonly { readonly mid: number }[];
  readonly products: readonly Product[];
}

/** The values of every variable of the calls, with tee times that a sandbox in its initial state sells. */
export async function seedValues(sandbox: Sandbox, ask: Ask): Promise<Values> {
  const { refreshToken } = sandbox.channels[0]!;
  const { facilityId, courseId, holes } = FACILITY;
  const [first, second] = await teeTimes(ask, FACILITY);
  const [round, next] = await teeTimes(ask, LINKED, linkedProduct(sandbox));
  return {
    refreshToken,
    version: 'v5',
    country: 'the Netherlands',
    facilityId,
    courseId,
    facilityIds: `${facilityId},1049`,
    bookingDate: DAY.query,
    fromDate: DAY.query,
    toDate: DAY.next,
    players: PLAYERS,
    holes,
    callbackUrl: 'http://127.0.0.1:4653/__admin/inbox/tee-times',
    ...first,
    ...named('second', second),
    linkedFacilityId: LINKED.facilityId,
    linkedCourseId: LINKED.courseId,
    linkedHoles: LINKED.holes,
    ...named('linked', round),
    ...named('linkedSecond', next),
  };
}

type Offer = Readonly<
  Record<'teeId' | 'teetime' | 'course' | 'productId' | 'netRate' | 'extraProductId', string | number>
>;

/** Two tee times of a course that have room for all players; only those that sell the product, if one is given. */
async function teeTimes(ask: Ask, course: typeof FACILITY, product?: number): Promise<[Offer, Offer]> {
  const { facilityId, courseId, holes } = course;
  const query = `bookingDate=${DAY.query}&players=${PLAYERS}&holes=${holes}`;
  const { teeTimeV3 } = (await ask(`v5/teetimes/${facilityId}/${courseId}?${query}`)) as { teeTimeV3: TeeTime[] };
  const offers = teeTimeV3.flatMap((teeTime) => {
    const sold = teeTime.products.find(
      ({ mid, available }) => available >= PLAYERS && (product === undefined || mid === product),
    );
    return sold ? [offerOf(teeTime, sold)] : [];
  });
  const [first, second] = offers;
  if (!first || !second) throw new Error(`Course ${courseId} has no two free tee times on ${DAY.query}.`);
  return [first, second];
}

function offerOf({ teeid, time, course, extraProducts }: TeeTime, { mid, pricing }: Product): Offer {
  return {
    teeId: teeid,
    teetime: time.replace('T', ' '),
    course,
    productId: mid,
    netRate: pricing.find(({ quantity }) => quantity === PLAYERS)!.netRate.amount,
    extraProductId: extraProducts[0]?.mid ?? 0,
  };
}

function linkedProduct(sandbox: Sandbox): number {
  const facility = sandbox.db.facilities.findFirst((q) => q.where({ id: LINKED.facilityId }))!;
  const products = facility.courses.find(({ id }) => id === LINKED.courseId)!.products;
  return products.find(({ holes }) => holes === LINKED.productHoles)!.mid;
}

function named(prefix: string, offer: Offer): Values {
  return Object.fromEntries(
    Object.entries(offer).map(([name, value]) => [prefix + name[0]!.toUpperCase() + name.slice(1), value]),
  );
}
