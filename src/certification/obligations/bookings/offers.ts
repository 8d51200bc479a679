import { isObject } from '../../../common/index.js';
import { readBody } from '../../../contract/index.js';
import { keepNewest } from '../bounded.js';
import { dayOf, isWithin } from '../days.js';
import type { Exhibit } from '../obligation.js';
import { isSuccess, knewOf, nameOf } from '../operations.js';
import { answerOf, type ClientCall, type ClientDelivery, readOnce } from '../traffic.js';
import { numberOf, type RequestedBooking, timeOf } from './requested-bookings.js';

/** A price step, as far as a booking depends on it. */
interface RateStep {
  readonly players: number | undefined;
  readonly netRate: number | undefined;
}

/** A product of a tee time. */
export interface OfferedProduct {
  readonly mid: number;
  readonly available: number | undefined;
  readonly steps: readonly RateStep[];
}

/** A tee time as the service answered it, in one form for all versions. */
export interface Offer {
  readonly facilityId: number;
  readonly teeId: number;
  readonly time: string | undefined;
  readonly course: string | undefined;
  readonly holes: number | undefined;
  /** Undefined in versions without products. */
  readonly products: readonly OfferedProduct[] | undefined;
  /** Of versions without products: what they call the price. */
  readonly steps: readonly RateStep[];
  readonly extras: ReadonlyMap<number, number>;
  /** The path and query of the request; undefined in a result. */
  readonly path: string | undefined;
  readonly seenIn: Exhibit;
}

/** The tee times in an answer, or in the result of a search. */
export const offersOf = readOnce((traffic: ClientCall | ClientDelivery): readonly Offer[] =>
  'method' in traffic ? ofCall(traffic) : ofDelivery(traffic),
);

/** Whether a call was answered with the tee times of a facility. */
export function isTeeSheet(call: ClientCall): boolean {
  return nameOf(call) === 'listTeeTimes' && isSuccess(call) && answerOf(call).json !== undefined;
}

/** Whether a client asks for tee times with a call. */
export function isSearch(call: ClientCall): boolean {
  return isTeeSheet(call) || (nameOf(call) === 'searchTeeTimes' && isSuccess(call));
}

/** Whether a call asks for tee times among which that of a booking would be. */
export function couldShow(
  call: ClientCall,
  { facilityId, time }: Pick<RequestedBooking, 'facilityId' | 'time'>,
): boolean {
  if (!isSearch(call)) return false;
  const { params } = call;
  const facilities = (params['facilityId'] ?? params['facilityIds'] ?? '').split(',');
  const [from, to] = [params['bookingDate'] ?? params['fromDate'], params['bookingDate'] ?? params['toDate']];
  const isThere = Number.isNaN(facilityId) || facilities.some((one) => Number(one) === facilityId);
  return isThere && isWithin(time?.slice(0, 10), dayOf(from), dayOf(to));
}

function ofCall(call: ClientCall): Offer[] {
  if (!isTeeSheet(call)) return [];
  const { data } = answerOf(call);
  const list = isObject(data) ? (data['teeTimeV3'] ?? data['teeTimeV2']) : data;
  return listOf(list).map((item) => offerOf(item, Number(call.params['facilityId']), call.path, { id: call.id }));
}

function ofDelivery(delivery: ClientDelivery): Offer[] {
  const seenIn = { id: delivery.id };
  return (resultsOf(delivery) ?? []).flatMap(({ facilityId, teeTimeV3 }) =>
    listOf(teeTimeV3).map((item) => offerOf(item, numberOf(facilityId) ?? NaN, undefined, seenIn)),
  );
}

/** The elements of the result of a search; undefined if it is no JSON. */
export const resultsOf = readOnce(({ body }: ClientDelivery) => {
  const { json, data } = readBody(200, body);
  return json === undefined ? undefined : listOf(data);
});

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function offerOf(
  item: Readonly<Record<string, unknown>>,
  facilityId: number,
  path: string | undefined,
  seenIn: Exhibit,
): Offer {
  const course = item['course'] ?? item['round'];
  return {
    facilityId,
    teeId: numberOf(item['teeid'] ?? item['id']) ?? NaN,
    time: timeOf(item['time']),
    course: typeof course === 'string' ? course : undefined,
    holes: numberOf(item['holes']),
    products: Array.isArray(item['products']) ? listOf(item['products']).map(productOf) : undefined,
    steps: listOf(item['pricing']).map(({ players, price }) => ({
      players: numberOf(players),
      netRate: amountOf(price),
    })),
    extras: new Map(
      listOf(item['extraProducts']).map(({ mid, netRate }) => [numberOf(mid) ?? NaN, amountOf(netRate) ?? NaN]),
    ),
    path,
    seenIn,
  };
}

