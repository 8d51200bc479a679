import { dateOf, epochDay, weekday } from '../civil.js';
import { eachObject, type Loose, sending, setting, wrap } from '../vary.js';
import { type Defect, done, seen } from './row.js';

/*
 * What a colleague breaks on a Friday: each is wrong somewhere only, in one currency, zone, weekday, version, course or
 * channel. The list was written before the suite was run on it.
 */

const any = /./;
const isWeekend = (date: unknown): boolean => [0, 6].includes(weekday(String(date).slice(0, 10)));
const prices = /price/;
const teeTimes = (version: string): RegExp => new RegExp(`v${version}/teetimes/`);

/** Moves a local time to UTC, by the offset of the zone in winter. */
const offsets: Readonly<Record<number, number>> = { 170: 9, 171: -5, 101: 1, 102: 1, 117: 1, 131: 1 };
const facilityIn = (request: Request): number => Number(/teetimes\/(\d+)/.exec(request.url)?.[1]);
const hoursLater = (time: string, hours: number): string =>
  new Date(Date.parse(`${time}Z`) + hours * 3_600_000).toISOString().slice(0, 19);

/** Alters each tee time of some versions, with the facility that it was asked of. */
const teeTime = (versions: string, alter: (one: Loose, facility: number) => void): Defect['change'] =>
  sending(teeTimes(versions), ({ data }, request) => {
    for (const one of data.teeTimeV3 ?? data.teeTimeV2 ?? data) alter(one, facilityIn(request));
  });

/** Alters each price record. */
const priceRecord = (alter: (record: Loose) => void): Defect['change'] =>
  sending(prices, ({ data }) => data.records.forEach(alter));

