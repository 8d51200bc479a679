import type { ScenarioSpec } from './spec.js';

/**
 * When a request meets scenarios, in this order: before anything else is done with it (`arrival`), when its credentials
 * are read, when others may change what it asks for (`change`), at the checkpoints of its operation (`step`), and when
 * its work is done (`answer`).
 */
export type Moment = 'arrival' | 'credentials' | 'change' | 'step' | 'answer';

/** The moment at which a scenario strikes. Faults of the network are chosen on arrival, also those of the response. */
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

/** Picks which scenarios strike at one moment: a request ends one time, and its response breaks one time. */
export class Selection {
  #ended = false;
  #lost = false;
  #broken = false;

  /** Whether a scenario still has something to strike. */
  accepts(spec: ScenarioSpec): boolean {
    if (this.#lost) return false;
    if (spec.phase === 'before-commit') return !this.#ended;
    return isDelay(spec) || (isOfNetwork(spec) ? !this.#broken : !this.#ended);
  }

  /** Counts in a scenario that strikes. */
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
