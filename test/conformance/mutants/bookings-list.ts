import { NOW } from '../../support/client.js';
import { answering, asking, confusingChannels, listing, param, refused, shifted, swapped } from './layers.js';
import type { Mutant } from './mutant.js';

const TODAY = NOW.slice(0, 10);

/** The day of a query as answers write it. */
const iso = (date: string): string => date.split('-').reverse().join('-');

const noDate = (value: string): string | undefined => (value === 'not-a-date' ? undefined : value);

/** Mistakes in the booking list that are seen without a booking. */
export const bookingListMutants: readonly Mutant[] = [
  { rule: 'bookings.list', defect: 'v1 has no booking list', layer: answering(/v1\/bookings$/, () => refused(404)) },
  {
    rule: 'bookings.list.fromDate',
    defect: 'v2 passes over a fromDate that is no date',
    layer: asking('v2', param('fromDate', noDate)),
  },
  {
    rule: 'bookings.list.fromDate',
    defect: 'v1 reads fromDate as mm-dd-yyyy',
    layer: asking('v1', param('fromDate', swapped)),
  },
  {
    rule: 'bookings.list.toDate',
    defect: 'v4 passes over a toDate that is no date',
    layer: asking('v4', param('toDate', noDate)),
  },
  {
    rule: 'bookings.list.toDate',
    defect: 'v2 reads toDate as mm-dd-yyyy',
    layer: asking('v2', param('toDate', swapped)),
  },
  {
    rule: 'bookings.list.to-date-narrows',
    defect: 'v4 ignores toDate',
    layer: asking(
      'v4',
      param('toDate', () => undefined),
    ),
  },
  {
    rule: 'bookings.list.by-teetime',
    defect: 'v2 selects by the day on which a booking was made',
    layer: listing('v2', (items, query) => {
      const from = query.get('fromDate');
      return items.filter(({ createdAt }) => from === null || createdAt.slice(0, 10) >= iso(from));
    }),
  },
  {
    rule: 'bookings.list.future-only',
    defect: 'v1 lists past bookings without parameters',
    layer: asking('v1', (query) => {
      if (query.size === 0) query.set('fromDate', '01-01-2020');
    }),
  },
  {
    rule: 'bookings.list.future-only',
    defect: 'v4 lists no booking without parameters',
    layer: listing('v4', (items, query) => (query.size === 0 ? [] : items)),
  },
  {
    rule: 'bookings.list.from-date-past',
    defect: 'v2 leaves out past bookings in spite of fromDate',
    layer: listing('v2', (items) => items.filter(({ teetime }) => teetime.slice(0, 10) >= TODAY)),
  },
  {
    rule: 'bookings.list.from-date-past',
    defect: 'v4 leaves out the day of fromDate itself',
    layer: asking(
      'v4',
      param('fromDate', (value) => shifted(value, 1)),
    ),
  },
  {
    rule: 'bookings.list.to-date-inclusive',
    defect: 'v4 ends before toDate',
    layer: listing('v4', (items, query) => {
      const to = query.get('toDate');
      return items.filter(({ teetime }) => to === null || teetime.slice(0, 10) < iso(to));
    }),
  },
  {
    rule: 'bookings.list.canceled-included',
    defect: 'v1 leaves out cancelled bookings',
    layer: listing('v1', (items) => items.filter(({ status }) => status !== 'CANCELED')),
  },
  {
    rule: 'bookings.list.channel-scope',
    defect: 'v2 shows every channel the bookings of one',
    layer: confusingChannels(/^GET \/api\/v2\/bookings$/),
  },
  {
    rule: 'bookings.item.created-zone',
    defect: 'v4 writes moments of creation with a Z',
    layer: listing('v4', (items) => items.map((item) => ({ ...item, createdAt: `${item['createdAt']}Z` }))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v2 shows one player too many',
    layer: listing('v2', (items) => items.map((item) => ({ ...item, players: item['players'] + 1 }))),
  },
  {
    rule: 'bookings.list.same-across-versions',
    defect: 'v1 leaves out the last booking',
    layer: listing('v1', (items) => items.slice(0, -1)),
  },
  {
    rule: 'bookings.id.form',
    defect: 'v4 lists a short code',
    layer: listing('v4', (items) => items.map((item, index) => ({ ...item, bookingId: `B${index}` }))),
  },
  {
    rule: 'bookings.item.version-fields',
    defect: 'v1 shows the facility, as v4 does',
    layer: listing('v1', (items) => items.map((item) => ({ ...item, facilityId: 1001 }))),
  },
];
