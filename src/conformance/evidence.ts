import type { OperationName } from '../generated/operations.js';
import type { RuleId } from '../generated/rule-basis.js';
import { Contract } from './contract.js';
import { type FieldFault, type Judged, judgeAnswer, type Origin } from './fields.js';
import { booking, bookings, group, type ListVersion } from './journeys/bookings.js';
import { facility, place } from './journeys/places.js';
import { search } from './journeys/searches.js';
import { courseQuery, prices, teeSheet, teeTimes } from './journeys/tee-sheets.js';
import { Inconclusive, NotAllowed, withoutLeave } from './outcome.js';
import { MASK } from './mask.js';
import { operationOf } from './request.js';
import type { Run, Session } from './session.js';
import type { UnknownProperty } from './types.js';

/** What all answers of a run say about one rule of their form. */
export interface FormOf {
  readonly seen: number;
  /** Ids of the exchanges that have the field. */
  readonly exchanges: readonly string[];
  readonly faults: readonly (FieldFault & { readonly exchange: string })[];
}

interface Entry {
  readonly id: string;
  readonly origin: Origin;
  readonly judged: Judged;
}

/** Judges the form of every answer of a run, each once. */
export class Evidence {
  readonly #contract = new Contract();
  readonly #entries = new Map<string, Entry>();

  constructor(readonly run: Run) {}

  /** What is known about a rule by now. */
  of(rule: RuleId): FormOf {
    this.#judge();
    const entries = [...this.#entries.values()];
    const withField = entries.filter(({ judged }) => judged.seen.has(rule));
    const seen = withField.reduce((sum, { judged }) => sum + judged.seen.get(rule)!, 0);
    const faults = entries.flatMap(({ id, judged }) =>
      judged.faults.filter((fault) => fault.rule === rule).map((fault) => ({ ...fault, exchange: id })),
    );
    return { seen, exchanges: withField.map(({ id }) => id), faults };
  }

  /** Ids of the answers of an operation, or of the deliveries. */
  answersOf(origin: Origin): readonly string[] {
    this.#judge();
    return [...this.#entries.values()].filter((entry) => entry.origin === origin).map(({ id }) => id);
  }

  /** The first exchange of some whose form is wrong, for rules that stumble over it. */
  brokenAmong(ids: Iterable<string>): { readonly exchange: string; readonly fault: FieldFault } | undefined {
    this.#judge();
    for (const id of ids) {
      const fault = this.#entries.get(id)?.judged.faults[0];
      if (fault) return { exchange: id, fault };
    }
    return undefined;
  }

  /** Properties that the contract does not know, each place once. */
  unknown(): UnknownProperty[] {
    this.#judge();
    const places = new Map<string, UnknownProperty>();
    for (const { id, origin, judged } of this.#entries.values()) {
      for (const place of judged.unknown) {
        if (!places.has(place)) places.set(place, { place, operation: origin, exchange: id });
      }
    }
    return [...places.values()];
  }

  #judge(): void {
    const { transport, results } = this.run;
    for (const { id, operation, ok, json, probe } of transport.replies) {
      if (!operation || !ok || probe || this.#entries.has(id)) continue;
      this.#entries.set(id, { id, origin: operation, judged: this.#judged(operation, json) });
    }
    for (const { id, json } of results) {
      if (this.#entries.has(id)) continue;
      this.#entries.set(id, { id, origin: 'callback', judged: this.#judged('callback', json) });
    }
  }

  #judged(origin: Origin, json: unknown): Judged {
    const judged = judgeAnswer(this.#contract, origin, json);
    if (!this.run.recorded) return judged;
    // What the recorder masked has another form than what was sent.
    return {
      ...judged,
      faults: judged.faults.filter(({ value }) => !(typeof value === 'string' && value.includes(MASK))),
    };
  }
}

type Gather = (session: Session, version: never) => Promise<unknown>;

/** How an answer of each operation is come by, with leave for it. Payments are gathered by their own rules alone. */
const gatherers: Readonly<Partial<Record<OperationName, Gather>>> = {
  refreshToken: (session) => session.once('login', () => session.run.transport.channels.first.headers('bearer')),
  listCountries: (session, version: 'v2' | 'v3') => session.data(`${version}.listCountries`),
  listFacilities: async (session, version: ListVersion) => {
    const { country } = await place(session);
    return session.data(`${version as 'v1'}.listFacilities`, { country, connected: true });
  },
  findFacility: async (session, version: 'v3') =>
    session.data(`${version}.findFacility`, { facilityId: (await facility(session)).id }),
  facilityDetails: async (session, version: 'v3') =>
    session.data(`${version}.facilityDetails`, { facilityId: (await facility(session)).id }),
  listTeeTimes: async (session, version: 'v4' | 'v5') => {
    const { facilityId, day, holes } = await teeSheet(session);
    const query = version === 'v5' ? await courseQuery(session) : { facilityId, day, holes };
    return teeTimes(session, version, query);
  },
  listPrices: (session) => prices(session),
  listBookings: (session, version: ListVersion) => bookings(session, version, { from: session.longAgo }),
  createBooking: async (session, version: 'v2' | 'v5') => {
    await booking(session, version);
    if (version === 'v5') await group(session, 'v5');
  },
  createBulkBooking: (session) => booking(session, 'v3'),
  searchTeeTimes: (session) => search(session),
};

/** Sees to it that there is an answer of this kind, if the run may and can. */
export async function gather(session: Session, origin: Origin): Promise<Inconclusive | NotAllowed | undefined> {
  const { name, version } =
    origin === 'callback' ? { name: 'searchTeeTimes' as const, version: 'v5' } : operationOf(origin);
  if (session.run.recorded) {
    const what = origin === 'callback' ? 'result of a search' : `answer of ${name}`;
    return new Inconclusive('no-data', `a recorded ${what}`);
  }
  const gatherer = gatherers[name as OperationName];
  if (!gatherer && !session.run.transport.allows('payments')) return withoutLeave('payments');
  try {
    await gatherer?.(session, version as never);
    return undefined;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NotAllowed) return error;
    throw error;
  }
}
