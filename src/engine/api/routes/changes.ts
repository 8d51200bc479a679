import { type BookingRequest } from '../../model/booking.js';
import type { Wish } from '../../model/linked.js';
import type { Effect } from '../../../contract/index.js';
import { buyer } from '../../store/rival-channel.js';
import type { Engine } from './call.js';

type ChangeEffect = Extract<Effect, { kind: 'change' }>['change'];

/** What others do to the tee time just before it is booked. */
export function change(engine: Engine, what: ChangeEffect, channel: string, { teeTime, request }: Wish): void {
  const { store } = engine;
  const { course, sheet } = store.locate(teeTime.teeId)!;
  switch (what) {
    case 'sold-out':
    case 'price-changed':
      return store.amend([...store.amendments, { change: what, courseId: course.id, day: sheet.day }]);
    case 'tee-time-withdrawn':
      return store.amend([...store.amendments, { change: what, courseId: course.id, teeId: teeTime.teeId }]);
    case 'facility-disconnected':
      return store.amend([...store.amendments, { change: what, facilityId: request.facilityId, channel }]);
    case 'rival':
      return bookAll(engine, channel, teeTime.teeId, request);
    default:
      throw new Error(`\`${what}\` is not a change of a tee time.`);
  }
}

/** Another channel books every free slot; a channel connected to the facility if there is one. */
function bookAll(engine: Engine, channel: string, teeId: number, request: BookingRequest): void {
  const { store } = engine;
  const facility = store.world.facility(request.facilityId)!;
  const { sheet, index } = store.locate(teeId)!;
  const teeTime = sheet.teeTimes[index]!;
  const others = store.world.channels.map(({ name }) => name).filter((name) => name !== channel);
  const rival = others.find((name) => facility.channels.includes(name)) ?? others[0]!;
  const wish: Wish = {
    request: {
      ...request,
      players: store.free(teeTime),
      ...buyer,
      netRate: null,
      extraProducts: [],
      comments: null,
      additionalPlayers: [],
      linkedTeeTimeRef: null,
    },
    teeTime,
    product: teeTime.products[0]!,
  };
  store.book([wish], { channel: rival, groupId: null, paymentIntent: null, now: engine.now() });
}
