import { Misfit } from '../input/misfit.js';
import type { ScenarioBook } from './book.js';
import type { PlanOptions } from './plan-options.js';
import { checkNames, Plan, type PlanNames, type PlanState, type PlanView } from './plans.js';

/** What the armed plans need of their sandbox. */
export interface PlanHost extends PlanNames {
  readonly seed: number;
  /** Epoch milliseconds. */
  now(): number;
}

/** Maximum number of plans. Finished ones are evicted first. */
const MOST_PLANS = 1000;

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
    this.#makeRoom(now);
    this.armed += 1;
    this.#plans.set(plan.id, plan);
    return plan.view(now);
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
    return states.map((state) => Object.assign(this.#plan(state), { matched: state.matched, struck: state.struck }));
  }

  replace(armed: number, plans: readonly Plan[]): void {
    this.clear();
    for (const plan of plans) this.#plans.set(plan.id, plan);
    this.armed = armed;
  }

  #plan({ id, scenario, options, armedAt }: Omit<PlanState, 'matched' | 'struck'>): Plan {
    return new Plan(id, this.book.spec(scenario, options), options, this.host.seed, armedAt);
  }

  #makeRoom(now: number): void {
    if (this.size < MOST_PLANS) return;
    for (const plan of this) if (plan.state(now) !== 'armed') this.#plans.delete(plan.id);
    if (this.size < MOST_PLANS) return;
    throw new Misfit(`The sandbox already has the maximum of ${MOST_PLANS} plans.`, [
      'DELETE plans, or sandbox.scenarios.disarm()',
    ]);
  }
}
