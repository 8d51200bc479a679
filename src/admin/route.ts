import type { Callbacks } from '../app/callbacks.js';
import type { Dialect } from '../app/dialect.js';
import type { Inbox } from '../app/inbox.js';
import type { Inspector } from '../app/inspector.js';
import type { State } from '../app/state.js';
import type { Clock } from '../domain/clock.js';
import type { Engine } from '../routes/call.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { Snapshots } from './snapshots.js';

/** The worlds beside the main one. */
export interface WorldsHost {
  /** Those that were used least lately first; `lastUsed` in epoch milliseconds. */
  list(): readonly { readonly name: string; readonly lastUsed: number }[];
  /** Whether there was one to delete. */
  delete(name: string): boolean;
}

/** What the admin API may do to the sandbox. */
export interface AdminHost {
  readonly version: string;
  readonly engine: Engine & { readonly callbacks: Callbacks };
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly scenarios: Scenarios;
  /** What the journal tells. */
  readonly inspector: Inspector;
  /** What was posted to the sandbox itself. */
  readonly inbox: Inbox;
  /** In the main world of a server. */
  readonly worlds?: WorldsHost | undefined;
  /** Serves by the dialect in force after it was replaced; state stays. */
  renew(): void;
  reset(): Promise<void>;
  /** States kept under names. */
  readonly snapshots: Snapshots;
  snapshot(): State;
  /** @throws {StateMisfit} for what is no state of this world. */
  restore(state: unknown): Promise<void>;
}

/** One request of the admin API. */
export interface AdminCall {
  readonly host: AdminHost;
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
}

/** A method and path below `__admin`, with what answers it: a value to be sent as JSON, or a response as it is. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Hono's form, without a slash at its beginning. */
  readonly path: string;
  readonly answer: (call: AdminCall) => unknown;
}
