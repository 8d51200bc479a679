import type { Effect, Scenario } from '../generated/scenarios.js';

/** What a scenario may name. */
export interface Known {
  readonly operations: readonly string[];
  readonly rules: readonly string[];
  readonly codes: readonly string[];
}

const BOOKING_STEPS = ['hold', 'tee-sheet', 'first-payment', 'transfer', 'second-payment', 'confirm'];
const BOOKING = ['createBooking', 'createBulkBooking'];

/** Faults of an answer that there must be. */
const OF_THE_ANSWER = ['truncated-body', 'malformed-json', 'slow-body'];

/** Operations that have the checkpoint; undefined for all. */
function operationsAt(checkpoint: Scenario['checkpoint']): readonly string[] | undefined {
  if (BOOKING_STEPS.includes(checkpoint)) return BOOKING;
  if (checkpoint === 'refresh') return ['refreshToken'];
  return checkpoint === 'callback' ? ['searchTeeTimes'] : undefined;
}

/** Where an effect can take place. */
function checkpointsOf(effect: Effect): readonly string[] {
  if (effect.kind === 'callback') return ['callback'];
  if (effect.kind !== 'change') return ['arrival', ...BOOKING_STEPS];
  if (effect.change === 'refresh-token-used') return ['refresh'];
  return ['token-expired', 'credentials-revoked'].includes(effect.change) ? ['credentials'] : ['hold'];
}

/** When an effect can take place: a change comes before the engine looks, a callback after the acknowledgement. */
function phasesOf({ effect, checkpoint }: Scenario): readonly string[] {
  if (effect.kind === 'change') return ['before-commit'];
  if (effect.kind === 'callback') return ['after-commit'];
  // A booking is made in one step, in which nothing can wait.
  if (effect.kind === 'network' && effect.fault === 'slow' && checkpoint !== 'arrival') return ['after-commit'];
  const whole = effect.kind === 'network' && OF_THE_ANSWER.includes(effect.fault);
  return whole ? ['after-commit'] : ['before-commit', 'after-commit'];
}

/** What a scenario that fits the schema says that cannot be; one sentence each. */
export function misfitsOf(scenario: Scenario, known: Known): string[] {
  const { operations, checkpoint, effect, after } = scenario;
  const strange = operations.filter((one) => one !== '*' && !known.operations.includes(one));
  const there = operationsAt(checkpoint);
  const away = operations.filter((one) => there && !there.includes(one) && !strange.includes(one));
  const places = checkpointsOf(effect);
  const phases = phasesOf(scenario);
  return [
    ...strange.map((one) => `there is no operation ${one}`),
    ...away.map((one) => `${one} has no checkpoint ${checkpoint}; ${there!.join(' and ')} has`),
    ...(places.includes(checkpoint) ? [] : [`its effect takes place at ${places.join(', ')}, not at ${checkpoint}`]),
    ...Object.keys(after).flatMap((one) =>
      phases.includes(one) ? [] : [`its effect has no phase ${one}; it has ${phases.join(' and ')}`],
    ),
    ...(effect.kind === 'refusal' ? refusalMisfits(effect, known) : []),
  ];
}

function refusalMisfits({ code, rule }: Effect & { readonly kind: 'refusal' }, { rules, codes }: Known): string[] {
  return [
    ...(rules.includes(rule) ? [] : [`there is no rule ${rule}; \`teebox rules\` lists them`]),
    ...(codes.includes(code) ? [] : [`there is no refusal ${code}; there are ${codes.join(', ')}`]),
  ];
}
