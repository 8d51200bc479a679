import type { ScenarioSpec } from './spec.js';
import type { Strike } from './strike.js';

/** A scenario that a request asks for itself, or that chaos has drawn for it. */
export interface Requested {
  readonly spec: ScenarioSpec;
  readonly source: Exclude<Strike['source'], 'plan'>;
}
