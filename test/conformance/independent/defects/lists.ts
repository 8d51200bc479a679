import { cancelsByDelete } from '../lawful/answers.js';
import { both, rewriting, sending, setting, type Loose, wrap } from '../vary.js';
import type { Change } from '../run.js';
import { type Defect, done, seen } from './row.js';

const path = /v[124].bookings$/;
const rules = /^(bookings|versions)/;
/** Alters a list of bookings; the same path also takes new ones. */
const list = (alter: (data: Loose[]) => void, versions = path): Change =>
  sending(versions, ({ data }) => void (Array.isArray(data) && alter(data)));

let lists = 0;

export const bookingLists: readonly Defect[] = [
  seen(
    'the past is listed without parameters',
    rules,
    wrap('isWithin', (before) => (booking, from, to) => before(booking, from ?? '2000-01-01', to)),
  ),
  seen(
    'nothing without parameters',
    /./,
    wrap('isWithin', (before) => (booking, from, to) => (from ?? to) !== undefined && before(booking, from, to)),
  ),
  seen(
    'a week without parameters',
    rules,
    wrap(
      'isWithin',
      (before) => (booking, from, to) =>
        before(booking, from, to) && (from !== undefined || booking.slot.date < '2026-06-09'),
    ),
  ),
  seen(
    'fromDate is ignored',
    rules,
    wrap('isWithin', (before) => (booking, from, to) => before(booking, from && '2000-01-01', to)),
  ),
  seen(
    'toDate is ignored',
    rules,
    wrap('isWithin', (before) => (booking, from) => before(booking, from, undefined)),
  ),
  done(
    'fromDate and toDate changed over',
    rules,
    wrap('isWithin', (before) => (booking, from, to) => before(booking, to, from)),
  ),
  done('dates of the booking, not of the tee time', rules, (service) => {
    service.isWithin = ({ slot, createdAt }, from, to) => {
      const day = from === undefined && to === undefined ? slot.date : createdAt.slice(0, 10);
      return (from === undefined ? !service.isPast(slot) : day >= from) && (to === undefined || day <= to);
    };
  }),
  seen('bookings of every channel', /scope|channel/, (service) => (service.isOwn = () => true)),
  seen(
    'bookings of every channel in v1',
    /scope|channel|versions/,
    wrap('list', (before, service) => (ask) => {
      const own = service.isOwn;
      if (ask.version === 1) service.isOwn = () => true;
      const answer = before(ask);
      service.isOwn = own;
      return answer;
    }),
  ),
  done(
    'bookings of the other channel',
    /scope|channel/,
    wrap('isOwn', (before) => (booking, channel) => !before(booking, channel)),
  ),
  seen(
    'cancelled bookings are left out in v1',
    rules,
    list((data) => data.splice(0, data.length, ...data.filter(({ status }) => status !== 'CANCELED')), /v1.bookings/),
  ),
  seen(
    'a list of v2 ends early',
    rules,
    list((data) => void data.splice(1), /v2.bookings/),
  ),
  seen('players as text', rules, setting(path, 'players', String)),
  seen('a teeId as text', rules, setting(path, 'teeId', String)),
  seen(
    'a status as a number',
    rules,
    setting(path, 'status', () => 1),
  ),
  seen(
    'createdAt without milliseconds',
    /^(bookings|dates)/,
    setting(path, 'createdAt', (text: string) => text.slice(0, 19)),
  ),
  seen(
    'createdAt as a date',
    /^(bookings|dates)/,
    setting(path, 'createdAt', (text: string) => text.slice(0, 10)),
  ),
  seen(
    'tee times in UTC in v2',
    rules,
    setting(/v2.bookings/, 'teetime', (text: string) =>
      new Date(Date.parse(`${text}Z`) - 7_200_000).toISOString().slice(0, 19),
    ),
  ),
  seen(
    'tee times as in requests',
    /^(bookings|dates)/,
    setting(path, 'teetime', (text: string) => text.replace('T', ' ')),
  ),
  seen(
    'ids change with each list',
    rules,
    list((data) => data.forEach((one) => (one.bookingId += lists += 1))),
  ),
  seen(
    'v1 says other numbers of players',
    rules,
    setting(/v1.bookings/, 'players', (players: number) => players + 1),
  ),
  seen(
    'v4 says other states',
    rules,
    setting(/v4.bookings/, 'status', () => 'BOOKED'),
  ),
  seen(
    'the list is paged',
    rules,
    rewriting(path, (body) => ({ ...body, data: { items: body.data, total: body.data.length } })),
  ),
  seen(
    'bookings as an object',
    rules,
    rewriting(path, (body) => ({
      ...body,
      data: Object.fromEntries(body.data.map((one: Loose) => [one.bookingId, one])),
    })),
  ),
  done(
    'no more than six bookings',
    rules,
    list((data) => void data.splice(6)),
  ),
  done(
    'a cancelled booking vanishes',
    /cancel/,
    both(cancelsByDelete, (service) => {
      const isOwn = service.isOwn.bind(service);
      service.isOwn = (booking, channel) => isOwn(booking, channel) && booking.status !== 'CANCELED';
    }),
  ),
  done(
    'cancelling keeps the booking active',
    /cancel/,
    both(cancelsByDelete, (service) => (service.cancel = () => undefined)),
  ),
  done(
    'any channel cancels',
    /^bookings.cancel/,
    both(
      cancelsByDelete,
      wrap('answer', (before, service) => async (request) => {
        const found = /\/bookings\/([^/]+)$/.exec(new URL(request.url).pathname);
        const booking = service.bookings.find(({ id }) => id === found?.[1]);
        if (request.method !== 'DELETE' || !booking) return before(request);
        service.identify(request.headers, 4);
        if (booking.status === 'BOOKED') service.cancel(booking);
        return { status: 200, data: null };
      }),
    ),
  ),
];
