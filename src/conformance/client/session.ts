import { JsonMeter } from '../../common/index.js';
import { type OperationId, type OperationName, readBody } from '../../contract/index.js';
import { type Day, dayAt, LONG_AGO } from './day.js';
import type { Caller, Exchange, Reply } from './exchange.js';
import { type Creation, creations } from './operations.js';
import { Inconclusive, Refused, SuiteError, withoutPermission } from './outcome.js';
import type { CallbackAddress, CallbackReceiver, Delivery, ReceiverAnswer } from './receiver.js';
import { sentBody } from './recording.js';
import { type OperationCall, type RequestCall, keyOf, type Param } from './request.js';
import type { Transport } from './transport.js';
import type { Host } from './types.js';

type Params = Readonly<Record<string, Param>>;

/** The result of a search as it arrived, read. */
export interface ReceivedResult extends Delivery {
  readonly id: string;
  readonly json: unknown;
}

/** Who keeps something in a run; two owners are never the same, whatever their names are. */
export interface Owner {
  readonly name: string;
}

interface SharedValue {
  /** The session it is made with: it holds the exchanges that the value rests on. */
  readonly inner: Session;
  value: Promise<unknown> | undefined;
}

/** What a run has made so far, by its owner and then by key. */
export type Memo = Map<Owner, Map<unknown, SharedValue>>;

const reads: Owner = { name: 'reads' };

/** What all rules of a run share. */
export interface Run {
  readonly transport: Transport;
  readonly host: Host;
  readonly runId: string;
  readonly receiver: CallbackReceiver | undefined;
  /** Milliseconds that a rule waits for a callback. */
  readonly callbackTimeout: number;
  /** Milliseconds that a rule waits for late work such as a retry; 0 by default. */
  readonly patience: number;
  /** Milliseconds in which a list or a tee sheet may follow a write. */
  readonly settle: number;
  /** Whether the answers come from a recording: then there are no others. */
  readonly recorded: boolean;
  /** Whether the recording is that of a run: it tells whose credentials each request had, and has what was asked again. */
  readonly ofRun?: boolean;
  readonly onExchange: (exchange: Exchange) => void;
  /** Every delivery that was looked into; the answers are with the transport. */
  readonly results: ReceivedResult[];
  /** The names of the deliveries so far, and their number. */
  readonly noted: { readonly names: WeakMap<Delivery, string>; count: number };
  readonly memo: Memo;
  /** How many independent reads a scout does at a time; a run does one after another. */
  readonly width?: number;
}

/** What a run has collected when it begins. */
export const nothingYet = (): Pick<Run, 'results' | 'noted' | 'memo'> => ({
  results: [],
  noted: { names: new WeakMap(), count: 0 },
  memo: new Map(),
});

/**
 * How one rule talks to the deployment. Each rule has a session of its own, which notes the exchanges that the rule
 * looked at; what they fetch is shared over the run, so that the same thing is fetched once.
 *
 * Longer ways, such as "a booking and the lists after it", are functions in `journeys/` that take a session.
 */
export class Session {
  /** Ids of the exchanges that were looked at, in order. */
  readonly exchanges = new Set<string>();

  readonly #outer: Session | undefined;

  /** @param outer The session that asked for what this one makes. */
  constructor(
    readonly run: Run,
    outer?: Session,
  ) {
    this.#outer = outer;
  }

  /** Sends a request, also if the same one was sent before. For probes; use {@link read} to read. */
  async send(call: RequestCall): Promise<Reply> {
    const reply = await this.run.transport.send(call);
    this.exchanges.add(reply.id);
    return reply;
  }

  /** The newest answer to a read since another answer; sent again if something was written in between. */
  async latest(call: OperationCall, since: Pick<Reply, 'id'>): Promise<Reply> {
    const reply = await this.run.transport.latest(call, since);
    this.exchanges.add(reply.id);
    return reply;
  }

