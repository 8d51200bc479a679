import { type Delay, fit, type Phase, PlanRequest, type Scenario } from '../../contract/index.js';
import { Misfit, misfit } from '../../common/index.js';
import { DELAY_FORMS, readDelay } from './delay.js';

/** A scenario with the options of its strike. */
export interface ScenarioSpec {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** The booking of a group to strike, counted from 1; null for the whole group. */
  readonly item: number | null;
  /** The delay of the response; for some scenarios, their duration. */
  readonly delay: Delay;
}

/** The options beside the id. */
export interface ScenarioOptions {
  readonly phase?: Phase;
  readonly item?: number;
  /** Milliseconds, or a distribution of them. */
  readonly delay?: Delay;
}

const OPTIONS = ['phase=before-commit|after-commit', 'item=K', ...DELAY_FORMS];

/** Whether a scenario can strike an operation. `*` is every operation except the token refresh. */
export function appliesTo({ operations }: Scenario, operation: string): boolean {
  return operations.includes(operation) || (operations.includes('*') && operation !== 'refreshToken');
}

/** Whether it strikes one booking of a request, rather than the whole request. */
function isPerBooking({ checkpoint }: Scenario): boolean {
  return !['credentials', 'arrival', 'refresh', 'callback'].includes(checkpoint);
}

/**
 * Checks a scenario and its options.
 *
 * @throws {Misfit} for an option that does not fit the scenario.
 */
export function specOf(scenario: Scenario, options: ScenarioOptions = {}): ScenarioSpec {
  const { id, effect } = scenario;
  fit(PlanRequest, { ...options, scenario: id }, { whole: 'A plan' });
  const phases = Object.keys(scenario.after) as Phase[];
  const lasting = 'delay' in effect ? effect.delay : undefined;
  const { phase = phases[0]!, item = null, delay = lasting ?? 0 } = options;
  if (!phases.includes(phase)) {
    const fits = phases.map((one) => `phase=${one}`);
    throw new Misfit(`\`${id}\` cannot strike in the phase \`${phase}\`.`, fits);
  }
  if (item !== null && !isPerBooking(scenario)) {
    const fits = OPTIONS.filter((one) => !one.startsWith('item'));
    throw new Misfit(`\`${id}\` strikes the whole request and cannot have an \`item\`.`, fits);
  }
  if (typeof delay === 'object' && 'uniform' in delay && delay.uniform[0] > delay.uniform[1]) {
    throw misfit('delay.uniform', 'the minimum and the maximum delay', delay.uniform, ['[100, 900]']);
  }
  return { scenario, phase, item, delay };
}

/**
 * Reads `phase=after-commit`, `item=2` and `delay=800`.
 *
 * @throws {Misfit} with what is wrong and what would fit.
 */
export function readOptions(parts: readonly string[]): ScenarioOptions {
  const options: Record<string, unknown> = {};
  for (const part of parts) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    const known = ['phase', 'item', 'delay'].includes(name) && value !== '' && rest.length === 0;
    if (!known) throw new Misfit(`\`${part.slice(0, 80)}\` is not an option of a scenario.`, OPTIONS);
    if (name in options) throw new Misfit(`\`${name}\` must not be repeated.`, OPTIONS);
    options[name] = name === 'delay' ? readDelay(value) : name === 'item' ? readItem(value) : value;
  }
  return options;
}

function readItem(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
