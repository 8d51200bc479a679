import type { Layer } from '../../deployment.js';
import { NOW } from '../../../support/client.js';
import { type Listed, listing } from '../layers/booking-lists.js';
import type { Mutant } from '../mutant.js';

const deletes = { dialect: { answers: { 'booking.cancel': 'delete' } } } as const;

/** Cancels a booking on DELETE, in the list of v4. */
function cancelling(): Layer {
  const gone = new Set<string>();
  const lists = listing('v4', (items) =>
    items.map((item) => (gone.has(item['bookingId']) ? { ...item, status: 'CANCELED' } : item)),
  );
  return async (request, through) => {
    if (request.method !== 'DELETE') return lists(request, through);
    gone.add(decodeURIComponent(new URL(request.url).pathname.split('/').at(-1)!));
    return Response.json({ success: true, data: null });
  };
}

/** Removes a booking from the lists when it is cancelled. */
function vanishing(): Layer {
  const gone = new Set<string>();
  const without = (items: readonly Listed[]): readonly Listed[] => items.filter((item) => !gone.has(item['bookingId']));
  const lists = ['v1', 'v2', 'v4'].map((version) => listing(version, without));
  return async (request, through) => {
    const { pathname } = new URL(request.url);
    const layer = lists.find((_, index) => pathname.includes(['/v1/', '/v2/', '/v4/'][index]!));
    const response = await (layer ? layer(request, through) : through(request));
    if (request.method === 'DELETE' && response.ok) gone.add(decodeURIComponent(pathname.split('/').at(-1)!));
    return response;
  };
}

/** Mistakes in cancelling bookings, which the API specification describes by no operation. */
export const cancellationMutants: readonly Mutant[] = [
  {
    rule: 'bookings.status.canceled-stays',
    defect: 'a cancelled booking vanishes from the lists',
    layer: vanishing(),
    settings: deletes,
  },
  {
    rule: 'bookings.status.canceled-stays',
    defect: 'v2 lists a booking as active after its cancellation',
    layer: listing('v2', (items) =>
      items.map((item) => (item['teetime'] > NOW ? { ...item, status: 'BOOKED' } : item)),
    ),
    settings: deletes,
  },
  {
    rule: 'bookings.status.canceled-stays',
    defect: 'v2 omits cancelled bookings',
    layer: listing('v2', (items) => items.filter(({ status }) => status !== 'CANCELED')),
  },
  { rule: 'bookings.cancel', defect: 'DELETE cancels a booking', layer: cancelling() },
  { rule: 'bookings.cancel.channel-scope', defect: 'DELETE cancels the booking of any channel', layer: cancelling() },
];
