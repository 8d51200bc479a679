import { epochDay, localTime, weekday } from '../civil.js';
import { Refused } from '../desk.js';
import type { Change } from '../run.js';
import type { Slot } from '../sheets.js';
import { type Variation, wrap } from '../vary.js';

const row = (name: string, change: Change, options?: Variation['options']): Variation => {
  return { name, change, ...(options ? { options } : {}) };
};
const hoursOn = (instant: number, hours: number): number => instant + hours * 3_600_000;

/** Other ids of tee times: handed out one after another, from a first one, when they are first shown. */
const numbered =
  (first: number): Change =>
  (service) => {
    const ids = new Map<string, number>();
    const places = new Map<number, number>();
    const [idOf, find] = [service.slotId.bind(service), service.findSlot.bind(service)];
    service.slotId = (course, date, index) => {
      const key = `${course.id} ${date} ${index}`;
      if (!ids.has(key)) {
        ids.set(key, first + ids.size * 3);
        places.set(ids.get(key)!, idOf(course, date, index));
      }
      return ids.get(key)!;
    };
    service.findSlot = (id) => (places.has(id) ? find(places.get(id)!) : undefined);
  };

/** Bookings have a code of their own in the first versions; both are taken everywhere. */
const twoIds: Change = (service) => {
  const code = (id: string): string => `T${id.split('-').at(-1)!.toUpperCase()}`;
  const [writes, books, pays] = [service.write, service.bookOne, service.pay].map((one) => one.bind(service)) as [
    typeof service.write,
    typeof service.bookOne,
    typeof service.pay,
  ];
  service.write = (booking, version) => {
    const written = writes(booking, version);
    return version < 4 ? { ...written, bookingId: code(booking.id) } : written;
  };
  service.bookOne = (body, channel, version) => {
    const made = books(body, channel, version) as { bookingId: string };
    return version < 4 ? { bookingId: code(made.bookingId) } : made;
  };
  service.pay = (ask) => {
    const booking = service.bookings.find(({ id }) => code(id) === ask.args[0]);
    return pays(booking ? { ...ask, args: [booking.id] } : ask);
  };
};

/** A booking is in the lists two seconds after it was made. */
const listedLate: Change = (service) => {
  const earlier = new Set(service.bookings);
  wrap('list', (before) => (ask) => {
    const all = service.bookings;
    const until = new Date(service.around.now() - 2000).toISOString();
    service.bookings = all.filter((one) => earlier.has(one) || one.createdAt < until);
    try {
      return before(ask);
    } finally {
      service.bookings = all;
    }
  })(service);
};

const soldOut = (days: number): Change =>
  wrap('slot', (before, service) => (club, course, date, index) => {
    const today = epochDay(localTime(service.around.now(), 'UTC').slice(0, 10));
    const slot = before(club, course, date, index);
    return epochDay(date) - today < days ? { ...slot, taken: 4 } : slot;
  });

const offsets: Readonly<Record<number, number>> = { 170: 9, 171: -5, 101: 1, 102: 1, 117: 1, 131: 1 };

/** Days of the booking list begin at midnight by UTC: the time zone is an open question. */
export const borders: Variation = row(
  'the booking list is filtered by the day of UTC',
  wrap('isWithin', (before) => (booking, from, to) => {
    const { slot } = booking;
    const hours = offsets[slot.club.id] ?? 0;
    const date = new Date(Date.parse(`${slot.time}Z`) - hours * 3_600_000).toISOString().slice(0, 10);
    return before({ ...booking, slot: { ...slot, date } }, from, to);
  }),
);

/** What stays of a group with a wrong item is an open question. */
export const keptInGroup: Variation = row(
  'a refused group keeps its first booking',
  wrap('bookGroup', (before, service) => (items, channel, version) => {
    try {
      return before(items, channel, version);
    } catch (error) {
      try {
        if (items.length > 1) service.bookOne(items[0], channel, version);
      } catch {
        throw error;
      }
      throw error;
    }
  }),
);

const twilight: Change = wrap('total', (before) => (slot: Slot, fee, players) => {
  return before(slot, slot.time.slice(11) > '09:30:00' ? { ...fee, rate: fee.rate * 0.8 } : fee, players);
});

