/** Worlds of one's own: what a file says is what the API answers, and what it leaves out is derived. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions, type WorldFile } from '../../../src/engine/library.js';

const NOW = '2026-06-01T08:00:00Z';
const least: WorldFile = {
  facilities: [
    {
      id: 1042,
      name: 'Golf de Vallon',
      country: 'France',
      courses: [{ id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: [85, 170, 250, 330] }] }],
    },
  ],
};
type Course = WorldFile['facilities'][number]['courses'][number];
type Facility = WorldFile['facilities'][number];
const withFacility = (facility: Partial<Facility>, more: Partial<WorldFile> = {}): WorldFile => ({
  ...more,
  facilities: [{ ...least.facilities[0]!, ...facility }],
});
const withCourse = (course: Partial<Course>, facility: Partial<Facility> = {}): WorldFile =>
  withFacility({ ...facility, courses: [{ ...least.facilities[0]!.courses[0]!, ...course }] });

const open = (world: unknown, options: Omit<SandboxOptions, 'world'> = {}): Promise<Sandbox> =>
  createSandbox({ now: NOW, pure: true, ...options, world: world as WorldFile });

async function read(sandbox: Sandbox, path: string, channel = 0): Promise<any> {
  const { username, password } = sandbox.channels[channel]!;
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  return (await sandbox.fetch(`http://sandbox.test/api/${path}`, { headers })).json();
}
const sheet = async (sandbox: Sandbox, date: string, holes = 18, players = 1): Promise<any[]> =>
  (await read(sandbox, `v4/teetimes/1042?bookingDate=${date}&players=${players}&holes=${holes}`)).data.teeTimeV3;
const stepsOf = (teeTime: any, key = 'price'): number[] =>
  teeTime.products[0].pricing.map((step: any) => step[key].amount);

test('ten lines make a facility that is found, priced, booked and listed by its own ids', async () => {
  const sandbox = await open(least);
  expect((await read(sandbox, 'v3/countries')).data).toEqual(['France']);
  expect((await read(sandbox, 'v3/facilities?country=France&connected=true')).data).toMatchObject([{ id: 1042 }]);
  const [first] = await sheet(sandbox, '10-06-2026');
  expect(first).toMatchObject({ course: 'Lac', holes: 18, products: [{ mid: 265, name: 'Green fee' }] });
  expect(stepsOf(first)).toEqual([85, 170, 250, 330]);
  const prices = await read(sandbox, 'v5/price/insideDateRange?facilityIds=1042&fromDate=10-06-2026&toDate=10-06-2026');
  expect(prices.data.records).toMatchObject([{ courseId: 7, productId: 265, price: 85, currency: 'EUR' }]);
  const free = (await sheet(sandbox, '10-06-2026', 18, 4))[0];
  const { username, password } = sandbox.channels[0]!;
  const booked = await sandbox.fetch('http://sandbox.test/api/v5/bookings', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      facilityId: 1042,
      course: 'Lac',
      teetime: free.time.replace('T', ' '),
      teeId: free.teeid,
      holes: 18,
      productId: 265,
      players: 4,
      contactFirstName: 'Ada',
      contactLastName: 'Lovelace',
      contactPhone: '+33 1 99 00 00 00',
      contactEmail: 'ada@partner.example',
    }),
  });
  expect(booked.status).toBe(200);
  expect((await read(sandbox, 'v4/bookings')).data).toMatchObject([
    { facilityId: 1042, teeId: free.teeid, players: 4 },
  ]);
});

describe('what a file says is what is shown', () => {
  test.each<[what: string, world: WorldFile, path: string, shown: unknown]>([
    [
      'an address',
      withFacility({ address: { place: 'Lille', street: 'Rue Haute' } }),
      'v3/facilities/1042',
      { address: { place: 'Lille', address1: 'Rue Haute' } },
    ],
    ['a currency', withFacility({ currency: 'CHF' }), 'v3/facilities/1042', { currencyCode: 'CHF' }],
    ['a zone', withFacility({ timeZone: 'Pacific/Auckland' }), 'v3/facilities/1042', { timeZone: 'Pacific/Auckland' }],
    ['an id beyond 2^31', withFacility({ id: 5_000_000_000 }), 'v3/facilities/5000000000', { id: 5_000_000_000 }],
    [
      'a country of which nothing is known',
      withFacility({ country: 'Japan', timeZone: 'Asia/Tokyo', currency: 'JPY' }),
      'v3/facilities/1042',
      { address: { country: 'Japan' } },
    ],
  ])('%s', async (_, world, path, shown) => {
    const { data } = await read(await open(world), path);
    expect(data[0]).toMatchObject(shown as object);
  });

  test('channels with logins of their own, and the facilities that each may see', async () => {
    const channels = [{ name: 'shop', password: 'hunter-2' }, { name: 'app' }];
    const sandbox = await open(withFacility({ channels: ['shop'] }, { channels }));
    expect(sandbox.channels).toMatchObject([{ username: 'shop', password: 'hunter-2' }, { username: 'app' }]);
    expect((await read(sandbox, 'v3/countries?connected=true', 0)).data).toEqual(['France']);
    expect((await read(sandbox, 'v3/countries?connected=true', 1)).data).toEqual([]);
  });

  test('hours, intervals, closed days and demand', async () => {
    const sandbox = await open(
      withCourse({ opens: '09:00', closes: '10:00', interval: 30, closedDays: ['wednesday'], demand: 'none' }),
    );
    const times = (await sheet(sandbox, '11-06-2026')).map(({ time, products }) => [
      time.slice(11),
      products[0].available,
    ]);
    expect(times).toEqual([
      ['09:00:00', 4],
      ['09:30:00', 4],
      ['10:00:00', 4],
    ]);
    expect(await sheet(sandbox, '10-06-2026')).toEqual([]);
    expect(await sheet(sandbox, '10-12-2026')).toHaveLength(3);
  });

  test('weekends and high season raise each total', async () => {
    const sandbox = await open(withCourse({ weekendRate: 1.2, highSeasonRate: 1.5, highMonths: [7] }));
    expect(stepsOf((await sheet(sandbox, '13-06-2026'))[0])).toEqual([102, 204, 300, 396]);
    expect(stepsOf((await sheet(sandbox, '07-07-2026'))[0])).toEqual([127.5, 255, 375, 495]);
  });

  test('net and public rates, one for all numbers of players or one for each', async () => {
    const product = { id: 265, name: 'Green fee', price: 80, netRate: [60, 110, 160, 200], publicRate: 100 };
    const [first] = await sheet(await open(withCourse({ products: [product] })), '10-06-2026');
    expect(stepsOf(first)).toEqual([80, 160, 240, 320]);
    expect(stepsOf(first, 'netRate')).toEqual([60, 110, 160, 200]);
    expect(stepsOf(first, 'publicRate')).toEqual([100, 200, 300, 400]);
  });

  test('exact tee sheets win over the pattern', async () => {
    const days = {
      '2026-06-10': [
        { time: '06:12', free: 1 },
        { time: '06:20', holes: 9 as const, products: [265] },
      ],
      '2026-06-11': [],
    };
    const sandbox = await open(withCourse({ days }));
    expect(await sheet(sandbox, '10-06-2026')).toMatchObject([
      { time: '2026-06-10T06:12:00', products: [{ available: 1 }] },
    ]);
    expect(await sheet(sandbox, '10-06-2026', 9)).toMatchObject([{ time: '2026-06-10T06:20:00' }]);
    expect(await sheet(sandbox, '11-06-2026')).toEqual([]);
    expect((await sheet(sandbox, '12-06-2026')).length).toBeGreaterThan(3);
  });

  test('a product over several tee times is linked, and extra products have their prices', async () => {
    const extras = [{ id: 9, name: 'Buggy', price: 30 }];
    const products = [{ id: 1, name: 'Twice round', holes: 18, price: 40 }];
    const [first] = await sheet(await open(withCourse({ holes: 9, products }, { extras })), '10-06-2026', 9);
    expect(first).toMatchObject({ holes: 9, products: [{ mid: 1 }] });
    expect(first.extraProducts).toMatchObject([{ mid: 9, name: 'Buggy', price: { amount: 30, currency: 'EUR' } }]);
  });

  test('bookings that exist from the start, by offset or date', async () => {
    const bookings = [
      { channel: 'fairway', facility: 1042, day: 3, players: 2, lastName: 'Hopper' },
      { channel: 'fairway', facility: 1042, date: '2026-07-01', time: '08:00', players: 1 },
    ];
    const sandbox = await open({ ...withCourse({ demand: 'none' }), bookings });
    const { data } = await read(sandbox, 'v4/bookings?fromDate=01-01-2026');
    expect(data).toMatchObject([
      { teetime: expect.stringMatching(/^2026-06-04/), players: 2, contactLastName: 'Hopper' },
      { teetime: expect.stringMatching(/^2026-07-01T08:00/), players: 1 },
    ]);
  });

  test('a scenario strikes what is booked at its facility', async () => {
    const sandbox = await open(withFacility({ scenario: 'payment-pi-failed' }));
    expect(sandbox.db.facilities.findFirst((q) => q.where({ id: 1042 }))).toMatchObject({
      scenario: 'payment-pi-failed',
    });
  });

  test('`extends: default` adds to the generated world, and replaces what has the same id', async () => {
    const [ours] = least.facilities;
    const sandbox = await open({
      extends: 'default',
      facilities: [ours, { ...ours, id: 9001, courses: [{ ...ours!.courses[0], id: 8 }] }],
    });
    expect((await read(sandbox, 'v3/countries')).data.length).toBeGreaterThan(12);
    expect((await read(sandbox, 'v3/facilities/1042')).data[0]).toMatchObject({ name: 'Golf de Vallon' });
    expect((await read(sandbox, 'v3/facilities/1001')).data[0]).toMatchObject({ id: 1001 });
    const list = (await read(sandbox, 'v3/facilities?country=France')).data;
    expect(list.filter(({ name }: any) => name === 'Golf de Vallon').map(({ id }: any) => id)).toEqual([1042, 9001]);
  });
});

describe('what does not fit is refused with its place', () => {
  const course = least.facilities[0]!.courses[0]!;
  const product = course.products[0]!;
  test.each<[world: unknown, pointer: string, words: RegExp]>([
    [{}, '', /facilities/],
    [{ facilities: [] }, '/facilities', /a list of at least 1/],
    [withFacility({ contry: 'x' } as object), '/facilities/0/contry', /Did you mean `country`|not known/],
    [withFacility({ country: 'Atlantis' }), '/facilities/0/country', /needs a `timeZone`/],
    [withFacility({ timeZone: 'Mars/Olympus' }), '/facilities/0/timeZone', /IANA/],
    [withFacility({ channels: ['nobody'] }), '/facilities/0/channels/0', /fairway, links, caddie/],
    [withFacility({ courses: [] }), '/facilities/0/courses', /a list of at least 1/],
    [withCourse({ products: [] }), '/facilities/0/courses/0/products', /a list of at least 1/],
    [
      withCourse({ products: [{ ...product, price: [1, 2, 3] }] }),
      '/facilities/0/courses/0/products/0/price',
      /a list of four/,
    ],
    [
      withCourse({ products: [{ ...product, price: 1.005 }] }),
      '/facilities/0/courses/0/products/0/price',
      /two decimals/,
    ],
    [
      withCourse({ products: [{ ...product, price: 1.5 }] }, { currency: 'JPY' }),
      '/facilities/0/courses/0/products/0/price',
      /no decimals/,
    ],
    [withCourse({ products: [product, product] }), '/facilities/0/courses/0/products/1/id', /occurs twice/],
    [withCourse({ opens: '7:30' }), '/facilities/0/courses/0/opens', /time of day/],
    [withCourse({ opens: '10:00', closes: '09:00' }), '/facilities/0/courses/0/closes', /must not be before/],
    [
      withCourse({ holes: 9, products: [{ ...product, teeTimes: 18 }] }),
      '/facilities/0/courses/0/products/0/teeTimes',
      /9 holes/,
    ],
    [withCourse({ days: { '2026-02-30': [] } }), '/facilities/0/courses/0/days/2026-02-30', /is no date/],
    [
      withCourse({ days: { '2026-06-10': [{ time: '08:00' }, { time: '08:00' }] } }),
      '/facilities/0/courses/0/days/2026-06-10/1/time',
      /in order of time/,
    ],
    [
      withCourse({ days: { '2026-06-10': [{ time: '08:00', products: [1] }] } }),
      '/facilities/0/courses/0/days/2026-06-10/0/products/0',
      /its products are 265/,
    ],
    [{ facilities: [least.facilities[0], least.facilities[0]] }, '/facilities/1/id', /occurs twice/],
    [
      { facilities: [least.facilities[0], { ...least.facilities[0], id: 2 }] },
      '/facilities/1/courses/0/id',
      /course 7 occurs twice/,
    ],
    [{ ...least, channels: [{ name: 'a' }, { name: 'a' }] }, '/channels/1/name', /occurs twice/],
    [{ ...least, bookings: [{ channel: 'fairway', facility: 1, day: 1 }] }, '/bookings/0/facility', /no facility 1/],
    [{ ...least, bookings: [{ channel: 'fairway', facility: 1042 }] }, '/bookings/0', /either a `day`/],
  ])('%#: %j', async (world, pointer, words) => {
    await expect(open(world)).rejects.toMatchObject({ pointer, message: expect.stringMatching(words) });
  });

  test('facilities cannot be counted beside it', async () => {
    await expect(open(least, { facilities: 3 })).rejects.toThrow('cannot be combined');
  });
});

test('a state fits only the world that it was taken from', async () => {
  const state = (await open(least)).snapshot();
  await expect((await open(least)).restore(state)).resolves.toBeUndefined();
  await expect((await open(withFacility({ name: 'Other' }))).restore(state)).rejects.toThrow(
    /The state is of the world/,
  );
  await expect((await createSandbox({ now: NOW })).restore(state)).rejects.toThrow(/a generated world/);
});

test('a capsule has the world in it, without its logins', async () => {
  const sandbox = await open({ ...least, channels: [{ name: 'shop', password: 'hunter-2' }] });
  await read(sandbox, 'v3/countries');
  const capsule = await sandbox.capsule();
  expect(JSON.stringify(capsule)).not.toContain('hunter-2');
  expect(capsule.options.world?.facilities).toEqual(least.facilities);
});

test('two sandboxes of one file give the same bytes, and 2,000 facilities start at once', async () => {
  const facilities = Array.from({ length: 2000 }, (_, index) => ({
    ...least.facilities[0]!,
    id: index + 1,
    courses: [{ ...least.facilities[0]!.courses[0]!, id: index + 1 }],
  }));
  const [one, other] = [await open({ facilities }), await open({ facilities })];
  const path = 'v4/teetimes/1999?bookingDate=10-06-2026&players=1&holes=18';
  expect(await read(one, path)).toEqual(await read(other, path));
  expect((await read(one, path)).data.teeTimeV3.length).toBeGreaterThan(10);
});

test('each tee time of any file has an id of its own, and the prices that the file says', async () => {
  const amount = fc.integer({ min: 0, max: 50_000 }).map((cents) => cents / 100);
  const courseOf = fc.record({
    interval: fc.integer({ min: 1, max: 60 }),
    holes: fc.constantFrom(9 as const, 18 as const),
    price: fc.tuple(amount, amount, amount, amount),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(courseOf, { minLength: 1, maxLength: 5 }), async (drawn) => {
      const courses = drawn.map(({ interval, holes, price }, index) => ({
        id: index + 1,
        name: `Course ${index}`,
        holes,
        interval,
        demand: 'none' as const,
        products: [{ id: index + 1, name: 'Green fee', price }],
      }));
      const sandbox = await open(withFacility({ courses }));
      const shown = [...(await sheet(sandbox, '10-06-2026')), ...(await sheet(sandbox, '10-06-2026', 9))];
      expect(new Set(shown.map(({ teeid }) => teeid)).size).toBe(shown.length);
      for (const teeTime of shown) {
        const own = drawn[Number(teeTime.course.slice(7))]!;
        expect(stepsOf(teeTime)).toEqual(own.price);
      }
    }),
    { numRuns: 15 },
  );
});
