/**
 * Creates sandboxes. A sandbox has a state (`state/sandbox-state.ts`), what a reset throws away (`running.ts`), and its
 * records of requests. `create.ts` adds the queries for programs; a server does without them.
 */
import { Snapshots } from './admin/snapshots.js';
import type * as Keeping from './callbacks/records.js';
import { CallbackTraffic } from './callbacks/traffic.js';
import type { Capsule } from './record/capsule.js';
import { CapsuleRecorder } from './record/capsule-recorder.js';
import { type Clock, watchedClock } from './model/clock.js';
import type { Channel, World } from './model/world.js';
import { type Fetch, fetchBy, type Handle } from './fetch.js';
import { operations, ruleBasis, type WorldFile } from '../contract/index.js';
import type { HostHints } from './api/host-hints.js';
import { counted, validationError, type Pause, pauseBy } from '../common/index.js';
import { Inspector, type SandboxJournal, shownJournal } from './record/inspector.js';
import { Journal } from './record/journal.js';
import type { Placement, Sandbox, SandboxOptions } from './options.js';
import { resultOf } from './api/routes/search.js';
import { Running } from './running.js';
import type { Scenarios } from './scenarios/scenarios.js';
import type { DialectCard } from './state/dialect.js';
import { SandboxState } from './state/sandbox-state.js';
import type { State } from './state/state.js';
import type { Ledger } from './store/ledger.js';
import type { ChannelCredentials } from './store/tokens.js';
import { searchResultWriter } from './api/versions/v5.js';

/** What a sandbox holds before its first request. */
const SANDBOX_BYTES = 150_000;
const DEFAULT_EXPIRES_IN = 3600;

/**
 * Creates a sandbox at its position among the worlds of a server; see `worlds.ts`.
 *
 * @throws {Error} for an option that does not fit, with the reason.
 */
export async function createSandboxAt(placement: Placement, options: SandboxOptions): Promise<WorldSandbox> {
  const notice = new Notice(options.onChange);
  const { catalogue: world, resumed } = placement;
  const state = await SandboxState.create(options, notice.tell, { world, changes: options.changes, resumed });
  // Loaded only where pending callbacks are kept, because pages never do that.
  const keeping = options.changes || options.callbacks ? await import('./callbacks/records.js') : undefined;
  const sandbox = new WorldSandbox(options, placement, state, notice, keeping);
  notice.begin();
  sandbox.resumeCallbacks();
  return sandbox;
}

/** A sandbox without queries, and what a server knows of it and does to it. */
export class WorldSandbox implements Omit<Sandbox, 'db'> {
  readonly fetch: Fetch;
  readonly handle: Handle;
  readonly clock: Clock;
  readonly scenarios: Scenarios;
  readonly journal: SandboxJournal;
  channels: readonly Channel[];
  summary: string;
  dialect: DialectCard;
  readonly callbacks: Sandbox['callbacks'];
  /** Another world file replaces the one of the start. */
  #options: SandboxOptions;
  readonly #placement: Placement;
  readonly #state: SandboxState;
  readonly #notice: Notice;
  readonly #keeping: typeof Keeping | undefined;
  readonly #pause: Pause;
  readonly #journal = new Journal();
  readonly #recorder: CapsuleRecorder;
  #running: Running;
  /** The number of requests that are being answered. */
  #answering = 0;

