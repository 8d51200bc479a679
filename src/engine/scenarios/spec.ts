/** A scenario with its options: how they are read, at which moment of a request it applies, and its delay. */
import { type Delay, fit, type Phase, PlanRequest, type Scenario } from '../../contract/index.js';
import { DURATION_FORMS, type JsonObject, readDuration, ValidationError, validationError } from '../../common/index.js';
import { hash32 } from '../model/hash.js';

/** A scenario with the options of its use. */
export interface ScenarioSpec {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** The booking of a group that it applies to, counted from 1; null for the whole group. */
  readonly item: number | null;
  /** The delay of the response; for some scenarios, their duration. */
  readonly delay: Delay;
}

/** The options besides the id. */
export interface ScenarioOptions {
  readonly phase?: Phase;
  readonly item?: number;
  /** Milliseconds, or a distribution of them. */
  readonly delay?: Delay;
}

/** The forms of a delay in a header. In JSON: `800`, `{"uniform": [100, 900]}`, `{"lognormal": {"median": 400, "sigma": 0.5}}`. */
export const DELAY_FORMS = ['delay=250ms', 'delay=2s', 'delay=uniform(100ms,2s)', 'delay=lognormal(400ms,0.5)'];

const OPTIONS = ['phase=before-commit|after-commit', 'item=K', ...DELAY_FORMS];

/** Whether a scenario can apply to an operation. `*` is every operation except the token refresh. */
export function appliesTo({ operations }: Scenario, operation: string): boolean {
  return operations.includes(operation) || (operations.includes('*') && operation !== 'refreshToken');
}

/** Whether it applies to one booking of a request, rather than the whole request. */
function isPerBooking({ checkpoint }: Scenario): boolean {
  return !['credentials', 'arrival', 'refresh', 'callback'].includes(checkpoint);
}

/**
 * Checks a scenario and its options.
 *
 * @throws {ValidationError} for an option that does not fit the scenario.
 */
export function specOf(scenario: Scenario, options: ScenarioOptions = {}): ScenarioSpec {
  const { id, effect } = scenario;
  fit(PlanRequest, { ...options, scenario: id }, { whole: 'A plan' });
  const phases = Object.keys(scenario.after) as Phase[];
  const lasting = 'delay' in effect ? effect.delay : undefined;
  const { phase = phases[0]!, item = null, delay = lasting === undefined ? 0 : readDelay(lasting) } = options;
  if (!phases.includes(phase)) {
    const fits = phases.map((one) => `phase=${one}`);
    throw new ValidationError(`\`${id}\` cannot be triggered in the phase \`${phase}\`.`, fits);
  }
  if (item !== null && !isPerBooking(scenario)) {
    const fits = OPTIONS.filter((one) => !one.startsWith('item'));
    throw new ValidationError(`\`${id}\` applies to the whole request and cannot have an \`item\`.`, fits);
  }
  if (typeof delay === 'object' && 'uniform' in delay && delay.uniform[0] > delay.uniform[1]) {
    throw validationError('delay.uniform', 'the minimum and the maximum delay', delay.uniform, ['[100, 900]']);
  }
  return { scenario, phase, item, delay };
}

/**
 * Reads `phase=after-commit`, `item=2` and `delay=800ms`.
 *
 * @throws {ValidationError} with what is wrong and what would fit.
 */
export function readOptions(parts: readonly string[]): ScenarioOptions {
  const options: Record<string, unknown> = {};
  for (const part of parts) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    const known = ['phase', 'item', 'delay'].includes(name) && value !== '' && rest.length === 0;
    if (!known) throw new ValidationError(`\`${part.slice(0, 80)}\` is not an option of a scenario.`, OPTIONS);
    if (name in options) throw new ValidationError(`\`${name}\` must not be repeated.`, OPTIONS);
    options[name] = name === 'delay' ? readDelay(value) : name === 'item' ? readItem(value) : value;
  }
  return options;
}

