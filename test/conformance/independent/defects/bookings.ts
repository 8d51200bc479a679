import type { Change } from '../run.js';
import { type Loose, wrap } from '../vary.js';
import { changing } from './answers.js';
import { type Defect, done } from './row.js';

const effect = /^bookings\.(effect|create|status|list)|^teetimes\.item\.teeid/;

const storing = (alter: (order: Loose) => void): Change =>
  wrap('enter', (before) => (order, channel, group) => {
    const copy: Loose = { ...order, item: { ...order.item } };
    alter(copy);
    return before(copy, channel, group);
  });

export const bookings: readonly Defect[] = [
  done('a booking does not lower availability', effect, (service) => (service.hold = () => undefined)),
  done(
    'a booking takes one place',
    effect,
    wrap('hold', (before) => (slot, players) => before(slot, Math.sign(players))),
  ),
  done(
    'a booking of v2 does not lower availability',
    effect,
    wrap('bookOne', (before, service) => (body, channel, version) => {
      const hold = service.hold;
      if (version === 2) service.hold = () => undefined;
      const answer = before(body, channel, version);
      service.hold = hold;
      return answer;
    }),
  ),
  done(
    'a group lowers availability of its first tee time',
    effect,
    wrap('enter', (before, service) => (order, channel, group) => {
      const hold = service.hold;
      if (service.bookings.some((one) => group !== undefined && one.group === group)) service.hold = () => undefined;
      const booking = before(order, channel, group);
      service.hold = hold;
      return booking;
    }),
  ),
  done('more players than places', effect, (service) => (service.checkRoom = () => undefined)),
  done(
    'a group takes the same places twice',
    /^bookings/,
    wrap('checkRoom', (before) => (orders) => orders.forEach((order) => before([order]))),
  ),
  done(
    'two at once both find the last places',
    effect,
    wrap('handle', (before, service) => async (request) => {
      if (request.method !== 'POST') return before(request);
      const hold = service.hold.bind(service);
      service.hold = (slot, players) => void setTimeout(() => hold(slot, players), 1);
      const response = await before(request);
      await new Promise((resolve) => setTimeout(resolve, 3));
      return response;
    }),
  ),
  done(
    'a booking is missing in the list',
    effect,
    wrap(
      'list',
      (before, service) => (ask) => (before(ask) as Loose[]).slice(0, service.bookings.length > 8 ? -1 : undefined),
    ),
  ),
  done(
    'a group is missing in the list',
    effect,
    wrap('isOwn', (before) => (booking, channel) => before(booking, channel) && booking.group === undefined),
  ),
  done('bookings of v2 are missing in v4', /^(bookings|versions)/, (service) => {
    const book = service.bookOne.bind(service);
    const own = service.list.bind(service);
    const old = new Set<string>();
    service.bookOne = (body, channel, version) => {
      const answer = book(body, channel, version) as { bookingId: string };
      if (version === 2) old.add(answer.bookingId);
      return answer;
    };
    service.list = (ask) => (own(ask) as Loose[]).filter((one) => ask.version !== 4 || !old.has(one.bookingId));
  }),
  done(
    'the second booking of a group is missing',
    effect,
    wrap('list', (before, service) => (ask) => {
      const later = service.bookings.filter(
        (one, index) => one.group && service.bookings.findIndex(({ group }) => group === one.group) < index,
      );
      return (before(ask) as Loose[]).filter((one) => !later.some(({ id }) => id === one.bookingId));
    }),
  ),
  done(
    'a booking twice in the list',
    /^bookings/,
    wrap(
      'list',
      (before) => (ask) => (before(ask) as Loose[]).flatMap((one, index) => (index === 4 ? [one, one] : [one])),
    ),
  ),
  done(
    'two bookings of a tee time share their id',
    /^bookings/,
    (service) => (service.newId = ({ club, id }) => `GB-${club.id}-${id}`),
  ),
  done(
    'the bookings of a group share their id',
    /^bookings/,
    wrap('enter', (before) => (order, channel, group) => {
      const booking = before(order, channel, group);
      return group ? Object.assign(booking, { id: `G-${group}` }) : booking;
    }),
  ),
  done(
    'groups share their number',
    /^(bookings|payments)/,
    changing((data) => ('groupId' in data ? (data.groupId = 1) : (data.bulkBookingId = 1))),
  ),
  done(
    'a refused one is listed',
    effect,
    wrap('orders', (before, service) => (given, channel, version) => {
      try {
        return before(given, channel, version);
      } catch (error) {
        for (const one of given) {
          const item = one as Loose;
          const slot = service.findSlot(Number(item?.teeId));
          if (slot) service.enter({ item, slot, players: 1, fee: slot.course.fees[0]!, link: undefined }, channel);
        }
        throw error;
      }
    }),
  ),
  done(
    'a refused one takes places',
    effect,
    wrap('orders', (before, service) => (given, channel, version) => {
      try {
        return before(given, channel, version);
      } catch (error) {
        for (const one of given) {
          const slot = service.findSlot(Number((one as Loose)?.teeId));
          if (slot && service.free(slot) > 0) service.hold(slot, 1);
        }
        throw error;
      }
    }),
  ),
  done(
    'the next tee time is booked',
    effect,
    wrap('findSlot', (before) => (id) => before(id + 1) ?? before(id)),
  ),
  done(
    'another tee time is stored',
    effect,
    wrap('enter', (before, service) => (order, channel, group) => {
      const slot = service.findSlot(order.slot.id + 1) ?? order.slot;
      return before(service.bookings.length > 8 ? { ...order, slot } : order, channel, group);
    }),
  ),
  done(
    'one player is stored',
    effect,
    storing((order) => (order.players = 1)),
  ),
  done(
    'names changed over',
    effect,
    storing(
      ({ item }) => ([item.contactFirstName, item.contactLastName] = [item.contactLastName, item.contactFirstName]),
    ),
  ),
  done(
    'telephone and e-mail changed over',
    effect,
    storing(({ item }) => ([item.contactPhone, item.contactEmail] = [item.contactEmail, item.contactPhone])),
  ),
  done(
    'the e-mail of the first guest',
    effect,
    storing(({ item }) => (item.contactEmail = 'info@golf.example')),
  ),
  done(
    'names lose what is no ASCII',
    effect,
    storing(({ item }) => (item.contactLastName = String(item.contactLastName).replace(/\w$/, '?'))),
  ),
  done(
    'a new booking is not active',
    /^bookings/,
    wrap(
      'enter',
      (before) =>
        (...args) =>
          Object.assign(before(...args), { status: 'CANCELED' }),
    ),
  ),
  done(
    'linked tee times are refused',
    /linked/,
    wrap('checkLinks', (_, service) => (orders) => {
      if (orders.some(({ link }) => link)) throw service.failed('linked');
    }),
  ),
  done(
    'linked tee times need the holes of their product each',
    /linked/,
    wrap('checkLinks', (before, service) => (orders) => {
      if (orders.some(({ fee, slot }) => fee.holes > slot.holes)) throw service.failed('too few holes');
      before(orders);
    }),
  ),
];