export const everyday: readonly Defect[] = [
  seen(
    'the price list divides yen by 100',
    any,
    priceRecord((one) => {
      if (one.currency === 'JPY') one.price /= 100;
    }),
  ),
  seen(
    'the price list forgets the surcharge of weekends',
    any,
    wrap('record', (before) => (club, course, fee, date) => ({ ...before(club, course, fee, date), price: fee.rate })),
  ),
  seen(
    'every price record is in euros',
    any,
    priceRecord((one) => (one.currency = 'EUR')),
  ),
  seen(
    'the tee times of v3 are priced in euros',
    any,
    setting(teeTimes('3'), 'currency', () => 'EUR'),
  ),
  seen(
    'the tee times of v2 are in UTC',
    any,
    teeTime('2', (one, facility) => (one.time = hoursLater(one.time, -(offsets[facility] ?? 0)))),
  ),
  seen(
    'the tee times of v4 are an hour late in New York',
    any,
    teeTime('4', (one, facility) => {
      if (facility === 171) one.time = hoursLater(one.time, 1);
    }),
  ),
  seen(
    'the weekday of prices is that of UTC in Japan',
    any,
    priceRecord((one) => {
      const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
      if (one.facilityId === 170) one.dayOfWeek = names[weekday(dateOf(epochDay(one.date) - 1))];
    }),
  ),
  seen(
    'the weekday of prices is wrong in the second month of a range',
    any,
    sending(prices, ({ data: { records } }) => {
      for (const one of records) if (one.date.slice(0, 7) !== records[0].date.slice(0, 7)) one.dayOfWeek = 'monday';
    }),
  ),
  seen(
    'a range of prices ends with its first month',
    any,
    wrap(
      'daysAsked',
      (before) => (from, to) => before(from, to).filter((date) => date.slice(0, 7) === from.slice(0, 7)),
    ),
  ),
  seen(
    'the price list has no Sundays',
    any,
    wrap(
      'recordsOf',
      (before) => (club, dates) =>
        before(
          club,
          dates.filter((date) => weekday(date) !== 0),
        ),
    ),
  ),
  seen(
    'a search without tee times has null in place of a list',
    any,
    sending(/v[45]\/teetimes\//, ({ data }) => {
      if (data.teeTimeV3.length === 0) data.teeTimeV3 = null;
    }),
  ),
  seen(
    'the connected countries of the second channel are those of the first',
    any,
    wrap('countries', (before, service) => (ask) => before({ ...ask, channel: service.channels[0]! })),
  ),
  seen(
    'v5 has the rates of weekdays on weekends',
    any,
    teeTime('5', (one) => {
      if (!isWeekend(one.time)) return;
      eachObject(one.products, (money) => {
        if (typeof money['amount'] === 'number') money['amount'] = Math.round(money['amount'] * 80) / 100;
      });
    }),
  ),
  seen(
    'v5 shows the price as the net rate on weekends',
    any,
    teeTime('5', (one) => {
      for (const { pricing } of isWeekend(one.time) ? one.products : []) {
        for (const step of pricing) step.netRate = step.price;
      }
    }),
  ),
  seen(
    'v3 finds rounds of 18 holes for 9 as well, where there are two courses',
    any,
    wrap(
      'find',
      (before) => (club, courses, date, players, holes) =>
        courses.length > 1 && holes === 9
          ? [...before(club, courses, date, players, 9), ...before(club, courses, date, players, 18).slice(0, 1)]
          : before(club, courses, date, players, holes),
    ),
  ),
  seen(
    'tee times with exactly as many slots as asked for are not found',
    any,
    wrap(
      'fits',
      (before, service) => (slot, players, holes) =>
        before(slot, players, holes) && (players === 1 || service.free(slot) > players),
    ),
  ),
  seen(
    'v5 shows the first course for the second',
    any,
    wrap('findCourse', (before) => (club, id) => {
      before(club, id);
      return club.courses[0]!;
    }),
  ),
  seen(
    'a course is missing from v4 where its name has a letter beyond ASCII',
    any,
    wrap('teeTimes', (before) => (ask) => {
      const data = before(ask) as Loose;
      if (ask.version === 4) data.teeTimeV3 = data.teeTimeV3.filter(({ course }: Loose) => /^[ -~]*$/.test(course));
      return data;
    }),
  ),
  seen(
    'the price list gives the second course the id of the first',
    any,
    wrap('record', (before) => (club, course, fee, date) => ({
      ...before(club, course, fee, date),
      courseId: club.courses[0]!.id,
    })),
  ),
  seen(
    'the total of several facilities counts the first alone',
    any,
    wrap('prices', (before) => (ask) => {
      const data = before(ask) as Loose;
      const [first] = (ask.query.get('facilityIds') ?? '').split(',');
      const whole = new URLSearchParams(ask.query);
      whole.set('facilityIds', first!);
      return { ...data, total: (before({ ...ask, query: whole }) as Loose).total };
    }),
  ),
  seen(
    'a page that ends the price list lacks the last record',
    any,
    wrap(
      'page',
      (before) => (records, offset, limit) =>
        offset > 0 ? before(records.slice(0, -1), offset, limit) : before(records, offset, limit),
    ),
  ),
  seen(
    'the offset is ignored without a limit',
    any,
    wrap('prices', (before) => (ask) => {
      const query = new URLSearchParams(ask.query);
      if (!query.has('limit')) query.delete('offset');
      return before({ ...ask, query });
    }),
  ),
  seen(
    'v2 names letters beyond ASCII by question marks',
    any,
    sending(/v2\/facilities/, (body) => {
      eachObject(body.data, (one) => {
        for (const [name, value] of Object.entries(one)) {
          if (typeof value === 'string') one[name] = value.replace(/[^ -~]/g, '?');
        }
      });
    }),
  ),
  seen(
    'v1 escapes names as for HTML',
    any,
    setting(/v1\/facilities/, 'name', (name: string) => name.replaceAll('&', '&amp;').replaceAll("'", '&#39;')),
  ),
  seen(
    'the details swap latitude and longitude west of Greenwich',
    any,
    sending(/details/, ({ data }) => {
      if (data.longitude < 0) [data.latitude, data.longitude] = [data.longitude, data.latitude];
    }),
  ),
  seen(
    'the details of v2 have the e-mail of another facility',
    any,
    sending(/v2\/facilities\/details/, ({ data }) => {
      if (data.id === 140) data.email = 'info@inverlochanlinks.example';
    }),
  ),
  seen(
    'v3 shows the first range of the cancellation policy alone',
    any,
    sending(teeTimes('3'), ({ data }) => data.facilityCancellationPolicyRange.splice(1)),
  ),
  seen(
    'v5 has no extra products on weekends',
    any,
    teeTime('5', (one) => {
      if (isWeekend(one.time)) one.extraProducts = [];
    }),
  ),
  seen(
    'v5 doubles the price of extra products in dollars',
    any,
    teeTime('5', (one) => {
      for (const { price } of one.extraProducts) if (price.currency === 'USD') price.amount *= 2;
    }),
  ),
  seen(
    'the price list counts taken slots as available',
    any,
    wrap(
      'availability',
      (before) => (club, course, fee, date) =>
        (before(club, course, fee, date) as Loose[]).map((one) => ({ ...one, available: 5 - one.available })),
    ),
  ),
  seen(
    'the price list has the clock of UTC in Japan',
    any,
    priceRecord((one) => {
      if (one.facilityId !== 170) return;
      for (const slot of one.availability) slot.time = hoursLater(`${one.date}T${slot.time}`, -9).slice(11);
    }),
  ),
  seen(
    'v1 lists facilities that are not connected as well',
    any,
    wrap('facilities', (before) => (ask) => {
      const query = new URLSearchParams(ask.query);
      if (ask.version === 1) query.delete('connected');
      return before({ ...ask, query });
    }),
  ),
  seen(
    'the name of a product in the price list is that of the course',
    any,
    priceRecord((one) => {
      if (one.facilityId === 171) one.productName = one.courseName;
    }),
  ),
  seen(
    'a price record names the country of the first facility',
    any,
    sending(prices, ({ data: { records } }) => {
      for (const one of records) one.countryName = records[0].countryName;
    }),
  ),
  done(
    'the asynchronous search ignores the number of players',
    any,
    wrap('result', (before) => (search) => before({ ...search, players: 1 })),
  ),
  done(
    'the asynchronous search leaves out a facility without tee times',
    any,
    wrap('result', (before) => (search) => before(search).filter(({ teeTimeV3 }) => (teeTimeV3 as Loose[]).length > 0)),
  ),
  done(
    'the asynchronous search has no last day',
    any,
    wrap(
      'result',
      (before) => (search) =>
        before({ ...search, dates: search.dates.length > 1 ? search.dates.slice(0, -1) : search.dates }),
    ),
  ),
  done(
    'the asynchronous search has the first course of a facility alone',
    any,
    wrap(
      'result',
      (before) => (search) =>
        before({ ...search, clubs: search.clubs.map((club) => ({ ...club, courses: club.courses.slice(0, 1) })) }),
    ),
  ),
  done(
    'a paid group has a state of its own',
    any,
    wrap('settle', (before) => (bookings) => {
      before(bookings);
      for (const one of bookings) if (one.group !== undefined) one.status = 'PAID';
    }),
  ),
  done(
    'a payment rewrites the creation time',
    any,
    wrap('settle', (before, service) => (bookings) => {
      before(bookings);
      for (const one of bookings) (one as Loose).createdAt = service.stamp();
    }),
  ),
  done(
    'v1 lists every booking for one player',
    any,
    setting(/v1\/bookings/, 'players', () => 1),
  ),
  done(
    'a last name of two words loses the second',
    any,
    wrap('person', (before) => (item, version) => {
      const person = before(item, version) as Loose;
      if (person.contactLastName) person.contactLastName = person.contactLastName.split(' ')[0];
      return person;
    }),
  ),
  done(
    'v2 drops letters beyond ASCII from names',
    any,
    sending(/v2\/bookings/, ({ data }) => {
      for (const one of Array.isArray(data) ? data : []) {
        for (const name of ['contactFirstName', 'contactLastName']) one[name] = one[name].replace(/[^ -~]/g, '');
      }
    }),
  ),
  done(
    'a booking takes one slot from the price list, whatever its players',
    any,
    wrap('availability', (before, service) => (club, course, fee, date) => {
      const all = before(club, course, fee, date) as Loose[];
      const held = service.bookings.filter(({ slot, status }) => slot.date === date && status === 'BOOKED');
      for (const { slot, players } of held) {
        const one = all.find(({ time }) => slot.course === course && slot.time.endsWith(time));
        if (one) one.available += players - 1;
      }
      return all;
    }),
  ),
  done(
    'v1 lists no booking of a bulk body',
    any,
    wrap('list', (before, service) => (ask) => {
      const data = before(ask) as Loose[];
      const bulk = new Set(service.bookings.filter(({ group }) => group !== undefined).map(({ id }) => id));
      return ask.version === 1 ? data.filter(({ bookingId }) => !bulk.has(bookingId)) : data;
    }),
  ),
  done(
    'the first day of a booking list is left out',
    any,
    wrap(
      'isWithin',
      (before) => (booking, from, to) => before(booking, from, to) && (from === undefined || booking.slot.date > from),
    ),
  ),
  done(
    'v2 lists the bookings of the first channel to the second',
    any,
    wrap(
      'list',
      (before, service) => (ask) => before(ask.version === 2 ? { ...ask, channel: service.channels[0]! } : ask),
    ),
  ),
  done(
    'a booking by v2 is listed without its facility',
    any,
    wrap('write', (before) => (booking, version) => {
      const item = before(booking, version);
      return version === 4 && 'round' in booking.item ? { ...item, facilityId: 0 } : item;
    }),
  ),
  done(
    'the tee time in the answer to a group is in UTC',
    any,
    wrap('writeMade', (before) => (booking) => ({
      ...before(booking),
      teetime: hoursLater(booking.slot.time, -(offsets[booking.slot.club.id] ?? 0)),
    })),
  ),
  done(
    'the answer to a group has the id of the first course',
    any,
    wrap('writeMade', (before) => (booking) => ({ ...before(booking), courseId: booking.slot.club.courses[0]!.id })),
  ),
  done(
    'bookings in yen are refused',
    any,
    wrap('order', (before, service) => (given, channel, version) => {
      const order = before(given, channel, version);
      if (order.slot.club.currency === 'JPY') throw service.failed('the amount is too large');
      return order;
    }),
  ),
  done(
    'a course with a letter beyond ASCII in its name cannot be booked',
    any,
    wrap('checkAgreement', (before, service) => (item, slot, version) => {
      before(item, slot, version);
      if (/[^ -~]/.test(slot.course.name)) throw service.cart();
    }),
  ),
  done(
    'v2 shows the creation time of bookings two hours later',
    any,
    setting(/v2\/bookings/, 'createdAt', (text: string) => `${hoursLater(text.slice(0, 19), 2)}${text.slice(19)}`),
  ),
  done(
    'the prices of the second channel are those of the first, in pounds',
    any,
    wrap('prices', (before, service) => (ask) => {
      const data = before(ask) as Loose;
      if (ask.channel !== service.channels[1]) return data;
      return { ...data, records: data.records.map((one: Loose) => ({ ...one, currency: 'GBP' })) };
    }),
  ),
];
