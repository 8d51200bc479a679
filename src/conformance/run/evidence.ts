import { type OperationName, type RuleId, type Version, operationOf } from '../../contract/index.js';
import { Contract } from '../client/contract.js';
import { type FieldFault, type CheckedFields, checkAnswer, type Origin, operationOfOrigin } from './fields.js';
import { booking, group } from '../journeys/bookings.js';
import { bookingWithDetails } from '../journeys/booking-variants.js';
import { bookings } from '../journeys/booking-lists.js';
import { search } from '../journeys/searches.js';
import { readCall, type ReadName } from '../journeys/read-calls.js';
import { prices } from '../journeys/tee-sheets.js';
import { Inconclusive, NotAllowed, withoutPermission } from '../client/outcome.js';
import { MASK } from '../../common/index.js';
import { type Creation, creations, type VersionOf } from '../client/operations.js';
import { resource } from '../client/resource.js';
import type { Run, Session } from '../client/session.js';
import type { UnknownProperty } from '../client/types.js';

/** The evidence for one rule about the form of answers. */
export interface FormOf {
  readonly seen: number;
  /** Ids of the exchanges that have the field. */
  readonly exchanges: readonly string[];
  /** The first fault of each answer that has one. */
  readonly faults: readonly (FieldFault & { readonly exchange: string; readonly origin: Origin })[];
  /** All faults. */
  readonly times: number;
}

interface Entry {
  readonly id: string;
  readonly origin: Origin;
  readonly checked: CheckedFields;
}

/** Checks the form of every answer of a run, each once. */
export class Evidence {
  readonly #contract = new Contract();
  readonly #entries = new Map<string, Entry>();
  /** By the body of the answer, which several may share, and its origin. */
  readonly #known = new WeakMap<object, Map<Origin, CheckedFields>>();

  constructor(readonly run: Run) {}

  /** The evidence for a rule so far. */
  of(rule: RuleId): FormOf {
    this.#check();
    const entries = [...this.#entries.values()];
    const withField = entries.filter(({ checked }) => checked.seen.has(rule));
    const seen = withField.reduce((sum, { checked }) => sum + checked.seen.get(rule)!, 0);
    const broken = entries.filter(({ checked }) => checked.faults.has(rule));
    const faults = broken.map(({ id, origin, checked }) => ({
      ...checked.faults.get(rule)!.first,
      exchange: id,
      origin,
    }));
    const times = broken.reduce((sum, { checked }) => sum + checked.faults.get(rule)!.times, 0);
    return { seen, exchanges: withField.map(({ id }) => id), faults, times };
  }

  /** Lets go of some exchanges. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#entries.delete(id);
  }

  /** Ids of the answers of an operation, or of the deliveries. */
  answersOf(origin: Origin): readonly string[] {
    this.#check();
    return [...this.#entries.values()].filter((entry) => entry.origin === origin).map(({ id }) => id);
  }

  /** Ids of the answers that have one of some objects, by their positions in the contract. */
  answersWith(positions: ReadonlySet<string>): readonly string[] {
    this.#check();
    const has = ({ checked }: Entry): boolean => [...positions].some((position) => checked.objects.has(position));
    return [...this.#entries.values()].filter(has).map(({ id }) => id);
  }

  /** The first of some exchanges whose form is wrong, for rules that depend on it. */
  brokenAmong(ids: Iterable<string>): { readonly exchange: string; readonly fault: FieldFault } | undefined {
    this.#check();
    for (const id of ids) {
      const [fault] = this.#entries.get(id)?.checked.faults.values() ?? [];
      if (fault) return { exchange: id, fault: fault.first };
    }
    return undefined;
  }

  /** Properties that are not in the contract, each position listed once. */
  unknown(): UnknownProperty[] {
    this.#check();
    const found = new Map<string, UnknownProperty>();
    for (const { id, origin, checked } of this.#entries.values()) {
      for (const place of checked.unknown) {
        if (!found.has(place)) found.set(place, { place, operation: origin, exchange: id });
      }
    }
    return [...found.values()];
  }

  #check(): void {
    const { transport, results } = this.run;
    for (const { id, operation, ok, json, probe } of transport.replies) {
      if (!operation || !ok || probe || this.#entries.has(id)) continue;
      this.#entries.set(id, this.#entryOf(id, operation, json));
    }
    for (const { id, json } of results) {
      if (this.#entries.has(id)) continue;
      this.#entries.set(id, this.#entryOf(id, 'callback', json));
    }
  }

  #entryOf(id: string, origin: Origin, json: unknown): Entry {
    // Masked values do not have the form of the original ones.
    const counts = ({ value }: FieldFault): boolean =>
      !(this.run.recorded && typeof value === 'string' && value.includes(MASK));
    const key = typeof json === 'object' && json !== null ? json : {};
    const known = this.#known.get(key) ?? new Map<Origin, CheckedFields>();
    const checked = known.get(origin) ?? checkAnswer(this.#contract, origin, json, counts);
    this.#known.set(key, known.set(origin, checked));
    return { id, origin, checked };
  }
}

type Gather<N extends OperationName> = (session: Session, version: VersionOf<N>) => Promise<unknown>;

const creationIn = (name: 'createBooking' | 'createBulkBooking', version: string): Creation =>
  creations.find(({ operation }) => operation === `${version}.${name}`)!;

const login = resource('login', ({ run }) => run.transport.channels.first.headers('bearer'));

/** Payments are confirmed only by their own rules. */
const byItsRules = async ({ run }: Session): Promise<void> => {
  if (!run.transport.allows('payments')) throw withoutPermission('payments');
};

/** How the run gets an answer of each operation that does more than read, or that reads in a way of its own. */
const gatherers = {
  refreshToken: (session) => login(session),
  listPrices: (session) => prices(session),
  listBookings: (session, version) => bookings(session, version, { from: session.longAgo }),
  createBooking: async (session, version) => {
    const creation = creationIn('createBooking', version);
    await booking(session, creation);
    if (creation.form !== 'product') return;
    await group(session, creation);
    await bookingWithDetails(session);
  },
  createBulkBooking: (session, version) => booking(session, creationIn('createBulkBooking', version)),
  searchTeeTimes: (session) => search(session),
  confirmPayment: byItsRules,
  confirmBulkPayment: byItsRules,
} satisfies { readonly [N in Exclude<OperationName, ReadName>]: Gather<N> } & { readonly [N in ReadName]?: Gather<N> };

/** Gets an answer by the gatherer of the operation, or by the call that `read-calls.ts` has for it. */
async function gatherOnce(session: Session, name: OperationName, version: Version): Promise<unknown> {
  if (name in gatherers) return gatherers[name as keyof typeof gatherers](session, version as never);
  const { operation, params } = await readCall(session, name as ReadName, version);
  return session.data(operation, params);
}

/** Gets an answer of this kind if the run has the permission and the data for it; otherwise returns the reason. */
export async function gather(session: Session, origin: Origin): Promise<Inconclusive | NotAllowed | undefined> {
  const { name, version } = operationOf(operationOfOrigin(origin));
  if (session.run.recorded) {
    const what = origin === 'callback' ? 'result of a search' : `answer of ${name}`;
    return new Inconclusive('no-data', `a recorded ${what}`);
  }
  try {
    await gatherOnce(session, name as OperationName, version as Version);
    return undefined;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NotAllowed) return error;
    throw error;
  }
}
