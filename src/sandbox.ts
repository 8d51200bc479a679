import { type AdminHost, mountAdmin } from './admin/index.js';
import { createAuthenticate } from './app/authenticate.js';
import { Callbacks } from './app/callbacks.js';
import { Dialect, type DialectCard } from './app/dialect.js';
import { mount } from './app/mount.js';
import { createRateLimit } from './app/rate-limit.js';
import { type Clock, runningClock, standingClock } from './domain/clock.js';
import type { World } from './domain/world.js';
import { operations } from './generated/operations.js';
import { ruleBasis } from './generated/rule-basis.js';
import type { Sandbox, SandboxOptions } from './options.js';
import { Scenarios } from './scenarios/scenarios.js';
import { Store } from './store/store.js';
import { createWorld } from './store/world.js';

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

function lifetimeOf({ expiresIn = DEFAULT_EXPIRES_IN }: SandboxOptions): number {
  if (Number.isSafeInteger(expiresIn) && expiresIn >= 1) return expiresIn;
  throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
}

/**
 * Creates a sandbox.
 *
 * @throws {Error} for an option that cannot be used, saying which and why.
 */
export async function createSandbox(options: SandboxOptions = {}, place: Place = {}): Promise<Sandbox> {
  const { seed = 1 } = options;
  const dialect = new Dialect(options.dialect);
  const clock = createClock(options);
  const world = createWorld({ seed, ...(options.facilities === undefined ? {} : { facilities: options.facilities }) });
  const store = await Store.create(world, clock.now());

  const scenarios = createScenarios(options, seed, clock);

  const parts: Parts = { ...place, store, dialect, clock, scenarios, renew, reset };
  let running = start(options, parts);

  async function reset(): Promise<void> {
    running.callbacks.close();
    clock.reset();
    scenarios.reset();
    dialect.reset();
    await store.reset(clock.now());
    running = start(options, parts);
  }

  /** Mounts the routes of the dialect in force; bookings, tokens and callbacks stay. */
  function renew(): void {
    store.forgetAnswers();
    running.service = running.serve();
  }

  return {
    fetch: (request, hints = {}) => running.service.fetch(request, hints),
    channels: world.channels,
    clock,
    db: store.db,
    scenarios,
    get dialect() {
      return dialect.card;
    },
    summary: summarize(world, dialect.card),
    callbacks: shown(() => running.callbacks),
    reset,
  };
}

/** Where a sandbox stands among others; see `worlds.ts`. */
interface Place extends Pick<AdminHost, 'worlds'> {
  /** What every path begins with. */
  readonly prefix?: string;
}

/** What a sandbox is made of, and how it starts anew. */
interface Parts extends Place, Pick<AdminHost, 'renew' | 'reset'> {
  readonly store: Store;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly scenarios: Scenarios;
}

/** What a reset throws away beside the store: deliveries, counters and the routes that hold them. */
function start(options: SandboxOptions, { store, dialect, clock, scenarios, prefix, worlds, renew, reset }: Parts) {
  const { pure = false, onExchange, version = '0.0.0' } = options;
  const engine = createEngine(options, store, dialect, clock);
  let requests = 0;
  const serve = () => {
    const service = mount({
      engine,
      authenticate: createAuthenticate(store.world.channels, store.tokens, engine.answers),
      limitRate: createRateLimit(engine.answers['rate-limit.per-minute']),
      pure,
      onExchange,
      scenarios,
      prefix,
      nextRequestId: () => `req-${++requests}`,
      wait: waiting(options),
    });
    mountAdmin(service, { version, engine, clock, dialect, scenarios, worlds, renew, reset });
    return service;
  };
  return { callbacks: engine.callbacks, serve, service: serve() };
}

/** Stands where `now` says, or runs with the source; with both it stands and can be made to run. */
function createClock({ now, clock }: SandboxOptions): Clock {
  return clock && now === undefined ? runningClock(clock) : standingClock(now ?? DEFAULT_NOW, clock);
}

/** State, clock and callbacks; what it answers by follows the dialect in force. */
function createEngine(options: SandboxOptions, store: Store, dialect: Dialect, { now }: Clock) {
  const callbacks = new Callbacks({
    get answers() {
      return dialect.answers;
    },
    allowed: options.allowCallback ?? [],
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    schedule: options.schedule ?? later,
    now,
  });
  return {
    store,
    get answers() {
      return dialect.answers;
    },
    expiresIn: lifetimeOf(options),
    callbacks,
    now,
  };
}

/** What a sandbox shows of its callbacks, those of the newest start. */
function shown(current: () => Callbacks): Sandbox['callbacks'] {
  return {
    get deliveries() {
      return current().deliveries;
    },
    settled: () => current().settled(),
  };
}

function createScenarios({ scenarios, magic }: SandboxOptions, seed: number, { now }: Clock): Scenarios {
  const chosen = { ...(scenarios ? { initial: scenarios } : {}), ...(magic === undefined ? {} : { magic }) };
  return new Scenarios({ seed, now, ...chosen });
}

/** Waits as the host does. */
function waiting({ schedule = later }: SandboxOptions): (milliseconds: number) => Promise<void> {
  return (milliseconds) => new Promise((resolve) => void schedule(resolve, milliseconds));
}