/** What the API specification leaves open about the world and the habits of a service. */
export const habits: readonly Variation[] = [
  row('two forms of booking id', twoIds),
  row('booking lists follow a booking by two seconds', listedLate),
  row('booking ids as numbers', (service) => (service.newId = () => String(900_000 + service.bookings.length))),
  row('booking ids as UUIDs', (service) => {
    service.newId = () => `0b0b0b0b-1111-4222-8333-${String(service.bookings.length).padStart(12, '0')}`;
  }),
  row('small ids of groups', (service) => (service.groups = 0)),
  row('small ids of tee times', numbered(1)),
  row('large ids of tee times', numbered(7_000_000_000_000)),
  row('odd minutes', (service) => (service.firstMinute = () => 403)),
  row('tee times late in the day', (service) => (service.firstMinute = () => 1000)),
  row('open at weekends', (service) => (service.isOpen = (_, date) => [0, 5, 6].includes(weekday(date)))),
  row('closed for two weeks', (service) => (service.isOpen = (_, date) => date > '2026-06-14' && date < '2027-01-01')),
  row('sold out for three days', soldOut(3)),
  row('sold out for a week', soldOut(7)),
  row('bookable for a month', (service) => (service.isOpen = (_, date) => date < '2026-07-01')),
  row(
    'all of one size',
    (service) => (service.clubs = service.clubs.map((club) => ({ ...club, courses: club.courses.slice(0, 1) }))),
  ),
  row('no extra products', (service) => (service.clubs = service.clubs.map((club) => ({ ...club, extras: [] })))),
  row('names of courses that many share', (service) => {
    const named = (index: number): string => `Course ${index + 1}`;
    service.clubs = service.clubs.map((club) => {
      return { ...club, courses: club.courses.map((course, index) => ({ ...course, name: named(index) })) };
    });
  }),
  row(
    'a price for each player',
    wrap('total', (before) => (slot, fee) => before(slot, fee, 1)),
  ),
  row(
    'groups pay less',
    wrap('total', (before) => (slot, fee, players) => {
      return before(slot, players === 4 ? { ...fee, rate: fee.rate * 0.9 } : fee, players);
    }),
  ),
  row(
    'prices with cents',
    wrap('rate', (before) => (fee, date) => before(fee, date) + 0.37),
  ),
  row('the evening is cheaper', twilight),
  row(
    'prices for the places that are free',
    wrap('product', (before, service) => (slot, fee) => {
      const product = before(slot, fee) as { pricing: unknown[] };
      return { ...product, pricing: product.pricing.slice(0, service.free(slot)) };
    }),
  ),
  row('past tee times are listed', (service) => {
    service.find = (club, courses, date, players, holes) =>
      courses
        .flatMap((course) => service.sheet(club, course, date))
        .filter((slot) => service.fits(slot, players, holes));
  }),
  row('the future in UTC', (service) => (service.localNow = () => localTime(service.around.now(), 'UTC'))),
  row(
    'the future in one zone',
    (service) => (service.localNow = () => localTime(service.around.now(), 'Europe/Amsterdam')),
  ),
  row('bookable two hours ahead', (service) => {
    service.localNow = (club) => localTime(hoursOn(service.around.now(), 2), club.zone);
  }),
  row(
    'v3 searches with products',
    wrap('teeTimes', (before) => (ask) => {
      if (ask.version !== 3) return before(ask);
      return before({ ...ask, version: 4 });
    }),
  ),
  row(
    'prices come in pages of 50',
    wrap('countAsked', (before) => (query, name, fallback) => {
      return Math.min(before(query, name, fallback), name === 'limit' ? 50 : fallback + 100_000);
    }),
  ),
  row(
    'prices of two weeks at most',
    wrap('daysAsked', (before, service) => (from, to) => {
      const days = before(from, to);
      if (days.length > 14) throw service.invalid('toDate', 'within 14 days');
      return days;
    }),
  ),
  row(
    'searches take one form of date',
    wrap('searchDate', (before) => (text) => (/^\d{4}/.test(text) ? undefined : before(text))),
  ),
  row(
    'searches take the other form of date',
    wrap('searchDate', (before) => (text) => (/^\d{4}/.test(text) ? before(text) : undefined)),
  ),
  row(
    'prices of any facility',
    wrap('findOwnClub', (_, service) => (_channel, id) => service.findClub(id)),
  ),
  row(
    'prices of unknown facilities are none',
    wrap('clubsAsked', (before, service) => (query, channel, most) => {
      const ids = service.given(query, 'facilityIds').split(',');
      if (ids.length > most || ids.some((id) => !/^\d+$/.test(id))) return before(query, channel, most);
      return service.clubs.filter((club) => ids.includes(String(club.id)) && service.isConnected(channel, club));
    }),
  ),
  row(
    'details of connected facilities alone',
    wrap('facility', (before, service) => (ask) => {
      service.findOwnClub(ask.channel, ask.args[0]!);
      return before(ask);
    }),
  ),
  row(
    'an empty sheet for unknown facilities',
    wrap('teeTimes', (before) => (ask) => {
      try {
        return before(ask);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) throw error;
        const list = { [ask.version === 3 ? 'teeTimeV2' : 'teeTimeV3']: [], facilityCancellationPolicyRange: [] };
        return ask.version === 2 ? [] : list;
      }
    }),
  ),
  row('v2 does not narrow its tee times by `players`', (service) => {
    const handle = service.handle.bind(service);
    service.handle = (request) =>
      handle(
        /v2.teetimes/.test(request.url)
          ? new Request(request.url.replace(/players=[2-4]/, 'players=1'), request)
          : request,
      );
  }),
  borders,
  keptInGroup,
];
