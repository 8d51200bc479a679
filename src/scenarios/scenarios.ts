import { type Scenario, type ScenarioId, scenarios } from '../generated/scenarios.js';
import { magicOf } from './magic.js';
import { Plan, type PlanContext, type PlanOptions, type PlanView } from './plans.js';
import { Misfit, parseSpec, type ScenarioSpec, strikes } from './spec.js';

/** When a request meets the registry: as it arrives, or as its bookings are about to be made. */
export type Moment = 'arrival' | 'booking';

/** A scenario that strikes one request. */
export interface Strike extends ScenarioSpec {
  /** By which way it was switched on. */
  readonly source: 'header' | 'body' | 'plan';
}

/** Plans kept at most; those that are over go first. */
const MOST_PLANS = 1000;

/** All that can be made to fail in one sandbox, and what was armed. */
export class Scenarios {
  /** What there is to switch on. */
  readonly all: readonly Scenario[] = scenarios;
  readonly #plans = new Map<string, Plan>();
  #counter = 0;

  constructor(
    readonly host: {
      readonly seed: number;
      /** Whether names and comments in a body count; default true. */
      readonly magic?: boolean;
      /** What is armed from the start and after every reset, as in the header, to strike always. */
      readonly initial?: readonly string[];
      /** Epoch milliseconds. */
      now(): number;
    },
  ) {
    this.reset();
  }

  /**
   * Back to what is armed from the start.
   *
   * @throws {Misfit} when that does not fit.
   */
  reset(): void {
    this.#plans.clear();
    this.#counter = 0;
    for (const text of this.host.initial ?? []) {
      const { scenario, phase, item, delay } = parseSpec(text);
      this.arm(scenario.id, { phase, delay, ...(item === null ? {} : { item }), times: 'always' });
    }
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
    const plan = new Plan(`plan-${this.#counter + 1}`, scenario, options, this.host.seed, now);
    this.#makeRoom(now);
    this.#counter += 1;
    this.#plans.set(plan.id, plan);
    return plan.view(now);
  }

  /** Every plan with how often it matched and struck, the spent ones too, in order of arming. */
  get plans(): readonly PlanView[] {
    const now = this.host.now();
    return [...this.#plans.values()].map((plan) => plan.view(now));
  }

  /** Takes one plan away, or all of them; tells whether there was one. */
  disarm(id?: string): boolean {
    if (id !== undefined) return this.#plans.delete(id);
    const some = this.#plans.size > 0;
    this.#plans.clear();
    return some;
  }

  /** Whether any plan is there, so that requests need not describe themselves when none is. */
  get armed(): boolean {
    return this.#plans.size > 0;
  }

  /**
   * What the header of a request asks for.
   *
   * @throws {Misfit} when it does not fit, or cannot strike this operation.
   */
  asked(text: string, operation: string): ScenarioSpec {
    const spec = parseSpec(text);
    if (strikes(spec.scenario, operation)) return spec;
    const fits = scenarios.filter((one) => strikes(one, operation)).map(({ id }) => id);
    throw new Misfit(`\`${spec.scenario.id}\` cannot strike \`${operation}\`.`, fits);
  }

  /** What strikes a request at this moment: its header before its body, its body before a plan. */
  strike(moment: Moment, context: PlanContext, header: ScenarioSpec | undefined): Strike | undefined {
    if (header) return momentOf(header) === moment ? ready(context, header, 'header') : undefined;
    const magic = moment === 'booking' && this.host.magic !== false ? magicOf(context.bodies) : undefined;
    if (magic) return ready(context, magic, 'body');
    for (const plan of this.#plans.values()) {
      if (momentOf(plan.spec) !== moment || !plan.isFor(context)) continue;
      const strike = ready(context, plan.spec, 'plan');
      if (plan.take()) return strike;
    }
    return undefined;
  }

  #makeRoom(now: number): void {
    if (this.#plans.size < MOST_PLANS) return;
    for (const plan of this.#plans.values()) if (plan.state(now) !== 'armed') this.#plans.delete(plan.id);
    if (this.#plans.size < MOST_PLANS) return;
    throw new Misfit(`There are ${MOST_PLANS} plans already.`, ['DELETE plans, or sandbox.scenarios.disarm()']);
  }
}

function momentOf({ scenario }: ScenarioSpec): Moment {
  return scenario.checkpoint === 'arrival' ? 'arrival' : 'booking';
}

/** A strike, once nothing comes before it. */
function ready(context: PlanContext, spec: ScenarioSpec, source: Strike['source']): Strike {
  context.ready();
  return { ...spec, source };
}
