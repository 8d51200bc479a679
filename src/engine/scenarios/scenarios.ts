import { checkNesting, type JsonObject, ValidationError } from '../../common/index.js';
import type { Scenario, ScenarioId } from '../../contract/index.js';
import { type Magic, magicOf, MOST_INITIAL, nearNames, ScenarioBook } from './book.js';
import { Chaos, type ChaosOptions, type ChaosState, type ChaosView, initialChaos } from './chaos.js';
import { checkNames, Plan, type PlanNames, type PlanState, type PlanView } from './plans.js';
import { drawDelay, type Moment, momentOf, type PlanOptions, type ScenarioSpec, Selection } from './spec.js';
import type { PlanContext, TriggeredScenario } from './triggered-scenario.js';

/** A scenario that a request asks for itself, or that chaos has drawn for it. */
export interface Requested {
  readonly spec: ScenarioSpec;
  readonly source: Exclude<TriggeredScenario['source'], 'plan'>;
}

export interface ScenariosHost extends PlanHost {
  /** Whether names, comments and facilities in a body trigger scenarios. Default: true. */
  readonly magic?: boolean;
  /** Scenarios, written as in the header, that are armed at the start and after every reset and apply every time. */
  initial?(): readonly string[];
  /** The random mix of the start, also written as for `--chaos`. */
  readonly chaos?: ChaosOptions | string;
  /** The user's own scenarios. */
  readonly own?: readonly Scenario[];
  /** The scenario that a facility is named after. */
  facilityScenario(id: number): string | undefined;
  /** Called when the armed plans or chaos have changed. */
  onChange?(): void;
}

/** The scenarios of a sandbox, as the library exposes them. */
export interface SandboxScenarios {
  readonly all: readonly Scenario[];
  /** Every plan with its counters, in order of arming, including spent ones. */
  readonly plans: readonly PlanView[];
  /**
   * Arms a scenario. By default it is triggered once.
   *
   * @throws {ValidationError} for an unknown id or an invalid option, with what would fit.
   * @example
   * sandbox.scenarios.arm('payment-pi-failed', { times: 2, channel: 'fairway' });
   */
  arm(scenario: ScenarioId | (string & {}), options?: PlanOptions): PlanView;
  /** Removes one plan, or all; returns whether there was one. */
  disarm(id?: string): boolean;
  /**
   * Triggers a random mix of scenarios from the next request on, or ends it with null. Without an argument, it only
   * shows the mix.
   *
   * @throws {ValidationError} for an unknown id or an invalid option, with what would fit.
   * @example
   * sandbox.scenarios.chaos({ rate: '5%', seed: 7 });
   */
  chaos(options?: ChaosOptions | null): ChaosView | null;
}

/** The scenarios of one sandbox and its armed plans. */
export class Scenarios implements SandboxScenarios {
  readonly #book: ScenarioBook;
  readonly #plans: PlanTable;
  /** The plans armed from the start. */
  readonly #initial = new Set<string>();
  #chaos: Chaos | null = null;
  #drawn = 0;
  /** Receives each order, in the form of the admin API. */
  onOrder: (method: 'POST' | 'DELETE', path: string, body?: unknown) => void = () => {};

  /** @throws {ValidationError} if a scenario of the start is invalid. */
  constructor(readonly host: ScenariosHost) {
    this.#book = new ScenarioBook(host.own);
    this.#plans = new PlanTable(this.#book, host);
    this.reset();
  }

  get all(): readonly Scenario[] {
    return this.#book.all;
  }

  /** Restores the plans of the start. */
  reset(): void {
    this.#plans.replace(0, []);
    this.#drawn = 0;
    this.armInitial();
    this.#chaos = initialChaos(this.#book, this.host.chaos, this.host.seed);
  }

