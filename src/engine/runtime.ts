import { answerAdmin } from './admin/index.js';
import type { AdminHost } from './admin/route.js';
import { Snapshots } from './admin/snapshots.js';
import type { DueCallback } from './callbacks/callback-host.js';
import type { Callbacks } from './callbacks/callbacks.js';
import { Inbox } from './callbacks/inbox.js';
import { CallbackTraffic } from './callbacks/traffic.js';
import type { Capsule } from './record/capsule.js';
import { CapsuleRecorder } from './record/capsule-recorder.js';
import { Agenda } from './model/agenda.js';
import { createEngine, later } from './engine.js';
import type * as Keeping from './callbacks/records.js';
import { type Pause, pauseBy } from '../common/index.js';
import { createAuthenticate, createTokenReader } from './api/authenticate.js';
import type { HostHints } from './api/host-hints.js';
import { mount } from './api/mount.js';
import { createRateLimit } from './api/rate-limit.js';
import { Inspector } from './record/inspector.js';
import { Journal } from './record/journal.js';
import type { RequestRecording } from './record/recording.js';
import type { SandboxOptions } from './options.js';
import type { Position } from './position.js';
import { Caches } from './store/bounded-cache.js';
import type { Notice } from './state/notice.js';
import { SandboxState } from './state/sandbox-state.js';
import type { State } from './state/state.js';

/** What a sandbox holds before its first request. */
const SANDBOX_BYTES = 150_000;

/** What is thrown away by a reset or a restore, beside the state. */
interface Running {
  readonly agenda: Agenda<DueCallback>;
  readonly engine: AdminHost['engine'];
  readonly inbox: Inbox;
  readonly serve: ReturnType<typeof mount>;
  /** The caches of its routes. */
  readonly caches: Caches;
}

/** What runs around a state: routes, journal, callbacks and inbox. A reset or a restore starts it anew. */
export class Runtime {
  readonly journal = new Journal();
  readonly inspector: Inspector;
  readonly recorder: CapsuleRecorder;
  readonly #recording: RequestRecording;
  readonly #snapshots = new Snapshots();
  readonly #pause: Pause;
  readonly #traffic: CallbackTraffic;
  /** Resolves when all changes so far are kept; undefined if nobody keeps them. */
  readonly #keep: (() => Promise<void> | undefined) | undefined;
  #running: Running;
  /** The requests that are being answered. */
  answering = 0;

  /** @throws {RangeError} for an `expiresIn` that does not fit. */
  constructor(
    readonly options: SandboxOptions,
    readonly state: SandboxState,
    readonly notice: Notice,
    readonly position: Position,
    readonly keeping: typeof Keeping | undefined,
  ) {
    const { version = '0.0.0', schedule = later } = options;
    this.#pause = pauseBy(schedule);
    const { dialect, scenarios, store, log } = state;
    this.#keep = log && (() => log.settle());
    const { channels } = store.world;
    const { journal } = this;
    const { prefix, traffic = new CallbackTraffic() } = position;
    this.#traffic = traffic;
    this.inspector = new Inspector({ prefix, journal, scenarios, dialect, channels, version, schedule });
    const { now } = state.clock;
    this.recorder = new CapsuleRecorder(() => state.savePoint(), now);
    this.#recording = position.recordingBy?.(this.recorder, now) ?? this.recorder;
    this.#record();
    this.#running = this.#start();
  }

