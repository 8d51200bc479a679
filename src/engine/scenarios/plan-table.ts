import { checkNesting, Misfit } from '../../common/index.js';
import { MOST_INITIAL, type ScenarioBook } from './book.js';
import type { PlanOptions } from './plan-options.js';
import { checkNames, Plan, type PlanNames, type PlanState, type PlanView } from './plans.js';
import type { PlanCounts, ScenariosChange } from './scenarios-change.js';

/** What the armed plans need of their sandbox. */
export interface PlanHost extends PlanNames {
  readonly seed: number;
  /** Epoch milliseconds. */
  now(): number;
  /** Told of each change as data, except of counters, which are told when they are asked for. */
  report?(change: ScenariosChange): void;
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

  /** @throws {Misfit} for an unknown id or an invalid option, with what would fit. */
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

  /** Takes the next step of a plan; returns whether that step strikes. */
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
