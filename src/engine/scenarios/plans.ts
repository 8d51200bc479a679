import { isOnClock } from '../model/clock.js';
import { hash32 } from '../model/hash.js';
import { operations } from '../../contract/index.js';
import { isSecretMember, type JsonObject, ValidationError, shown } from '../../common/index.js';
import type { PlanContext } from './triggered-scenario.js';
import { appliesTo, facilityIdIn, type PlanOptions, type ScenarioSpec } from './spec.js';

/** The names that a plan may use in one sandbox. */
export interface PlanNames {
  readonly channels: readonly string[];
  hasFacility(id: number): boolean;
}

/** A plan with its counters, for display. */
export interface PlanView extends PlanOptions {
  readonly id: string;
  readonly scenario: string;
  readonly matched: number;
  /** Number of requests that triggered it. */
  readonly struck: number;
  readonly state: 'armed' | 'spent' | 'expired';
  /** ISO 8601, UTC, for a plan with a `ttl` that is not spent. */
  readonly expiresAt?: string;
  /** The requests that the scenario could have applied to but the plan did not match, and why. */
  readonly near: NearView;
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
  readonly #near = new NearMisses();

  /** @throws {ValidationError} for an invalid option. */
  constructor(
    readonly id: string,
    readonly spec: ScenarioSpec,
    readonly options: PlanOptions,
    readonly seed: number,
    readonly armedAt: number,
    /** The length of its options as JSON. */
    readonly characters: number,
  ) {
    checkOptions(options, spec);
  }

  state(now: number): PlanView['state'] {
    const { ttl, steps, times = 1, after = 0 } = this.options;
    if (ttl !== undefined && now >= this.armedAt + ttl * 1000) return 'expired';
    if (steps) return this.matched < steps.length ? 'armed' : 'spent';
    return times === 'always' || this.struck < times || this.matched < after ? 'armed' : 'spent';
  }

  /** Whether the plan is armed for requests like this one. */
  isOpenTo({ operation, now }: PlanContext): boolean {
    return this.state(now) === 'armed' && appliesTo(this.spec.scenario, operation.name);
  }

  /** Whether the plan matches this request. If it does not, it notes why. */
  isFor(context: PlanContext): boolean {
    if (!this.isOpenTo(context)) return false;
    const why = whyNot(context, this.options, this.spec);
    if (why !== undefined) this.#near.add(why, context.requestId);
    return why === undefined;
  }

  /** Notes why a request, which ended before the moment of the scenario, did not match. */
  missed(context: PlanContext, end: string): void {
    if (this.isOpenTo(context)) this.#near.add(whyNot(context, this.options, this.spec) ?? end, context.requestId);
  }

  /** Takes the next step for a matching request; returns whether that step triggers it. */
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
    const near = this.#near.view;
    const shown = { id, scenario: spec.scenario.id, ...this.options, matched, struck, state: this.state(now), near };
    const expiry = this.armedAt + (this.options.ttl ?? Infinity) * 1000;
    const isDue = isOnClock(expiry) && this.state(-Infinity) !== 'spent';
    return isDue ? { ...shown, expiresAt: new Date(expiry).toISOString() } : shown;
  }

  export(): PlanState {
    const { id, spec, options, armedAt, matched, struck } = this;
    return { id, scenario: spec.scenario.id, options, armedAt, matched, struck };
  }
}

/** Checks what the schema of a plan, which `specOf` has applied, cannot express. */
function checkOptions(options: PlanOptions, { scenario }: ScenarioSpec): void {
  if (options.steps && (options.times !== undefined || options.after !== undefined)) {
    throw new ValidationError('A plan with `steps` cannot have `times` or `after`.', ['steps', 'times, after']);
  }
  const name = options.operation?.replace(/^v\d+\./, '').replace(/\.post$/, '');
  if (name !== undefined && !appliesTo(scenario, name)) {
    throw new ValidationError(`\`${scenario.id}\` does not apply to \`${options.operation}\`.`, scenario.operations);
  }
}

/**
 * Refuses a plan with an unknown name: it would silently never be triggered.
 *
 * @throws {ValidationError} with the known names.
 */
export function checkNames({ spec: { scenario }, options }: Plan, { channels, hasFacility }: PlanNames): void {
  const { operation, channel, facilityId } = options;
  if (operation !== undefined && !operations.some(({ id, name }) => id === operation || name === operation)) {
    const fits = operations.filter(({ name }) => appliesTo(scenario, name)).map(({ id }) => id);
    throw new ValidationError(`There is no operation \`${operation.slice(0, 80)}\`.`, fits);
  }
  if (channel !== undefined && !channels.includes(channel)) {
    throw new ValidationError(`There is no channel \`${channel.slice(0, 80)}\`.`, channels);
  }
  if (facilityId !== undefined && !hasFacility(facilityId)) {
    throw new ValidationError(`There is no facility ${facilityId}.`, [
      'facilityId: the id of a facility of this world',
    ]);
  }
}

