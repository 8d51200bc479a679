import type { Answers, components, apiOperations as operations } from '../../../contract/index.js';
import type { Channel } from '../../model/world.js';
import type { TriggeredScenario } from '../../scenarios/triggered-scenario.js';
import type { CachedText } from '../../store/caches.js';
import type { Store } from '../../store/store.js';

/** The caller of a request, as a server sees it. */
export interface RemoteCaller {
  /** Whether it is on the machine of the server, and is no page of another site. */
  readonly isLocal: boolean;
  /** The origin at which the server reaches itself, if the URL leads to it by any name. */
  ownOrigin(url: URL): string | undefined;
  /** Why it may not have callbacks sent to a URL of this machine; `inbox` is the address of those that it may. */
  whyNot(url: URL, inbox: string): string;
  /** A text that is made as its reader takes it; `whole` is called with all of it. */
  readonly stream: (pieces: Iterable<string>, whole: ((text: string) => void) | undefined) => ReadableStream;
}

/** What the host of a sandbox says about callback addresses. */
export interface CallbackReach {
  /** Lets callbacks go to any address; for hosts whose own handlers receive them. */
  readonly anyCallbackTarget?: boolean;
  /** Without it, the caller is in the process of the sandbox. */
  readonly caller?: RemoteCaller;
}

/** Posts results to the addresses that callers name; see `callbacks/callbacks.ts`. */
export interface CallbackQueue {
  /**
   * Accepts a delivery that is posted after the response to its request. If it returns a promise, wait for it before
   * the response.
   *
   * @throws {Refusal} `callback-target` if this sandbox may not reach the address, `callback-backlog` if too many wait.
   */
  enqueue(delivery: {
    readonly url: string;
    readonly requestId: string;
    readonly channel: Channel;
    readonly reach: CallbackReach;
    /** What makes the body again in another process. */
    readonly query: ResultQuery;
    /** Makes the body in pieces, from the state at the time of delivery, for an instant in epoch milliseconds. */
    readonly body: (at: number) => Iterable<string>;
    /** The estimated number of characters of the body. */
    readonly size: number;
    /** The scenarios that apply to the delivery; called after the address is accepted. */
    readonly triggered: () => Iterable<TriggeredScenario>;
  }): Promise<void> | undefined;
}

/** The resources of a route: the state, the current dialect, the clock and the callbacks. */
export interface Engine {
  readonly store: Store;
  readonly answers: Answers;
  /** Lifetime of an access token in seconds. */
  readonly expiresIn: number;
  readonly callbacks: CallbackQueue;
  /** Epoch milliseconds. */
  now(): number;
}

/** The resources of one request: while it is answered, time does not go on. A class: an object for each costs more. */
export class EngineAt implements Engine {
  constructor(
    readonly engine: Engine,
    readonly at: number,
  ) {}

  get store(): Store {
    return this.engine.store;
  }

  get answers(): Answers {
    return this.engine.answers;
  }

  get expiresIn(): number {
    return this.engine.expiresIn;
  }

  get callbacks(): CallbackQueue {
    return this.engine.callbacks;
  }

  now(): number {
    return this.at;
  }
}

/** One request after authentication and validation. */
export interface Call<Params = unknown> {
  readonly engine: Engine;
  readonly channel: Channel;
  readonly params: Params;
  /** The parsed JSON body; undefined for operations without one. */
  readonly body: unknown;
  readonly url: string;
  readonly requestId: string;
  readonly reach: CallbackReach;
  /**
   * The scenarios that apply to the request: those that change the world first (`change`), then those that refuse it or
   * break its response (`step`). Call it only when the request can be carried out. A scenario is used up when its effect
   * is taken from the iterable.
   *
   * @param ready Throws the refusal that takes precedence over any scenario.
   */
  readonly triggered?: ((moment: 'change' | 'step', ready: () => void) => Iterable<TriggeredScenario>) | undefined;
}

/** The result of a route. `http/request-context.ts` puts it into the envelope. */
export type Answer<Data = unknown> =
  | {
      readonly data: Data;
      readonly status?: number;
      readonly message?: string;
      readonly headers?: Record<string, string>;
    }
  /** The payload as cached JSON text. */
  | { readonly json: string; readonly status?: number }
  /** The whole body from a cache, including the envelope. */
  | { readonly body: CachedText };

declare const payload: unique symbol;

/** Answers one operation. `Data` is the type of the payload, also if it is cached as text. */
export type Route<Params = never, Data = unknown> = ((call: Call<Params>) => Answer<Data> | Promise<Answer<Data>>) & {
  readonly [payload]?: Data;
};

/** From so many characters on, a host sends bytes faster than text; less goes out with the head in one piece. */
const BYTES_FROM = 4096;

/** A whole success body, as it is sent. */
export function encodeSuccess(json: string): CachedText {
  const text = `{"success":true,"data":${json}}`;
  return text.length < BYTES_FROM ? text : encoder.encode(text);
}

const encoder = new TextEncoder();

/** The shapes of the contract by name. */
export type Schemas = components['schemas'];

type Success<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

/** The payload of a successful operation: `data` in the envelope. */
export type Payload<Id extends keyof operations> = Success<operations[Id]>;

/** What the result of an asynchronous search is made from, besides the state. */
export interface ResultQuery {
  readonly facilityIds: readonly number[];
  readonly fromDate: number;
  readonly toDate: number;
  readonly players: number;
  readonly holes: number;
}
