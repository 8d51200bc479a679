import type { Channel } from '../domain/world.js';
import type { OperationSpec } from '../generated/operations.js';
import type { Engine } from '../routes/call.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { Authenticate, HeaderReader } from './authenticate.js';
import type { RequestStrikes } from './strikes.js';

/** What happened to one request, for logs and journals. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Epoch milliseconds on the sandbox's clock. */
  readonly at: number;
  readonly operation?: string;
  readonly channel?: string;
  /** The rule that decided. */
  readonly rule: string;
  /** Why it was refused, in more words than the answer has. */
  readonly detail?: string;
  /** What the host measured from the arrival of the request to its answer. */
  readonly durationMs?: number;
}

/** What the host of a sandbox knows better or allows. */
export interface HostHints {
  /** Reads a request header without building a `Headers` object. */
  readonly header?: HeaderReader;
  /** Milliseconds since the request arrived. */
  readonly elapsed?: () => number;
  /** Lets callbacks go to any address; for hosts whose own handlers receive them. */
  readonly anyCallbackTarget?: boolean;
}

export interface Pipeline {
  readonly engine: Engine;
  readonly authenticate: Authenticate;
  readonly limitRate: ((channel: Channel, now: number) => void) | undefined;
  /** Leaves out every header that the service itself would not send. */
  readonly pure: boolean;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly scenarios: Scenarios;
  /** What every path begins with, where there are several worlds. */
  readonly prefix: string | undefined;
  nextRequestId(): string;
  /** Resolves after milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

/** One request on its way: what is known of it so far. */
export interface Passage {
  readonly operation: OperationSpec | undefined;
  readonly request: Request;
  readonly header: HeaderReader;
  readonly requestId: string;
  readonly at: number;
  readonly elapsed: (() => number) | undefined;
  channel?: Channel;
  /** What scenarios may do to it; absent where none can. */
  strikes?: RequestStrikes;
}

export interface Incoming {
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  readonly hints: HostHints;
}