  /** Records what decides responses from now on. */
  #record(): void {
    const { recorder, state } = this;
    const { store, scenarios, clock } = state;
    store.onBooking = (booking, event) => recorder.noteBooking(booking, event);
    scenarios.onOrder = (...order) => this.noteOrder(...order);
    state.onClock = () => recorder.note({ kind: 'clock', at: clock.now() });
    recorder.begin(true);
  }

  /** Notes what an operator did. */
  noteOrder(method: string, path: string, body?: unknown): void {
    const sent = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body)) as unknown };
    this.recorder.note({ kind: 'admin', at: this.state.clock.now(), method, path, ...sent });
  }

  /** The baseline of its options at an instant. */
  async baseline(at: number): Promise<State> {
    const { clock: _, state: __, ...options } = this.options;
    return (await SandboxState.create({ ...options, now: at }, () => {}, { world: this.state.store.base })).export();
  }

  /** Makes a capsule of what was recorded. Its code is loaded with that of the admin API. */
  async capsule(): Promise<Capsule> {
    const { writeCapsule } = await import('./admin/app.js');
    return writeCapsule(this, this.#pause);
  }

  /** Answers a request in the dialect in force. */
  answer(request: Request, hints: HostHints): Response | Promise<Response> {
    if (this.position.forStrangers) this.#forget();
    const answer = this.#running.serve(request, hints);
    if (answer instanceof Promise) {
      this.answering += 1;
      const over = (): void => void (this.answering -= 1);
      answer.then(over, over);
    }
    return answer;
  }

  /** What routes use, since the last reset or restore. */
  get engine(): AdminHost['engine'] {
    return this.#running.engine;
  }

  get callbacks(): Callbacks {
    return this.engine.callbacks;
  }

  /** Goes back to the baseline: state, journal, callbacks and inbox. */
  reset(): Promise<void> {
    return this.notice.whole(async () => {
      this.#stop();
      this.state.reset();
      this.recorder.begin(true);
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
      this.recorder.begin(false);
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

  /** Bytes that the sandbox holds, estimated from above; `droppable` ones can be given back at any time. */
  get bytes(): { readonly all: number; readonly droppable: number } {
    const { store } = this.state;
    const droppable = store.caches.bytes + this.#running.caches.bytes + this.journal.bytes + this.recorder.bytes;
    return { all: SANDBOX_BYTES + this.#running.inbox.size + store.bytes + droppable, droppable };
  }

  /** Drops every cache; nothing but time is lost. */
  dropCaches(): void {
    this.state.store.dropCaches();
    this.#running.caches.clear();
  }

  /** What waits for the clock. */
  get agenda(): Agenda<DueCallback> {
    return this.#running.agenda;
  }

  #start(): Running {
    const agenda = new Agenda<DueCallback>(this.state.clock, this.options.schedule ?? later);
    const parts = { agenda, engine: createEngine(this, agenda, this.#traffic), inbox: new Inbox() };
    return { ...parts, ...this.#mount(parts) };
  }

  #stop(): void {
    this.agenda.close();
    this.callbacks.close();
  }

  #mount({ agenda, engine, inbox }: Omit<Running, 'serve' | 'caches'>): Pick<Running, 'serve' | 'caches'> {
    const { state, journal, inspector, position } = this;
    const { pure = false, onExchange, schedule = later, version = '0.0.0' } = this.options;
    const { store, scenarios } = state;
    const { forStrangers = false } = position;
    const caches = new Caches();
    const shared = { engine, scenarios, forStrangers, keep: this.#keep };
    const admin = answerAdmin({
      ...shared,
      version,
      clock: state.clock,
      agenda,
      dialect: state.dialect,
      inspector,
      inbox,
      place: position,
      snapshots: this.#snapshots,
      renew: () => this.renew(),
      reset: () => this.reset(),
      snapshot: () => state.export(),
      capsule: () => this.capsule(),
      noteOrder: (...order) => this.noteOrder(...order),
      pause: this.#pause,
      restore: (value) => this.restore(value),
    });
    const serve = mount({
      ...shared,
      authenticate: createAuthenticate(store.world.channels, store.tokens, engine.answers),
      limitRate: createRateLimit(engine.answers['rate-limit.per-minute']),
      pure,
      journal,
      recording: forStrangers ? undefined : this.#recording,
      onExchange,
      prefix: position.prefix,
      admin,
      nextRequestId: () => `req-${forStrangers ? 1 : ++state.requests}`,
      tokenOf: createTokenReader(engine.answers),
      schedule,
      caches,
    });
    return { serve, caches };
  }
}