  chaos(options?: ChaosOptions | null): ChaosView | null {
    if (options !== undefined) {
      this.#chaos = options && this.#mix(options);
      this.host.report?.({ kind: 'chaos', chaos: this.#chaos?.export() ?? null });
      this.host.onChange?.();
      this.onOrder(options ? 'POST' : 'DELETE', 'chaos', this.#chaos?.options);
    }
    return this.#chaos && this.#chaos.view;
  }

  #mix(options: ChaosOptions): Chaos {
    return new Chaos(this.#book, options, this.host.seed);
  }

  /** Replaces the plans that are armed from the start. */
  armInitial(): void {
    for (const id of this.#initial) this.#plans.delete(id);
    this.#initial.clear();
    for (const { scenario, phase, item, delay } of this.#book.parseAll(this.host.initial?.() ?? [])) {
      const options: PlanOptions = { phase, delay, ...(item === null ? {} : { item }), times: 'always' };
      this.#initial.add(this.#plans.armInitial(scenario.id, options).id);
    }
  }

  /** @throws {ValidationError} for the first invalid text, and for too many scenarios. */
  check(texts: readonly string[]): void {
    this.#book.parseAll(texts);
  }

  arm(scenario: ScenarioId | (string & {}), options: PlanOptions = {}): PlanView {
    const plan = this.#plans.arm(scenario, options);
    this.host.onChange?.();
    this.onOrder('POST', 'plans', { ...options, scenario });
    return plan;
  }

  get plans(): readonly PlanView[] {
    return this.#plans.views;
  }

  disarm(id?: string): boolean {
    const some = id === undefined ? this.#plans.size > 0 : this.#plans.delete(id);
    if (id === undefined) this.#plans.clear();
    if (!some) return false;
    this.host.onChange?.();
    this.onOrder('DELETE', id === undefined ? 'plans' : `plans/${id}`);
    return true;
  }

  /** Whether there are plans or chaos; without any, a request need not be described to them. */
  get armed(): boolean {
    return this.#plans.size > 0 || this.#chaos !== null;
  }

  export(): ScenariosState {
    const chaos = this.#chaos ? { chaos: this.#chaos.export() } : {};
    return { armed: this.#plans.armed, drawn: this.#drawn, plans: this.#plans.export(), ...chaos };
  }

  /** What is used up; of plans, what was since this was asked for the last time. */
  takeCounts(): Omit<CountsChange, 'kind'> {
    const { seen = 0, struck = 0 }: Partial<Chaos> = this.#chaos ?? {};
    return { drawn: this.#drawn, plans: this.#plans.takeCounts(), ...(this.#chaos ? { chaos: { seen, struck } } : {}) };
  }

  /**
   * Restores exported plans. On an error nothing changes.
   *
   * @throws {ValidationError} for an invalid scenario or option.
   */
  import({ armed, drawn, plans, chaos }: ScenariosState): void {
    const made = this.#plans.read(plans);
    this.#chaos = chaos ? Object.assign(this.#mix(chaos.options), { seen: chaos.seen, struck: chaos.struck }) : null;
    this.#plans.replace(armed, made);
    this.#drawn = drawn;
  }

  /**
   * Reads the scenarios in the header of a request.
   *
   * @throws {ValidationError} if one is invalid or does not apply to the operation.
   */
  asked(text: string, operation: string): Requested[] {
    return this.#book.parse(text).map((spec) => ({ spec: this.#book.fit(spec, operation), source: 'header' }));
  }

  /**
   * The scenarios that the bookings of a body switch on.
   *
   * @throws {ValidationError} if a comment is invalid, or asks for what does not apply to this operation.
   */
  magic(operation: string, bookings: readonly JsonObject[]): Magic[] {
    if (this.host.magic === false || !operation.startsWith('create')) return [];
    const found = magicOf(this.#book, bookings, this.host.facilityScenario);
    for (const { spec } of found) this.#book.fit(spec, operation);
    return found;
  }

  /** What to tell of names that almost switch a scenario on. */
  nearNames(operation: string, bookings: readonly JsonObject[]): string[] {
    if (this.host.magic === false || !operation.startsWith('create')) return [];
    return nearNames(this.#book, bookings);
  }

  draw(context: PlanContext): Requested[] {
    if (!this.#chaos) return [];
    const spec = this.#chaos.draw(context);
    this.host.onChange?.();
    return spec ? [{ spec, source: 'chaos' }] : [];
  }

  /**
   * The scenarios that a request triggers at this moment: those that it asks for, those of plans in the order of arming, and that of
   * chaos. A scenario is used up when it is taken here, so that those behind the end of a request stay.
   */
  *triggered(moment: Moment, context: PlanContext, requested: readonly Requested[]): Generator<TriggeredScenario> {
    const selection = new Selection();
    const isDue = (spec: ScenarioSpec) => momentOf(spec) === moment && selection.accepts(spec);
    const take = (from: TriggerOrigin): TriggeredScenario => {
      selection.add(from.spec);
      return this.#draw(context, from);
    };
    for (const one of requested) {
      if (one.source === 'chaos' || !isDue(one.spec)) continue;
      context.ready();
      yield take(one);
    }
    for (const plan of this.#plans) {
      if (!isDue(plan.spec) || !plan.isFor(context)) continue;
      context.ready();
      const due = this.#plans.take(plan);
      this.host.onChange?.();
      if (due) yield take({ spec: plan.spec, source: 'plan', plan: plan.id });
    }
    for (const one of requested) {
      if (one.source !== 'chaos' || !isDue(one.spec)) continue;
      context.ready();
      if (this.#chaos) this.#chaos.struck += 1;
      yield take(one);
    }
  }

  /** Notes, for the plans of moments that a request did not reach, why it did not match. */
  missed(reached: ReadonlySet<Moment>, context: PlanContext, end: string): void {
    for (const plan of this.#plans) if (!reached.has(momentOf(plan.spec))) plan.missed(context, end);
  }

  /** @throws {ValidationError} if something that was asked for has nothing to affect in this request. */
  checkRequested({ lacks, bodies }: PlanContext, requested: readonly Requested[]): void {
    for (const { scenario, item } of requested.map(({ spec }) => spec)) {
      const lack = lacks(scenario);
      if (lack) throw new ValidationError(`\`${scenario.id}\` cannot be triggered: ${lack.why}.`, [lack.due]);
      const missing = item !== null && item > bodies.length;
      if (missing)
        throw new ValidationError(`The request has no booking ${item}.`, [`item=1 to item=${bodies.length}`]);
    }
  }

  #draw(context: PlanContext, { spec, source, plan }: TriggerOrigin): TriggeredScenario {
    const delay = typeof spec.delay === 'number' ? spec.delay : drawDelay(spec.delay, this.host.seed, this.#drawn++);
    const trigger: TriggeredScenario = {
      ...spec,
      delay,
      source,
      ...(plan === undefined ? {} : { plan }),
      apply: () => context.apply(trigger),
    };
    return trigger;
  }
}

/** Where a scenario comes from, as it is taken. */
interface TriggerOrigin extends Pick<TriggeredScenario, 'source' | 'plan'> {
  readonly spec: ScenarioSpec;
}

/** The armed plans as data. */
export interface ScenariosState {
  readonly armed: number;
  readonly drawn: number;
  readonly plans: readonly PlanState[];
  readonly chaos?: ChaosState;
}

/** One change of the armed scenarios as data. */
export type ScenariosChange = PlansChange | ChaosChange | CountsChange;

/** Plans were removed, and then plans were armed. */
export interface PlansChange {
  readonly kind: 'plans';
  /** The number of plans armed so far. */
  readonly armed: number;
  readonly removed: readonly string[];
  readonly added: readonly PlanState[];
}

export interface ChaosChange {
  readonly kind: 'chaos';
  readonly chaos: ChaosState | null;
}

/** What requests have used up. */
export interface CountsChange {
  readonly kind: 'counts';
  /** The number of random delays drawn so far. */
  readonly drawn: number;
  readonly plans: readonly PlanCounts[];
  readonly chaos?: Pick<ChaosState, 'seen' | 'struck'>;
}

type PlanCounts = Pick<PlanState, 'id' | 'matched' | 'struck'>;

/** What the armed plans need of their sandbox. */
interface PlanHost extends PlanNames {
  readonly seed: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Receives each change as data, except counters, which are read when they are needed. */
  report?(change: ScenariosChange): void;
}

/** Maximum number of plans besides those of the start, and of characters of all their options as JSON. */
const MOST_PLANS = 1000;
const ALL_CHARACTERS = 1_048_576;
/** Maximum of one plan. With fewer levels than a state may have, so that each plan can be saved and loaded. */
const PLAN_LEVELS = 32;
const PLAN_VALUES = 2000;
const PLAN_CHARACTERS = 65_536;

/** The armed plans of one sandbox, in order of arming. */
class PlanTable {
  readonly #plans = new Map<string, Plan>();
  /** The plans whose counters are not reported yet. */
  readonly #counted = new Set<Plan>();
  /** Number of plans armed so far. */
  armed = 0;

  constructor(
    readonly book: ScenarioBook,
    readonly host: PlanHost,
  ) {}

  get size(): number {
    return this.#plans.size;
  }

  [Symbol.iterator](): Iterator<Plan> {
    return this.#plans.values();
  }

  /** @throws {ValidationError} for an unknown id or an invalid option, with what would fit. */
  arm(scenario: string, options: PlanOptions): PlanView {
    const now = this.host.now();
    const plan = this.#plan({ id: `plan-${this.armed + 1}`, scenario, options, armedAt: now });
    checkNames(plan, this.host);
    return this.#add(plan, this.#makeRoom(now, plan.characters)).view(now);
  }

  /** Arms a plan of the start, for which there is always room. */
  armInitial(scenario: string, options: PlanOptions): Plan {
    return this.#add(this.#plan({ id: `plan-${this.armed + 1}`, scenario, options, armedAt: this.host.now() }));
  }

  #add(plan: Plan, removed: readonly string[] = []): Plan {
    this.armed += 1;
    this.#plans.set(plan.id, plan);
    this.#report(removed, [plan]);
    return plan;
  }

  #report(removed: readonly string[], added: readonly Plan[] = []): void {
    const { armed, host } = this;
    host.report?.({ kind: 'plans', armed, removed, added: added.map((plan) => plan.export()) });
  }

  /** Takes the next step of a plan; returns whether that step triggers it. */
  take(plan: Plan): boolean {
    if (this.host.report) this.#counted.add(plan);
    return plan.take();
  }

  /** The plans that took steps since this was asked for the last time. */
  takeCounts(): readonly PlanCounts[] {
    if (this.#counted.size === 0) return [];
    const plans = [...this.#counted].filter((plan) => this.#plans.get(plan.id) === plan);
    this.#counted.clear();
    return plans.map(({ id, matched, struck }) => ({ id, matched, struck }));
  }

  /** Every plan with its counters, including spent ones. */
  get views(): readonly PlanView[] {
    const now = this.host.now();
    return [...this].map((plan) => plan.view(now));
  }

  delete(id: string): boolean {
    if (!this.#plans.delete(id)) return false;
    this.#report([id]);
    return true;
  }

  clear(): void {
    const removed = [...this.#plans.keys()];
    this.#plans.clear();
    if (removed.length > 0) this.#report(removed);
  }

  export(): PlanState[] {
    return [...this].map((plan) => plan.export());
  }

  /** @throws {ValidationError} for an invalid scenario or option. */
  read(states: readonly PlanState[]): readonly Plan[] {
    if (states.length > MOST_PLANS + MOST_INITIAL) throw tooMany(states.length);
    const plans = states.map((state) =>
      Object.assign(this.#plan(state), { matched: state.matched, struck: state.struck }),
    );
    if (charactersOf(plans) > ALL_CHARACTERS) throw tooLong();
    return plans;
  }

  replace(armed: number, plans: readonly Plan[]): void {
    this.#plans.clear();
    for (const plan of plans) this.#plans.set(plan.id, plan);
    this.armed = armed;
  }

  #plan({ id, scenario, options, armedAt }: Omit<PlanState, 'matched' | 'struck'>): Plan {
    const text = writtenOptions(options);
    const spec = this.book.spec(scenario, options);
    return new Plan(id, spec, JSON.parse(text) as PlanOptions, this.host.seed, armedAt, text.length);
  }

  /** Evicts finished plans if there is no room otherwise; returns their ids. */
  #makeRoom(now: number, characters: number): string[] {
    const fits = () => this.size < MOST_PLANS && charactersOf(this.#plans.values()) + characters <= ALL_CHARACTERS;
    if (fits()) return [];
    const finished = [...this].filter((plan) => plan.state(now) !== 'armed').map(({ id }) => id);
    for (const id of finished) this.#plans.delete(id);
    if (fits()) return finished;
    if (finished.length > 0) this.#report(finished);
    throw this.size < MOST_PLANS ? tooLong() : tooMany(this.size + 1);
  }
}

/**
 * The options of a plan as JSON, which is what can be saved.
 *
 * @throws {ValidationError} for options that have no JSON, or too much of it.
 */
function writtenOptions(options: PlanOptions): string {
  checkNesting(options, 'A plan', PLAN_LEVELS, PLAN_VALUES);
  const text = jsonOf(options);
  if (text.length <= PLAN_CHARACTERS) return text;
  const due = `at most ${PLAN_CHARACTERS} characters of JSON`;
  throw new ValidationError(`A plan must have ${due}; got ${text.length}.`, [due]);
}

function jsonOf(options: PlanOptions): string {
  try {
    return JSON.stringify(options);
  } catch {
    throw new ValidationError('The options of a plan must be JSON, so that it can be saved.', ['JSON']);
  }
}

function charactersOf(plans: Iterable<Plan>): number {
  let sum = 0;
  for (const { characters } of plans) sum += characters;
  return sum;
}

const remedy = ['DELETE plans, or sandbox.scenarios.disarm()'];

function tooMany(count: number): ValidationError {
  return new ValidationError(`A sandbox has at most ${MOST_PLANS} plans; this would make ${count}.`, remedy);
}

function tooLong(): ValidationError {
  return new ValidationError(`The plans of a sandbox have at most ${ALL_CHARACTERS} characters of JSON.`, remedy);
}

/** The bookings of a body, or the one thing that it is. What is no object has no fields. */
export function bodiesIn(body: unknown): readonly JsonObject[] {
  if (body === undefined) return [];
  const { details } = (body ?? {}) as { details?: unknown };
  const all: readonly unknown[] = Array.isArray(body) ? body : Array.isArray(details) ? details : [body];
  return all.map((one) => (typeof one === 'object' && one !== null ? (one as JsonObject) : {}));
}
