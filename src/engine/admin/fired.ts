import type { adminComponents as components } from '../../contract/index.js';
import { cancellationDeadline } from '../api/routes/cancel.js';
import type { DueCallback } from '../callbacks/callbacks.js';
import { isOnClock } from '../model/clock.js';
import type { AdminHost } from './route.js';

/** One event at the instant at which the clock reaches it. */
interface Fired extends Omit<components['schemas']['Fired'], 'at'> {
  /** Epoch milliseconds. */
  readonly at: number;
}

const LISTED = 1000;

/** The events due after one instant and not later than another, in order. */
function eventsBetween(host: AdminHost, after: number, until: number, callbacks: Iterable<DueCallback>): Fired[] {
  const { engine, scenarios } = host;
  const found: Fired[] = [];
  const add = (event: Fired['event'], at: number, what: Partial<Fired>) => {
    if (after < at && at <= until) found.push({ at, event, ...what });
  };
  const { ledger, tokens } = engine.store;
  for (const { channel, at } of tokens.expired(after, until))
    add('access-token-expired', at, { channel: channel.name });
  for (const booking of ledger.all()) {
    const { bookingId, channel, startsAt, status } = booking;
    if (status === 'CANCELED') continue;
    // The policy still allows a cancellation exactly at the deadline.
    add('cancellation-closed', cancellationDeadline(engine, booking) + 1, { channel, bookingId });
    add('tee-time-passed', startsAt, { channel, bookingId });
  }
  for (const { id, channel, expiresAt } of scenarios.plans) {
    if (expiresAt !== undefined)
      add('plan-expired', Date.parse(expiresAt), { planId: id, ...(channel && { channel }) });
  }
  for (const { delivery, due, retried } of callbacks) {
    const { id: callbackId, channel } = delivery;
    add(retried ? 'callback-retried' : 'callback-posted', due, { channel, callbackId });
  }
  return found.sort((a, b) => a.at - b.at);
}

function shownEvent({ at, ...rest }: Fired) {
  return { at: new Date(at).toISOString(), ...rest };
}

/** The events that a move of the clock triggered: the first thousand in order, and their total number. */
export function firedBetween(
  host: AdminHost,
  after: number,
  until: number,
  posted: readonly DueCallback[],
): { fired: unknown[]; firedCount: number } {
  const all = eventsBetween(host, after, until, posted);
  return { fired: all.slice(0, LISTED).map(shownEvent), firedCount: all.length };
}

/** What the clock reaches next: the first events in order, and of each kind the first one and their number. */
export function nextEvents(host: AdminHost, limit: number): unknown {
  const now = host.clock.now();
  // A token may live longer than the clock goes.
  const all = eventsBetween(host, now, Infinity, host.agenda.waiting).filter(({ at }) => isOnClock(at));
  const kinds = new Map<string, { event: string; count: number; first: unknown }>();
  for (const one of all) {
    const kind = kinds.get(one.event) ?? { event: one.event, count: 0, first: shownEvent(one) };
    kinds.set(one.event, { ...kind, count: kind.count + 1 });
  }
  return {
    now: new Date(now).toISOString(),
    count: all.length,
    kinds: [...kinds.values()],
    next: all.slice(0, limit).map(shownEvent),
  };
}
