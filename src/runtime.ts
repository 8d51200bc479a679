import { type AdminHost, mountAdmin } from './admin/index.js';
import { Snapshots } from './admin/snapshots.js';
import { Callbacks, type DueCallback } from './callbacks/callbacks.js';
import { Inbox } from './callbacks/inbox.js';
import { CallbackTraffic } from './callbacks/traffic.js';
import { Agenda } from './domain/agenda.js';
import type { World } from './domain/world.js';
import { type Pause, pauseBy } from './input/slices.js';
import { createAuthenticate, createTokenReader } from './http/authenticate.js';
import type { HostHints } from './http/host-hints.js';
import { mount } from './http/mount.js';
import { createRateLimit } from './http/rate-limit.js';
import { Inspector } from './journal/inspector.js';
import { Journal } from './journal/journal.js';
import type { SandboxOptions } from './options.js';
import { Caches } from './store/bounded-cache.js';
import type { Notice } from './state/notice.js';
import type { SandboxState } from './state/sandbox-state.js';

const DEFAULT_EXPIRES_IN = 3600;
/** What a sandbox holds before its first request. */
const SANDBOX_BYTES = 1_500_000;

/** How a sandbox is reached among the worlds of a server. */
export interface Position extends Pick<AdminHost, 'worlds'> {
  /** The prefix of every path. */
  readonly prefix?: string;
  /** The callbacks of all worlds. */
  readonly traffic?: CallbackTraffic;
  /** The catalogue of all worlds of the server: facilities are derived one time. */
  readonly catalogue?: World;
  /** Whether it answers for worlds that do not exist, and must not change. */
  readonly forStrangers?: boolean;
}

/** What is thrown away by a reset or a restore, beside the state. */
interface Running {
  readonly agenda: Agenda<DueCallback>;
  readonly engine: AdminHost['engine'];
  readonly inbox: Inbox;
  readonly service: ReturnType<typeof mount>;
  /** The caches of the service. */
  readonly caches: Caches;
}

/** What runs around a state: routes, journal, callbacks and inbox. A reset or a restore starts it anew. */
export class Runtime {
  readonly journal = new Journal();
  readonly inspector: Inspector;
  readonly #snapshots = new Snapshots();
  readonly #pause: Pause;
  readonly #traffic: CallbackTraffic;
  #running: Running;
  /** The requests that are being answered. */
  answering = 0;

  /** @throws {RangeError} for an `expiresIn` that does not fit. */
  constructor(
    readonly options: SandboxOptions,
    readonly state: SandboxState,
    readonly notice: Notice,
    readonly position: Position,
  ) {
    const { version = '0.0.0', schedule = later } = options;
    this.#pause = pauseBy(schedule);
    const { dialect, scenarios, store } = state;
    const { channels } = store.world;
    const { journal } = this;
    const { prefix, traffic = new CallbackTraffic() } = position;
    this.#traffic = traffic;
    this.inspector = new Inspector({ prefix, journal, scenarios, dialect, channels, version, schedule });
    this.#running = this.#start();
  }

  /** Answers a request in the dialect in force. */
  answer(request: Request, hints: HostHints): Response | Promise<Response> {
    if (this.position.forStrangers) this.#forget();
    const answer = this.#running.service.fetch(request, hints);
    if (answer instanceof Promise) {
      this.answering += 1;
      void answer.catch(() => {}).finally(() => (this.answering -= 1));
    }
    return answer;
  }

  /** The callbacks since the last reset or restore. */
  get callbacks(): Callbacks {
    return this.#running.engine.callbacks;
  }

  /** Goes back to the baseline: state, journal, callbacks and inbox. */
  reset(): Promise<void> {
    return this.notice.whole(async () => {
      this.#stop();
      await this.state.reset();
      this.#running = this.#start();
      this.journal.begin('reset');
    });
  }

