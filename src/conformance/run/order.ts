import type { RuleSpec } from '../rules/rule.js';
import { permissions } from '../client/types.js';

const LAST = permissions.length + 1;
const EVIDENCE = LAST + 1;
const LOCKOUT = EVIDENCE + 1;

/** The position of a rule by its permissions: reading first, using up tokens last. */
export function rank({ needs }: Pick<RuleSpec, 'needs'>): number {
  const order: readonly string[] = ['callbacks', 'bookings', 'payments', 'tokens'];
  return Math.max(0, ...needs.map((need) => order.indexOf(need) + 1));
}

/** Whether a rule may take away the tokens of a channel. */
export function mayLockOut({ needs }: Pick<RuleSpec, 'needs'>): boolean {
  return needs.includes('lockout');
}

/**
 * The position of a rule in a run: by permission, then rules that disturb others, then judges of the evidence, and last
 * of all those after which a channel may be locked out.
 */
export function orderOf({ needs, phase }: Pick<RuleSpec, 'needs' | 'phase'>): number {
  if (mayLockOut({ needs })) return LOCKOUT;
  if (phase === 'evidence') return EVIDENCE;
  return phase === 'last' ? LAST : rank({ needs });
}
