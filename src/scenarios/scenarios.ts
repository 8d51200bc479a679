import type { JsonObject } from '../domain/json-object.js';
import type { Scenario, ScenarioId } from '../generated/scenarios.js';
import { ScenarioBook } from './book.js';
import { drawDelay } from './delay.js';
import { type Magic, magicOf, nearNames } from './magic.js';
import { type Moment, momentOf, Selection } from './moment.js';
import type { PlanContext } from './plan-context.js';
import type { PlanOptions } from './plan-options.js';
import { checkNames, Plan, type PlanNames, type PlanState, type PlanView } from './plans.js';
import { Misfit } from '../input/misfit.js';
import type { ScenarioSpec } from './spec.js';
import type { Strike } from './strike.js';

/** A scenario that a request asks for itself, or that chaos has drawn for it. */
export interface Requested {
  readonly spec: ScenarioSpec;
  readonly source: Exclude<Strike['source'], 'plan'>;
}

/** The armed plans as data. */
export interface ScenariosState {
  readonly armed: number;
  readonly drawn: number;
  readonly plans: readonly PlanState[];
}

export interface ScenariosHost extends PlanNames {
  readonly seed: number;
  /** Whether names, comments and facilities in a body trigger scenarios. Default: true. */
  readonly magic?: boolean;
  /** Scenarios, written as in the header, that are armed at the start and after every reset and strike every time. */
  initial?(): readonly string[];
  /** The user's own scenarios. */
  readonly own?: readonly Scenario[];
  /** The scenario that a facility is named after. */
  facilityScenario(id: number): string | undefined;
  /** Called when the armed plans have changed. */
  onChange?(): void;
  /** Epoch milliseconds. */
  now(): number;
}

/** Maximum number of plans. Finished ones are evicted first. */
const MOST_PLANS = 1000;

/** The scenarios of one sandbox and its armed plans. */
export class Scenarios {
  readonly #book: ScenarioBook;
  readonly #plans = new Map<string, Plan>();
  /** The plans armed from the start. */
  readonly #initial = new Set<string>();
  #armed = 0;
  #drawn = 0;

  /** @throws {Misfit} if a scenario of the start is invalid. */
  constructor(readonly host: ScenariosHost) {
    this.#book = new ScenarioBook(host.own);
    this.reset();
  }

  /** All scenarios. */
  get all(): readonly Scenario[] {
    return this.#book.all;
  }

  /** Restores the plans of the start. */
  reset(): void {
    this.#plans.clear();
    this.#armed = 0;
    this.#drawn = 0;
    this.armInitial();
  }

