import { type BookingRequest } from '../domain/booking.js';
import type { Wish } from '../domain/linked.js';
import type { Effect } from '../generated/scenarios.js';
import type { Engine } from './call.js';

export type Change = Extract<Effect, { kind: 'change' }>['change'];

/** What others do to the tee time of a booking in the moment before it is made. */
export function change(engine: Engine, what: Change, channel: string, { slot, request }: Wish): void {
  const { store } = engine;
  const { course, sheet } = store.locate(slot.teeId)!;
  switch (what) {
    case 'sold-out':
    case 'price-changed':
      return store.amend([...store.amendments, { change: what, courseId: course.id, day: sheet.day }]);
    case 'tee-time-withdrawn':
      return store.amend([...store.amendments, { change: what, courseId: course.id, teeId: slot.teeId }]);
    case 'facility-disconnected':
      return store.amend([...store.amendments, { change: what, facilityId: request.facilityId, channel }]);
    case 'rival':
      return bookAll(engine, channel, slot.teeId, request);
    default:
      throw new Error(`\`${what}\` is no change of a tee time.`);
  }
}

/** Another channel, connected to the facility if one is, takes every place that is left. */
function bookAll({ store, now }: Engine, channel: string, teeId: number, request: BookingRequest): void {
  const facility = store.world.facility(request.facilityId)!;
  const { sheet, index } = store.locate(teeId)!;
  const slot = sheet.slots[index]!;
  const others = store.world.channels.map(({ name }) => name).filter((name) => name !== channel);
  const rival = others.find((name) => facility.channels.includes(name)) ?? others[0]!;
  const wish: Wish = {
    request: {
      ...request,
      players: store.free(slot),
      contactFirstName: 'Rival',
      contactLastName: 'Buyer',
      contactPhone: '+44 20 7946 0999',
      contactEmail: 'rival@buyer.example',
      netRate: null,
      extraProducts: [],
      comments: null,
      additionalPlayers: [],
      linkedTeeTimeRef: null,
    },
    slot,
    product: slot.products[0]!,
  };
  store.book([wish], { channel: rival, groupId: null, paymentIntent: null, now: now() });
}
