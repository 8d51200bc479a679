import type { CallbackDelivery, Schedule } from './app/callbacks.js';
import type { DialectCard } from './app/dialect.js';
import type { SandboxJournal } from './app/inspector.js';
import type { Exchange } from './app/journal.js';
import type { HostHints } from './app/passage.js';
import type { State } from './app/state.js';
import type { Clock, Instant } from './domain/clock.js';
import type { Channel } from './domain/world.js';
import type { Scenarios } from './scenarios/scenarios.js';
import type { Database } from './store/collections.js';

export interface SandboxOptions {
  /** Decides tee sheets, prices and identifiers; 1 is the committed world. */
  readonly seed?: number;
  /** Number of facilities; those beyond the committed ones are derived when they are asked for. */
  readonly facilities?: number;
  /** The instant at which the clock stands. Default: 2026-06-01T08:00:00Z. */
  readonly now?: Instant;
  /** A source of epoch milliseconds to run with; beside `now`, the clock stands there until it is resumed. */
  readonly clock?: () => number;
  /** How the questions are answered that the document leaves open. */
  readonly dialect?: DialectCard;
  /** Lifetime of an access token in seconds. Default: 3600. */
  readonly expiresIn?: number;
  /** Leaves out the `Teebox-*` headers of responses. */
  readonly pure?: boolean;
  /** Scenarios that strike always, such as `payment-pi-failed; phase=after-commit`. */
  readonly scenarios?: readonly string[];
  /** Scenarios beside those that come with the sandbox, in the form of the files of `scenarios/`. */
  readonly ownScenarios?: readonly unknown[];
  /** Whether names, comments and facilities of bookings switch scenarios on. Default: true. */
  readonly magic?: boolean;
  /** Hosts besides loopback that callbacks may reach, or any. */
  readonly allowCallback?: readonly string[] | 'any';
  /**
   * What to start from, as `snapshot` gave it; a reset goes to the baseline all the same. It says which `seed` and
   * `facilities` the world has; `now`, `dialect` and `scenarios`, where they are given, go before it.
   */
  readonly state?: State;
  /** Told after anything changed what `snapshot` gives, but for the count of requests; it should be quick. */
  readonly onChange?: () => void;
  /** Told of every request that was answered. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Posts callbacks; default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs work later and gives back a function that calls it off; default: `setTimeout`. */
  readonly schedule?: Schedule;
  /** What `GET __admin/health` tells. */
  readonly version?: string;
}

/**
 * A complete, stateful sandbox of the service in memory. It is one value: two sandboxes share nothing.
 *
 * @example
 * const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
 * const { username, password } = sandbox.channels[0]!;
 * const response = await sandbox.fetch(
 *   new Request('http://sandbox.test/api/v3/countries', {
 *     headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
 *   }),
 * );
 */
export interface Sandbox {
  /** Answers one request; without a promise where the operation needs none. */
  fetch(request: Request, hints?: HostHints): Response | Promise<Response>;
  /** The channels with their credentials and initial refresh tokens. */
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  /** The entities, for queries and assertions. */
  readonly db: Database;
  /** The dialect card in force; the admin API can replace it. */
  readonly dialect: DialectCard;
  /** What was loaded, in one line for people. */
  readonly summary: string;
  /** Failures on demand: what there is, what is armed, and arming. */
  readonly scenarios: Pick<Scenarios, 'all' | 'arm' | 'disarm' | 'plans'>;
  /** The last requests and what became of them: to be read, listened to, verified and explained. */
  readonly journal: SandboxJournal;
  /** The results posted to callers, oldest first. */
  readonly callbacks: {
    readonly deliveries: readonly CallbackDelivery[];
    /** Resolves when no callback is on its way. */
    settled(): Promise<void>;
  };
  /** Back to the seeded baseline: bookings, tokens, callbacks, clock, dialect card. */
  reset(): Promise<void>;
  /** All that the answers hang on, as a plain JSON value. */
  snapshot(): State;
  /**
   * Goes back to a snapshot: every answer is then as it was, to the byte. Callbacks on their way are dropped, and the
   * journal begins anew.
   *
   * @throws {StateMisfit} naming the field that does not fit; nothing has changed then.
   */
  restore(state: State): Promise<void>;
}
