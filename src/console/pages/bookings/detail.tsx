import { X } from 'lucide';
import { call } from '../../data/api.js';
import { sandboxClock } from '../../data/clock.js';
import { useReload } from '../../data/journal.js';
import { useCall } from '../../data/load.js';
import { hrefOf, route } from '../../data/route.js';
import { ActionButton } from '../../parts/action.js';
import { CopyCurl, CopyValue } from '../../parts/copy.js';
import { Icon } from '../../parts/icon.js';
import { Facts, Failure } from '../../parts/page.js';
import { RelativeTime } from '../../parts/time.js';
import { type BookingRow, BookingStatus, PaymentBadge } from './columns.js';
import { History } from './history.js';

/** One booking: what it is, what happened to it, and its cancellation. */
export function BookingDetail({ id, changed }: { readonly id: string; readonly changed: () => unknown }) {
  const command = call('GET', 'bookings/{bookingId}/history', { path: { bookingId: id } });
  const { data, error, reload } = useCall(command);
  useReload(reload, [reload]);
  const then = () => Promise.all([reload(), changed()]);
  return (
    <section class="panes-detail" aria-label={`Booking ${data?.booking.code ?? id}`}>
      <header class="detail-head">
        <h2>{data?.booking.code ?? id}</h2>
        <div class="actions">
          {data?.booking.status === 'BOOKED' && <Cancel booking={data.booking} then={then} />}
          <CopyCurl of={command} />
        </div>
        <a class="button quiet bare" href={hrefOf(['bookings'], route.value.query)} title="Close">
          <Icon of={X} />
          <span class="unseen">Close</span>
        </a>
      </header>
      {error && <Failure reason={error} retry={reload} />}
      {data && (
        <div class="stack">
          <Overview booking={data.booking} />
          <History events={data.events} gaps={data.gaps} />
        </div>
      )}
    </section>
  );
}

/** Under the policy while it allows it, and against it afterwards. */
function Cancel({ booking, then }: { readonly booking: BookingRow; readonly then: () => unknown }) {
  const { bookingId, cancellableUntil, code } = booking;
  const over = (sandboxClock.value?.now ?? 0) > Date.parse(cancellableUntil);
  const command = call('POST', 'bookings/{bookingId}/cancel', {
    path: { bookingId },
    query: { force: over ? 'true' : 'false' },
  });
  return (
    <ActionButton command={command} done={`Cancelled ${code}.`} then={then} kind="danger">
      {over ? 'Cancel against the policy' : 'Cancel'}
    </ActionButton>
  );
}

function Overview({ booking }: { readonly booking: BookingRow }) {
  const { facilityId, courseId, course, time, players, additionalPlayers, groupId, netRate, comments } = booking;
  const sheet = hrefOf(['tee-sheet', String(facilityId)], { date: time.slice(0, 10), course: courseId });
  const others = additionalPlayers.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const contact = `${booking.contactFirstName} ${booking.contactLastName}`;
  return (
    <Facts
      of={[
        ['Status', <BookingStatus {...booking} />],
        ['Payment', <PaymentBadge {...booking} />],
        ['Channel', booking.channel],
        ['Booking', <CopyValue value={booking.bookingId} name="the booking id" />],
        ['Tee time', <a href={sheet}>{`${time.slice(0, 16).replace('T', ' ')}, ${course}`}</a>],
        ['Facility', facilityId],
        ['Players', `${players}: ${[contact, ...others].join(', ')}`],
        ['Contact', `${booking.contactEmail}, ${booking.contactPhone}`],
        ['Cancellable until', <RelativeTime at={booking.cancellableUntil} />],
        ...(groupId === null ? [] : [['Group', <GroupLink groupId={groupId} bulk={booking.bulk} />] as const]),
        ...(booking.linkedTeeTimeRef === null ? [] : [['Linked rounds', booking.linkedTeeTimeRef] as const]),
        ...(booking.paymentIntent === null ? [] : [['Payment intent', booking.paymentIntent] as const]),
        ...(netRate === null ? [] : [['Net rate', netRate.toFixed(2)] as const]),
        ...(comments === null ? [] : [['Comments', comments] as const]),
      ]}
    />
  );
}

function GroupLink({ groupId, bulk }: { readonly groupId: number; readonly bulk: boolean }) {
  return <a href={hrefOf(['bookings'], { groupId })}>{`${groupId}${bulk ? ', bulk booking' : ''}`}</a>;
}
