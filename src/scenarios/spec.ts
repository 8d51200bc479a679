import { type Phase, type Scenario, type ScenarioId, scenarios } from '../generated/scenarios.js';

/** What was asked for: a scenario and how it is to strike. */
export interface ScenarioSpec {
  readonly scenario: Scenario;
  readonly phase: Phase;
  /** Which booking of a group it strikes, counted from 1; null for the group as it stands. */
  readonly item: number | null;
  /** Milliseconds by which the answer is late. */
  readonly delay: number;
}

/** What can be said beside the id. */
export interface StrikeOptions {
  readonly phase?: Phase;
  readonly item?: number;
  readonly delay?: number;
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

const byId: ReadonlyMap<string, Scenario> = new Map(scenarios.map((one) => [one.id, one]));
const OPTIONS = ['phase=before-commit|after-commit', 'item=K', 'delay=MILLISECONDS'];
const LONGEST_DELAY = 600_000;
const LARGEST_ITEM = 1000;

/**
 * The scenario of an id.
 *
 * @throws {Misfit} when there is none.
 */
export function scenarioOf(id: string): Scenario {
  const found = byId.get(id);
  if (found) return found;
  throw new Misfit(`There is no scenario \`${id.slice(0, 80)}\`.`, [...byId.keys()]);
}

/** Whether a scenario can strike an operation, by its name; `*` is every operation of a channel, tokens apart. */
export function strikes({ operations }: Scenario, operation: string): boolean {
  return operations.includes(operation) || (operations.includes('*') && operation !== 'refreshToken');
}

/**
 * A scenario with its options, checked.
 *
 * @throws {Misfit} for an unknown id and for an option that does not fit the scenario.
 * @example
 * specOf('payment-pi-failed', { phase: 'after-commit', item: 2, delay: 800 });
 */
export function specOf(id: ScenarioId | (string & {}), options: StrikeOptions = {}): ScenarioSpec {
  const scenario = scenarioOf(id);
  const phases = Object.keys(scenario.after) as Phase[];
  const { phase = phases[0]!, item = null, delay = 0 } = options;
  if (!phases.includes(phase)) {
    throw new Misfit(
      `\`${id}\` cannot strike in the phase \`${phase}\`.`,
      phases.map((one) => `phase=${one}`),
    );
  }
  if (item !== null && !within(item, 1, LARGEST_ITEM)) {
    throw new Misfit('`item` must be the number of a booking in the request, counted from 1.', [
      `item=1 to item=${LARGEST_ITEM}`,
    ]);
  }
  if (item !== null && scenario.checkpoint === 'arrival') {
    throw new Misfit(
      `\`${id}\` strikes a request as a whole and takes no \`item\`.`,
      OPTIONS.filter((one) => !one.startsWith('item')),
    );
  }
  if (!within(delay, 0, LONGEST_DELAY)) {
    throw new Misfit('`delay` must be a whole number of milliseconds.', [`delay=0 to delay=${LONGEST_DELAY}`]);
  }
  return { scenario, phase, item, delay };
}

function within(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

/**
 * Reads `payment-pi-failed; phase=after-commit; item=2; delay=800`.
 *
 * @throws {Misfit} saying what does not fit and what would.
 */
export function parseSpec(text: string): ScenarioSpec {
  const [id = '', ...parts] = text.split(';').map((part) => part.trim());
  return specOf(id, readOptions(parts));
}

function readOptions(parts: readonly string[]): StrikeOptions {
  const options: Record<string, unknown> = {};
  for (const part of parts) {
    const [name = '', value = '', ...rest] = part.split('=').map((side) => side.trim());
    const known = ['phase', 'item', 'delay'].includes(name) && value !== '' && rest.length === 0;
    if (!known) throw new Misfit(`\`${part.slice(0, 80)}\` is no option of a scenario.`, OPTIONS);
    if (name in options) throw new Misfit(`\`${name}\` is given twice.`, OPTIONS);
    options[name] = name === 'phase' ? value : /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  }
  return options;
}
