import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/cli/twin/changes.js';
import type { WorldFile } from '../../../src/contract/index.js';

type Facility = WorldFile['facilities'][number];
type Course = Facility['courses'][number];

const days = (from: number, to: number, products: unknown = [265]): Course['days'] =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, at) => [
      `2026-06-${String(from + at).padStart(2, '0')}`,
      [{ id: 100 + from + at, time: '09:00', products }],
    ]),
  ) as Course['days'];

const lac: Course = {
  id: 7,
  name: 'Lac',
  weekendRate: 1.2,
  products: [{ id: 265, name: 'Green fee', price: [85, 170, 250, 330] }],
  days: days(1, 7)!,
};
const vallon: Facility = {
  id: 1042,
  name: 'Golf de Vallon',
  country: 'France',
  currency: 'EUR',
  phone: '+33 1',
  address: { street: 'Route du Lac', place: 'Annecy' },
  cancellation: [{ from: 1, to: 4, hours: 48 }],
  extras: [{ id: 31, name: 'Buggy', price: 30 }],
  courses: [lac],
};
const world = (...facilities: readonly Facility[]): WorldFile => ({
  dialect: { answers: { 'country.unknown': 'empty' } },
  facilities,
});
const facility = (change: Partial<Facility>): WorldFile => world({ ...vallon, ...change });
const course = (change: Partial<Course>): WorldFile => facility({ courses: [{ ...lac, ...change }] });
const before = world(vallon);

test.each<[what: string, now: WorldFile, texts: readonly string[]]>([
  ['nothing', before, []],
  ['free slots and ids of tee times', course({ days: days(1, 7, [265])! }), []],
  ['a new facility', world(vallon, { ...vallon, id: 1077, name: 'Golf du Pic', courses: [{ ...lac, id: 9 }, { ...lac, id: 10 }] }), ['Facility 1077, Golf du Pic in France, is new, with 2 courses.']], // oxfmt-ignore
  ['a facility that is gone', world({ ...vallon, id: 1077, name: 'Golf du Pic' }), ['Facility 1042, Golf de Vallon in France, is gone.', 'Facility 1077, Golf du Pic in France, is new, with 1 course.']], // oxfmt-ignore
  [
    'a lost connection',
    facility({ channels: [] }),
    ['Facility 1042, Golf de Vallon, is no longer connected to the channel.'],
  ],
  [
    'a name',
    facility({ name: 'Golf du Vallon' }),
    ['The name of Golf de Vallon is Golf du Vallon; it was Golf de Vallon.'],
  ],
  ['a phone number', facility({ phone: '' }), ['The phone number of Golf de Vallon is empty; it was +33 1.']],
  ['a part of the address', facility({ address: { street: 'Quai', place: 'Annecy' } }), ['The address (`street`) of Golf de Vallon is Quai; it was Route du Lac.']], // oxfmt-ignore
  ['the policy', facility({ cancellation: [{ from: 1, to: 2, hours: 24 }, { from: 3, to: 4, hours: 72 }] }), ['The cancellation policy of Golf de Vallon is 24 hours for 1 to 2 players, 72 hours for 3 to 4 players; it was 48 hours for 1 to 4 players.']], // oxfmt-ignore
  ['an extra product', facility({ extras: [{ id: 31, name: 'Buggy', price: 35 }] }), ['The price of the extra product Buggy of Golf de Vallon is 35 EUR; it was 30.']], // oxfmt-ignore
  ['extra products', facility({ extras: [{ id: 32, name: 'Transfer', price: 20 }] }), ['Buggy is no longer an extra product of Golf de Vallon.', 'Transfer (20 EUR) is a new extra product of Golf de Vallon.']], // oxfmt-ignore
  [
    'a new course',
    facility({ courses: [lac, { ...lac, id: 8, name: 'Compact' }] }),
    ['Compact is a new course of Golf de Vallon.'],
  ],
  ['another course', course({ id: 8, name: 'Compact' }), ['Lac is no longer a course of Golf de Vallon.', 'Compact is a new course of Golf de Vallon.']], // oxfmt-ignore
  ['the name of a course', course({ name: 'Du Lac' }), ['The course Lac of Golf de Vallon is now called Du Lac.']],
  ['products', course({ products: [{ id: 266, name: 'Twilight', price: 50 }] }), ['Green fee is no longer sold at Lac, Golf de Vallon.', 'Twilight is a new product at Lac, Golf de Vallon.']], // oxfmt-ignore
  ['a price of all days', course({ products: [{ id: 265, name: 'Green fee', price: [92, 184, 270, 352] }] }), ['The price of Green fee at Lac is 92 EUR, from 1 June 2026 to 5 June 2026; it was 85.', 'The price of Green fee at Lac is 110.4 EUR, from 6 June 2026 to 7 June 2026; it was 102.']], // oxfmt-ignore
  [
    'a price of a weekend',
    course({ weekendRate: 1.5 }),
    ['The price of Green fee at Lac is 127.5 EUR, from 6 June 2026 to 7 June 2026; it was 102.'],
  ],
  ['a price of a group', course({ products: [{ id: 265, name: 'Green fee', price: [85, 170, 250, 340] }] }), ['The price of Green fee at Lac for 4 players is 340 EUR, from 1 June 2026 to 5 June 2026; it was 330.', 'The price of Green fee at Lac for 4 players is 408 EUR, from 6 June 2026 to 7 June 2026; it was 396.']], // oxfmt-ignore
  ['a price of one day', course({ days: { ...lac.days, ...days(3, 3, [{ id: 265, price: 99 }]) } }), ['The price of Green fee at Lac is 99 EUR, on 3 June 2026; it was 85.']], // oxfmt-ignore
  [
    'days that only one file has',
    course({ days: days(8, 9)!, products: [{ id: 265, name: 'Green fee', price: 1 }] }),
    [],
  ],
  ['an answer to an open question', { ...before, dialect: { answers: { 'country.unknown': 404 } } }, ['The answer to the open question country.unknown is 404; it was empty.']], // oxfmt-ignore
])('%s', (_, now, texts) => {
  expect(changesBetween(before, now).map(({ text }) => text)).toEqual(texts);
});

test('a change names what it is about, for programs', () => {
  const [change] = changesBetween(
    before,
    course({ products: [{ id: 265, name: 'Green fee', price: [92, 170, 250, 330] }] }),
  );
  expect(change).toMatchObject({ kind: 'price', facility: 1042, course: 7, product: 265, before: 85, now: 92 });
});
