import { type AdminHost, mountAdmin } from './admin/index.js';
import { Snapshots } from './admin/snapshots.js';
import { createAuthenticate, createTokenReader } from './app/authenticate.js';
import { Callbacks } from './app/callbacks.js';
import { Dialect, type DialectCard } from './app/dialect.js';
import { Inbox } from './app/inbox.js';
import { Inspector, type InspectorHost, shownJournal } from './app/inspector.js';
import { Journal } from './app/journal.js';
import { mount } from './app/mount.js';
import { createRateLimit } from './app/rate-limit.js';
import { createNotice, type Notice } from './app/notice.js';
import { exportState, startingState, type StateHost, takeState, worldOf } from './app/state.js';
import { type Clock, runningClock, standingClock, watchedClock } from './domain/clock.js';
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
  const notice = createNotice(options.onChange);
  const held = await createHeld(options, notice.tell);
  const { store, dialect, clock, scenarios } = held;
  const { world } = store;
  const journal = new Journal();
  const inspector = createInspector(options, { ...place, journal, world, scenarios, dialect });
  const life = createLife(options, { ...place, ...held, journal, inspector }, notice, await begin(held, options));
  notice.begin();
  return {
    fetch: (request, hints = {}) => life.running().service.fetch(request, hints),
    channels: world.channels,
    // Whoever moves it here has no list of what fired; what was due is posted all the same.
    clock: watchedClock(clock, () => void life.running().callbacks.startDue(clock.now())),
    db: store.db,
    scenarios,
    journal: shownJournal(inspector),
    get dialect() {
      return dialect.card;
    },
    summary: summarize(world, dialect.card),
    callbacks: shown(() => life.running().callbacks),
    reset: life.reset,
    snapshot: life.snapshot,
    restore: life.restore,
  };
}

type Ways = Pick<AdminHost, 'renew' | 'reset' | 'restore' | 'snapshot'>;

/** What runs now, and the ways in which it starts anew. */
function createLife(options: SandboxOptions, basis: Basis, notice: Notice, counted: number) {
  const { store, clock, dialect, scenarios, journal } = basis;
  const ways: Ways = {
    snapshot: () => exportState(basis, running.requests()),
    reset: () =>
      notice.whole(async () => {
        running.callbacks.close();
        clock.reset();
        dialect.reset();
        scenarios.reset();
        journal.clear();
        await store.reset(clock.now());
        running = start(options, parts);
      }),
    restore: (state) =>
      notice.whole(async () => {
        const requests = takeState(basis, state);
        running.callbacks.close();
        journal.clear();
        running = start(options, parts, requests);
        await store.mirrored();
      }),
    // Mounts the routes of the dialect in force; bookings, tokens and callbacks stay.
    renew() {
      store.forgetAnswers();
      running.service = running.serve();
      notice.tell();
    },
  };
  const parts: Parts = { ...basis, ...ways, snapshots: new Snapshots() };
  let running = start(options, parts, counted);
  return { running: () => running, ...ways };
}

/** Where a sandbox stands among others; see `worlds.ts`. */
interface Place extends Pick<AdminHost, 'worlds'> {
  /** What every path begins with. */
  readonly prefix?: string;
}

/** What a sandbox is made of. */
interface Basis extends Place, StateHost {
  readonly journal: Journal;
  readonly inspector: Inspector;
}

/** What its admin API is handed beside. */
interface Parts extends Basis, Ways, Pick<AdminHost, 'snapshots'> {}

/** What has a state, at its baseline. */
async function createHeld(options: SandboxOptions, onChange: () => void): Promise<StateHost> {
  const { state, clock: source } = options;
  const saved = state === undefined ? {} : worldOf(state);
  const { seed, facilities } = options;
  const own = { ...(seed === undefined ? {} : { seed }), ...(facilities === undefined ? {} : { facilities }) };
  const dialect = new Dialect(options.dialect);
  const clock = watchedClock(createClock(options), onChange);
  const store = await Store.create(createWorld({ ...saved, ...own }), clock.now());
  store.onChange = onChange;
  const scenarios = await createScenarios(options, { store, clock, dialect }, onChange);
  return { store, dialect, clock, scenarios, source };
}

/** Goes on from the state that is given, if one is; gives back how many requests were counted. */
async function begin(held: StateHost, options: SandboxOptions): Promise<number> {
  if (options.state === undefined) return 0;
  const requests = takeState(held, startingState(held, options.state, options));
  await held.store.mirrored();
  return requests;
}

function createInspector(
  { version = '0.0.0', schedule = later }: SandboxOptions,
  { world, ...parts }: Omit<InspectorHost, 'channels' | 'version' | 'schedule'> & { readonly world: World },
): Inspector {
  return new Inspector({ ...parts, channels: world.channels, version, schedule });
}

/** What a reset throws away beside the store: deliveries, what was posted, counters and the routes that hold them. */
function start(options: SandboxOptions, parts: Parts, counted = 0) {
  const { store, dialect, clock, scenarios, journal, prefix } = parts;
  const { pure = false, onExchange, version = '0.0.0' } = options;
  const engine = createEngine(options, store, dialect, clock);
  const inbox = new Inbox();
  let requests = counted;
  const serve = () => {
    const service = mount({
      engine,
      authenticate: createAuthenticate(store.world.channels, store.tokens, engine.answers),
      limitRate: createRateLimit(engine.answers['rate-limit.per-minute']),
      pure,
      journal,
      onExchange,
      scenarios,
      prefix,
      nextRequestId: () => `req-${++requests}`,
      tokenOf: createTokenReader(engine.answers),
      schedule: options.schedule ?? later,
    });
    mountAdmin(service, { ...parts, version, engine, inbox });
    return service;
  };
  return { callbacks: engine.callbacks, serve, service: serve(), requests: () => requests };
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

async function createScenarios(
  options: SandboxOptions,
  { store: { world }, clock: { now }, dialect }: Pick<Parts, 'store' | 'clock' | 'dialect'>,
  onChange: () => void,
): Promise<Scenarios> {
  const { scenarios = [], magic, ownScenarios = [] } = options;
  // What reads them is loaded by those alone who bring some.
  const read = ownScenarios.length > 0 ? (await import('./app/own-scenarios.js')).readScenario : undefined;
  const own = read ? ownScenarios.map((one) => read(one)) : [];
  const initial = () => [...(dialect.card.scenarios ?? []), ...scenarios];
  const facilityScenario = (id: number) => world.facility(id)?.scenario;
  return new Scenarios({
    seed: world.seed,
    own,
    onChange,
    initial,
    facilityScenario,
    channels: world.channels.map(({ name }) => name),
    hasFacility: (id) => world.facility(id) !== undefined,
    now,
    ...(magic === undefined ? {} : { magic }),
  });
}
