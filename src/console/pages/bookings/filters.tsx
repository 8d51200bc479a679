import { setQuery } from '../../data/route.js';
import type { AdminType } from '../../data/api.js';
import { SelectField, TextField } from '../../parts/field.js';

const names = ['text', 'channel', 'status', 'facilityId', 'groupId', 'payment'] as const;

/** The filters as they stand in the address. */
type BookingFilters = Readonly<Record<(typeof names)[number], string>>;

export function filtersIn(query: URLSearchParams): BookingFilters {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as BookingFilters;
}

/** Whether any filter is set. */
export function isFiltered(filters: BookingFilters): boolean {
  return names.some((name) => filters[name] !== '');
}

/** The filters as the admin API takes them. A number that is none is refused by it, with the reason. */
export function queryOf({ text, channel, status, facilityId, groupId, payment }: BookingFilters) {
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
export function Filters({
  filters,
  channels,
}: {
  readonly filters: BookingFilters;
  readonly channels: readonly string[];
}) {
  const field = (name: (typeof names)[number]) => ({
    value: filters[name],
    change: (value: string) => setQuery({ [name]: value.trim() }),
  });
  return (
    <div class="filters" role="search" aria-label="Filter the bookings">
      <TextField label="Text" type="search" placeholder="Name, code, e-mail" {...field('text')} />
      <SelectField
        label="Channel"
        {...field('channel')}
        options={[['', 'All'], ...channels.map((name) => [name, name] as const)]}
      />
      <SelectField label="Status" {...field('status')} options={statuses} />
      <SelectField label="Payment" {...field('payment')} options={payments} />
      <TextField label="Facility" placeholder="1001" {...field('facilityId')} />
      <TextField label="Group" placeholder="5001" {...field('groupId')} />
    </div>
  );
}
