import { dateOf, epochDay } from '../civil.js';
import { sending, setting, wrap } from '../vary.js';
import { type Defect, done, seen } from './row.js';

const path = /price/;
const rules = /^prices/;
const agreement = /^(prices|teetimes|versions)/;

export const priceRecords: readonly Defect[] = [
  seen(
    'the day of the week is one off',
    rules,
    setting(path, 'dayOfWeek', (name: string) => (name === 'monday' ? 'tuesday' : 'monday')),
  ),
  seen(
    'the day of the week in capitals',
    rules,
    setting(path, 'dayOfWeek', (name: string) => name.toUpperCase()),
  ),
  seen(
    'the day of the week in short',
    rules,
    setting(path, 'dayOfWeek', (name: string) => name.slice(0, 3)),
  ),
  seen(
    'dates as in queries',
    /^(prices|dates)/,
    setting(path, 'date', (text: string) => text.split('-').toReversed().join('-')),
  ),
  seen(
    'dates with a time',
    /^(prices|dates)/,
    setting(path, 'date', (text: string) => `${text}T00:00:00`),
  ),
  seen('prices as text', rules, setting(path, 'price', String)),
  seen(
    'prices as money',
    rules,
    setting(path, 'price', (amount: number) => ({ amount, currency: 'EUR' })),
  ),
  seen(
    'prices in cents',
    agreement,
    setting(path, 'price', (amount: number) => amount * 100),
  ),
  seen(
    'another currency',
    agreement,
    setting(path, 'currency', () => 'USD'),
  ),
  seen(
    'times without seconds',
    rules,
    setting(path, 'time', (time: string) => time.slice(0, 5)),
  ),
  seen('available as text', rules, setting(path, 'available', String)),
  seen(
    'availability as a number',
    rules,
    setting(path, 'availability', (all: unknown[]) => all.length),
  ),
  seen(
    'availability of another day',
    agreement,
    wrap(
      'availability',
      (before) => (club, course, fee, date) => before(club, course, fee, dateOf(epochDay(date) + 1)),
    ),
  ),
  seen(
    'availability in UTC',
    agreement,
    setting(
      path,
      'time',
      (time: string) => `${String((Number(time.slice(0, 2)) + 22) % 24).padStart(2, '0')}${time.slice(2)}`,
    ),
  ),
  done(
    'booked places are still available',
    /^(prices|bookings)/,
    wrap('availability', (before, service) => (club, course, fee, date) => {
      const held = new Map(service.held);
      service.held.clear();
      const answer = before(club, course, fee, date);
      for (const [id, count] of held) service.held.set(id, count);
      return answer;
    }),
  ),
  seen(
    'products by another id',
    agreement,
    setting(path, 'productId', (id: number) => id + 500_000),
  ),
  seen(
    'courses by another id',
    agreement,
    setting(path, 'courseId', (id: number) => id - 5),
  ),
  seen(
    'the facility is that of the first record',
    agreement,
    sending(path, ({ data: { records } }) => {
      for (const one of records) one.facilityName = records[0].facilityName;
    }),
  ),
  seen(
    'the country of another',
    agreement,
    setting(path, 'countryName', () => 'France'),
  ),
];
