import type { ChaosState } from './chaos.js';
import type { PlanState } from './plans.js';

/** One change of the armed scenarios as data. */
export type ScenariosChange = PlansChange | ChaosChange | CountsChange;

/** Plans were removed, and then plans were armed. */
export interface PlansChange {
  readonly kind: 'plans';
  /** The number of plans armed so far. */
  readonly armed: number;
  readonly removed: readonly string[];
  readonly added: readonly PlanState[];
}

export interface ChaosChange {
  readonly kind: 'chaos';
  readonly chaos: ChaosState | null;
}

/** What requests have used up. */
export interface CountsChange {
  readonly kind: 'counts';
  /** The number of random delays drawn so far. */
  readonly drawn: number;
  readonly plans: readonly PlanCounts[];
  readonly chaos?: Pick<ChaosState, 'seen' | 'struck'>;
}

export type PlanCounts = Pick<PlanState, 'id' | 'matched' | 'struck'>;
