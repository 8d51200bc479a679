import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Engine } from '../routes/call.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { Authenticate, HeaderReader } from './authenticate.js';
import type { Schedule } from './callbacks.js';
import type { Exchange, HeaderSource, Journal } from './journal.js';
import type { RequestStrikes } from './strikes.js';

/** What the host of a sandbox knows better or allows. */
export interface HostHints {
  /** Reads a request header without building a `Headers` object. */
  readonly header?: HeaderReader;
  /** All request headers, for the journal. */
  readonly headers?: HeaderSource;
  /** Milliseconds since the request arrived. */
  readonly elapsed?: () => number;
  /** The address that the caller used, where the host takes a part of its path away. */
  readonly url?: string;
  /** Lets callbacks go to any address; for hosts whose own handlers receive them. */
  readonly anyCallbackTarget?: boolean;
  /**
   * Ends the connection of the request without the rest of its answer: with a TCP reset, or in order. What it gives
   * back is for the host alone. Without it, the answer is a network error in the sense of `fetch`.
   */
  readonly cut?: (how: 'reset' | 'close') => Response;
}

export interface Pipeline {
  readonly engine: Engine;
  readonly authenticate: Authenticate;
  readonly limitRate: ((channel: Channel, now: number) => void) | undefined;
  /** Leaves out every header that the service itself would not send. */
  readonly pure: boolean;
  readonly journal: Journal;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly scenarios: Scenarios;
  /** What every path begins with, where there are several worlds. */
  readonly prefix: string | undefined;
  /** Reads the access token that a request carries. */
  readonly tokenOf: (header: HeaderReader) => string | undefined;
  nextRequestId(): string;
  readonly schedule: Schedule;
}

/** One request on its way: what is known of it so far. */
export interface Passage {
  readonly operation: OperationSpec | undefined;
  readonly request: Request;
  readonly header: HeaderReader;
  readonly requestId: string;
  readonly at: number;
  /** What the journal will tell of it. */
  readonly exchange: Exchange;
  readonly hints: HostHints;
  channel?: Channel;
  /** What scenarios may do to it; absent where none can. */
  strikes?: RequestStrikes;
}

export interface Incoming {
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
}
