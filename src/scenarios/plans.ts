import { hash32 } from '../domain/hash.js';
import { operations } from '../generated/operations.js';
import type { Scenario } from '../generated/scenarios.js';
import { type ScenarioSpec, Misfit, type StrikeOptions, strikes } from './spec.js';

/** Which requests a plan is for, and when it strikes. */
export interface PlanOptions extends StrikeOptions {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly channel?: string;
  readonly facilityId?: number;
  /** Fields of the body, or of one booking in it, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** How often it strikes; default 1. */
  readonly times?: number | 'always';
  /** How many matching requests pass before it strikes. */
  readonly after?: number;
  /** A script, one step for each matching request, in place of `times` and `after`. */
  readonly steps?: readonly ('fail' | 'ok')[];
  /** The chance that it strikes, from 0 to 1; drawn from the seed. */
  readonly probability?: number;
  /** Seconds on the sandbox's clock after which it is over. */
  readonly ttl?: number;
}

/** What a plan must know of a request. */
export interface PlanContext {
  readonly operation: { readonly id: string; readonly name: string };
  readonly channel: string;
  /** The body, and each booking of a list in it. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  readonly now: number;
  /** Throws what comes before any scenario; asked before one is spent on the request. */
  ready(): void;
  /** What the scenario would need in this request to strike; undefined when it is all there. */
  lacks(scenario: Scenario): Lack | undefined;
}

/** What a plan can name in one sandbox. */
export interface PlanNames {
  readonly channels: readonly string[];
  hasFacility(id: number): boolean;
}

/** Why a scenario has nothing to strike in a request, and what would have to be there. */
export interface Lack {
  readonly why: string;
  readonly due: string;
}

/** A plan as it shows itself. */
export interface PlanView extends PlanOptions {
  readonly id: string;
  readonly scenario: string;
  /** Requests that it was for. */
  readonly matched: number;
  /** Requests that it struck. */
  readonly struck: number;
  readonly state: 'armed' | 'spent' | 'expired';
}

/** A plan as data, from which it goes on. */
export interface PlanState {
  readonly id: string;
  readonly scenario: string;
  readonly options: PlanOptions;
  /** Epoch milliseconds. */
  readonly armedAt: number;
  readonly matched: number;
  readonly struck: number;
}

/** One armed scenario. Its steps are taken one by one, so that of parallel requests each has its own. */
export class Plan {
  matched = 0;
  struck = 0;

  /** @throws {Misfit} for an option that does not fit. */
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

  /** Whether it is for this request. */
  isFor({ operation, channel, bodies, now, lacks }: PlanContext): boolean {
    const { options, spec } = this;
    if (spec.item !== null && spec.item > bodies.length) return false;
    if (this.state(now) !== 'armed' || !strikes(spec.scenario, operation.name)) return false;
    if (lacks(spec.scenario) !== undefined) return false;
    if (options.operation !== undefined && ![operation.id, operation.name].includes(options.operation)) return false;
    if (options.channel !== undefined && options.channel !== channel) return false;
    if (options.facilityId !== undefined && !facilitiesIn(bodies).includes(options.facilityId)) return false;
    return options.match === undefined || bodies.some((body) => holds(body, options.match!));
  }

  /** Takes the next step for a request it is for, and tells whether that step strikes. */
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

/** Facilities that bodies or parameters name, one each or a list. */
function facilitiesIn(bodies: PlanContext['bodies']): number[] {
  return bodies.flatMap((body) => [body['facilityId'] ?? body['facilityIds'] ?? []].flat().map(Number));
}

function holds(body: Readonly<Record<string, unknown>>, match: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(match).every(
    ([name, value]) => Object.hasOwn(body, name) && JSON.stringify(body[name]) === JSON.stringify(value),
  );
}

type Check = readonly [name: keyof PlanOptions, fits: (value: never) => boolean, due: string];
const whole = (least: number) => (value: unknown) => Number.isSafeInteger(value) && (value as number) >= least;
const isText = (value: unknown) => typeof value === 'string' && value !== '';

const checks: readonly Check[] = [
  ['operation', isText, 'operation: the name or id of an operation'],
  ['channel', isText, 'channel: the name of a channel'],
  ['facilityId', whole(1), 'facilityId: a whole number'],
  ['match', (value: unknown) => Object.prototype.toString.call(value) === '[object Object]', 'match: {field: value}'],
  ['times', (value: unknown) => value === 'always' || whole(1)(value), 'times: a whole number from 1, or "always"'],
  ['after', whole(0), 'after: a whole number from 0'],
  [
    'steps',
    (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((one) => ['fail', 'ok'].includes(one)),
    'steps: a list of "fail" and "ok"',
  ],
  ['probability', (value: number) => value >= 0 && value <= 1, 'probability: a number from 0 to 1'],
  ['ttl', (value: number) => Number.isFinite(value) && value > 0, 'ttl: seconds, more than 0'],
];
const dues = [...checks.map(([, , due]) => due), 'phase, item, delay: as in the header'];
const known = new Set<string>([...checks.map(([name]) => name), 'phase', 'item', 'delay']);

function checkOptions(options: PlanOptions, { scenario }: ScenarioSpec): void {
  const stray = Object.keys(options).find((name) => !known.has(name));
  if (stray !== undefined) throw new Misfit(`A plan has no \`${stray.slice(0, 80)}\`.`, dues);
  for (const [name, fits, due] of checks) {
    const value = options[name];
    if (value !== undefined && !fits(value as never))
      throw new Misfit(`The \`${name}\` of the plan does not fit.`, [due]);
  }
  if (options.steps && (options.times !== undefined || options.after !== undefined)) {
    throw new Misfit('A plan with `steps` takes neither `times` nor `after`.', dues);
  }
  const name = options.operation?.replace(/^v\d+\./, '').replace(/\.post$/, '');
  if (name !== undefined && !strikes(scenario, name)) {
    throw new Misfit(`\`${scenario.id}\` cannot strike \`${options.operation}\`.`, scenario.operations);
  }
}

/**
 * Refuses a plan for what is not there: it would never strike, and nobody would be told.
 *
 * @throws {Misfit} naming what is.
 */
export function checkNames({ spec: { scenario }, options }: Plan, { channels, hasFacility }: PlanNames): void {
  const { operation, channel, facilityId } = options;
  if (operation !== undefined && !operations.some(({ id, name }) => id === operation || name === operation)) {
    const fits = operations.filter(({ name }) => strikes(scenario, name)).map(({ id }) => id);
    throw new Misfit(`There is no operation \`${operation.slice(0, 80)}\`.`, fits);
  }
  if (channel !== undefined && !channels.includes(channel)) {
    throw new Misfit(`There is no channel \`${channel.slice(0, 80)}\`.`, channels);
  }
  if (facilityId !== undefined && !hasFacility(facilityId)) {
    throw new Misfit(`There is no facility ${facilityId}.`, ['facilityId: that of a facility of this world']);
  }
}
