import { createSandbox, type State } from '../../src/engine/library.js';
import { DAY_MS } from '../../src/engine/model/calendar.js';
import { requestOf } from '../../src/engine/store/seed-bookings.js';
import { Store } from '../../src/engine/store/store.js';
import { createWorld } from '../../src/engine/store/world.js';
import { NOW } from './client.js';

const buyer = {
  players: 1,
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '+44 20 7946 0123',
  contactEmail: 'ada@lovelace.example',
};

/** The state of a sandbox with this many bookings of `fairway` and no others, one for each of the next tee times. */
export async function manyBookings(count: number): Promise<State> {
  const now = Date.parse(NOW);
  const store = new Store(createWorld({}), now);
  const terms = { channel: 'fairway', groupId: null, paymentIntent: null, now };
  const planted = store.ledger.size;
  for (let day = Math.floor(now / DAY_MS) + 30; store.ledger.size < planted + count; day += 1) {
    for (const { id, courses } of [store.world.facility(1001)!, store.world.facility(1002)!]) {
      for (const course of courses) {
        for (const teeTime of store.sheet(course, day).teeTimes) {
          if (store.free(teeTime) === 0 || store.ledger.size === planted + count) continue;
          const product = teeTime.products[0]!;
          const request = requestOf({ ...buyer, facilityId: id }, course, teeTime, product.mid);
          store.book([{ request, teeTime, product }], terms);
        }
      }
    }
  }
  const state = (await createSandbox({ now: NOW })).snapshot();
  const bookings = store.ledger.records().slice(planted);
  return { ...state, store: { ...state.store, bookings, sequence: planted + bookings.length } };
}
