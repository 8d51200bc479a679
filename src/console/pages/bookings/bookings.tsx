import { useMemo, useState } from 'preact/hooks';
import { type AdminType, call } from '../../data/api.js';
import { useLive, useReload } from '../../data/journal.js';
import { useCall, useKept } from '../../data/load.js';
import { hrefOf, queryField, route } from '../../data/route.js';
import { CopyValue } from '../../parts/copy.js';
import { AsCurl } from '../../parts/curl.js';
import { Empty, Facts, Failure, PageHead } from '../../parts/page.js';
import { VirtualTable } from '../../parts/virtual-table.js';
import { type BookingRow, BookingStatus, columnsOf, PaymentBadge } from './columns.js';
import { CalendarCheck, CalendarX, CreditCard, type IconNode, List, Webhook, X } from 'lucide';
import { sandboxClock } from '../../data/clock.js';
import { ActionButton } from '../../parts/action.js';
import { Icon } from '../../parts/icon.js';
import { FacilityTime, RelativeTime } from '../../parts/time.js';
import { DetailPane } from '../../parts/pane.js';
import { type LostEvent, useLost } from '../tee-sheet/marks.js';
import { lostWords } from '../tee-sheet/words.js';
import { Badge, StatusBadge } from '../../parts/badge.js';
import { SelectField, TextField } from '../../parts/field.js';

const names = ['text', 'channel', 'status', 'facilityId', 'groupId', 'payment'] as const;

/** The filters as they stand in the address. */
type BookingFilters = Readonly<Record<(typeof names)[number], string>>;

function filtersIn(query: URLSearchParams): BookingFilters {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as BookingFilters;
}

/** Whether any filter is set. */
function isFiltered(filters: BookingFilters): boolean {
  return names.some((name) => filters[name] !== '');
}

/** The filters as the admin API takes them. A number that is none is refused by it, with the reason. */
function queryOf(filters: BookingFilters) {
  const trimmed = Object.fromEntries(names.map((name) => [name, filters[name].trim()])) as BookingFilters;
  const { text, channel, status, facilityId, groupId, payment } = trimmed;
  return {
    ...(text && { text }),
    ...(channel && { channel }),
    ...(status && { status: status as AdminType<'Booking'>['status'] }),
    ...(facilityId && { facilityId: facilityId as unknown as number }),
    ...(groupId && { groupId: groupId as unknown as number }),
    ...(payment && { payment: payment as AdminType<'BookingPayment'> }),
  };
}

const statuses = [
  ['', 'All'],
  ['BOOKED', 'Booked'],
  ['CANCELED', 'Cancelled'],
] as const;

const payments = [
  ['', 'All'],
  ['none', 'Not confirmed'],
  ['intent', 'With an intent'],
  ['confirmed', 'Confirmed'],
] as const;

/** Filters by channel, status, facility, group, payment and text. */
function Filters({ channels }: { readonly channels: readonly string[] }) {
  return (
    <div class="filters" role="search" aria-label="Filter the bookings">
      <TextField label="Text" type="search" placeholder="Name, code, e-mail" {...queryField('text')} />
      <SelectField
        label="Channel"
        {...queryField('channel')}
        options={[['', 'All'], ...channels.map((name) => [name, name] as const)]}
      />
      <SelectField label="Status" {...queryField('status')} options={statuses} />
      <SelectField label="Payment" {...queryField('payment')} options={payments} />
      <TextField label="Facility" placeholder="1001" {...queryField('facilityId')} />
      <TextField label="Group" placeholder="5001" {...queryField('groupId')} />
    </div>
  );
}

type HistoryEvent = AdminType<'BookingEvent'>;

const icons: Readonly<Record<HistoryEvent['kind'], IconNode>> = {
  created: CalendarCheck,
  payment: CreditCard,
  listed: List,
  cancelled: CalendarX,
  callback: Webhook,
};

