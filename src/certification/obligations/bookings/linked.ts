import type { ObligationId, RuleId } from '../../../contract/index.js';
import type { ObligationSpec } from '../obligation.js';
import { isSuccess } from '../operations.js';
import type { ClientCall } from '../traffic.js';
import { type RequestedBooking, requestedBookingsOf } from './requested-bookings.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** How a rule of linked tee times is seen to be broken. */
interface LinkedRule {
  readonly id: ObligationId;
  /** The rules by which the service says so in `Teebox-Rule`. The holes of a product are in no answer. */
  readonly rules: readonly RuleId[];
  /** What the request itself shows: what is wrong. */
  fault?(group: readonly RequestedBooking[]): string | undefined;
  readonly refused: string;
  readonly expected: string;
}

const linkedRules: readonly LinkedRule[] = [
  {
    id: 'bookings.linked.ref',
    rules: ['bookings.linked.ref-required', 'bookings.linked.ref-uuid'],
    fault: ([{ ref } = {} as RequestedBooking]) =>
      ref === undefined || UUID.test(ref) ? undefined : 'has a `linkedTeeTimeRef` that is no UUID',
    refused: 'lacks a valid `linkedTeeTimeRef` for a product with more holes than one round, as the service answered',
    expected: 'Each booking of a product that spans several rounds has a `linkedTeeTimeRef`, a valid UUID.',
  },
  {
    id: 'bookings.linked.shared-ref',
    rules: ['bookings.linked.same-ref'],
    refused: 'gives the rounds of a group different values of `linkedTeeTimeRef`, as the service answered',
    expected: 'All bookings of a linked group have the same `linkedTeeTimeRef`.',
  },
  {
    id: 'bookings.linked.one-product',
    rules: ['bookings.linked.one-product'],
    fault: (group) => differ(group, ({ productId }) => productId, 'the products'),
    refused: 'has several products in one linked group, as the service answered',
    expected: 'Every round of a linked group has the same green fee product.',
  },
  {
    id: 'bookings.linked.players',
    rules: ['bookings.linked.same-players'],
    fault: (group) => differ(group, ({ players }) => players, 'the players'),
    refused: 'has different numbers of players in one linked group, as the service answered',
    expected: 'All bookings of a linked group have the same number of players.',
  },
  {
    id: 'bookings.linked.holes',
    rules: ['bookings.linked.holes-sum'],
    fault: (group) =>
      new Set(group.map(({ teeId }) => teeId)).size < group.length
        ? 'has the same tee time two times in one linked group'
        : undefined,
    refused: 'has fewer holes in its linked tee times than its product covers, as the service answered',
    expected: 'The different tee times of a linked group have at least the holes of its green fee product together.',
  },
];

/** `has the products 1, 2 in one linked group`, if they differ. */
function differ(
  group: readonly RequestedBooking[],
  of: (requested: RequestedBooking) => number | undefined,
  what: string,
): string | undefined {
  const values = [...new Set(group.map(of).filter((value) => value !== undefined))];
  return values.length > 1 ? `has ${what} ${values.slice(0, 4).join(', ')} in one linked group` : undefined;
}

/** The bookings of a request that share a reference: only those are known to be linked. */
function groupsOf(call: ClientCall): readonly (readonly RequestedBooking[])[] {
  const groups = new Map<string, RequestedBooking[]>();
  for (const requested of requestedBookingsOf(call)) {
    if (requested.ref === undefined) continue;
    const key = requested.ref.toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), requested]);
  }
  return [...groups.values()];
}

export const linkedObligations: readonly ObligationSpec[] = linkedRules.map((rule) => ({
  id: rule.id,
  watch: (sight) => ({
    call(call) {
      if (requestedBookingsOf(call).length === 0) return;
      const groups = groupsOf(call);
      const inRequest = groups.map((group) => rule.fault?.(group)).find((fault) => fault !== undefined);
      const byService = rule.rules.some((id) => id === refusingRule(call)) ? rule.refused : undefined;
      const fault = inRequest ?? byService;
      if (fault !== undefined) {
        const message = `A request of ${requestedBookingsOf(call).length} booking${requestedBookingsOf(call).length === 1 ? '' : 's'} ${fault}.`;
        return sight.broken({ message, expected: rule.expected, evidence: [call] });
      }
      if (isSuccess(call) && groups.some((group) => group.length > 1)) sight.met(call);
    },
  }),
}));

function refusingRule({ status, responseHeaders }: ClientCall): string | undefined {
  return status >= 400 ? responseHeaders.get('teebox-rule')?.split(';')[0] : undefined;
}
