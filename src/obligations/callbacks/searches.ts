import { keepNewest } from '../bounded.js';
import { resultsOf } from '../bookings/offers.js';
import type { Exhibit } from '../obligation.js';
import { isSuccess, nameOf } from '../operations.js';
import type { ClientCall, ClientDelivery } from '../traffic.js';

/** What is unusual about the result of a search. */
export type Trait = 'late' | 'repeated' | 'out-of-order' | 'partial' | 'empty';

/** A search for which a result is due. */
export interface OpenSearch extends Exhibit {
  readonly turn: number;
  readonly facilityIds: readonly number[];
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
  /** Requested facilities that it lacks. */
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
    const facilityIds = (call.params['facilityIds'] ?? '').split(',').map(Number);
    const isLost = call.struck?.scenario === 'callback-never';
    const search = { id: call.id, turn: call.turn, facilityIds, isLost, results: 0 };
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
    const got = new Set(results.map(({ facilityId }) => Number(facilityId)));
    // A deployment may leave out a facility that it does not know; the scenario leaves out one that it does.
    const missing = traits.has('partial') ? (search?.facilityIds ?? []).filter((id) => !got.has(id)) : [];
    return { delivery, traits, isReadable, missing };
  }
}
