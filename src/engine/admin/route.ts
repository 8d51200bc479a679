import type { adminComponents as components, WorldFile } from '../../contract/index.js';
import type { Callbacks, DueCallback } from '../callbacks/callbacks.js';
import type { Dialect } from '../state/dialect.js';
import type { Inbox } from '../callbacks/inbox.js';
import type { Inspector } from '../record/inspector.js';
import type { State } from '../state/state.js';
import type { Agenda } from '../model/agenda.js';
import type { Pause } from '../../common/index.js';
import type { Clock } from '../model/clock.js';
import type { Engine } from '../api/routes/call.js';
import type { Scenarios } from '../scenarios/scenarios.js';
import type { Snapshots } from './snapshots.js';

/** The worlds besides the main one. */
export interface WorldsHost {
  /** Least recently used first; `lastUsed` in epoch milliseconds. */
  list(): readonly { readonly name: string; readonly lastUsed: number }[];
  /** Whether there was one to delete. */
  delete(name: string): boolean;
}

/** A certification that is under way. */
export interface CertificationHost {
  readonly now: components['schemas']['CertificationProgress'];
  /** Calls back at each change, until the returned function is called. */
  follow(tell: () => void): () => void;
}

/** What the host of a sandbox gives it besides itself. */
export interface AdminPlace {
  /** Maximum of bytes of a message to the inbox. Default: those of the whole inbox. */
  readonly largestMessage?: number;
  readonly worlds?: WorldsHost | undefined;
  readonly certification?: CertificationHost | undefined;
}

/** The parts of a sandbox that the admin API uses. */
export interface AdminHost {
  readonly version: string;
  readonly engine: Engine & { readonly callbacks: Callbacks };
  readonly clock: Clock;
  /** What waits for the clock. */
  readonly agenda: Agenda<DueCallback>;
  readonly dialect: Dialect;
  readonly scenarios: Scenarios;
  /** What the journal tells. */
  readonly inspector: Inspector;
  /** The messages posted to the sandbox itself. */
  readonly inbox: Inbox;
  readonly place: AdminPlace;
  /** Whether it answers for worlds that do not exist. */
  readonly forStrangers: boolean;
  /** Applies the current dialect after it was replaced; the state is kept. */
  renew(): void;
  reset(): Promise<void>;
  /** The file of the world in force; undefined for a generated world. */
  world(): WorldFile | undefined;
  /**
   * Reads another world. The function that it gives back starts anew with it, in one synchronous step.
   *
   * @throws {ValidationError} with a pointer, for a file that does not fit.
   */
  readWorld(file: WorldFile): Promise<() => Promise<void>>;
  /** Named snapshots of the state. */
  readonly snapshots: Snapshots;
  snapshot(): State;
  /** What was recorded, as a file. */
  capsule(): Promise<unknown>;
  /** Notes a call that changed what decides responses. */
  noteOrder(method: string, path: string, body?: unknown): void;
  readonly pause: Pause;
  /** Resolves when all changes so far are kept; undefined if nobody keeps them. */
  readonly keep: (() => Promise<void> | undefined) | undefined;
  /** @throws {ValidationError} for a value that is not a state of this world. */
  restore(state: unknown): Promise<void>;
}

/** One request of the admin API. */
export interface AdminCall {
  readonly host: AdminHost;
  readonly request: Request;
  readonly path: Readonly<Record<string, string>>;
  /** Whether the caller lacks the token that the admin API requires; only an inbox lets it pass. */
  readonly isStranger: boolean;
}

/** A method and path below `__admin`. Its handler returns a value to send as JSON, or a response. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In Hono's form, without a leading slash. */
  readonly path: string;
  readonly answer: (call: AdminCall) => unknown;
}
