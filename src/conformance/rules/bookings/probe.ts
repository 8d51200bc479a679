import type { Reply } from '../../client/exchange.js';
import { creations } from '../../client/operations.js';
import { Inconclusive, Refused } from '../../client/outcome.js';
import type { Probe } from '../../client/request.js';
import { expectBookable, expectFree } from '../../journeys/booking-probes.js';
import { probeTargetSpent } from '../../journeys/material.js';
import type { RuleContext } from '../rule.js';

/** As long as a UUID and with hyphens in the right places, but not in hexadecimal digits. */
export const ALMOST_UUID = 'teetimes-0000-4000-8000-notauuid0000';

/** Sends a booking that must be refused. */
export async function refusesBooking(context: RuleContext, probe: Probe, control: Reply, what: string): Promise<void> {
  try {
    await context.refuses(probe, control, what);
    closeWithBooking(context, probe);
  } catch (error) {
    // A booking may have been created.
    await probeTargetSpent(context.session);
    throw error;
  }
}

/**
 * Whether a booking is accepted, if the API specification leaves that open.
 *
 * @throws {Inconclusive} `precondition` when the answer is neither success nor a refusal.
 */
export async function isTaken(context: RuleContext, probe: Probe, control: Reply): Promise<boolean> {
  if (!control.ok) throw new Refused(control, 'control-failed');
  context.session.exchanges.add(control.id);
  const reply = await context.probe(probe);
  if (reply.ok) await probeTargetSpent(context.session);
  else if (reply.status >= 500) {
    throw new Inconclusive('precondition', `success or a refusal of ${reply.what} (the status was ${reply.status})`);
  } else context.closeWith('free slots', () => expectFree(context.session));
  return reply.ok;
}

/** One right booking of the tee time of the probes follows all that a rule sends. */
function closeWithBooking(context: RuleContext, probe: Probe): void {
  if (!('operation' in probe)) return;
  const creation = creations.find(({ operation }) => operation === probe.operation)!;
  context.closeWith('booking', () => expectBookable(context.session, creation));
}
