import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Facility, World } from '../../../src/engine/model/world.js';
import { createWorld } from '../../../src/engine/store/world.js';
import { sampled } from '../../support/sampled.js';
import { bounds } from '../fixtures/bounds.js';

const standard = createWorld();
const large = createWorld({ seed: 7, facilities: 10_000 });

const shape = ({ courses }: Facility): unknown =>
  courses.map(({ holes, products }) => [holes, products.map((one) => [one.holes, one.teeTimeHoles])]);

describe('look-ups', () => {
  test.each([
    { name: 'the default world', world: standard },
    { name: 'a large world', world: large },
    { name: 'the default world, grown', world: createWorld({ facilities: 200 }) },
  ])('of $name lead to the same objects by id, ordinal and country', ({ world }) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: world.size - 1 }), (position) => {
        const facility = world.facility(1001 + position)!;
        expect(facility.id).toBe(1001 + position);
        expect(world.facilitiesIn(facility.address.country).includes(facility)).toBe(true);
        for (const course of facility.courses) {
          expect(world.course(course.id)).toBe(course);
          expect(world.courseAt(course.ordinal)).toBe(course);
          expect(course.products.every(({ mid }) => Math.floor(mid / 10) === course.id)).toBe(true);
        }
      }),
    );
  });

  test.each([0, 1000, 1001 + standard.size, -1, 1001.5, NaN, Infinity])('there is no facility %d', (id) => {
    expect(standard.facility(id)).toBeUndefined();
    expect(large.facility(id === 1001 + standard.size ? 11_001 : id)).toBeUndefined();
  });

  test.each([0, 10_010, 10_012, 10_014, 10_019, -10_011, 10_011.5, NaN])('there is no course %d', (id) => {
    expect(standard.course(id)).toBeUndefined();
  });

  test.each([-1, 1, 0.5, standard.size * 3, NaN])('there is no course at ordinal %d', (ordinal) => {
    expect(standard.courseAt(ordinal)).toBeUndefined();
  });

  test('countries are sorted by code point, and match as sent', () => {
    expect(standard.countries()[0]).toBe('Austria');
    expect(standard.countries().at(-1)).toBe('the Netherlands');
    expect(standard.facilitiesIn('Netherlands')).toEqual([]);
    expect(standard.facilitiesIn('the Netherlands').map(({ id }) => id)).toEqual([1001, 1017, 1033, 1049, 1058, 1065]);
  });

  test.each([
    { name: 'the default world', world: standard },
    { name: 'a large world', world: large },
  ])('countries of a channel in $name are those in which it sells', ({ world }) => {
    for (const { name } of world.channels) {
      const sold = [...world.facilities()].filter(({ channels }) => channels.includes(name));
      expect(world.countries(name)).toEqual([...new Set(sold.map(({ address }) => address.country))].sort());
    }
    expect(world.countries('nobody')).toEqual([]);
  });
});

describe('derived worlds', () => {
  const some = (world: World): Facility[] => [1001, 1030, 4711, 11_000].map((id) => world.facility(id)!);

  test('are the same for the same seed, in whatever order they are asked', () => {
    const again = createWorld({ seed: 7, facilities: 10_000 });
    expect(some(again).reverse()).toEqual(some(createWorld({ seed: 7, facilities: 10_000 })).reverse());
    expect([...again.facilities()].slice(0, 50)).toEqual([...large.facilities()].slice(0, 50));
  });

  test('differ by seed', () => {
    const names = (seed: number): string[] =>
      some(createWorld({ seed, facilities: 10_000 })).map(({ website }) => website);
    expect(names(8)).not.toEqual(names(7));
  });

  test('a grown default world keeps the committed facilities', () => {
    const grown = createWorld({ facilities: 200 });
    expect([...grown.facilities()].slice(0, standard.size)).toEqual([...standard.facilities()]);
    expect(grown.seedBookings).toEqual(standard.seedBookings);
  });

  sampled("each facility is a plausible one of its template's country and kind", [1000, large.size], (count) => {
    const ordinary = [...standard.facilities()].filter(({ scenario }) => scenario === undefined).length;
    for (let position = 0; position < large.size; position += large.size / count) {
      const facility = large.facility(1001 + position)!;
      const template = standard.facility(1001 + (position < standard.size ? position : position % ordinary))!;
      const { country, latitude, longitude, place } = facility.address;
      expect(country).toBe(template.address.country);
      expect(facility.currency).toBe(template.currency);
      expect(shape(facility)).toEqual(shape(template));
      expect(facility.description).toContain(facility.name);
      expect(facility.description).toContain(place);
      const inside = bounds[country]!.some(
        ([s, w, n, e]) => s <= latitude && latitude <= n && w <= longitude && longitude <= e,
      );
      expect(inside).toBe(true);
    }
  });

  test('exactly one facility is sold by no channel', () => {
    for (const world of [standard, large]) {
      expect([...world.facilities()].filter(({ channels }) => channels.length === 0)).toHaveLength(1);
    }
  });

  test.each([{ seed: 7, facilities: 10_000 }, { seed: 3 }, { facilities: 20 }, { seed: 5, facilities: 6 }])(
    'seed bookings of %o stand where their channel sells',
    (options) => {
      const world = createWorld(options);
      expect(world.seedBookings.length).toBeGreaterThan(0);
      for (const { facilityId, channel, course } of world.seedBookings) {
        expect(world.facility(facilityId)!.channels).toContain(channel);
        expect(world.facility(facilityId)!.courses[course]!.closedMonths).toEqual([]);
      }
    },
  );
});

test.each([
  { seed: -1 },
  { seed: 1.5 },
  { seed: NaN },
  { facilities: 0 },
  { facilities: 100_001 },
  { facilities: 2.5 },
])('refuses %o', (options) => {
  const name = Object.keys(options)[0]!;
  expect(() => createWorld(options)).toThrow(`Failed to create the world: \`${name}\` must be a whole number`);
});
