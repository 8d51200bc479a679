import type { OperationId } from '../generated/operations.js';
import { type Day, dayAt } from './day.js';
import type { Caller, Exchange, Reply } from './exchange.js';
import { Inconclusive, withoutLeave } from './outcome.js';
import type { Address, CallbackReceiver, Delivery, ReceiverAnswer } from './receiver.js';
import { type Call, keyOf, type Param } from './request.js';
import type { Transport } from './transport.js';
import type { Host, Litter } from './types.js';

type Params = Readonly<Record<string, Param>>;

/** The result of a search as it arrived, read. */
export interface ReceivedResult extends Delivery {
  readonly id: string;
  readonly json: unknown;
}

interface Kept {
  readonly inner: Session;
  readonly value: Promise<unknown>;
}

/** What all rules of a run share. */
export interface Run {
  readonly transport: Transport;
  readonly host: Host;
  readonly runId: string;
  readonly receiver: CallbackReceiver | undefined;
  /** Milliseconds that a callback may take before a rule gives up on it. */
  readonly callbackTimeout: number;
  /** Milliseconds that a deployment is given for what it does late, such as a retry; 0 unless time was given. */
  readonly patience: number;
  /** Whether the answers come from a recording: then there are no others. */
  readonly recorded: boolean;
  readonly onExchange: (exchange: Exchange) => void;
  /** Every delivery so far; the answers are with the transport. */
  readonly results: ReceivedResult[];
  readonly memo: Map<string, Kept>;
  /** Bookings found that no answer told of. */
  readonly found: Litter[];
}

/**
 * How one rule talks to the deployment. Each rule has a session of its own, which notes the exchanges that the rule
 * looked at; what they fetch is shared over the run, so that the same thing is fetched once.
 *
 * Longer ways, such as "a booking and the lists after it", are functions in `journeys/` that take a session.
 */
export class Session {
  /** Ids of the exchanges that were looked at, in order. */
  readonly exchanges = new Set<string>();

  constructor(readonly run: Run) {}

  /** Sends a request anew, whatever was sent before. For probes; reading is better done by {@link read}. */
  async send(call: Call): Promise<Reply> {
    const reply = await this.run.transport.send(call);
    this.exchanges.add(reply.id);
    return reply;
  }

  /** The answer to a read of the contract, fetched once in a run. */
  async read(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<Reply> {
    const call = { operation, params, as };
    return this.once(keyOf(call), (session) => session.send(call));
  }

  /**
   * The payload of a read that succeeds.
   *
   * @throws {Inconclusive} `precondition` when it does not.
   */
  async data(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<unknown> {
    return payloadOf(await this.read(operation, params, as));
  }

  /** The payload of a read that succeeds with a list. */
  async list<T>(operation: OperationId, params: Params = {}, as: Caller = 'first'): Promise<readonly T[]> {
    return listOf<T>(await this.read(operation, params, as), (data) => data);
  }

  /** Does something once in a run and shares its outcome, with the exchanges it rests on; also a failure. */
  async once<T>(key: string, make: (session: Session) => Promise<T>): Promise<T> {
    let kept = this.run.memo.get(key);
    if (!kept) {
      const inner = new Session(this.run);
      kept = { inner, value: make(inner) };
      this.run.memo.set(key, kept);
    }
    try {
      return (await kept.value) as T;
    } finally {
      for (const id of kept.inner.exchanges) this.exchanges.add(id);
    }
  }

  /** A new address for the result of a search. */
  async callbackAddress(answer?: ReceiverAnswer): Promise<Address> {
    const { receiver, transport } = this.run;
    if (!transport.allows('callbacks')) throw withoutLeave('callbacks');
    if (!receiver) throw new Inconclusive('not-given', 'an address for callbacks (--callback-url)');
    return receiver.address(answer);
  }

  /** Takes a delivery into the evidence. */
  received(delivery: Delivery): ReceivedResult {
    const { results, transport, onExchange } = this.run;
    const { method, url, headers, text, at } = delivery;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    const result = { ...delivery, id: `c${results.length + 1}`, json };
    results.push(result);
    this.exchanges.add(result.id);
    onExchange({
      id: result.id,
      caller: 'deployment',
      startedAt: new Date(at).toISOString(),
      durationMs: 0,
      request: {
        method,
        url: transport.masker.text(url),
        headers: transport.masker.headers(headers),
        body: transport.masker.text(text),
      },
    });
    return result;
  }

  /** Whether there is a second channel. */
  get hasSecond(): boolean {
    return this.run.transport.channels.second !== undefined;
  }

  /** A day so many days from now. */
  day(days: number): Day {
    return dayAt(this.run.host.now(), days);
  }

  /** So far back that a list from there has past bookings too: all that the rules compare with. */
  get longAgo(): Day {
    return this.day(-200);
  }

  /** A UUID that nobody has issued. */
  uuid(): string {
    const hex = (): string => Math.floor(this.run.host.random() * 16).toString(16);
    return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', hex);
  }
}

/**
 * The payload of an answer.
 *
 * @throws {Inconclusive} `precondition` when the answer reports no success.
 */
export function payloadOf(reply: Reply): unknown {
  if (!reply.ok)
    throw new Inconclusive('precondition', `a successful answer to ${reply.what} (it was ${reply.status})`);
  return reply.data;
}

/** A list in the payload of an answer, found by `pick`. */
export function listOf<T>(reply: Reply, pick: (data: never) => unknown): readonly T[] {
  const data = payloadOf(reply);
  const list = pick((data ?? {}) as never);
  if (!Array.isArray(list)) throw new Inconclusive('precondition', `a list in the answer to ${reply.what}`);
  return list as T[];
}
