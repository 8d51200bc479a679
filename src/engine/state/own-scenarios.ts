import {
  type Effect,
  fit,
  operations,
  PlanRequest,
  ruleBasis,
  type Scenario,
  scenario as validate,
} from '../../contract/index.js';
import { closest, ValidationError } from '../../common/index.js';
import { readDelay } from '../scenarios/spec.js';
import { refusalTable } from '../api/refusals.js';

/**
 * Reads a scenario of the user, by the schema `scenarios/scenario.schema.json`.
 *
 * @throws {ValidationError} that says what does not fit.
 */
export function readScenario(value: unknown): Scenario {
  const scenario = fit(validate, value, { whole: 'A scenario' });
  checkDelay(scenario);
  const known = {
    operations: [...new Set(operations.map(({ name }) => name))],
    rules: Object.keys(ruleBasis),
    codes: Object.keys(refusalTable),
  };
  const faults = faultsOf(scenario, known);
  if (faults.length > 0) throw new ValidationError(`${faults.join('; ')}.`, faults);
  return scenario;
}

/** @throws {ValidationError} for a delay that no plan could have. */
function checkDelay({ id, effect }: Scenario): void {
  if (!('delay' in effect) || effect.delay === undefined) return;
  fit(PlanRequest, { scenario: id, delay: readDelay(effect.delay) }, { whole: 'A scenario', at: 'effect' });
}

/** The names that a scenario may use. */
interface Known {
  readonly operations: readonly string[];
  readonly rules: readonly string[];
  readonly codes: readonly string[];
}

const BOOKING_STEPS = ['hold', 'tee-sheet', 'first-payment', 'transfer', 'second-payment', 'confirm'];
const BOOKING = ['createBooking', 'createBulkBooking'];

/** Faults that need a response. */
const OF_THE_ANSWER = ['truncated-body', 'malformed-json', 'slow-body'];

/** The operations that have the checkpoint; undefined for all. */
function operationsAt(checkpoint: Scenario['checkpoint']): readonly string[] | undefined {
  if (BOOKING_STEPS.includes(checkpoint)) return BOOKING;
  if (checkpoint === 'refresh') return ['refreshToken'];
  return checkpoint === 'callback' ? ['searchTeeTimes'] : undefined;
}

/** The checkpoints at which an effect can act. */
function checkpointsOf(effect: Effect): readonly string[] {
  if (effect.kind === 'callback') return ['callback'];
  if (effect.kind !== 'change') return ['arrival', ...BOOKING_STEPS];
  if (effect.change === 'refresh-token-used') return ['refresh'];
  return ['token-expired', 'credentials-revoked'].includes(effect.change) ? ['credentials'] : ['hold'];
}

/** The phases in which an effect can act. A change acts before the check, a callback after the acknowledgement. */
function phasesOf({ effect, checkpoint }: Scenario): readonly string[] {
  if (effect.kind === 'change') return ['before-commit'];
  if (effect.kind === 'callback') return ['after-commit'];
  // A booking is made in one synchronous step, so it cannot wait inside.
  if (effect.kind === 'network' && effect.fault === 'slow' && checkpoint !== 'arrival') return ['after-commit'];
  const whole = effect.kind === 'network' && OF_THE_ANSWER.includes(effect.fault);
  return whole ? ['after-commit'] : ['before-commit', 'after-commit'];
}

/** The contradictions in a scenario that fits the schema, one clause each. */
export function faultsOf(scenario: Scenario, known: Known): string[] {
  const { operations, checkpoint, effect, after } = scenario;
  const strange = operations.filter((one) => one !== '*' && !known.operations.includes(one));
  const there = operationsAt(checkpoint);
  const away = operations.filter((one) => there && !there.includes(one) && !strange.includes(one));
  const checkpoints = checkpointsOf(effect);
  const phases = phasesOf(scenario);
  return [
    ...strange.map(
      (one) => `${unknown('operation', one, known.operations)}; the operations are ${known.operations.join(', ')}`,
    ),
    ...away.map((one) => `${one} has no checkpoint ${checkpoint}; only ${there!.join(' and ')} has it`),
    ...(checkpoints.includes(checkpoint) ? [] : [`its effect acts at ${checkpoints.join(', ')}, not at ${checkpoint}`]),
    ...Object.keys(after).flatMap((one) =>
      phases.includes(one) ? [] : [`its effect has no phase ${one}, only ${phases.join(' and ')}`],
    ),
    ...(effect.kind === 'refusal' ? refusalFaults(effect, known) : []),
  ];
}

function unknown(kind: string, name: string, all: readonly string[]): string {
  const guess = closest(name, all);
  return `there is no ${kind} ${name}${guess === undefined ? '' : ` (did you mean ${guess}?)`}`;
}

function refusalFaults({ code, rule }: Effect & { readonly kind: 'refusal' }, { rules, codes }: Known): string[] {
  return [
    ...(rules.includes(rule)
      ? []
      : [`${unknown('rule', rule, rules)}; \`npx --no-install teebox list rules\` lists them`]),
    ...(codes.includes(code) ? [] : [`${unknown('refusal', code, codes)}; the refusals are ${codes.join(', ')}`]),
  ];
}
