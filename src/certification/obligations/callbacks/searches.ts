import { keepNewest } from '../bounded.js';
import { dayOf, isWithin } from '../days.js';
import { isTeeSheet, resultsOf } from '../bookings/offers.js';
import { numberOf } from '../bookings/requested-bookings.js';
import type { Exhibit } from '../obligation.js';
import { isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';

/** What is unusual about the result of a search. */
export type Trait = 'late' | 'repeated' | 'out-of-order' | 'partial' | 'empty';

/** A search for which a result is due. */
export interface OpenSearch extends Exhibit {
  readonly turn: number;
  readonly facilityIds: readonly number[];
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The scenario by which no result will come. */
  readonly isLost: boolean;
  results: number;
}

/** The result of a search with what is unusual about it. */
export interface TraitedDelivery {
  readonly delivery: ClientDelivery;
  readonly traits: ReadonlySet<Trait>;
  /** Whether it is JSON. */
  readonly isReadable: boolean;
  readonly search: OpenSearch | undefined;
  /** Requested facilities that it lacks: all of them, if it cannot be read. */
  readonly missing: readonly number[];
}

const MAX_SEARCHES = 500;

const byScenario: Readonly<Record<string, Trait>> = {
  'callback-late': 'late',
  'callback-duplicate': 'repeated',
  'callback-out-of-order': 'out-of-order',
  'callback-before-response': 'out-of-order',
  'callback-partial': 'partial',
};

/** The searches of a session and their results. */
export class Searches {
  readonly #searches = new Map<string, OpenSearch>();
  #latest = -1;

  /** Takes a call; returns the search that it is. */
  call(call: ClientCall): OpenSearch | undefined {
    if (nameOf(call) !== 'searchTeeTimes' || !isSuccess(call)) return undefined;
    const { id, turn, params, struck } = call;
    const [from, to] = [dayOf(params['fromDate']), dayOf(params['toDate'])];
    const isLost = struck?.scenario === 'callback-never';
    const search = { id, turn, facilityIds: facilitiesOf(call), from, to, isLost, results: 0 };
    keepNewest(this.#searches, call.id, search, MAX_SEARCHES);
    return search;
  }

  delivery(delivery: ClientDelivery): TraitedDelivery {
    const search = this.#searches.get(delivery.search ?? '');
    const traits = new Set<Trait>();
    const given = byScenario[delivery.struck?.scenario ?? ''];
    // The first of two posts is the usual one.
    if (given && given !== 'repeated') traits.add(given);
    if (search && search.results > 0) traits.add('repeated');
    if (search && search.turn < this.#latest) traits.add('out-of-order');
    if (search && delivery.status >= 200 && delivery.status < 300) {
      search.results += 1;
      this.#latest = Math.max(this.#latest, search.turn);
    }
    const read = resultsOf(delivery);
    const isReadable = read !== undefined;
    const results = read ?? [];
    if (isReadable && results.every(({ teeTimeV3 }) => !Array.isArray(teeTimeV3) || teeTimeV3.length === 0)) {
      traits.add('empty');
    }
    const got = new Set(results.map(({ facilityId }) => numberOf(facilityId)));
    // A deployment may leave out a facility that it does not know; the scenario leaves out one that it does.
    const isIncomplete = traits.has('partial') || !isReadable;
    const missing = isIncomplete ? (search?.facilityIds ?? []).filter((id) => !got.has(id)) : [];
    return { delivery, traits, isReadable, search, missing };
  }
}

/** The facilities that a search names. */
function facilitiesOf({ params }: ClientCall): readonly number[] {
  return (params['facilityIds'] ?? '').split(',').map(Number);
}

/** The facilities of a search whose tee times a later call asks for again, on one of its days. */
export function askedAgain(call: ClientCall, search: OpenSearch): readonly number[] {
  if (call.turn <= search.turn) return [];
  const { params } = call;
  if (isTeeSheet(call)) {
    const isSameDay = isWithin(dayOf(params['bookingDate']), search.from, search.to);
    return isSameDay ? search.facilityIds.filter((id) => id === Number(params['facilityId'])) : [];
  }
  if (nameOf(call) !== 'searchTeeTimes') return [];
  const [from, to] = [dayOf(params['fromDate']), dayOf(params['toDate'])];
  const overlaps = isWithin(search.from, undefined, to) && isWithin(search.to, from, undefined);
  const again = facilitiesOf(call);
  return overlaps ? search.facilityIds.filter((id) => again.includes(id)) : [];
}
