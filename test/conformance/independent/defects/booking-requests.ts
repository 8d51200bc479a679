import type { Change } from '../run.js';
import { receiving, type Loose, wrap } from '../vary.js';
import { type Defect, done } from './row.js';

const v5 = /v5.bookings$/;

const items = (body: Loose): Loose[] => [body?.details ?? body].flat();
/** Refuses a request that lacks an optional field. */
const demanding = (name: string, version: number): Change =>
  wrap('checkOptional', (before, service) => (item, asked) => {
    if (asked === version && item[name] === undefined) throw service.failed(`${name} must be given`);
    before(item, asked);
  });
/** Refuses a request that has an optional field. */
const forbidding = (name: string, version: number): Change =>
  wrap('checkOptional', (before, service) => (item, asked) => {
    if (asked === version && item[name] !== undefined) throw service.failed(`${name} is unknown`);
    before(item, asked);
  });

export const bookingRequests: readonly Defect[] = [
  done('comments are demanded by v2', /^bookings/, demanding('comments', 2)),
  done('comments are demanded by v5', /^bookings/, demanding('comments', 5)),
  done('netRate is demanded', /^bookings/, demanding('netRate', 5)),
  done('extraProduct is demanded', /^bookings/, demanding('extraProduct', 5)),
  done('additionalPlayers is demanded', /^bookings/, demanding('additionalPlayers', 5)),
  done('linkedTeeTimeRef is demanded', /^bookings/, demanding('linkedTeeTimeRef', 5)),
  done('comments are refused', /^bookings/, forbidding('comments', 5)),
  done('netRate is refused', /^bookings/, forbidding('netRate', 5)),
  done('extraProduct is refused', /^bookings/, forbidding('extraProduct', 5)),
  done('additionalPlayers is refused', /^bookings/, forbidding('additionalPlayers', 5)),
  done(
    'productId is not needed',
    /^bookings/,
    receiving(v5, (body) =>
      items(body).forEach(
        (item) => item && (item.productId ??= Math.floor(item.teeId / 4096 / 64) * 10 + (item.holes === 18 ? 1 : 2)),
      ),
    ),
  ),
  done(
    'v2 needs a productId',
    /^bookings/,
    wrap('checkFields', (before) => (item, version) => {
      before(item, version);
      if (version === 2) before({ ...item, course: item['round'] }, 5);
    }),
  ),
  done('v2 needs a course', /^bookings/, (service) => (service.courseField = () => 'course')),
  done(
    'a group of one is refused',
    /^bookings/,
    wrap('bookGroup', (before, service) => (given, channel, version) => {
      if (given.length === 1) throw service.failed('one');
      return before(given, channel, version);
    }),
  ),
  done(
    'a payment intent is demanded',
    /^bookings/,
    wrap('bookCart', (before, service) => (cart, channel, version) => {
      if (cart['paymentIntent'] === undefined) throw service.failed('paymentIntent must be given');
      return before(cart, channel, version);
    }),
  ),
  done(
    'lists of bookings are taken for one',
    /^(bookings|errors)/,
    wrap('bookGroup', (_, service) => () => {
      throw service.failed('it is no object');
    }),
  ),
];