function productOf({ mid, available, pricing }: Readonly<Record<string, unknown>>): OfferedProduct {
  const steps = listOf(pricing).map(({ quantity, netRate }) => ({
    players: numberOf(quantity),
    netRate: amountOf(netRate),
  }));
  return { mid: numberOf(mid) ?? NaN, available: numberOf(available), steps };
}

function amountOf(money: unknown): number | undefined {
  return isObject(money) ? numberOf(money['amount']) : undefined;
}

const MAX_TEE_TIMES = 10_000;
const MAX_PATHS = 1000;
const MAX_REREADS = 50;
/** The answers about a tee time that are kept, the newest last. */
const MAX_ANSWERS = 4;

/** A tee sheet that was read before, and now again. */
interface Reread {
  readonly turn: number;
  readonly end: number;
  readonly test: string;
  readonly path: string;
  readonly offers: readonly Offer[];
  readonly seenIn: Exhibit;
}

/** The tee times that a client has seen in a session, as far as it is kept. */
export class OfferBook {
  readonly #offers = new Map<string, readonly Offer[]>();
  readonly #paths = new Map<string, true>();
  #contact: string | undefined;
  #contacts = 0;
  /** What has been read anew since the last call of another kind, by path. */
  readonly #rereads = new Map<string, Reread>();
  /** Whether it may have seen tee times that are not known here. */
  hasGaps = false;

  /** Takes what a call shows. Calls that book are passed here after they were checked. */
  call(call: ClientCall): void {
    const name = nameOf(call);
    if (name === 'refreshToken') return;
    if (name !== 'listTeeTimes') this.#rereads.clear();
    if (name === 'listTeeTimes' && isSuccess(call) && call.responseBody === undefined) this.hasGaps = true;
    if (call.operation === undefined && isSuccess(call)) this.hasGaps = true;
    if (!isTeeSheet(call)) return;
    const offers = offersOf(call);
    const { test, path, turn } = call;
    if (test !== undefined) {
      const key = `${test}\n${path}`;
      const end = call.answeredAt ?? call.at;
      const reread = { turn, end, test, path, offers, seenIn: { id: call.id } };
      if (this.#paths.has(key)) keepNewest(this.#rereads, key, reread, MAX_REREADS);
      keepNewest(this.#paths, key, true, MAX_PATHS);
    }
    this.#keep(offers);
  }

  delivery(delivery: ClientDelivery): void {
    this.#keep(offersOf(delivery));
  }

  /** The contacts of bookings tell whether a test acts for several customers at a time. */
  customer(contact: string | undefined): void {
    if (contact === undefined || contact === this.#contact) return;
    this.#contact = contact;
    this.#contacts += 1;
  }

  /** The answers about a tee time, the newest last. */
  of(facilityId: number, teeId: number): readonly Offer[] {
    return this.#offers.get(`${facilityId}/${teeId}`) ?? [];
  }

  /**
   * The answer that a booking must follow: its test has read the same tee sheet anew, and books right after its reads.
   * Where tests are not told apart, another one may have read it; and so for another customer of several.
   */
  reread(call: ClientCall, offers: readonly Offer[]): Reread | undefined {
    if (this.#contacts > 1) return undefined;
    return [...this.#rereads.values()]
      .reverse()
      .find((one) => one.test === call.test && knewOf(call, one) && offers.some(({ path }) => path === one.path));
  }

  #keep(offers: readonly Offer[]): void {
    for (const offer of offers) {
      const key = `${offer.facilityId}/${offer.teeId}`;
      const answers = [...(this.#offers.get(key) ?? []), offer].slice(-MAX_ANSWERS);
      if (keepNewest(this.#offers, key, answers, MAX_TEE_TIMES)) this.hasGaps = true;
    }
  }
}
