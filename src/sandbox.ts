import { mountAdmin } from './admin/index.js';
import { createAuthenticate } from './app/authenticate.js';
import { type CallbackDelivery, Callbacks, type Schedule } from './app/callbacks.js';
import { answersOf, type DialectCard, parseDialectCard } from './app/dialect.js';
import { mount } from './app/mount.js';
import type { Exchange, HostHints } from './app/pipeline.js';
import { createRateLimit } from './app/rate-limit.js';
import { type Clock, type Instant, runningClock, standingClock } from './clock.js';
import type { Channel, World } from './domain/world.js';
import { operations } from './generated/operations.js';
import { ruleBasis } from './generated/rule-basis.js';
import type { Database } from './store/collections.js';
import { Store } from './store/store.js';
import { createWorld } from './store/world.js';

export interface SandboxOptions {
  /** Decides tee sheets, prices and identifiers; 1 is the committed world. */
  readonly seed?: number;
  /** Number of facilities; those beyond the committed ones are derived when they are asked for. */
  readonly facilities?: number;
  /** The instant at which the clock stands. Default: 2026-06-01T08:00:00Z. */
  readonly now?: Instant;
  /** A source of epoch milliseconds to run with, in place of a standing clock. */
  readonly clock?: () => number;
  /** How the questions are answered that the document leaves open. */
  readonly dialect?: DialectCard;
  /** Lifetime of an access token in seconds. Default: 3600. */
  readonly expiresIn?: number;
  /** Leaves out the `Teebox-*` headers of responses. */
  readonly pure?: boolean;
  /** Hosts besides loopback that callbacks may reach, or any. */
  readonly allowCallback?: readonly string[] | 'any';
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
  /** The dialect card in force. */
  readonly dialect: DialectCard;
  /** What was loaded, in one line for people. */
  readonly summary: string;
  /** The results posted to callers, oldest first. */
  readonly callbacks: {
    readonly deliveries: readonly CallbackDelivery[];
    /** Resolves when no callback is on its way. */
    settled(): Promise<void>;
  };
  /** Back to the seeded baseline: bookings, tokens, callbacks, clock. */
  reset(): Promise<void>;
}

const DEFAULT_NOW = '2026-06-01T08:00:00Z';
const DEFAULT_EXPIRES_IN = 3600;

function later(work: () => void, delay: number): () => void {
  const timer = setTimeout(work, delay);
  return () => clearTimeout(timer);
}

function summarize(world: World, { name, answers = {} }: DialectCard): string {
  const given = Object.keys(answers).length;
  const card = given === 0 ? 'default dialect' : `dialect ${name ?? 'card'} with ${given} answers`;
  const rules = Object.keys(ruleBasis).length;
  return `${world.size} facilities in ${world.countries().length} countries, ${operations.length} operations, ${rules} rules, ${card}`;
}

/**
 * Creates a sandbox.
 *
 * @throws {Error} for an option that cannot be used, saying which and why.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 1, pure = false, expiresIn = DEFAULT_EXPIRES_IN, onExchange, dialect = {} } = options;
  if (!Number.isSafeInteger(expiresIn) || expiresIn < 1) throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
  const card = parseDialectCard(dialect);
  const answers = answersOf(card);
  const clock = options.clock ? runningClock(options.clock) : standingClock(options.now ?? DEFAULT_NOW);
  const world = createWorld({ seed, ...(options.facilities === undefined ? {} : { facilities: options.facilities }) });
  const store = await Store.create(world, clock.now());
  const now = () => clock.now();
  const startCallbacks = () =>
    new Callbacks({
      answers,
      allowed: options.allowCallback ?? [],
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      schedule: options.schedule ?? later,
      now,
    });

  let callbacks = startCallbacks();
  let requests = 0;
  const build = () => {
    const service = mount({
      engine: { store, answers, expiresIn, callbacks, now },
      authenticate: createAuthenticate(world.channels, store.tokens, answers),
      limitRate: createRateLimit(answers['rate-limit.per-minute']),
      pure,
      onExchange,
      nextRequestId: () => `req-${++requests}`,
    });
    mountAdmin(service, { version: options.version ?? '0.0.0', reset });
    return service;
  };
  let app = build();

  async function reset(): Promise<void> {
    callbacks.close();
    clock.reset();
    await store.reset(clock.now());
    requests = 0;
    callbacks = startCallbacks();
    app = build();
  }

  return {
    fetch: (request, hints = {}) => app.fetch(request, hints),
    channels: world.channels,
    clock,
    db: store.db,
    dialect: card,
    summary: summarize(world, dialect),
    callbacks: {
      get deliveries() {
        return callbacks.deliveries;
      },
      settled: () => callbacks.settled(),
    },
    reset,
  };
}
