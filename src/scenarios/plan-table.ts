import { Misfit } from '../input/misfit.js';
import { checkNesting } from '../input/nesting.js';
import { MOST_INITIAL, type ScenarioBook } from './book.js';
import type { PlanOptions } from './plan-options.js';
import { checkNames, Plan, type PlanNames, type PlanState, type PlanView } from './plans.js';

/** What the armed plans need of their sandbox. */
export interface PlanHost extends PlanNames {
  readonly seed: number;
  /** Epoch milliseconds. */
  now(): number;
}

/** Maximum number of plans beside those of the start, and of characters of all their options as JSON. */
const MOST_PLANS = 1000;
const ALL_CHARACTERS = 1_048_576;
/** Maximum of one plan. With fewer levels than a state may have, so that each plan can be saved and loaded. */
const PLAN_LEVELS = 32;
const PLAN_VALUES = 2000;
const PLAN_CHARACTERS = 65_536;

/** The armed plans of one sandbox, in order of arming. */
export class PlanTable {
  readonly #plans = new Map<string, Plan>();
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

  /** @throws {Misfit} for an unknown id or an invalid option, with what would fit. */
  arm(scenario: string, options: PlanOptions): PlanView {
    const now = this.host.now();
    const plan = this.#plan({ id: `plan-${this.armed + 1}`, scenario, options, armedAt: now });
    checkNames(plan, this.host);
    this.#makeRoom(now, plan.characters);
    return this.#add(plan).view(now);
  }

  /** Arms a plan of the start, for which there is always room. */
  armInitial(scenario: string, options: PlanOptions): Plan {
    return this.#add(this.#plan({ id: `plan-${this.armed + 1}`, scenario, options, armedAt: this.host.now() }));
  }

  #add(plan: Plan): Plan {
    this.armed += 1;
    this.#plans.set(plan.id, plan);
    return plan;
  }

  /** Every plan with its counters, including spent ones. */
  get views(): readonly PlanView[] {
    const now = this.host.now();
    return [...this].map((plan) => plan.view(now));
  }

  delete(id: string): boolean {
    return this.#plans.delete(id);
  }

  clear(): void {
    this.#plans.clear();
  }

  export(): PlanState[] {
    return [...this].map((plan) => plan.export());
  }

  /** @throws {Misfit} for an invalid scenario or option. */
  read(states: readonly PlanState[]): readonly Plan[] {
    if (states.length > MOST_PLANS + MOST_INITIAL) throw tooMany(states.length);
    const plans = states.map((state) =>
      Object.assign(this.#plan(state), { matched: state.matched, struck: state.struck }),
    );
    if (charactersOf(plans) > ALL_CHARACTERS) throw tooLong();
    return plans;
  }

  replace(armed: number, plans: readonly Plan[]): void {
    this.clear();
    for (const plan of plans) this.#plans.set(plan.id, plan);
    this.armed = armed;
  }

  #plan({ id, scenario, options, armedAt }: Omit<PlanState, 'matched' | 'struck'>): Plan {
    const text = writtenOptions(options);
    const spec = this.book.spec(scenario, options);
    return new Plan(id, spec, JSON.parse(text) as PlanOptions, this.host.seed, armedAt, text.length);
  }

  /** Finished plans are evicted first. */
  #makeRoom(now: number, characters: number): void {
    const fits = () => this.size < MOST_PLANS && charactersOf(this.#plans.values()) + characters <= ALL_CHARACTERS;
    if (fits()) return;
    for (const plan of this) if (plan.state(now) !== 'armed') this.#plans.delete(plan.id);
    if (!fits()) throw this.size < MOST_PLANS ? tooLong() : tooMany(this.size + 1);
  }
}

/**
 * The options of a plan as JSON, which is what can be saved.
 *
 * @throws {Misfit} for options that have no JSON, or too much of it.
 */
function writtenOptions(options: PlanOptions): string {
  checkNesting(options, 'A plan', PLAN_LEVELS, PLAN_VALUES);
  const text = jsonOf(options);
  if (text.length <= PLAN_CHARACTERS) return text;
  const due = `at most ${PLAN_CHARACTERS} characters of JSON`;
  throw new Misfit(`A plan must have ${due}; got ${text.length}.`, [due]);
}

function jsonOf(options: PlanOptions): string {
  try {
    return JSON.stringify(options);
  } catch {
    throw new Misfit('The options of a plan must be JSON, so that it can be saved.', ['JSON']);
  }
}

function charactersOf(plans: Iterable<Plan>): number {
  let sum = 0;
  for (const { characters } of plans) sum += characters;
  return sum;
}

const remedy = ['DELETE plans, or sandbox.scenarios.disarm()'];

function tooMany(count: number): Misfit {
  return new Misfit(`A sandbox has at most ${MOST_PLANS} plans; this would make ${count}.`, remedy);
}

function tooLong(): Misfit {
  return new Misfit(`The plans of a sandbox have at most ${ALL_CHARACTERS} characters of JSON.`, remedy);
}
