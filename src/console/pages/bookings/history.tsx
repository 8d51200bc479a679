import { CalendarCheck, CalendarX, CreditCard, type IconNode, List, Webhook } from 'lucide';
import type { AdminType } from '../../data/api.js';
import { hrefOf } from '../../data/route.js';
import { Badge, StatusBadge } from '../../parts/badge.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/time.js';

type HistoryEvent = AdminType<'BookingEvent'>;

const icons: Readonly<Record<HistoryEvent['kind'], IconNode>> = {
  created: CalendarCheck,
  payment: CreditCard,
  listed: List,
  cancelled: CalendarX,
  callback: Webhook,
};

/** What happened to a booking, in order, and what is not known. */
export function History({
  events,
  gaps,
}: {
  readonly events: readonly HistoryEvent[];
  readonly gaps: readonly string[];
}) {
  return (
    <section class="history" aria-label="History">
      <h3>History</h3>
      <ol>
        {events.map((event, index) => (
          <li key={index} class={event.kind}>
            <span class="sign">
              <Icon of={icons[event.kind]} size={14} />
            </span>
            <div>
              <p>{event.words}</p>
              <Source event={event} />
            </div>
          </li>
        ))}
      </ol>
      {gaps.map((gap) => (
        <p key={gap} class="why warning">
          {gap}
        </p>
      ))}
    </section>
  );
}

/** When it was, and the request and callback that tell of it. */
function Source({ event }: { readonly event: HistoryEvent }) {
  const { at, requestId, callbackId, operation, status, scenario } = event;
  return (
    <p class="source">
      <RelativeTime at={at} />
      {requestId !== null && <a href={hrefOf(['requests', requestId])}>{requestId}</a>}
      {operation !== null && <code>{operation}</code>}
      {status !== null && <StatusBadge status={status} />}
      {scenario !== null && <Badge tone="warn">{scenario}</Badge>}
      {callbackId !== null && <a href={hrefOf(['callbacks', callbackId])}>{callbackId}</a>}
    </p>
  );
}
