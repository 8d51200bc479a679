import type { CallbackDelivery } from './callbacks/delivery.js';
import type { CallbacksState } from './callbacks/pending.js';
import type { Capsule } from './record/capsule.js';
import type { ChangeSink } from './state/change.js';
import type { DialectCard } from './state/dialect.js';
import type { SandboxJournal } from './record/inspector.js';
import type { JournalEntry, RequestRecording } from './record/journal.js';
import type { Fetch, Handle } from './fetch.js';
import type { StateOptions } from './state/sandbox-state.js';
import type { State } from './state/state.js';
import type { Clock, Schedule } from './model/clock.js';
import type { Channel, World } from './model/world.js';
import type { SandboxScenarios } from './scenarios/scenarios.js';
import type { Database } from './store/collections.js';
import type { ChannelCredentials } from './store/tokens.js';
import type { AdminPlace } from './admin/route.js';
import type { CallbackPolicy } from './callbacks/targets.js';
import type { CallbackTraffic } from './callbacks/traffic.js';
import { didYouMean, ValidationError } from '../common/index.js';

/** The options of a sandbox: those of its state and those of its runtime. */
export interface SandboxOptions extends StateOptions {
  /** Lifetime of an access token in seconds. Default: 3600. */
  readonly expiresIn?: number;
  /** Omits the `Teebox-*` headers of responses. */
  readonly pure?: boolean;
  /** Hosts besides loopback that callbacks may reach, or `any`. */
  readonly allowCallback?: readonly string[] | 'any';
  /**
   * The callbacks that an earlier process left pending. The sandbox goes on with them: same ids, attempts kept. They are no
   * part of a snapshot.
   */
  readonly callbacks?: CallbacksState;
  /** Called after every change of the state, except of the request counter. It should return quickly. */
  readonly onChange?: () => void;
  /** Receives what changes in the state, in order, so that it can be kept elsewhere. */
  readonly changes?: ChangeSink;
  /** Called with the journal entry of every request that was answered or cut off. */
  readonly onExchange?: (entry: JournalEntry) => void;
  /** Called after each attempt to post a callback, and for one that a scenario withholds. */
  readonly onCallback?: (delivery: CallbackDelivery) => void;
  /** Posts callbacks. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Runs work after a delay in milliseconds; returns a function that cancels it. Default: `setTimeout`. */
  readonly schedule?: Schedule;
  /** The version that `GET __admin/health` returns. */
  readonly version?: string;
}

/** How a sandbox is reached among the worlds of a server. */
export interface Placement extends AdminPlace {
  /** The prefix of every path. */
  readonly prefix?: string;
  /** How the host posts callbacks. It takes streams, and is used unless the option `fetch` is set. */
  readonly send?: NonNullable<SandboxOptions['fetch']>;
  /** Whether the memory of all worlds has room for further bookings. */
  readonly hasRoom?: () => boolean;
  /** The callbacks of all worlds. */
  readonly traffic?: CallbackTraffic;
  /** Decides where callbacks may go, instead of `allowCallback`. */
  readonly callbacks?: CallbackPolicy;
  /** The catalogue of all worlds of the server: facilities are derived once. */
  readonly catalogue?: World;
  /** Puts another recording around that of the sandbox. */
  readonly recordingBy?: (recorder: RequestRecording, now: () => number) => RequestRecording;
  /** Whether it answers for worlds that do not exist, and must not change. */
  readonly forStrangers?: boolean;
  /**
   * The state in which it goes on. Unlike with the option `state`, the other options are its baseline and override
   * nothing.
   */
  readonly resumed?: State;
}

/** The names of the options of a sandbox. */
export const sandboxOptions = {
  seed: true,
  facilities: true,
  world: true,
  now: true,
  clock: true,
  dialect: true,
  scenarios: true,
  chaos: true,
  ownScenarios: true,
  magic: true,
  state: true,
  expiresIn: true,
  pure: true,
  allowCallback: true,
  callbacks: true,
  onChange: true,
  changes: true,
  onExchange: true,
  onCallback: true,
  fetch: true,
  schedule: true,
  version: true,
} as const satisfies Readonly<Record<keyof SandboxOptions, true>>;

/**
 * Refuses an unknown option: it would be ignored, and the sandbox would not be the one that was asked for.
 *
 * @throws {ValidationError} with the names that there are.
 */
export function refuseUnknownOptions(maker: string, options: object, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  const stray = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (stray === undefined) return;
  throw new ValidationError(
    `\`${maker}\` has no option \`${stray}\`.${didYouMean(stray, names)} The options are ${names.join(', ')}.`,
    names,
  );
}

/**
 * A complete, stateful sandbox of the service in memory. It is one value: two sandboxes share nothing.
 *
 * @example
 * const sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
 * const { username, password } = sandbox.channels[0]!;
 * const response = await sandbox.fetch('http://sandbox.test/api/v3/countries', {
 *   headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
 * });
 */
export interface Sandbox {
  /** Takes what `fetch` takes and fits where a `fetch` is wanted; the URL must be absolute. */
  readonly fetch: Fetch;
  /** Answers one request for a host, such as a server of your own. Clients use `fetch`. */
  readonly handle: Handle;
  /** The channels with their credentials and initial refresh tokens. */
  readonly channels: readonly Channel[];
  /** The channels with the credentials that work now: refreshes and scenarios change them. */
  credentials(): readonly ChannelCredentials[];
  readonly clock: Clock;
  /** The entities, for queries and assertions. */
  readonly db: Database;
  /** The current dialect card. The admin API can replace it. */
  readonly dialect: DialectCard;
  /** A summary of the sandbox in one line. */
  readonly summary: string;
  /** Lists scenarios, arms plans and starts chaos. */
  readonly scenarios: SandboxScenarios;
  /** The last requests and their responses: read, follow, verify and explain them. */
  readonly journal: SandboxJournal;
  /** The callbacks, oldest first. */
  readonly callbacks: {
    readonly deliveries: readonly CallbackDelivery[];
    /** Resolves when no callback is pending. A retry on a frozen clock is pending until the clock is moved. */
    settled(): Promise<void>;
  };
  /** Goes back to the baseline: bookings, tokens, callbacks, clock, dialect card. */
  reset(): Promise<void>;
  /** The state that decides all responses, as a plain JSON value. */
  snapshot(): State;
  /**
   * Goes back to a snapshot: responses are then the same as before, byte for byte. A restore drops pending callbacks
   * and clears the journal.
   *
   * @throws {ValidationError} naming the invalid field. Then nothing has changed.
   */
  restore(state: State): Promise<void>;
  /**
   * The last requests with everything that decided their responses, without secrets, as plain JSON: `playCapsule` and
   * `teebox replay` send them again.
   */
  capsule(): Promise<Capsule>;
}
