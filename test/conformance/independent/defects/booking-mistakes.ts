import { Refused } from '../desk.js';
import { rewriting, sending, setting, type Loose, wrap } from '../vary.js';
import type { Change } from '../run.js';
import { type Defect, done } from './row.js';

const bookings = /^(bookings|limits|errors|teetimes\.(item|product))/;
const lists = /^(bookings|versions)/;
const groups = /v5.bookings$|bulkbookings$/;

/** Refuses single bookings, also those of a group. */
const refusing = (fits: (item: Loose, version: number) => boolean): Change =>
  wrap('checkFields', (before, service) => (item, version) => {
    before(item, version);
    if (fits(item, version)) throw service.failed('it is not for sale');
  });

/** Alters the answer of a group. */
const grouped = (alter: (data: Loose) => void): Change =>
  sending(groups, ({ data }) => void (Array.isArray(data?.bookingIds) && alter(data)));

/** Bookings take more or fewer places than players. */
const holding = (places: (item: Loose, players: number) => number): Change =>
  wrap('enter', (before, service) => (order, channel, group) => {
    const booking = before(order, channel, group);
    service.hold(order.slot, places(order.item, order.players) - order.players);
    return booking;
  });

const inGroups: readonly Defect[] = [
  done(
    'a refused group takes places',
    /^bookings/,
    wrap('orders', (before, service) => (given, channel, version) => {
      try {
        return before(given, channel, version);
      } catch (error) {
        const slot = given.length > 1 && service.findSlot(Number((given[0] as Loose)?.teeId));
        if (slot && service.free(slot) > 0) service.hold(slot, 1);
        throw error;
      }
    }),
  ),
  done(
    'the ids of a group changed over',
    /^(bookings|teetimes)/,
    grouped(({ bookingIds }) => {
      const ids = bookingIds.map((one: Loose) => one.bookingId).reverse();
      for (const [index, one] of bookingIds.entries()) one.bookingId = ids[index];
    }),
  ),
  done(
    'a group books its first tee time twice',
    /^bookings/,
    wrap('orders', (before) => (given, channel, version) => {
      const orders = before(given, channel, version);
      return orders.map((order) => ({ ...order, slot: orders[0]!.slot }));
    }),
  ),
  done(
    'a group of one is answered as a booking',
    /^bookings/,
    rewriting(groups, (body) =>
      body.data?.bookingIds?.length === 1 ? { ...body, data: body.data.bookingIds[0] } : body,
    ),
  ),
  done(
    'times of a group in UTC',
    /^(bookings|dates)/,
    setting(groups, 'teetime', (text) => new Date(Date.parse(`${text}Z`) - 7_200_000).toISOString().slice(0, 19)),
  ),
  done(
    'the course of a group is its facility',
    /^bookings/,
    wrap('writeMade', (before) => (booking) => ({ ...before(booking), courseId: booking.slot.club.id })),
  ),
  done(
    'a linked group takes places of its first tee time alone',
    /^bookings/,
    wrap('enter', (before, service) => (order, channel, group) => {
      const isLater = order.link !== undefined && service.bookings.some((one) => one.group === group);
      const booking = before(order, channel, group);
      if (isLater) service.hold(order.slot, -order.players);
      return booking;
    }),
  ),
  done(
    'linked tee times are missing in the list',
    /^bookings/,
    wrap('isOwn', (before, service) => (booking, channel) => {
      const { group, item } = booking;
      const isLinked = item['linkedTeeTimeRef'] !== undefined;
      return (
        before(booking, channel) && !(isLinked && service.bookings.filter((one) => one.group === group).length > 1)
      );
    }),
  ),
];

/** Mistakes that a team is likely to make: in units, at limits, with duplicates, in order, over time, after an error. */
export const bookingMistakes: readonly Defect[] = [
  done(
    'four players are refused',
    bookings,
    refusing(({ players }) => players === 4),
  ),
  done(
    'three players are refused',
    bookings,
    refusing(({ players }) => players === 3),
  ),
  done(
    'more than one player is refused in v3',
    bookings,
    refusing(({ players }, version) => version === 3 && players > 1),
  ),
  done(
    'more than one player is refused in v2',
    bookings,
    refusing(({ players }, version) => version === 2 && players > 1),
  ),
  done(
    'tee times of 9 holes are refused',
    bookings,
    refusing(({ holes }) => holes === 9),
  ),
  done(
    'further players must be named',
    bookings,
    refusing(({ players, additionalPlayers }) => players > 1 && additionalPlayers === undefined),
  ),
  done(
    'the same booking again answers the first one',
    /^bookings/,
    wrap('enter', (before, service) => (order, channel, group) => {
      const known = service.bookings.find((one) => one.slot === order.slot && one.channel === channel);
      return known ?? before(order, channel, group);
    }),
  ),
  done(
    'extra products take places',
    /^bookings/,
    holding(({ extraProduct = [] }, players) => players + extraProduct.length),
  ),
  done(
    'named players take places again',
    /^bookings/,
    holding(({ additionalPlayers = [] }, players) => players + additionalPlayers.length),
  ),
  done(
    'a full tee time is a 409',
    /^errors/,
    wrap('checkRoom', (before) => (orders) => {
      try {
        before(orders);
      } catch {
        throw new Refused(409, 'These tee times are sold. Please search and book the tee times again.');
      }
    }),
  ),
  done(
    'bookings are made at the time of play',
    lists,
    setting(/v[124].bookings$/, 'createdAt', (_, { teetime }) => `${teetime}.000`),
  ),
  done(
    'fromDate lists the past alone',
    lists,
    wrap('isWithin', (before, service) => (booking, from, to) => {
      return before(booking, from, to) && (from === undefined || service.isPast(booking.slot));
    }),
  ),
  done(
    'the list is kept',
    lists,
    wrap('list', (before) => {
      const kept = new Map<string, unknown>();
      return (ask) => {
        const key = `${ask.channel.name} ${ask.version} ${ask.query.toString()}`;
        if (!kept.has(key)) kept.set(key, before(ask));
        return kept.get(key);
      };
    }),
  ),
  done(
    'toDate lists two days more',
    lists,
    wrap('isWithin', (before) => (booking, from, to) => {
      const later = to && new Date(Date.parse(to) + 2 * 86_400_000).toISOString().slice(0, 10);
      return before(booking, from, later);
    }),
  ),
  done(
    'fromDate lists two days more',
    lists,
    wrap('isWithin', (before) => (booking, from, to) => {
      const earlier = from && new Date(Date.parse(from) - 2 * 86_400_000).toISOString().slice(0, 10);
      return before(booking, earlier, to);
    }),
  ),
  done(
    'a second payment crashes',
    /^(payments|errors)/,
    wrap('settle', (before, service) => (paid) => {
      if (paid.some(({ id }) => service.paid.includes(id))) throw new Refused(500, 'This row is there already.');
      before(paid);
    }),
  ),
  ...inGroups,
];