  /** @throws {Error} for an `expiresIn` or `allowCallback` that does not fit. */
  constructor(
    options: SandboxOptions,
    placement: Placement,
    state: SandboxState,
    notice: Notice,
    keeping: typeof Keeping | undefined,
  ) {
    this.#options = options;
    this.#placement = placement;
    this.#state = state;
    this.#notice = notice;
    this.#keeping = keeping;
    const { store, clock, scenarios, dialect } = state;
    const { prefix } = placement;
    const { version = '0.0.0', schedule = later } = options;
    this.#pause = pauseBy(schedule);
    this.#recorder = new CapsuleRecorder(() => state.savePoint(), clock.now);
    this.#record();
    const inspector = new Inspector({
      prefix,
      journal: this.#journal,
      scenarios,
      dialect,
      channels: () => store.base.channels,
      version,
      schedule,
    });
    this.#running = this.#run(inspector);
    this.dialect = dialect.card;
    this.handle = (request, hints = {}) => this.#answer(request, hints);
    this.fetch = fetchBy(this.handle);
    // A caller that moves this clock gets no list of what fell due; due callbacks are posted all the same.
    this.clock = watchedClock(clock, () => {
      this.#running.agenda.catchUp();
    });
    this.scenarios = scenarios;
    this.channels = store.base.channels;
    this.summary = summaryOf(store.base, dialect.card);
    this.journal = shownJournal(inspector);
    const running = (): Running => this.#running;
    this.callbacks = {
      get deliveries() {
        return running().callbacks.deliveries;
      },
      settled: () => running().callbacks.settled(),
    };
  }

