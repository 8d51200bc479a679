import { misfit } from '../../common/index.js';
import type { ChaosState } from '../scenarios/chaos.js';
import type { PlanState } from '../scenarios/plans.js';
import type { ChaosChange, CountsChange, PlansChange } from '../scenarios/scenarios-change.js';
import type { ScenariosState } from '../scenarios/scenarios-state.js';

/** The armed scenarios of a state, to which changes are applied. */
export class ScenariosDraft {
  #armed: number;
  #drawn: number;
  readonly #plans: Map<string, PlanState>;
  #chaos: ChaosState | undefined;

  constructor({ armed, drawn, plans, chaos }: ScenariosState) {
    this.#armed = armed;
    this.#drawn = drawn;
    this.#plans = new Map(plans.map((plan) => [plan.id, plan]));
    this.#chaos = chaos;
  }

  get state(): ScenariosState {
    const chaos = this.#chaos ? { chaos: this.#chaos } : {};
    return { armed: this.#armed, drawn: this.#drawn, plans: [...this.#plans.values()], ...chaos };
  }

  arm({ armed, removed, added }: PlansChange, at: string): void {
    for (const [index, id] of removed.entries()) {
      if (!this.#plans.delete(id)) throw misfit(`${at}.removed[${index}]`, 'the id of a plan of the state', id);
    }
    for (const [index, plan] of added.entries()) {
      if (this.#plans.has(plan.id))
        throw misfit(`${at}.added[${index}].id`, 'an id that no plan of the state has', plan.id);
      this.#plans.set(plan.id, plan);
    }
    this.#armed = armed;
  }

  mix({ chaos }: ChaosChange): void {
    this.#chaos = chaos ?? undefined;
  }

  count({ drawn, plans, chaos }: CountsChange, at: string): void {
    this.#drawn = drawn;
    for (const [index, { id, matched, struck }] of plans.entries()) {
      const plan = this.#plans.get(id);
      if (!plan) throw misfit(`${at}.plans[${index}].id`, 'the id of a plan of the state', id);
      this.#plans.set(id, { ...plan, matched, struck });
    }
    if (!chaos) return;
    if (!this.#chaos) throw misfit(`${at}.chaos`, 'absent, because the state has no chaos', chaos);
    this.#chaos = { ...this.#chaos, ...chaos };
  }
}
