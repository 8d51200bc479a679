import { cancellationDeadline } from '../routes/cancel.js';
import type { DueCallback } from '../callbacks/callbacks.js';
import { RIVALS } from '../store/rival-channel.js';
import type { AdminHost } from './route.js';

/** One event that became due when the clock was moved past its instant. */
export interface Fired {
  readonly at: number;
  readonly event:
    | 'access-token-expired'
    | 'rival-booked'
    | 'cancellation-closed'
    | 'tee-time-passed'
    | 'callback-posted'
    | 'callback-retried';
  readonly channel: string;
  readonly bookingId?: string;
  readonly callbackId?: string;
}

const LISTED = 1000;

/** The events due after one instant and not later than another, in order; `posted` are the callbacks that ran. */
function fired({ engine }: AdminHost, after: number, until: number, posted: readonly DueCallback[]): Fired[] {
  if (until <= after) return [];
  const found: Fired[] = [];
  const add = (event: Fired['event'], at: number, channel: string, what: Partial<Fired> = {}) => {
    if (after < at && at <= until) found.push({ at, event, channel, ...what });
  };
  const { ledger, tokens } = engine.store;
  for (const { channel, at } of tokens.expired(after, until)) add('access-token-expired', at, channel.name);
  for (const booking of ledger.all()) {
    const { bookingId, channel, startsAt, status, createdAt } = booking;
    if (channel === RIVALS) add('rival-booked', Date.parse(`${createdAt}Z`), channel, { bookingId });
    if (status === 'CANCELED') continue;
    // The policy still allows a cancellation exactly at the deadline.
    add('cancellation-closed', cancellationDeadline(engine, booking) + 1, channel, { bookingId });
    add('tee-time-passed', startsAt, channel, { bookingId });
  }
  for (const { delivery, due, retried } of posted) {
    add(retried ? 'callback-retried' : 'callback-posted', due, delivery.channel, { callbackId: delivery.id });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The events that a move of the clock triggered: the first thousand in order, and their total number. */
export function firedBetween(
  host: AdminHost,
  after: number,
  until: number,
  posted: readonly DueCallback[],
): { fired: unknown[]; firedCount: number } {
  const all = fired(host, after, until, posted);
  const listed = all.slice(0, LISTED).map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest }));
  return { fired: listed, firedCount: all.length };
}
