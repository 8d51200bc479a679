import type { AdminType } from '../../data/api.js';
import { Badge, Bolt } from '../../parts/badge.js';
import { FacilityTime, RelativeTime } from '../../parts/time.js';
import type { VirtualColumn } from '../../parts/virtual-table.js';
import type { LostBookings } from '../tee-sheet/marks.js';

export type BookingRow = AdminType<'Booking'>;

/** Whether a booking is in force. */
export function BookingStatus({ status }: Pick<BookingRow, 'status'>) {
  return status === 'BOOKED' ? <Badge tone="ok">booked</Badge> : <Badge>cancelled</Badge>;
}

export function PaymentBadge({ payment }: Pick<BookingRow, 'payment'>) {
  if (payment === 'confirmed') return <Badge tone="ok">paid</Badge>;
  return payment === 'intent' ? <Badge tone="info">intent</Badge> : <Badge>not confirmed</Badge>;
}

export const columnsOf = (lost: LostBookings): readonly VirtualColumn<BookingRow>[] => [
  { title: 'Code', width: '92px', cell: ({ code }) => <code>{code}</code> },
  {
    title: 'Status',
    width: '100px',
    cell: (row) => (
      <>
        <BookingStatus {...row} /> {lost.has(row.bookingId) && <Bolt says="The client may not know." />}
      </>
    ),
  },
  {
    title: 'Player',
    width: 'minmax(64px, 1.4fr)',
    cell: ({ contactFirstName, contactLastName }) => `${contactFirstName} ${contactLastName}`,
  },
  { title: 'Players', width: '54px', from: 660, cell: ({ players }) => players },
  { title: 'Channel', width: '72px', from: 590, cell: ({ channel }) => channel },
  {
    title: 'Tee time',
    width: '212px',
    from: 520,
    cell: ({ startsAt, timeZone }) => <FacilityTime at={startsAt} timeZone={timeZone} />,
  },
  {
    title: 'Facility',
    width: 'minmax(120px, 1fr)',
    from: 930,
    cell: ({ facilityId, course }) => `${facilityId}, ${course}`,
  },
  { title: 'Payment', width: '116px', from: 800, cell: (row) => <PaymentBadge {...row} /> },
  { title: 'Group', width: '60px', from: 1000, cell: ({ groupId }) => groupId },
  { title: 'Made', width: '108px', from: 1130, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