/** What of the request decides whether a plan is meant. */
type Request = Pick<PlanContext, 'operation' | 'channel' | 'bodies' | 'sent' | 'lacks'>;

/** Why a request does not match a plan, in words; undefined if it matches. */
function whyNot(request: Request, options: PlanOptions, { item, scenario }: ScenarioSpec): string | undefined {
  const { operation, bodies } = request;
  const { operation: wanted, channel, facilityId, match } = options;
  if (wanted !== undefined && ![operation.id, operation.name].includes(wanted)) {
    return `\`operation\` is ${operation.id}, not ${wanted}`;
  }
  const lack = request.lacks(scenario);
  if (lack) return lack.why;
  if (item !== null && item > bodies.length) return `the request has no booking ${item}`;
  if (channel !== undefined && channel !== request.channel()) {
    return `\`channel\` is ${request.channel() ?? 'unknown, as the credentials are not valid'}, not ${channel}`;
  }
  if (facilityId !== undefined) {
    const found = facilitiesIn(request);
    if (!found.includes(facilityId)) return `\`facilityId\` is ${found.join(', ') || 'missing'}, not ${facilityId}`;
  }
  return match === undefined ? undefined : mismatch(request, match);
}

/** The facilities that bodies or parameters name, singly or in a list. */
function facilitiesIn({ bodies, sent }: Request): number[] {
  const { facilityId, facilityIds } = sent();
  const ofParameters = [facilityId, ...(facilityIds?.split(',') ?? [])].filter(Boolean).map(Number);
  return [...new Set([...bodies.map(facilityIdIn).filter((id) => !Number.isNaN(id)), ...ofParameters])];
}

/** The first field that keeps a request from matching, of the body that comes closest. */
function mismatch({ bodies, sent }: Request, match: JsonObject): string | undefined {
  const ofBodies = bodies.map((body) => differing(match, (name, value) => holds(body, name, value)));
  const parameters = sent();
  const ofParameters = differing(match, (name, value) => isSent(parameters, name, value));
  const sources: (readonly [JsonObject, readonly string[]])[] = [
    ...bodies.map((body, index) => [body, ofBodies[index]!] as const),
    ...(bodies.length === 0 || Object.keys(parameters).length > 0 ? [[parameters, ofParameters] as const] : []),
  ];
  const [nearest, names] = sources.reduce((best, one) => (one[1].length < best[1].length ? one : best));
  const [name] = names;
  if (name === undefined) return undefined;
  const got = Object.hasOwn(nearest, name) ? (isSecret(name) ? 'another' : shown(nearest[name])) : 'missing';
  return `\`${name}\` is ${got}, not ${isSecret(name) ? 'that' : shown(match[name])}`;
}

/** A callback address may hold credentials in any place of it. */
const isSecret = (name: string): boolean => isSecretMember(name) || name === 'callbackUrl';

function differing(match: JsonObject, met: (name: string, value: unknown) => boolean): string[] {
  return Object.entries(match).flatMap(([name, value]) => (met(name, value) ? [] : [name]));
}

function holds(body: JsonObject, name: string, value: unknown): boolean {
  return Object.hasOwn(body, name) && JSON.stringify(body[name]) === JSON.stringify(value);
}

/** Parameters are text, so that 2 and "2" are the same. */
function isSent(parameters: JsonObject, name: string, value: unknown): boolean {
  return Object.hasOwn(parameters, name) && typeof value !== 'object' && parameters[name] === String(value);
}

/** Why requests that came near a plan did not match it. */
interface NearView {
  /** Number of requests that the scenario could have applied to, had they met all conditions of the plan. */
  readonly count: number;
  /** The latest reasons, newest last. */
  readonly reasons: readonly NearReason[];
}

interface NearReason {
  readonly why: string;
  readonly count: number;
  /** The id of the newest such request. */
  readonly last: string;
}

/** Maximum number of reasons of a plan. */
const KEPT = 5;

/** Counts the requests that came near a plan. */
class NearMisses {
  #count = 0;
  readonly #reasons = new Map<string, NearReason>();

  add(why: string, requestId: string): void {
    this.#count += 1;
    const count = (this.#reasons.get(why)?.count ?? 0) + 1;
    // The map is in order of the newest request.
    this.#reasons.delete(why);
    this.#reasons.set(why, { why, count, last: requestId });
    if (this.#reasons.size > KEPT) this.#reasons.delete(this.#reasons.keys().next().value!);
  }

  get view(): NearView {
    return { count: this.#count, reasons: [...this.#reasons.values()] };
  }
}