function readItem(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/**
 * When a request meets scenarios, in this order: before anything else is done with it (`arrival`), when its credentials
 * are read, when others may change what it asks for (`change`), at the checkpoints of its operation (`step`), and when
 * its work is done (`answer`).
 */
export type Moment = 'arrival' | 'credentials' | 'change' | 'step' | 'answer';

/** The moment at which a scenario is triggered. Faults of the network are chosen on arrival, also those of the response. */
export function momentOf({ scenario: { checkpoint, effect }, phase }: ScenarioSpec): Moment {
  if (checkpoint === 'credentials') return 'credentials';
  if (effect.kind === 'change') return 'change';
  if (checkpoint !== 'arrival') return 'step';
  return effect.kind === 'refusal' && phase === 'after-commit' ? 'answer' : 'arrival';
}

/** Whether it only delays. */
export function isDelay({ scenario: { effect } }: ScenarioSpec): boolean {
  return effect.kind === 'network' && effect.fault === 'slow';
}

/** Picks which scenarios are triggered at one moment: a request ends once, and its response breaks once. */
export class Selection {
  #ended = false;
  #lost = false;
  #broken = false;

  /** Whether a scenario still has something to affect. */
  accepts(spec: ScenarioSpec): boolean {
    if (this.#lost) return false;
    if (spec.phase === 'before-commit') return !this.#ended;
    return isDelay(spec) || (isOfNetwork(spec) ? !this.#broken : !this.#ended);
  }

  /** Counts a scenario that is triggered. */
  add(spec: ScenarioSpec): void {
    if (isDelay(spec) || spec.scenario.effect.kind === 'change') return;
    const { phase } = spec;
    if (phase === 'after-commit' && isOfNetwork(spec)) this.#broken = true;
    else this.#ended = true;
    if (phase === 'before-commit' && isOfNetwork(spec)) this.#lost = true;
  }
}

function isOfNetwork({ scenario: { effect } }: ScenarioSpec): boolean {
  return effect.kind === 'network';
}

const LONGEST_DELAY = 600_000;
/** The stream of the hash from which delays are drawn. */
const DELAYS = 0xde1a;

const written = /^(uniform|lognormal)\( *([\w.]{1,20}) *, *([\w.]{1,20}) *\)$/;

/**
 * Reads a delay from a header or a file. The schema of a plan checks the range of its numbers.
 *
 * @throws {ValidationError} for an unknown form, with the known ones.
 */
export function readDelay(text: string): Delay {
  const [, kind, first, second] = written.exec(text) ?? [];
  const times = [first ?? text, ...(kind === 'uniform' ? [second!] : [])].map((one) => readDuration(one) ?? NaN);
  const sigma = kind === 'lognormal' ? (/^\d{1,9}(\.\d{1,6})?$/.test(second!) ? Number(second) : NaN) : 0;
  if (![...times, sigma].every(Number.isFinite)) {
    throw validationError(
      'delay',
      `a duration with its unit, such as ${DURATION_FORMS}, or a distribution of durations`,
      text,
      DELAY_FORMS,
    );
  }
  if (kind === 'uniform') return { uniform: [times[0]!, times[1]!] };
  return kind === 'lognormal' ? { lognormal: { median: times[0]!, sigma } } : times[0]!;
}

/** Draws a delay in milliseconds. The same seed and turn give the same delay. */
export function drawDelay(delay: Delay, seed: number, turn: number): number {
  if (typeof delay === 'number') return delay;
  const chance = (part: number) => (hash32(seed, DELAYS, turn, part) + 0.5) / 2 ** 32;
  if ('uniform' in delay) {
    const [least, most] = delay.uniform;
    return least + Math.floor(chance(0) * (most - least + 1));
  }
  const { median, sigma } = delay.lognormal;
  // Box-Muller transform: two uniform draws make one normally distributed draw.
  const normal = Math.sqrt(-2 * Math.log(chance(0))) * Math.cos(2 * Math.PI * chance(1));
  return Math.min(LONGEST_DELAY, Math.round(median * Math.exp(sigma * normal)));
}

/** The conditions of a plan: the requests it matches, and when it is triggered. */
export interface PlanOptions extends ScenarioOptions {
  /** The name of an operation, such as `createBooking`, or its id with the version, such as `v5.createBooking`. */
  readonly operation?: string;
  readonly channel?: string;
  readonly facilityId?: number;
  /** Fields of the body, of one booking in it, or parameters as they were sent, with the values they must have. */
  readonly match?: Readonly<Record<string, unknown>>;
  /** How often it is triggered. Default: 1. */
  readonly times?: number | 'always';
  /** Number of matching requests to let pass first. */
  readonly after?: number;
  /** A script with one step per matching request, instead of `times` and `after`. */
  readonly steps?: readonly ('fail' | 'ok')[];
  /** The probability that it is triggered, from 0 to 1, drawn from the seed. */
  readonly probability?: number;
  /** Seconds on the sandbox's clock until the plan expires. */
  readonly ttl?: number;
}

/** The facility id that a body names before it is validated, or NaN: an object may not even convert to a number. */
export function facilityIdIn({ facilityId }: JsonObject): number {
  return typeof facilityId === 'number' || (typeof facilityId === 'string' && facilityId !== '')
    ? Number(facilityId)
    : NaN;
}
