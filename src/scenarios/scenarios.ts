import type { Scenario, ScenarioId } from '../generated/scenarios.js';
import { ScenarioBook } from './book.js';
import { drawDelay } from './delay.js';
import { magicOf } from './magic.js';
import {
  checkNames,
  Plan,
  type PlanContext,
  type PlanNames,
  type PlanOptions,
  type PlanState,
  type PlanView,
} from './plans.js';
import { Misfit, type ScenarioSpec } from './spec.js';

/** When a request meets the registry: as its credentials are read, as it arrives, or at a step of what it asks for. */
export type Moment = 'credentials' | 'arrival' | 'step';

/** A scenario that strikes one request. */
export interface Strike extends Omit<ScenarioSpec, 'delay'> {
  /** By which way it was switched on. */
  readonly source: 'header' | 'body' | 'facility' | 'plan';
  /** Milliseconds, drawn for this request. */
  readonly delay: number;
}

/** What is armed, as data. */
export interface ScenariosState {
  readonly armed: number;
  readonly drawn: number;
  readonly plans: readonly PlanState[];
}

export interface ScenariosHost extends PlanNames {
  readonly seed: number;
  /** Whether names and comments in a body and the facilities named for what they do count; default true. */
  readonly magic?: boolean;
  /** What is armed from the start and after every reset, as in the header, to strike always. */
  initial?(): readonly string[];
  /** Scenarios beside those that come with the sandbox. */
  readonly own?: readonly Scenario[];
  /** What a facility is named for. */
  facilityScenario(id: number): string | undefined;
  /** Told when what is armed has changed. */
  onChange?(): void;
  /** Epoch milliseconds. */
  now(): number;
}

/** Plans kept at most; those that are over go first. */
const MOST_PLANS = 1000;

/** All that can be made to fail in one sandbox, and what was armed. */
export class Scenarios {
  readonly #book: ScenarioBook;
  readonly #plans = new Map<string, Plan>();
  /** Plans that are armed from the start. */
  readonly #initial = new Set<string>();
  #armed = 0;
  #drawn = 0;

  /** @throws {Misfit} when what is armed from the start does not fit. */
  constructor(readonly host: ScenariosHost) {
    this.#book = new ScenarioBook(host.own);
    this.reset();
  }

  /** What there is to switch on. */
  get all(): readonly Scenario[] {
    return this.#book.all;
  }

  /** Back to what is armed from the start. */
  reset(): void {
    this.#plans.clear();
    this.#armed = 0;
    this.#drawn = 0;
    this.armInitial();
  }

  /** Arms what is armed from the start, in place of what was so before. */
  armInitial(): void {
    for (const id of this.#initial) this.#plans.delete(id);
    this.#initial.clear();
    for (const text of this.host.initial?.() ?? []) {
      const { scenario, phase, item, delay } = this.#book.parse(text);
      const options: PlanOptions = { phase, delay, ...(item === null ? {} : { item }), times: 'always' };
      this.#initial.add(this.arm(scenario.id, options).id);
    }
  }

  /** @throws {Misfit} for the first text that asks for what does not fit. */
  check(texts: readonly string[]): void {
    for (const text of texts) this.#book.parse(text);
  }

  /**
   * Arms a scenario; it strikes once, unless told otherwise.
   *
   * @throws {Misfit} for an unknown id and for options that do not fit, with what would.
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

  /** Every plan with how often it matched and struck, the spent ones too, in order of arming. */
  get plans(): readonly PlanView[] {
    const now = this.host.now();
    return [...this.#plans.values()].map((plan) => plan.view(now));
  }

  /** Takes one plan away, or all of them; tells whether there was one. */
  disarm(id?: string): boolean {
    const some = id === undefined ? this.#plans.size > 0 : this.#plans.delete(id);
    if (id === undefined) this.#plans.clear();
    if (some) this.host.onChange?.();
    return some;
  }

  /** Whether any plan is there, so that requests need not describe themselves when none is. */
  get armed(): boolean {
    return this.#plans.size > 0;
  }

  export(): ScenariosState {
    return { armed: this.#armed, drawn: this.#drawn, plans: [...this.#plans.values()].map((plan) => plan.export()) };
  }

  /**
   * Goes on from what was exported; nothing changes when that cannot be.
   *
   * @throws {Misfit} for a scenario or an option that does not fit.
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
   * What the header of a request asks for.
   *
   * @throws {Misfit} when it does not fit, or cannot strike this operation.
   */
  asked(text: string, operation: string): ScenarioSpec {
    return this.#book.fit(this.#book.parse(text), operation);
  }

  /** What strikes a request at this moment: its header before its body, its body before a plan. */
  strike(moment: Moment, context: PlanContext, header: ScenarioSpec | undefined): Strike | undefined {
    if (header) return momentOf(header) === moment ? this.#asked(context, header, 'header') : undefined;
    const magic = moment === 'step' && this.host.magic !== false ? this.#magic(context) : undefined;
    if (magic) return this.#asked(context, magic.spec, magic.source);
    for (const plan of this.#plans.values()) {
      if (momentOf(plan.spec) !== moment || !plan.isFor(context)) continue;
      context.ready();
      const due = plan.take();
      this.host.onChange?.();
      if (due) return this.#drawnFor(plan.spec, 'plan');
    }
    return undefined;
  }

  #magic({ operation, bodies }: PlanContext): ReturnType<typeof magicOf> {
    if (!operation.name.startsWith('create')) return undefined;
    const magic = magicOf(this.#book, bodies, this.host.facilityScenario);
    if (!magic) return undefined;
    this.#book.fit(magic.spec, operation.name);
    if (momentOf(magic.spec) !== 'credentials') return magic;
    throw new Misfit(`\`${magic.spec.scenario.id}\` comes before the body is read.`, ['the header', 'a plan']);
  }

  /** A strike that the request itself asks for, once nothing comes before it. */
  #asked(context: PlanContext, spec: ScenarioSpec, source: Strike['source']): Strike {
    const lack = context.lacks(spec.scenario);
    if (lack) throw new Misfit(`\`${spec.scenario.id}\` cannot strike: ${lack.why}.`, [lack.due]);
    context.ready();
    return this.#drawnFor(spec, source);
  }

  #drawnFor(spec: ScenarioSpec, source: Strike['source']): Strike {
    const delay = typeof spec.delay === 'number' ? spec.delay : drawDelay(spec.delay, this.host.seed, this.#drawn++);
    return { ...spec, delay, source };
  }

  #plan({ id, scenario, options, armedAt }: Omit<PlanState, 'matched' | 'struck'>): Plan {
    return new Plan(id, this.#book.spec(scenario, options), options, this.host.seed, armedAt);
  }

  #makeRoom(now: number): void {
    if (this.#plans.size < MOST_PLANS) return;
    for (const plan of this.#plans.values()) if (plan.state(now) !== 'armed') this.#plans.delete(plan.id);
    if (this.#plans.size < MOST_PLANS) return;
    throw new Misfit(`There are ${MOST_PLANS} plans already.`, ['DELETE plans, or sandbox.scenarios.disarm()']);
  }
}

function momentOf({ scenario: { checkpoint } }: ScenarioSpec): Moment {
  return checkpoint === 'credentials' || checkpoint === 'arrival' ? checkpoint : 'step';
}