  /** The answer to a read of the contract: fetched once in a run, and kept by the request. */
  async read(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<Reply> {
    const call = { operation, params, as };
    return this.share(reads, keyOf(call), async (session) => {
      const reply = await this.run.transport.sendFirst(call);
      session.exchanges.add(reply.id);
      return reply;
    });
  }

  /**
   * The payload of a read that succeeds.
   *
   * @throws {Refused} when it does not.
   */
  async data(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<unknown> {
    return payloadOf(await this.read(operation, params, as));
  }

  /** The payload of a read that succeeds with a list. */
  async list<T>(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<readonly T[]> {
    return listOf<T>(await this.read(operation, params, as), (data) => data);
  }

  /**
   * Makes a value once in a run, for an owner and a key, and keeps its outcome; also a failure. Each session that uses
   * the value gets the exchanges that it rests on. Journeys and rules do not call this: they declare a resource
   * (`resource.ts`), which is an owner of its own.
   *
   * @throws {SuiteError} when the value is needed to make itself.
   */
  async share<T>(owner: Owner, key: unknown, make: (session: Session) => Promise<T>): Promise<T> {
    const { memo } = this.run;
    const values = memo.get(owner) ?? new Map<unknown, SharedValue>();
    memo.set(owner, values);
    let shared = values.get(key);
    if (shared && this.#isWithin(shared.inner)) throw new SuiteError(`The ${owner.name} is made from itself.`);
    if (!shared) {
      const inner = new Session(this.run, this);
      shared = { inner, value: undefined };
      values.set(key, shared);
      shared.value = make(inner);
    }
    try {
      return (await shared.value) as T;
    } finally {
      for (const id of shared.inner.exchanges) this.exchanges.add(id);
    }
  }

  /** Does independent pieces of work in their order: one after another, or as many at a time as the run has {@link Run.width}. */
  async inTurn<T>(pieces: readonly (() => Promise<T>)[]): Promise<T[]> {
    const done: T[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let at = next; at < pieces.length; at = next) {
        next += 1;
        done[at] = await pieces[at]!();
      }
    };
    await Promise.all(Array.from({ length: this.run.width ?? 1 }, lane));
    return done;
  }

  /** Whether this session makes something for another one, however indirectly. */
  #isWithin(other: Session): boolean {
    return this === other || (this.#outer !== undefined && this.#outer.#isWithin(other));
  }

  /** A new address for the result of a search, with a segment of its path if that is given. */
  async callbackAddress(answer?: ReceiverAnswer, folder?: string): Promise<CallbackAddress> {
    const { receiver, transport } = this.run;
    if (!transport.allows('callbacks')) throw withoutPermission('callbacks');
    if (!receiver) throw new Inconclusive('not-given', 'a callback address (callback-url)');
    const address = await receiver.address(answer, folder);
    const note = (): readonly Delivery[] => {
      for (const delivery of address.deliveries) if (!('json' in delivery)) this.#noted(delivery);
      return address.deliveries;
    };
    return {
      url: address.url,
      get deliveries() {
        return note();
      },
      wait: (count, milliseconds) => address.wait(count, milliseconds).finally(note),
      hungUp: (milliseconds) => address.hungUp(milliseconds).finally(note),
    };
  }

  /** Takes a delivery into the evidence. One of a recording was taken before. */
  received(delivery: Delivery | ReceivedResult, id?: string): ReceivedResult {
    const { results, transport } = this.run;
    if ('json' in delivery) {
      this.exchanges.add(delivery.id);
      return delivery;
    }
    const refusal = transport.evidence.take(new JsonMeter().addText(delivery.text));
    if (refusal?.reason === 'evidence') throw transport.evidence.error;
    const failure = delivery.failure ?? refusal?.why;
    const json = failure === undefined ? readBody(200, delivery.text).json : undefined;
    const result = { ...delivery, id: this.#noted(delivery, id, failure), json };
    results.push(result);
    this.exchanges.add(result.id);
    return result;
  }

  /** Records a delivery once, whether a rule looks into it or only counts it. */
  #noted(delivery: Delivery, id?: string, failure = delivery.failure): string {
    const { noted, transport, onExchange } = this.run;
    const before = noted.names.get(delivery);
    if (before !== undefined) return before;
    const { method, url, headers, text, at } = delivery;
    noted.count += 1;
    const name = id ?? `c${noted.count}`;
    noted.names.set(delivery, name);
    onExchange({
      id: name,
      caller: 'deployment',
      startedAt: new Date(at).toISOString(),
      durationMs: 0,
      request: {
        method,
        url: transport.masker.text(url),
        headers: transport.masker.headers(headers),
        ...sentBody(transport.masker, text),
      },
      ...(failure === undefined ? {} : { failure }),
    });
    return name;
  }

  /** Whether there is a second channel. */
  get hasSecond(): boolean {
    return this.run.transport.channels.second !== undefined;
  }

  /** The versions of an operation that the deployment is said to have. */
  served<N extends OperationName, V extends string>(name: N, versions: readonly V[]): readonly V[] {
    return versions.filter((version) => this.run.transport.scope.has(`${version}.${name}`));
  }

  /** @throws {Inconclusive} `out-of-scope` unless one of the operations is in scope in two versions. */
  needsTwoOf(...names: readonly OperationName[]): void {
    const { scope } = this.run.transport;
    if (names.some((name) => scope.versionsOf(name).length > 1)) return;
    throw new Inconclusive('out-of-scope', `two versions of ${names.join(' or ')}`);
  }

  /** The operations that create bookings, of some forms, that the deployment is said to have; oldest first. */
  creations(...forms: readonly Creation['form'][]): readonly Creation[] {
    return creations.filter(({ form, operation }) => forms.includes(form) && this.run.transport.scope.has(operation));
  }

  /** The present time of the deployment in epoch milliseconds, as far as it is known. */
  get now(): number {
    return this.run.host.now() + (this.run.transport.clock?.ahead ?? 0);
  }

  /** A day so many days from now. */
  day(days: number): Day {
    return dayAt(this.now, days);
  }

  /** So far back that a list from there has past bookings too: all that the rules compare with. */
  get longAgo(): Day {
    return this.day(LONG_AGO);
  }

  /** A UUID that nobody has issued. */
  uuid(): string {
    const hex = (): string => Math.floor(this.run.host.random() * 16).toString(16);
    return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', hex);
  }
}

/** Id of the last exchange of an operation, with some parameters, whoever asked. */
export function lastOf({ run }: Session, operation: OperationId, params: Params = {}): string | undefined {
  const fits = ([name, value]: [string, unknown], asked: Reply['asked']): boolean => asked?.params[name] === value;
  const wanted = Object.entries(params);
  const isOne = (reply: Reply): boolean =>
    reply.operation === operation && wanted.every((entry) => fits(entry, reply.asked));
  return run.transport.replies.findLast(isOne)?.id;
}

/**
 * The payload of an answer.
 *
 * @throws {Refused} when the answer reports no success.
 */
export function payloadOf(reply: Reply): unknown {
  if (!reply.ok) throw new Refused(reply);
  return reply.data;
}

/** A list in the payload of an answer, found by `pick`. */
export function listOf<T>(reply: Reply, pick: (data: never) => unknown): readonly T[] {
  const data = payloadOf(reply);
  const list = pick((data ?? {}) as never);
  if (!Array.isArray(list)) throw new Inconclusive('precondition', `a list in the answer to ${reply.what}`);
  return list as T[];
}
