import type { Delay, Phase, Scenario } from '../generated/scenarios.js';
import { DELAY_FORMS, isDelay, LONGEST_DELAY, readDelay } from './delay.js';

/** What was asked for: a scenario and how it is to strike. */
export interface ScenarioSpec {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** Which booking of a group it strikes, counted from 1; null for the group as it stands. */
  readonly item: number | null;
  /** By how much the answer is late; for some scenarios, how long they last. */
  readonly delay: Delay;
}

/** What can be said beside the id. */
export interface StrikeOptions {
  readonly phase?: Phase;
  readonly item?: number;
  /** Milliseconds, or a distribution of them. */
  readonly delay?: Delay;
}

/** Thrown where a scenario was asked for that does not fit; it never turns into a silent success. */
export class Misfit extends Error {
  override readonly name = 'Misfit';

  constructor(
    message: string,
    /** What would have fitted. */
    readonly fits: readonly string[],
  ) {
    super(message);
  }
}

const OPTIONS = ['phase=before-commit|after-commit', 'item=K', ...DELAY_FORMS];
const LARGEST_ITEM = 1000;

/** Whether a scenario can strike an operation, by its name; `*` is every operation of a channel, tokens apart. */
export function strikes({ operations }: Scenario, operation: string): boolean {
  return operations.includes(operation) || (operations.includes('*') && operation !== 'refreshToken');
}

/** Whether it strikes one booking of a request, and not the request as a whole. */
function strikesBookings({ checkpoint }: Scenario): boolean {
  return !['credentials', 'arrival', 'refresh', 'callback'].includes(checkpoint);
}

/**
 * A scenario with its options, checked.
 *
 * @throws {Misfit} for an option that does not fit the scenario.
 */
export function specOf(scenario: Scenario, options: StrikeOptions = {}): ScenarioSpec {
  const { id, effect } = scenario;
  const phases = Object.keys(scenario.after) as Phase[];
  const lasting = 'delay' in effect ? effect.delay : undefined;
  const { phase = phases[0]!, item = null, delay = lasting ?? 0 } = options;
  if (!phases.includes(phase)) {
    const fits = phases.map((one) => `phase=${one}`);
    throw new Misfit(`\`${id}\` cannot strike in the phase \`${phase}\`.`, fits);
  }
  if (item !== null && !(Number.isInteger(item) && item >= 1 && item <= LARGEST_ITEM)) {
    const fits = [`item=1 to item=${LARGEST_ITEM}`];
    throw new Misfit('`item` must be the number of a booking in the request, counted from 1.', fits);
  }
  if (item !== null && !strikesBookings(scenario)) {
    const fits = OPTIONS.filter((one) => !one.startsWith('item'));
    throw new Misfit(`\`${id}\` strikes a request as a whole and takes no \`item\`.`, fits);
  }
  if (!isDelay(delay)) {
    const fits = [`delay=0 to delay=${LONGEST_DELAY}`, ...DELAY_FORMS.slice(1)];
    throw new Misfit('`delay` must be a whole number of milliseconds, or a distribution of them.', fits);
  }
  return { scenario, phase, item, delay };
}

/**
 * Reads `phase=after-commit`, `item=2` and `delay=800`.
 *
 * @throws {Misfit} saying what does not fit and what would.
 */
export function readOptions(parts: readonly string[]): StrikeOptions {
  const options: Record<string, unknown> = {};
  for (const part of parts) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    const known = ['phase', 'item', 'delay'].includes(name) && value !== '' && rest.length === 0;
    if (!known) throw new Misfit(`\`${part.slice(0, 80)}\` is no option of a scenario.`, OPTIONS);
    if (name in options) throw new Misfit(`\`${name}\` is given twice.`, OPTIONS);
    if (name === 'phase') options[name] = value;
    else options[name] = name === 'delay' ? readDelay(value) : /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  }
  return options;
}
