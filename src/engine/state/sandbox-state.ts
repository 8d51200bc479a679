/** All that a sandbox knows, made from its options or from an exported state. `sandbox.ts` makes one. */
import { defined, type Pause, ValidationError } from '../../common/index.js';
import type { WorldFile } from '../../contract/index.js';
import { type Clock, type Instant, runningClock, standingClock, watchedClock } from '../model/clock.js';
import type { World } from '../model/world.js';
import { ScenarioBook } from '../scenarios/book.js';
import type { ChaosOptions } from '../scenarios/chaos.js';
import { Scenarios, type ScenariosHost } from '../scenarios/scenarios.js';
import { Store } from '../store/store.js';
import { createWorld } from '../store/world.js';
import type { ChangeSink } from './change.js';
import type { ChangeLog } from './change-log.js';
import { Dialect, type DialectCard, firstCard } from './dialect.js';
import { clockStateOf, type SavePoint, savePointOf, exportState, type State, type StateHost } from './state.js';

const DEFAULT_NOW = '2026-06-01T08:00:00Z';

/** The options of a sandbox that decide its state. */
export interface StateOptions {
  /** Decides tee sheets, prices and identifiers; 1 is the committed world. */
  readonly seed?: number;
  /** Number of facilities; those beyond the committed ones are derived on first use. */
  readonly facilities?: number;
  /**
   * A world of your own, as a world file has it: facilities, courses, products, prices, channels. What it leaves out is
   * derived, with the seed. It takes the place of `facilities`.
   */
  readonly world?: WorldFile;
  /** The instant at which the clock is frozen. Default: 2026-06-01T08:00:00Z. */
  readonly now?: Instant;
  /** A source of epoch milliseconds, which the clock follows. With `now`, the clock is frozen until it is resumed. */
  readonly clock?: () => number;
  /** The answers to the questions that the API specification leaves open. Default: those of `world`. */
  readonly dialect?: DialectCard;
  /** Scenarios that apply to every request they fit, such as `payment-pi-failed; phase=after-commit`. */
  readonly scenarios?: readonly string[];
  /** A random mix of scenarios: `{ rate: '5%', seed: 7 }`, or written as for `--chaos`. */
  readonly chaos?: ChaosOptions | string;
  /** Your own scenarios, in the format of the files in `scenarios/`. */
  readonly ownScenarios?: readonly unknown[];
  /** Whether names, comments and facilities of bookings switch scenarios on. Default: true. */
  readonly magic?: boolean;
  /**
   * The state to start from, as `snapshot` returned it; a reset still goes back to the baseline. It sets `seed` and
   * `facilities`. The options `now`, `dialect`, `scenarios` and `chaos` override it.
   */
  readonly state?: State;
}

/** What a state has besides its options. */
interface StateSurroundings {
  /** The catalogue, if it exists already. */
  readonly world?: World | undefined;
  readonly changes?: ChangeSink | undefined;
  /** The state in which it goes on; the options are its baseline. */
  readonly resumed?: State | undefined;
}

const noPause = async (): Promise<void> => {};

/** Loaded on demand, because it is large and only restores need it. */
export const loadReader = () => import('./read-state.js');

/** What a sandbox exports, imports and resets: its store, clock, dialect and scenarios, and the count of requests. */
export class SandboxState implements StateHost {
  /** Requests counted so far; the newest has this number in its id. */
  requests = 0;
  /** Called after each move of the clock; a reset and a restore are no moves. */
  onClock: () => void = () => {};
  #isReplacing = false;

  private constructor(
    readonly store: Store,
    readonly clock: Clock,
    readonly source: (() => number) | undefined,
    readonly dialect: Dialect,
    readonly scenarios: Scenarios,
    /** Where changes go; undefined if nobody keeps them. */
    readonly log: ChangeLog | undefined,
  ) {}

  /**
   * @throws {Error} for an option that does not fit, with the reason.
   */
  static async create(
    options: StateOptions,
    onChange: () => void,
    { world, changes, resumed }: StateSurroundings = {},
  ): Promise<SandboxState> {
    const log = changes && new (await import('./change-log.js')).ChangeLog(changes);
    const given = options.state === undefined ? undefined : (await loadReader()).parseState(options.state);
    const saved = resumed ?? given;
    // The card of a world file is checked with the file.
    const catalogue = world ?? (await worldFor(options, saved));
    const dialect = new Dialect(firstCard(options));
    let state: SandboxState | undefined;
    const clock = watchedClock(createClock(options), () => {
      log?.append({ kind: 'clock', clock: clockStateOf(clock, options.clock) });
      onChange();
      if (state) state.#moved();
    });
    const store = new Store(catalogue, clock.now());
    store.onChange = onChange;
    const scenarios = await createScenarios(options, store, clock, dialect, {
      onChange,
      ...(log ? { report: log.append } : {}),
    });
    state = new SandboxState(store, clock, options.clock, dialect, scenarios, log);
    if (saved) {
      const { startingState } = await loadReader();
      const take = await state.#read(resumed ?? startingState(state, saved, options), noPause);
      take();
    }
    if (log) listen(state, log);
    return state;
  }

  /** A copy as plain JSON, which never changes. */
  export(): State {
    return exportState(this, this.requests);
  }