  /** Records what decides responses from now on. */
  #record(): void {
    const recorder = this.#recorder;
    const { store, scenarios, clock } = this.#state;
    if (this.#placement.hasRoom) store.hasRoom = this.#placement.hasRoom;
    store.onBooking = (booking, event) => recorder.noteBooking(booking, event);
    scenarios.onOrder = (...order) => this.#noteOrder(...order);
    this.#state.onClock = () => {
      recorder.note({ kind: 'clock', at: clock.now() });
      this.#journal.tellClock();
    };
    recorder.begin(true);
  }

  /** Notes what an operator did. */
  #noteOrder(method: string, path: string, body?: unknown): void {
    const sent = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body)) as unknown };
    this.#recorder.note({ kind: 'admin', at: this.#state.clock.now(), method, path, ...sent });
    this.#journal.tellChange(path);
  }

  /** Tells whoever follows the journal that something changed that is no order, such as `worlds`. */
  tellChange(what: string): void {
    this.#journal.tellChange(what);
  }

  /** Starts what a reset throws away, with what outlives it. */
  #run(inspector: Inspector): Running {
    const options = this.#options;
    const placement = this.#placement;
    const keeping = this.#keeping;
    const state = this.#state;
    const { clock, dialect, scenarios, log } = state;
    const { version = '0.0.0', schedule = later, pure = false, onExchange, onCallback: tried = () => {} } = options;
    const { prefix, forStrangers = false, callbacks: policy, traffic = new CallbackTraffic() } = placement;
    const recording = placement.recordingBy?.(this.#recorder, clock.now) ?? this.#recorder;
    const send = options.fetch ?? placement.send ?? ((url, init) => fetch(url, init));
    const keep = log && (() => log.settle());
    const own = fetchBy((request) => this.#answer(request, {}));
    return new Running({
      state,
      schedule,
      callbacks: {
        allowed: hostsOf(options),
        whyNot: policy && ((url) => policy.whyNot(url)),
        prefix: prefix ?? '',
        version,
        fetch: keeping ? keeping.homeward(send, own) : send,
        schedule,
        traffic,
        streams: options.fetch === undefined || policy !== undefined,
        tried,
        changed: keeping && ((...change) => log?.append(keeping.changeOf(...change))),
      },
      expiresIn: lifetimeOf(options),
      services: {
        pure,
        journal: this.#journal,
        recording: forStrangers ? undefined : recording,
        onExchange,
        scenarios,
        prefix,
        nextRequestId: () => `req-${forStrangers ? 1 : ++state.requests}`,
        schedule,
        forStrangers,
        keep,
      },
      admin: {
        version,
        clock,
        dialect,
        scenarios,
        inspector,
        place: placement,
        forStrangers,
        snapshots: new Snapshots(),
        pause: this.#pause,
        keep,
        renew: () => this.#renew(),
        reset: this.reset,
        world: () => this.#options.world,
        readWorld: this.readWorld,
        snapshot: this.snapshot,
        capsule: this.capsule,
        noteOrder: (...order) => this.#noteOrder(...order),
        restore: this.restore,
      },
    });
  }

  /** Mounts the routes of the dialect in force; bookings, tokens and callbacks stay. */
  #renew(): void {
    this.#state.store.forgetAnswers();
    this.#running.mount();
    this.dialect = this.#state.dialect.card;
    this.#notice.tell();
  }

  /**
   * Goes on with the callbacks of an earlier process.
   *
   * @throws {ValidationError} if they do not fit.
   */
  resumeCallbacks(): void {
    const { callbacks: pending } = this.#options;
    if (pending === undefined) return;
    const { engine, callbacks } = this.#running;
    this.#keeping!.resume(callbacks, pending, engine.store.world.channels, ({ channel, query }) =>
      resultOf(this.#running.engine, searchResultWriter, channel, query),
    );
  }

  /** Answers a request in the dialect in force. */
  #answer(request: Request, hints: HostHints): Response | Promise<Response> {
    if (this.#placement.forStrangers) this.#forget();
    const answer = this.#running.serve(request, hints);
    if (answer instanceof Promise) {
      this.#answering += 1;
      const over = (): void => void (this.#answering -= 1);
      answer.then(over, over);
    }
    return answer;
  }

  /** Forgets the requests of strangers, and what they did to scenarios, so that all get the same answers. */
  #forget(): void {
    this.#journal.clear();
    if (this.scenarios.armed) this.scenarios.reset();
  }

  readonly credentials = (): readonly ChannelCredentials[] => this.#state.store.tokens.credentials();

  readonly reset = (): Promise<void> =>
    this.#notice.whole(async () => {
      this.#running.close();
      this.#state.reset();
      this.#recorder.begin(true);
      this.#startAgain('reset');
    });

  readonly snapshot = (): State => this.#state.export();

  /** Reads a state while requests go on, and then takes it at once. */
  readonly restore = async (value: unknown): Promise<void> => {
    const take = await this.#state.read(value, this.#pause);
    return this.#notice.whole(async () => {
      take();
      this.#recorder.begin(false);
      this.#running.close();
      this.#startAgain('restore');
    });
  };

  /** Reads another world of one's own. The function that it gives back starts anew with it at once, as a reset does. */
  readonly readWorld = async (file: WorldFile): Promise<() => Promise<void>> => {
    const take = await this.#state.readWorld(file, this.#options);
    return () =>
      this.#notice.whole(async () => {
        take();
        const { facilities: _, ...options } = this.#options;
        this.#options = { ...options, world: file };
        this.#recorder.begin(true);
        this.#running.close();
        this.channels = this.catalogue.channels;
        this.#startAgain('reset');
        this.summary = summaryOf(this.catalogue, this.dialect);
      });
  };

  #startAgain(why: 'reset' | 'restore'): void {
    this.#running = new Running(this.#running.lasting);
    this.dialect = this.#state.dialect.card;
    this.#journal.begin(why);
  }

  readonly capsule = async (): Promise<Capsule> => {
    // Loaded with the code of the admin API.
    const { writeCapsule } = await import('./admin/app.js');
    const { clock: _, state: __, ...options } = this.#options;
    const world = this.catalogue;
    const baseline = async (now: number): Promise<State> =>
      (await SandboxState.create({ ...options, now }, () => {}, { world })).export();
    const source = { recorder: this.#recorder, state: this.#state, options, placement: this.#placement, baseline };
    return writeCapsule(source, this.#pause);
  };

  /** The catalogue without the changes by operators. */
  get catalogue(): World {
    return this.#state.store.base;
  }

  get ledger(): Ledger {
    return this.#state.store.ledger;
  }

  /** Whether somebody follows its journal or waits for a request. */
  get isFollowed(): boolean {
    const { streams, waiters } = this.#journal.places;
    return streams + waiters > 0;
  }

  /** The number of bookings that clients have made. */
  get bookings(): number {
    return this.#state.store.booked;
  }

  /** Whether a request is being answered. */
  get isBusy(): boolean {
    return this.#answering > 0;
  }

  /** Bytes that it holds, estimated from above. */
  get bytes(): number {
    return SANDBOX_BYTES + this.#state.store.bytes + this.keptBytes;
  }

  /** Those of them that it keeps of its requests. */
  get keptBytes(): number {
    return this.#running.inbox.size + this.droppableBytes;
  }

  /** Those of them that `dropCaches` and `dropBodies` give back. */
  get droppableBytes(): number {
    const caches = this.#state.store.caches.bytes + this.#running.caches.bytes;
    return caches + this.#journal.bytes + this.#recorder.bytes;
  }

  /** Milliseconds of real time after which a pending callback needs it; undefined if none does. */
  get callbackDelay(): number | undefined {
    return this.#keeping?.delayOf(this.#running.callbacks);
  }

  /** Resolves when no attempt to post a callback is under way. */
  callbacksPosted(): Promise<void> {
    return this.#running.agenda.idle();
  }

  /** Drops every cache; nothing but time is lost. */
  dropCaches(): void {
    this.#state.store.dropCaches();
    this.#running.caches.clear();
  }

  dropBodies(): void {
    this.#journal.dropBodies();
    this.#recorder.forget();
  }

  dropMessages(): void {
    this.#running.inbox.empty();
  }

  /** Ends the sandbox: pending callbacks are dropped, and whoever follows the journal or waits gets the reason. */
  end(reason: string): void {
    this.#running.close();
    this.#journal.end(reason);
  }
}

/** A sandbox with queries, and what a server knows of it. */
export type QueryableSandbox = WorldSandbox & Pick<Sandbox, 'db'>;

/** Reports changes. A change with several parts is reported once, at its end; nothing is reported before `begin`. */
class Notice {
  #open = 1;

  constructor(readonly listener: () => void = () => {}) {}

  readonly tell = (): void => {
    if (this.#open === 0) this.listener();
  };

  begin(): void {
    this.#open -= 1;
  }

  async whole(change: () => Promise<void>): Promise<void> {
    this.#open += 1;
    try {
      await change();
    } finally {
      this.#open -= 1;
    }
    this.tell();
  }
}

/** Runs work after milliseconds in real time; the returned function cancels it. */
function later(work: () => void, delay: number): () => void {
  const timer = setTimeout(work, delay);
  return () => clearTimeout(timer);
}

/** @throws {ValidationError} for what would fail at the first search. */
function hostsOf({ allowCallback = [] }: SandboxOptions): readonly string[] | 'any' {
  const hosts: unknown = allowCallback;
  if (hosts === 'any' || (Array.isArray(hosts) && hosts.every((host) => typeof host === 'string')))
    return allowCallback;
  throw validationError('allowCallback', 'a list of hosts, such as ["partner.example"], or "any"', hosts);
}

function lifetimeOf({ expiresIn = DEFAULT_EXPIRES_IN }: SandboxOptions): number {
  if (Number.isSafeInteger(expiresIn) && expiresIn >= 1) return expiresIn;
  throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
}

function summaryOf(world: World, { name, answers = {} }: DialectCard): string {
  const given = Object.keys(answers).length;
  const card = given === 0 ? 'default dialect' : `dialect ${name ?? 'card'} with ${counted(given, 'answer')}`;
  const rules = Object.keys(ruleBasis).length;
  const facilities = counted(world.size, 'facility', 'facilities');
  const countries = counted(world.countries().length, 'country', 'countries');
  return `${facilities} in ${countries}, ${operations.length} operations, ${rules} rules, ${card}`;
}