  /** Replaces the plans that are armed from the start. */
  armInitial(): void {
    for (const id of this.#initial) this.#plans.delete(id);
    this.#initial.clear();
    for (const text of this.host.initial?.() ?? []) {
      for (const { scenario, phase, item, delay } of this.#book.parse(text)) {
        const options: PlanOptions = { phase, delay, ...(item === null ? {} : { item }), times: 'always' };
        this.#initial.add(this.arm(scenario.id, options).id);
      }
    }
  }

  /** @throws {Misfit} for the first invalid text. */
  check(texts: readonly string[]): void {
    for (const text of texts) this.#book.parse(text);
  }

  /**
   * Arms a scenario. By default it strikes once.
   *
   * @throws {Misfit} for an unknown id or an invalid option, with what would fit.
   * @example
   * sandbox.scenarios.arm('payment-pi-failed', { times: 2, channel: 'fairway' });
   */
  arm(scenario: ScenarioId | (string & {}), options: PlanOptions = {}): PlanView {
    const now = this.host.now();
    const plan = this.#plan({ id: `plan-${this.#armed + 1}`, scenario, options, armedAt: now });
    checkNames(plan, this.host);
    this.#makeRoom(now);
    this.#armed += 1;
    this.#plans.set(plan.id, plan);
    this.host.onChange?.();
    return plan.view(now);
  }

  /** Every plan with its counters, in order of arming, including spent ones. */
  get plans(): readonly PlanView[] {
    const now = this.host.now();
    return [...this.#plans.values()].map((plan) => plan.view(now));
  }

  /** Removes one plan, or all; returns whether there was one. */
  disarm(id?: string): boolean {
    const some = id === undefined ? this.#plans.size > 0 : this.#plans.delete(id);
    if (id === undefined) this.#plans.clear();
    if (some) this.host.onChange?.();
    return some;
  }

  /** Whether there are plans; without any, a request need not be described to them. */
  get armed(): boolean {
    return this.#plans.size > 0;
  }

  export(): ScenariosState {
    return { armed: this.#armed, drawn: this.#drawn, plans: [...this.#plans.values()].map((plan) => plan.export()) };
  }

  /**
   * Restores exported plans. On an error nothing changes.
   *
   * @throws {Misfit} for an invalid scenario or option.
   */
  import({ armed, drawn, plans }: ScenariosState): void {
    const made = plans.map((state) =>
      Object.assign(this.#plan(state), { matched: state.matched, struck: state.struck }),
    );
    this.#plans.clear();
    for (const plan of made) this.#plans.set(plan.id, plan);
    this.#armed = armed;
    this.#drawn = drawn;
  }

  /**
   * Reads the scenarios in the header of a request.
   *
   * @throws {Misfit} if one is invalid or cannot strike this operation.
   */
  asked(text: string, operation: string): Requested[] {
    return this.#book.parse(text).map((spec) => ({ spec: this.#book.fit(spec, operation), source: 'header' }));
  }

  /**
   * The scenarios that the bookings of a body switch on.
   *
   * @throws {Misfit} if a comment is invalid, or asks for what cannot strike this operation.
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

  /**
   * The strikes on a request at this moment: those that it asks for, then those of plans in the order of arming. A
   * scenario is used up when its strike is taken, so that those behind the end of a request stay.
   */
  *strikes(moment: Moment, context: PlanContext, requested: readonly Requested[]): Generator<Strike> {
    const selection = new Selection();
    for (const { spec, source } of requested) {
      if (momentOf(spec) !== moment || !selection.accepts(spec)) continue;
      this.#check(context, spec);
      context.ready();
      selection.add(spec);
      yield this.#draw(context, spec, source);
    }
    for (const plan of this.#plans.values()) {
      if (momentOf(plan.spec) !== moment || !selection.accepts(plan.spec) || !plan.isFor(context)) continue;
      context.ready();
      const due = plan.take();
      this.host.onChange?.();
      if (!due) continue;
      selection.add(plan.spec);
      yield this.#draw(context, plan.spec, 'plan');
    }
  }

  /** Notes, for the plans of moments that a request did not reach, why it did not match. */
  missed(reached: ReadonlySet<Moment>, context: PlanContext, end: string): void {
    for (const plan of this.#plans.values()) if (!reached.has(momentOf(plan.spec))) plan.missed(context, end);
  }

  /** @throws {Misfit} for a scenario that was asked for and has nothing to strike in this request. */
  #check({ lacks, bodies }: PlanContext, { scenario, item }: ScenarioSpec): void {
    const lack = lacks(scenario);
    if (lack) throw new Misfit(`\`${scenario.id}\` cannot strike: ${lack.why}.`, [lack.due]);
    if (item === null || item <= bodies.length) return;
    throw new Misfit(`The request has no booking ${item}.`, [`item=1 to item=${bodies.length}`]);
  }

  #draw(context: PlanContext, spec: ScenarioSpec, source: Strike['source']): Strike {
    const delay = typeof spec.delay === 'number' ? spec.delay : drawDelay(spec.delay, this.host.seed, this.#drawn++);
    const strike: Strike = { ...spec, delay, source, apply: () => context.apply(strike) };
    return strike;
  }

  #plan({ id, scenario, options, armedAt }: Omit<PlanState, 'matched' | 'struck'>): Plan {
    return new Plan(id, this.#book.spec(scenario, options), options, this.host.seed, armedAt);
  }

  #makeRoom(now: number): void {
    if (this.#plans.size < MOST_PLANS) return;
    for (const plan of this.#plans.values()) if (plan.state(now) !== 'armed') this.#plans.delete(plan.id);
    if (this.#plans.size < MOST_PLANS) return;
    throw new Misfit(`The sandbox already has the maximum of ${MOST_PLANS} plans.`, [
      'DELETE plans, or sandbox.scenarios.disarm()',
    ]);
  }
}
