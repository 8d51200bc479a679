import { hash32 } from '../domain/hash.js';
import { operations } from '../generated/operations.js';
import type { Scenario } from '../generated/scenarios.js';
import { Misfit } from '../input/misfit.js';
import { type ScenarioSpec, type ScenarioOptions, appliesTo } from './spec.js';
import type { Strike } from './strike.js';

/** The conditions of a plan: the requests it matches, and when it strikes. */
export interface PlanOptions extends ScenarioOptions {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly channel?: string;
  readonly facilityId?: number;
  /** Fields of the body, or of one booking in it, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** How often it strikes. Default: 1. */
  readonly times?: number | 'always';
  /** Number of matching requests to let pass first. */
  readonly after?: number;
  /** A script with one step per matching request, instead of `times` and `after`. */
  readonly steps?: readonly ('fail' | 'ok')[];
  /** The probability of a strike, from 0 to 1, drawn from the seed. */
  readonly probability?: number;
  /** Seconds on the sandbox's clock until the plan expires. */
  readonly ttl?: number;
}

/** A request, as a plan sees it. */
export interface PlanContext {
  readonly operation: { readonly id: string; readonly name: string };
  readonly channel: string;
  /** The body, and each booking in a list of the body. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  readonly now: number;
  /** Throws the refusal that takes precedence over any scenario; called before a scenario is used up. */
  ready(): void;
  /** Applies a strike to this request. */
  apply(strike: Strike): void;
  /** What the scenario needs to strike and this request lacks; undefined if nothing is missing. */
  lacks(scenario: Scenario): Lack | undefined;
}

/** The names that a plan may use in one sandbox. */
export interface PlanNames {
  readonly channels: readonly string[];
  hasFacility(id: number): boolean;
}

/** Why a scenario cannot strike a request, and what the request would need. */
export interface Lack {
  readonly why: string;
  readonly due: string;
}

/** A plan with its counters, for display. */
export interface PlanView extends PlanOptions {
  readonly id: string;
  readonly scenario: string;
  /** Number of matching requests. */
  readonly matched: number;
  /** Number of requests it struck. */
  readonly struck: number;
  readonly state: 'armed' | 'spent' | 'expired';
}

/** A plan as data, from which it can be restored. */
export interface PlanState {
  readonly id: string;
  readonly scenario: string;
  readonly options: PlanOptions;
  /** Epoch milliseconds. */
  readonly armedAt: number;
  readonly matched: number;
  readonly struck: number;
}

/** One armed scenario. Each of several parallel requests takes its own step. */
export class Plan {
  matched = 0;
  struck = 0;

  /** @throws {Misfit} for an invalid option. */
  constructor(
    readonly id: string,
    readonly spec: ScenarioSpec,
    readonly options: PlanOptions,
    readonly seed: number,
    readonly armedAt: number,
  ) {
    checkOptions(options, spec);
  }

  state(now: number): PlanView['state'] {
    const { ttl, steps, times = 1, after = 0 } = this.options;
    if (ttl !== undefined && now >= this.armedAt + ttl * 1000) return 'expired';
    if (steps) return this.matched < steps.length ? 'armed' : 'spent';
    return times === 'always' || this.struck < times || this.matched < after ? 'armed' : 'spent';
  }

  /** Whether the plan matches this request. */
  isFor({ operation, channel, bodies, now, lacks }: PlanContext): boolean {
    const { options, spec } = this;
    if (spec.item !== null && spec.item > bodies.length) return false;
    if (this.state(now) !== 'armed' || !appliesTo(spec.scenario, operation.name)) return false;
    if (lacks(spec.scenario) !== undefined) return false;
    if (options.operation !== undefined && ![operation.id, operation.name].includes(options.operation)) return false;
    if (options.channel !== undefined && options.channel !== channel) return false;
    if (options.facilityId !== undefined && !facilitiesIn(bodies).includes(options.facilityId)) return false;
    return options.match === undefined || bodies.some((body) => holds(body, options.match!));
  }

  /** Takes the next step for a matching request; returns whether that step strikes. */
  take(): boolean {
    const { steps, after = 0, probability = 1 } = this.options;
    const turn = this.matched++;
    const due = steps ? steps[turn] === 'fail' : turn >= after;
    const drawn = probability >= 1 || hash32(this.seed, 0x9a7e, Number(this.id.slice(5)), turn) / 2 ** 32 < probability;
    if (due && drawn) this.struck += 1;
    return due && drawn;
  }

  view(now: number): PlanView {
    const { id, spec, matched, struck } = this;
    return { id, scenario: spec.scenario.id, ...this.options, matched, struck, state: this.state(now) };
  }

  export(): PlanState {
    const { id, spec, options, armedAt, matched, struck } = this;
    return { id, scenario: spec.scenario.id, options, armedAt, matched, struck };
  }
}

/** The facilities that bodies or parameters name, singly or in a list. */
function facilitiesIn(bodies: PlanContext['bodies']): number[] {
  return bodies.flatMap((body) => [body['facilityId'] ?? body['facilityIds'] ?? []].flat().map(Number));
}

function holds(body: Readonly<Record<string, unknown>>, match: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(match).every(
    ([name, value]) => Object.hasOwn(body, name) && JSON.stringify(body[name]) === JSON.stringify(value),
  );
}

/** Checks what the schema of a plan, which `specOf` has applied, cannot express. */
function checkOptions(options: PlanOptions, { scenario }: ScenarioSpec): void {
  if (options.steps && (options.times !== undefined || options.after !== undefined)) {
    throw new Misfit('A plan with `steps` cannot have `times` or `after`.', ['steps', 'times, after']);
  }
  const name = options.operation?.replace(/^v\d+\./, '').replace(/\.post$/, '');
  if (name !== undefined && !appliesTo(scenario, name)) {
    throw new Misfit(`\`${scenario.id}\` cannot strike \`${options.operation}\`.`, scenario.operations);
  }
}

/**
 * Refuses a plan with an unknown name: it would silently never strike.
 *
 * @throws {Misfit} with the known names.
 */
export function checkNames({ spec: { scenario }, options }: Plan, { channels, hasFacility }: PlanNames): void {
  const { operation, channel, facilityId } = options;
  if (operation !== undefined && !operations.some(({ id, name }) => id === operation || name === operation)) {
    const fits = operations.filter(({ name }) => appliesTo(scenario, name)).map(({ id }) => id);
    throw new Misfit(`There is no operation \`${operation.slice(0, 80)}\`.`, fits);
  }
  if (channel !== undefined && !channels.includes(channel)) {
    throw new Misfit(`There is no channel \`${channel.slice(0, 80)}\`.`, channels);
  }
  if (facilityId !== undefined && !hasFacility(facilityId)) {
    throw new Misfit(`There is no facility ${facilityId}.`, ['facilityId: the id of a facility of this world']);
  }
}
