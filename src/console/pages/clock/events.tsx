import { UtcTime } from '../../parts/time.js';
import { CalendarX, Flag, type IconNode, KeyRound, RotateCw, Send, Timer } from 'lucide';
import { sandboxClock } from '../../data/clock.js';
import { hrefOf } from '../../data/route.js';
import { Icon } from '../../parts/icon.js';
import { type ClockEvent, lengthOf } from './ranges.js';

interface EventWords {
  readonly icon: IconNode;
  readonly coming: string;
  readonly past: string;
}

const words: Readonly<Record<ClockEvent['event'], EventWords>> = {
  'access-token-expired': { icon: KeyRound, coming: 'Access token expires', past: 'Access token expired' },
  'cancellation-closed': { icon: CalendarX, coming: 'Cancellation closes', past: 'Cancellation closed' },
  'tee-time-passed': { icon: Flag, coming: 'Tee time begins', past: 'Tee time passed' },
  'callback-posted': { icon: Send, coming: 'Callback is posted', past: 'Callback was posted' },
  'callback-retried': { icon: RotateCw, coming: 'Callback is retried', past: 'Callback was retried' },
  'plan-expired': { icon: Timer, coming: 'Plan expires', past: 'Plan expired' },
};

/** What happens, with its drawing. */
export function EventName({ event, past = false }: { readonly event: ClockEvent; readonly past?: boolean }) {
  const { icon, coming, past: over } = words[event.event];
  return (
    <span class={`clock-event ${event.event}`}>
      <Icon of={icon} size={15} />
      {past ? over : coming}
    </span>
  );
}

/** The thing to which it happens, as a link, and its channel. */
export function EventSubject({ event }: { readonly event: ClockEvent }) {
  const { bookingId, callbackId, planId, channel } = event;
  return (
    <span class="clock-subject">
      {channel && <span class="about">{channel}</span>}
      {bookingId && <a href={hrefOf(['bookings', bookingId])}>{bookingId}</a>}
      {callbackId && <a href={hrefOf(['callbacks', callbackId])}>{callbackId}</a>}
      {planId && <a href={hrefOf(['scenarios'])}>{planId}</a>}
    </span>
  );
}

/** A lane of the timeline: events of one sort. */
export interface EventLane {
  readonly id: string;
  readonly title: string;
  readonly icon: IconNode;
  readonly events: readonly ClockEvent['event'][];
}

export const lanes: readonly EventLane[] = [
  { id: 'tokens', title: 'Access tokens expire', icon: KeyRound, events: ['access-token-expired'] },
  { id: 'cancellations', title: 'Cancellations close', icon: CalendarX, events: ['cancellation-closed'] },
  { id: 'tee-times', title: 'Tee times begin', icon: Flag, events: ['tee-time-passed'] },
  { id: 'callbacks', title: 'Callbacks and retries', icon: Send, events: ['callback-posted', 'callback-retried'] },
  { id: 'plans', title: 'Plans expire', icon: Timer, events: ['plan-expired'] },
];

/** How far the clock is from a moment to come. */
export function TimeLeft({ at }: { readonly at: string }) {
  const now = sandboxClock.value?.now ?? Date.parse(at);
  return <>{lengthOf(Date.parse(at) - now)}</>;
}

/** A moment in full, to the second. */
export function Moment({ at }: { readonly at: string }) {
  return <UtcTime at={at} seconds />;
}
