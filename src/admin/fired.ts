import { cancellationDeadline } from '../routes/cancel.js';
import type { AdminHost } from './route.js';

/** One thing that fell due when the clock was moved over its instant. */
export interface Fired {
  readonly at: number;
  readonly event:
    'access-token-expired' | 'cancellation-closed' | 'tee-time-passed' | 'callback-posted' | 'callback-retried';
  readonly channel: string;
  readonly bookingId?: string;
  readonly callbackId?: string;
}

const LISTED = 1000;

/** What falls due after one instant and not after another, in order; starts the callbacks that are. */
function fire({ engine }: AdminHost, after: number, until: number): Fired[] {
  if (until <= after) return [];
  const found: Fired[] = [];
  const add = (event: Fired['event'], at: number, channel: string, what: Partial<Fired> = {}) => {
    if (after < at && at <= until) found.push({ at, event, channel, ...what });
  };
  const { ledger, tokens } = engine.store;
  for (const { channel, at } of tokens.expired(after, until)) add('access-token-expired', at, channel.name);
  for (const booking of ledger.all()) {
    const { bookingId, channel, startsAt, status } = booking;
    if (status === 'CANCELED') continue;
    // At the deadline itself the policy still allows it.
    add('cancellation-closed', cancellationDeadline(engine, booking) + 1, channel, { bookingId });
    add('tee-time-passed', startsAt, channel, { bookingId });
  }
  for (const { delivery, due } of engine.callbacks.startDue(until)) {
    const event = delivery.attempts.length === 0 ? 'callback-posted' : 'callback-retried';
    add(event, due, delivery.channel, { callbackId: delivery.id });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** What a move of the clock set off: the first thousand in order, and how many there are. */
export function firedBetween(host: AdminHost, after: number, until: number): { fired: unknown[]; firedCount: number } {
  const fired = fire(host, after, until);
  const listed = fired.slice(0, LISTED).map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest }));
  return { fired: listed, firedCount: fired.length };
}