  /** What `export` gives, without the bookings. */
  savePoint(): SavePoint {
    return savePointOf(this, this.requests);
  }

  /**
   * Reads a value while the present state stays in force. The function that it gives back replaces everything in one
   * synchronous step.
   *
   * @throws {ValidationError} naming the first field that does not fit this sandbox; then nothing has changed.
   */
  async read(value: unknown, pause: Pause): Promise<() => void> {
    return this.#read((await loadReader()).parseState(value), pause);
  }

  async #read(state: State, pause: Pause): Promise<() => void> {
    const { readState } = await loadReader();
    const take = await readState(this, state, pause);
    return () => this.#replace(() => void (this.requests = take()));
  }

  /** Goes back to the baseline of the options, in one synchronous step. */
  reset(): void {
    this.#replace(() => this.#start());
  }

  #start(begin?: World): void {
    this.clock.reset();
    this.dialect.reset();
    if (begin) this.store.begin(begin, this.clock.now());
    else this.store.reset(this.clock.now());
    this.scenarios.reset();
    this.requests = 0;
  }

  /**
   * Reads another world while the present one stays in force. The function that it gives back starts with its baseline, in
   * one synchronous step.
   *
   * @throws {ValidationError} with a pointer, for a file that does not fit; then nothing has changed.
   */
  async readWorld(file: WorldFile, { dialect }: Pick<StateOptions, 'dialect'>): Promise<() => void> {
    const world = await worldFor({ seed: this.store.base.seed, world: file });
    const card = firstCard(defined({ dialect, world: file }));
    if (card && card === file.dialect) checkScenarios(card, (texts) => this.scenarios.check(texts));
    return () =>
      this.#replace(() => {
        this.dialect.begin(card);
        this.#start(world);
      });
  }

  #replace(work: () => void): void {
    this.#isReplacing = true;
    try {
      if (this.log) this.log.replace(this, work);
      else work();
    } finally {
      this.#isReplacing = false;
    }
  }

  #moved(): void {
    if (!this.#isReplacing) this.onClock();
  }
}

/** Lets the parts of a state tell what changes in them. */
function listen(state: SandboxState, log: ChangeLog): void {
  state.store.report = log.append;
  state.dialect.onReplace = (dialect) => log.append({ kind: 'dialect', dialect });
  log.begin(state);
}

/**
 * The catalogue of a sandbox. The options override what a state says.
 *
 * @throws {ValidationError} for a world file that does not fit.
 */
export async function worldFor(
  options: Pick<StateOptions, 'seed' | 'facilities' | 'world'>,
  saved?: Partial<State>,
): Promise<World> {
  const seed = options.seed ?? saved?.seed;
  if (options.world === undefined) {
    return createWorld(defined({ seed, facilities: options.facilities ?? saved?.facilities }));
  }
  if (options.facilities !== undefined) {
    const message = '`facilities` and `world` cannot be combined: the world says which facilities there are.';
    throw Object.assign(new ValidationError(message, []), { input: 'world' });
  }
  // The reader and its validator are large; they are loaded only for a world of one's own.
  const { worldOfFile } = await import('../store/own-world.js');
  try {
    return worldOfFile(options.world, seed);
  } catch (error) {
    throw error instanceof ValidationError ? Object.assign(error, { input: 'world' }) : error;
  }
}

/** Frozen at `now`, or running with the source; with both it is frozen and can be resumed. */
function createClock({ now, clock }: StateOptions): Clock {
  return clock && now === undefined ? runningClock(clock) : standingClock(now ?? DEFAULT_NOW, clock);
}

/** @throws {ValidationError} naming the place in the world file of a scenario that does not fit. */
function checkScenarios({ scenarios = [] }: DialectCard, check: (texts: readonly string[]) => void): void {
  for (const [index, text] of scenarios.entries()) {
    try {
      check([text]);
    } catch (error) {
      throw Object.assign(error as Error, { pointer: `/dialect/scenarios/${index}`, input: 'world' });
    }
  }
}

async function createScenarios(
  { scenarios = [], chaos, magic, ownScenarios = [], world: file, dialect: given }: StateOptions,
  store: Store,
  { now }: Clock,
  dialect: Dialect,
  told: Pick<ScenariosHost, 'onChange' | 'report'>,
): Promise<Scenarios> {
  // The reader and its validator are large; they are loaded only for options that bring scenarios.
  const read = ownScenarios.length > 0 ? (await import('./own-scenarios.js')).readScenario : undefined;
  const own = read ? ownScenarios.map((one) => read(one)) : [];
  if (file?.dialect && given === undefined) {
    const book = new ScenarioBook(own);
    checkScenarios(file.dialect, (texts) => void book.parseAll(texts));
  }
  return new Scenarios({
    get seed() {
      return store.base.seed;
    },
    own,
    ...told,
    initial: () => [...(dialect.card.scenarios ?? []), ...scenarios],
    facilityScenario: (id) => store.base.facility(id)?.scenario,
    get channels() {
      return store.base.channels.map(({ name }) => name);
    },
    hasFacility: (id) => store.base.facility(id) !== undefined,
    now,
    ...defined({ magic, chaos }),
  });
}
