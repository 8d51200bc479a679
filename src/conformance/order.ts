import type { RuleId } from '../generated/rule-basis.js';
import type { RuleSpec } from './rule.js';
import type { Transport } from './transport.js';
import { permissions } from './types.js';

const FIRST = -1;
const LAST = permissions.length + 1;
const SPARE = LAST + 1;
const EVIDENCE = SPARE + 1;

/**
 * What a run with few requests judges with those that are left over: rules that cost a request of their own each, those
 * that tell most first. What a service answers to right questions, and to nobody, matters more.
 */
export const spareRules: readonly RuleId[] = [
  'auth.channel-scope',
  // A refusal, which the two after it look at as well.
  'facilities.query.country',
  'errors.body',
  'errors.code',
  'limits.players',
  'errors.validation-status',
  'auth.bearer',
  'auth.bearer-header',
  'bookings.list.fromDate',
  'bookings.list.toDate',
  'prices.facility-ids-limit',
  'dates.query-format',
  'errors.auth-status',
  'facilities.unknown',
  'auth.basic',
  'limits.holes',
  'facilities.path.facilityId',
  'prices.query.facilityIds',
  'teetimes.query.bookingDate',
  'versions.path',
  'versions.method',
  'facilities.connected-scope',
  'countries.unknown',
  'teetimes.course-unknown',
  'prices.query.fromDate',
  'prices.query.toDate',
  'teetimes.query.players',
  'teetimes.query.holes',
  'teetimes.path.facilityId',
  'teetimes.path.courseId',
  'facilities.query.connected',
  'facilities.list.country-as-sent',
  'prices.default-offset',
  'prices.default-limit',
  'prices.max-limit',
  'prices.query.offset',
  'prices.query.limit',
  'facilities.details.not-in-oldest',
  'versions.trailing-slash',
];

/** Reading first, and what burns tokens last. */
export function rank({ needs }: Pick<RuleSpec, 'needs'>): number {
  const order: readonly string[] = ['callbacks', 'bookings', 'payments', 'tokens'];
  return Math.max(0, ...needs.map((need) => order.indexOf(need) + 1));
}

/**
 * The place of a rule in a run: by its leave, then what disturbs others, and then what judges all that was seen.
 *
 * @param transport Of a run that sends requests: where they are few, what matters less comes later.
 */
export function orderOf({ id, needs, phase }: Pick<RuleSpec, 'id' | 'needs' | 'phase'>, transport?: Transport): number {
  if (phase === 'evidence') return EVIDENCE;
  const at = transport?.limited ? spareRules.indexOf(id) : -1;
  if (at >= 0) return SPARE + at / spareRules.length;
  // What nobody may read matters most; it disturbs others only where it confirms a payment once more.
  if (transport?.limited && transport.options.allow.size === 0 && id === 'auth.required') return FIRST;
  return phase === 'last' ? LAST : rank({ needs });
}
