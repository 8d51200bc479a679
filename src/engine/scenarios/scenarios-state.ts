import type { ChaosState } from './chaos.js';
import type { PlanState } from './plans.js';

/** The armed plans as data. */
export interface ScenariosState {
  readonly armed: number;
  readonly drawn: number;
  readonly plans: readonly PlanState[];
  readonly chaos?: ChaosState;
}