  /**
   * Reads a state while requests go on, and then takes it at once.
   *
   * @throws {Misfit} for a value that is no state of this sandbox; then nothing has changed.
   */
  async restore(value: unknown): Promise<void> {
    const take = await this.state.read(value, this.#pause);
    return this.notice.whole(async () => {
      take();
      this.#stop();
      this.#running = this.#start();
      this.journal.begin('restore');
    });
  }

  /** Ends the sandbox: pending callbacks are dropped, and whoever follows the journal is told why. */
  end(reason: string): void {
    this.#stop();
    this.journal.end(reason);
  }

  /** Mounts the routes of the dialect in force; bookings, tokens and callbacks stay. */
  renew(): void {
    this.state.store.forgetAnswers();
    const running = this.#running;
    this.#running = { ...running, ...this.#mount(running) };
    this.notice.tell();
  }

  /** Forgets the requests of strangers, and what they did to scenarios, so that all get the same answers. */
  #forget(): void {
    this.journal.clear();
    if (this.state.scenarios.armed) this.state.scenarios.reset();
  }

  /** Bytes that the sandbox holds, estimated from above. */
  get bytes(): number {
    const { store } = this.state;
    const held = [store.caches, this.#running.caches, this.journal, store.ledger, store.tokens];
    return held.reduce((sum, { bytes }) => sum + bytes, SANDBOX_BYTES + this.#running.inbox.size);
  }

  /** Drops every cache; nothing but time is lost. */
  dropCaches(): void {
    const { store } = this.state;
    store.caches.clear();
    store.ledger.forgetWritten();
    this.#running.caches.clear();
  }

  /** What waits for the clock. */
  get agenda(): Agenda<DueCallback> {
    return this.#running.agenda;
  }

  #start(): Running {
    const agenda = new Agenda<DueCallback>(this.state.clock, this.options.schedule ?? later);
    const parts = { agenda, engine: this.#createEngine(agenda), inbox: new Inbox() };
    return { ...parts, ...this.#mount(parts) };
  }

  #stop(): void {
    this.agenda.close();
    this.callbacks.close();
  }

  /** What routes use; the answers follow the dialect in force. */
  #createEngine(agenda: Running['agenda']): Running['engine'] {
    const { options } = this;
    const { store, dialect, clock, rivals } = this.state;
    const { now } = clock;
    const callbacks = new Callbacks({
      get answers() {
        return dialect.answers;
      },
      allowed: options.allowCallback ?? [],
      prefix: this.position.prefix ?? '',
      version: options.version ?? '0.0.0',
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      schedule: options.schedule ?? later,
      agenda,
      traffic: this.#traffic,
      streams: options.fetch === undefined,
      tried: options.onCallback ?? (() => {}),
    });
    return {
      store,
      get answers() {
        return dialect.answers;
      },
      expiresIn: lifetimeOf(options),
      callbacks,
      rivals,
      now,
    };
  }

  #mount({ agenda, engine, inbox }: Omit<Running, 'service' | 'caches'>): Pick<Running, 'service' | 'caches'> {
    const { state, journal, inspector, position } = this;
    const { pure = false, onExchange, schedule = later, version = '0.0.0' } = this.options;
    const { store, scenarios } = state;
    const { forStrangers = false } = position;
    const caches = new Caches();
    const service = mount({
      engine,
      authenticate: createAuthenticate(store.world.channels, store.tokens, engine.answers),
      limitRate: createRateLimit(engine.answers['rate-limit.per-minute']),
      pure,
      journal,
      onExchange,
      scenarios,
      prefix: position.prefix,
      nextRequestId: () => `req-${forStrangers ? 1 : ++state.requests}`,
      tokenOf: createTokenReader(engine.answers),
      schedule,
      caches,
      forStrangers,
    });
    mountAdmin(service, {
      version,
      engine,
      clock: state.clock,
      agenda,
      dialect: state.dialect,
      scenarios,
      inspector,
      inbox,
      worlds: position.worlds,
      forStrangers,
      snapshots: this.#snapshots,
      renew: () => this.renew(),
      reset: () => this.reset(),
      snapshot: () => state.export(),
      pause: this.#pause,
      restore: (value) => this.restore(value),
    });
    return { service, caches };
  }
}

function later(work: () => void, delay: number): () => void {
  const timer = setTimeout(work, delay);
  return () => clearTimeout(timer);
}

function lifetimeOf({ expiresIn = DEFAULT_EXPIRES_IN }: SandboxOptions): number {
  if (Number.isSafeInteger(expiresIn) && expiresIn >= 1) return expiresIn;
  throw new RangeError('`expiresIn` must be a whole number of seconds, at least 1.');
}