/** What happened to a booking, in order, and what is not known. */
function History({ events, gaps }: { readonly events: readonly HistoryEvent[]; readonly gaps: readonly string[] }) {
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

/** One booking: what it is, what happened to it, and its cancellation. */
function BookingDetail({
  id,
  lost,
  changed,
}: {
  readonly id: string;
  readonly lost: LostEvent | undefined;
  readonly changed: () => unknown;
}) {
  const command = call('GET', 'bookings/{bookingId}/history', { path: { bookingId: id } });
  const { data, error, reload } = useLive(command);
  const then = () => Promise.all([reload(), changed()]);
  return (
    <DetailPane label={`Booking ${data?.booking.code ?? id}`} closeHref={hrefOf(['bookings'], route.value.query)}>
      <header class="detail-head">
        <h2>{data?.booking.code ?? id}</h2>
        <div class="actions">
          {data?.booking.status === 'BOOKED' && <Cancel booking={data.booking} then={then} />}
          <AsCurl of={command} title="The history of this booking" />
        </div>
        <a class="button quiet bare" href={hrefOf(['bookings'], route.value.query)} title="Close">
          <Icon of={X} />
          <span class="unseen">Close</span>
        </a>
      </header>
      {error && <Failure reason={error} retry={reload} />}
      {data && (
        <div class="stack">
          {lost && <p class="why warning">{lostWords(lost)}</p>}
          <Overview booking={data.booking} />
          <History events={data.events} gaps={data.gaps} />
        </div>
      )}
    </DetailPane>
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
    <ActionButton command={command} done={`Cancelled ${code}.`} then={then}>
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
        [
          'Tee time',
          <a href={sheet}>
            <FacilityTime at={booking.startsAt} timeZone={booking.timeZone} />
            {`, ${course}`}
          </a>,
        ],
        ['Facility', facilityId],
        ['Players', `${players}: ${[contact, ...others].join(', ')}`],
        ['Contact', `${booking.contactEmail}, ${booking.contactPhone}`],
        ['Cancellable until', <FacilityTime at={booking.cancellableUntil} timeZone={booking.timeZone} />],
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

const PAGE = 1000;
const MOST = 10_000;
const NONE: readonly BookingRow[] = [];

/** The bookings of all channels, the newest first, and what happened to each. */
export default function Bookings() {
  const { rest, query } = route.value;
  const filters = filtersIn(query);
  const [limit, setLimit] = useState(PAGE);
  const command = call('GET', 'bookings', { query: { ...queryOf(filters), order: 'newest', limit } });
  const { data, error, reload } = useKept(command);
  useReload(reload, [reload]);
  const open = rest[0];
  const { count = 0, bookings = NONE } = data ?? {};
  const lost = useLost(bookings);
  const columns = useMemo(() => columnsOf(lost), [lost]);
  return (
    <div class="fills panes">
      <PageHead title="Bookings" about="Of all channels, the newest first." />
      <AsCurl of={command} title="These bookings" />
      <div class={open ? 'panes-body has-detail' : 'panes-body'}>
        <div class="panes-list">
          <div class="toolbar">
            <Filters channels={useChannels()} />
            <Count shown={bookings.length} count={count} more={() => setLimit(MOST)} />
          </div>
          {error && <Failure reason={error} retry={reload} />}
          {data && count === 0 && (
            <Empty title={isFiltered(filters) ? 'No booking is like that.' : 'There are no bookings.'} yet />
          )}
          {count > 0 && (
            <VirtualTable
              label="Bookings, newest first"
              columns={columns}
              rows={bookings}
              keyOf={({ bookingId }) => bookingId}
              hrefOf={({ bookingId }) => hrefOf(['bookings', bookingId], query)}
              nameOf={nameOf}
              selected={open}
            />
          )}
        </div>
        {open && <BookingDetail key={open} id={open} lost={lost.get(open)} changed={reload} />}
      </div>
    </div>
  );
}

function nameOf({ contactFirstName, contactLastName, channel }: BookingRow): string {
  return `: ${contactFirstName} ${contactLastName}, ${channel}`;
}

/** The channels that may have bookings. Competing buyers are one of them. */
function useChannels(): readonly string[] {
  const { data } = useCall(call('GET', 'channels'));
  return [...(data?.channels ?? []).map(({ name }) => name), 'rivals'];
}

function Count({ shown, count, more }: { readonly shown: number; readonly count: number; readonly more: () => void }) {
  const all = `${count.toLocaleString('en')} booking${count === 1 ? '' : 's'}`;
  return (
    <div class="actions">
      <span class="about" role="status">
        {shown < count ? `${shown.toLocaleString('en')} of ${all}` : all}
      </span>
      {shown < count && shown < MOST && (
        <button type="button" class="button" onClick={more}>
          Show more
        </button>
      )}
    </div>
  );
}
