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
  const headers = loginOf(sandbox, channel);
  return (await sandbox.fetch(`http://sandbox.test/api/${path}`, { headers })).json();
}
function loginOf(sandbox: Sandbox, channel = 0): Record<string, string> {
  const { username, password } = sandbox.channels[channel]!;
  return { authorization: `Basic ${btoa(`${username}:${password}`)}` };
}
async function send(sandbox: Sandbox, path: string, body: unknown): Promise<any> {
  const headers = { ...loginOf(sandbox), 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await sandbox.fetch(`http://sandbox.test/api/${path}`, init)).json();
}
const book = (sandbox: Sandbox, { time, teeid, holes }: any, more: object = {}): Promise<any> =>
  send(sandbox, 'v5/bookings', {
    facilityId: 1042,
    course: 'Lac',
    teetime: time.replace('T', ' '),
    teeId: teeid,
    holes,
    productId: 265,
    players: 1,
    contactFirstName: 'Ada',
    contactLastName: 'Lovelace',
    contactPhone: '+33 1 99 00 00 00',
    contactEmail: 'ada@partner.example',
    ...more,
  });
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
  expect(await book(sandbox, free, { players: 4 })).toMatchObject({ success: true });
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

describe('exact days', () => {
  const MAX = Number.MAX_SAFE_INTEGER;
  const product = { id: 265, name: 'Green fee', price: [85, 170, 250, 330] };
  const other = { id: 266, name: 'Twilight', price: 50 };
  const days = {
    '2026-06-10': [
      { id: 77, time: '06:12', products: [{ id: 265, price: [90, 170, 240, 300], netRate: 70 }] },
      { time: '06:20', products: [265, 266] },
      { id: MAX, time: '06:28', free: 2 },
    ],
  };
  const world = withCourse({ products: [product, other], days, demand: 'none', weekendRate: 2 });

  test('a tee time has the id that the file gives, in every version, and is booked by it', async () => {
    const sandbox = await open(world);
    const query = 'bookingDate=10-06-2026&players=1&holes=18';
    const lists = [
      (await read(sandbox, `v2/teetimes/1042?${query}`)).data.map(({ id }: any) => id),
      (await read(sandbox, `v3/teetimes/1042?${query}`)).data.teeTimeV2.map(({ id }: any) => id),
      (await sheet(sandbox, '10-06-2026')).map(({ teeid }) => teeid),
      (await read(sandbox, `v5/teetimes/1042/7?${query}`)).data.teeTimeV3.map(({ teeid }: any) => teeid),
    ];
    for (const ids of lists) expect(ids).toEqual([77, lists[0]![1], MAX]);
    const [first, derived, last] = await sheet(sandbox, '10-06-2026');
    for (const one of [first, derived, last])
      expect(await book(sandbox, one, { players: 2 })).toMatchObject({ success: true });
    const listed = (await read(sandbox, 'v4/bookings')).data.map(({ teeId }: any) => teeId);
    expect(listed).toEqual([77, derived.teeid, MAX]);
    expect((await sheet(sandbox, '10-06-2026')).map(({ products }) => products[0].available)).toEqual([2, 2]);
    const state = sandbox.snapshot();
    await sandbox.reset();
    await sandbox.restore(state);
    expect((await read(sandbox, 'v4/bookings')).data).toHaveLength(3);
  });

  test('an id that a given one has taken the place of is of no tee time', async () => {
    const sandbox = await open(world);
    const [first, derived] = await sheet(sandbox, '10-06-2026');
    expect(await book(sandbox, { ...first, teeid: derived.teeid - 1 })).toMatchObject({ success: false });
  });

  test('the operator withdraws a tee time by the id of the file', async () => {
    const sandbox = await open(world);
    const changes = 'http://sandbox.test/__admin/tee-sheets/1042/changes';
    const body = (teeId: number) => JSON.stringify({ change: 'tee-time-withdrawn', teeId });
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    expect((await sandbox.fetch(changes, { ...post, body: body(77) })).status).toBe(200);
    const [derived] = await sheet(sandbox, '10-06-2026');
    expect(derived.time).toContain('06:20');
    expect((await sandbox.fetch(changes, { ...post, body: body(derived.teeid - 1) })).status).toBe(400);
  });

  test('prices of a day are those of the file in tee times, price records and the operator’s view', async () => {
    const sandbox = await open(world);
    const shown = await sheet(sandbox, '10-06-2026');
    for (const one of shown) expect(stepsOf(one)).toEqual([90, 170, 240, 300]);
    expect(stepsOf(shown[0], 'netRate')).toEqual([70, 140, 210, 280]);
    expect(stepsOf(shown[0], 'publicRate')).toEqual([99, 187, 264, 330]);
    const range = 'facilityIds=1042&fromDate=10-06-2026&toDate=11-06-2026';
    const { records } = (await read(sandbox, `v5/price/insideDateRange?${range}`)).data;
    expect(records.map(({ productId, price }: any) => [productId, price])).toEqual([
      [265, 90],
      [266, 50],
      [265, 85],
      [266, 50],
    ]);
    const view = await sandbox.fetch('http://sandbox.test/__admin/tee-sheets/1042?date=2026-06-10');
    const [course] = ((await view.json()) as any).courses;
    expect(course.products[0].prices[3]).toEqual({ players: 4, price: 300, publicRate: 330, netRate: 280 });
    const rounds = (await read(sandbox, 'v2/teetimes/1042?bookingDate=10-06-2026&players=1&holes=18')).data;
    expect(rounds[0].pricing[1]).toMatchObject({ players: '2', price: { amount: 170 } });
  });

  test('a price that rises rises from that of the day', async () => {
    const sandbox = await open(world);
    await sandbox.fetch('http://sandbox.test/__admin/tee-sheets/1042/changes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ change: 'price-changed', courseId: 7, date: '2026-06-10' }),
    });
    expect(stepsOf((await sheet(sandbox, '10-06-2026'))[0])).toEqual([99, 187, 264, 330]);
  });

  test('a tee time for 9 and one for 18 holes may be at the same time', async () => {
    const both = [
      { time: '08:00', id: 1, products: [265] },
      { time: '08:00', holes: 9 as const, id: 2, products: [266] },
    ];
    const nine = { ...other, holes: 9 };
    const sandbox = await open(withCourse({ products: [product, nine], days: { '2026-06-10': both } }));
    expect(await sheet(sandbox, '10-06-2026')).toMatchObject([{ teeid: 1 }]);
    expect(await sheet(sandbox, '10-06-2026', 9)).toMatchObject([{ teeid: 2 }]);
    expect(await book(sandbox, (await sheet(sandbox, '10-06-2026', 9))[0], { productId: 266 })).toMatchObject({
      success: true,
    });
  });

  test('a day of more tee times than any of the generated world', async () => {
    const every = Array.from({ length: 300 }, (_, index) => ({
      time: `${String(6 + Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`,
    }));
    const sandbox = await open(withCourse({ days: { '2026-06-10': every }, interval: 2, repeat: 'weekly' }));
    const ids = new Set<number>();
    for (const date of ['10-06-2026', '11-06-2026', '17-06-2026'])
      for (const { teeid } of await sheet(sandbox, date)) ids.add(teeid);
    expect(await sheet(sandbox, '10-06-2026')).toHaveLength(300);
    expect(ids.size).toBeGreaterThan(700);
    expect(await book(sandbox, (await sheet(sandbox, '10-06-2026'))[299])).toMatchObject({ success: true });
  });

  test('given ids, however large, never clash with derived ones', async () => {
    const idOf = fc.oneof(fc.integer({ min: 1, max: 50_000_000 }), fc.maxSafeInteger().map(Math.abs));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(idOf, { minLength: 1, maxLength: 12 }), async (drawn) => {
        const ids = drawn.map((id) => Math.max(1, id)).filter((id, index, all) => all.indexOf(id) === index);
        const times = ids.map((id, index) => ({ id, time: `08:${String(index + 10)}` }));
        const courses = [7, 8].map((id, index) => ({
          id,
          name: `Course ${id}`,
          demand: 'none' as const,
          products: [{ ...product, id: 265 + index }],
          ...(index === 0 ? { days: { '2026-06-10': times }, repeat: 'weekly' as const } : {}),
        }));
        const sandbox = await open(withFacility({ courses }));
        const seen: number[] = [];
        for (const date of ['09-06-2026', '10-06-2026', '17-06-2026', '31-12-2199'])
          seen.push(...(await sheet(sandbox, date)).map(({ teeid }) => teeid));
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(ids));
        for (const id of seen) expect(Number.isSafeInteger(id)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});

describe('hours by weekday and month', () => {
  const hours = [
    { weekdays: ['saturday', 'sunday'], months: [5, 6], opens: '07:00', closes: '08:00' },
    { weekdays: ['saturday'], closes: '10:00' },
    { months: [12], opens: '10:00', closes: '11:00' },
  ];
  test.each<[what: string, date: string, first: string, count: number]>([
    ['the first entry that fits', '13-06-2026', '07:00', 3],
    ['another month of the same weekday, with the opening of the course', '11-07-2026', '09:00', 3],
    ['every weekday of a month', '08-12-2026', '10:00', 3],
    ['the hours of the course on other days', '08-06-2026', '09:00', 5],
  ])('%s', async (_, date, first, count) => {
    const sandbox = await open(withCourse({ opens: '09:00', closes: '11:00', interval: 30, hours, demand: 'none' }));
    const shown = await sheet(sandbox, date);
    expect([shown[0].time.slice(11, 16), shown.length]).toEqual([first, count]);
  });
});

describe('days that repeat others', () => {
  const at = (time: string, id: number, price: number) => [{ id, time, products: [{ id: 265, price }] }];
  const days = {
    '2026-06-17': at('08:17', 17, 17),
    '2026-06-10': at('08:10', 10, 10),
    '2026-06-11': [],
    '2026-06-13': at('08:13', 13, 13),
  };
  const world = withCourse({ days, repeat: 'weekly', closedMonths: [12], opens: '09:00', closes: '09:00' });
  test.each<[what: string, date: string, time: string | undefined, price?: number]>([
    ['a day of the file', '10-06-2026', '08:10', 10],
    ['the latest day before it of that weekday', '24-06-2026', '08:17', 17],
    ['the first day of that weekday, before all', '03-06-2026', '08:10', 10],
    ['a closed day', '18-06-2026', undefined],
    ['a weekday that is not in the file', '16-06-2026', '09:00', 85],
    ['a weekend', '20-06-2026', '08:13', 13],
    ['a month in which the course is closed', '02-12-2026', undefined],
  ])('%s', async (_, date, time, price) => {
    const sandbox = await open(world);
    const shown = await sheet(sandbox, date);
    expect(shown.map((one) => one.time.slice(11, 16))).toEqual(time === undefined ? [] : [time]);
    if (price !== undefined) expect(stepsOf(shown[0])[0]).toBe(price);
  });

  test('have ids of their own, which are booked', async () => {
    const sandbox = await open(world);
    const [first, later] = [(await sheet(sandbox, '17-06-2026'))[0], (await sheet(sandbox, '24-06-2026'))[0]];
    expect(first.teeid).toBe(17);
    expect(later.teeid).toBeGreaterThan(17);
    expect(await book(sandbox, later)).toMatchObject({ success: true });
    expect((await read(sandbox, 'v4/bookings')).data).toMatchObject([{ teeId: later.teeid, teetime: later.time }]);
  });
});

describe('a dialect card in the file', () => {
  const dialect = { name: 'shop', answers: { 'booking.id-form': 'short' } } as const;
  test('is in force, unless another is given', async () => {
    const world = { ...withCourse({ demand: 'none' }), dialect };
    const sandbox = await open(world);
    expect(sandbox.dialect).toMatchObject(dialect);
    const [first] = await sheet(sandbox, '10-06-2026');
    expect((await book(sandbox, first)).data.bookingId).toMatch(/^\w{8}$/);
    const plain = await open(world, { dialect: {} });
    expect((await book(plain, first)).data.bookingId).toMatch(/^TBX-1042-/);
  });

  test('is in a capsule', async () => {
    const sandbox = await open({ ...least, dialect });
    await read(sandbox, 'v3/countries');
    expect((await sandbox.capsule()).dialect).toEqual(dialect);
  });

  test.each<[dialect: unknown, pointer: string, words: RegExp]>([
    [5, '/dialect', /an object/],
    [{ nam: 'x' }, '/dialect/nam', /not a key of a dialect card/],
    [{ answers: { 'no.question': 1 } }, '/dialect/answers/no.question', /not a question/],
    [{ answers: { 'booking.id-form': 'long' } }, '/dialect/answers/booking.id-form', /short/],
    [{ scenarios: ['slow', 'no-such-scenario'] }, '/dialect/scenarios/1', /no-such-scenario/],
  ])('%j is refused with its place', async (card, pointer, words) => {
    const message = expect.stringMatching(words);
    await expect(open({ ...least, dialect: card })).rejects.toMatchObject({ pointer, message, input: 'world' });
  });
});

test('a faithful copy of a facility says every member of every form', async () => {
  const facility = {
    website: '',
    email: 'shop@vallon.example',
    phone: '',
    language: 'fr',
    created: '2019-11-06T10:28:01.217',
    founded: 0,
    description: '',
    applicableForWhitelable: false,
    images: ['https://cdn.example/1.jpg'],
    logo: 'https://cdn.example/logo.png',
    address: {
      id: 11,
      street: 'Rue du Lac',
      line2: 'BP 3',
      number: '',
      addition: 'bis',
      zipcode: '74000',
      place: 'Annecy',
      state: '',
      region: 'Savoie',
      latitude: 45.9,
      longitude: 6.13,
    },
    contact: { name: '', email: 'r@vallon.example', phone: '+33 1' },
    services: { id: 12, wifi: false, caddies: true },
    paymentRule: {
      id: 13,
      name: 'Half',
      description: '',
      firstPaymentCondition: 'Time of Booking',
      lastPaymentCondition: 'Time of Play',
      firstPaymentConditionDuration: 0,
      lastPaymentConditionDuration: 24,
      firstPaymentConditionPercentage: 50,
      lastPaymentConditionPercentage: 50,
    },
    cancellation: [{ from: 0, to: 8, hours: 0 }],
  };
  const sandbox = await open(withFacility(facility));
  const { id: _, ...rule } = facility.paymentRule;
  const { address1, ...address } = {
    address1: 'Rue du Lac',
    number: '',
    addition: 'bis',
    zipcode: '74000',
    place: 'Annecy',
    state: '',
    country: 'France',
  };
  expect((await read(sandbox, 'v3/facilities/1042')).data).toEqual([
    {
      id: 1042,
      name: 'Golf de Vallon',
      website: '',
      email: 'shop@vallon.example',
      timeZone: 'Europe/Paris',
      address: { mid: 11, address1, ...address, latitude: 45.9, longitude: 6.13, region: 'Savoie' },
      language: 'fr',
      currencyCode: 'EUR',
      created: '2019-11-06T10:28:01.217',
    },
    { paymentRule: { mid: 13, ...rule }, applicableForWhitelable: false },
  ]);
  const details = (await read(sandbox, 'v3/facilities/details/1042')).data;
  expect(details).toMatchObject({
    address: { address1, address2: 'BP 3', ...address },
    phoneNumber: '',
    foundedIn: 0,
    description: '',
    services: { mid: 12, wifi: false, caddies: true },
    logo: 'https://cdn.example/logo.png',
    images: ['https://cdn.example/1.jpg'],
    reservationsContact: { name: '', email: 'r@vallon.example', phoneNumber: '+33 1' },
  });
});

describe('forms', () => {
  const products = [
    { id: 265, name: 'Green fee', price: 80 },
    { id: 266, name: 'Twilight', price: 50 },
  ];
  const days = {
    '2026-06-01': [{ id: 1, time: '07:00', products: [265, 266] }],
    '2026-06-10': [
      { id: 2, time: '09:00', free: 2, products: [265] },
      { id: 3, time: '09:10', holes: 9 as const, products: [266] },
      { id: 4, time: '09:10', products: [265] },
    ],
    '2026-06-11': [],
  };
  const prices = { '2026-06-11': [{ id: 266, price: 55 }] };
  const second = { ...withFacility({ id: 900, courses: [{ id: 8, name: 'Mer', products: [{ id: 270, name: 'Day', price: 9 }] }] }).facilities[0]! }; // oxfmt-ignore
  const made = (forms?: WorldFile['forms']): Promise<Sandbox> => {
    const { facilities } = withCourse({ products, days, prices }, { address: { line2: 'Gate 2', addition: '' } });
    return open({ facilities: [...facilities, second], ...(forms ? { forms } : {}) });
  };
  const priceList = async (sandbox: Sandbox, ids = '1042', more = ''): Promise<any[]> => {
    const path = `v5/price/insideDateRange?facilityIds=${ids}&fromDate=10-06-2026&toDate=11-06-2026${more}`;
    return (await read(sandbox, path)).data.records.map((one: any) => [one.facilityId, one.date.slice(8), one.productId, one.price].join(' ')); // oxfmt-ignore
  };

  test('price steps for all players, or for as many as there are free slots', async () => {
    const quantities = async (forms?: WorldFile['forms']) =>
      (await sheet(await made(forms), '10-06-2026')).map(({ products: [one] }: any) => one.pricing.length);
    expect(await quantities()).toEqual([4, 4]);
    expect(await quantities({ priceSteps: 'available' })).toEqual([2, 4]);
    const [first] = (await read(await made({ priceSteps: 'available' }), 'v2/teetimes/1042?bookingDate=10-06-2026&players=1&holes=18')).data; // oxfmt-ignore
    expect(first.pricing.map(({ players }: any) => players)).toEqual(['1', '2']);
  });

  test('tee times that have begun are left out, or listed to the end of the day', async () => {
    const listed = async (forms?: WorldFile['forms']) => (await sheet(await made(forms), '01-06-2026')).length;
    expect([await listed(), await listed({ pastTeeTimes: 'listed' })]).toEqual([0, 1]);
  });

  test('price records in the order, and of the days, that the file says', async () => {
    const usual = ['1042 10 265 80', '1042 10 266 50', '1042 11 265 80', '1042 11 266 55'];
    expect(await priceList(await made())).toEqual(usual);
    const byProduct = await made({ priceOrder: ['facility', 'course', 'product', 'date'] });
    expect(await priceList(byProduct)).toEqual([usual[0], usual[2], usual[1], usual[3]]);
    expect(await priceList(byProduct, '1042', '&offset=1&limit=2')).toEqual([usual[2], usual[1]]);
    expect(await priceList(await made({ priceDays: 'open' }))).toEqual(usual.slice(0, 2));
    const onSale = await made({ priceDays: 'on-sale' });
    expect(await priceList(onSale)).toEqual(usual.slice(0, 2));
    const total = async (sandbox: Sandbox) => (await read(sandbox, 'v5/price/insideDateRange?facilityIds=1042&fromDate=10-06-2026&toDate=11-06-2026&limit=1')).data.total; // oxfmt-ignore
    expect([await total(await made()), await total(onSale)]).toEqual([4, 2]);
    expect((await priceList(await made(), '1042,900'))[0]).toBe(usual[0]);
    expect((await priceList(await made({ priceFacilities: 'by-id' }), '1042,900'))[0]).toMatch(/^900 /);
  });

  test('members that an operation has besides, lacks, or has as null', async () => {
    const sandbox = await made({
      members: {
        'v3.findFacility': { with: ['address.address2', 'phoneNumber'], null: ['paymentRule'] },
        'v2.facilityDetails': {
          without: ['services', 'address.state'],
          withoutEmpty: ['address.addition', 'address.address2'],
        },
        'v1.listFacilities': { without: ['website'] },
      },
    });
    const [record, terms] = (await read(sandbox, 'v3/facilities/1042')).data;
    expect(record).toMatchObject({
      address: { address2: 'Gate 2', mid: expect.any(Number) },
      phoneNumber: expect.any(String),
    });
    expect(terms).toMatchObject({ paymentRule: null, applicableForWhitelable: true });
    const details = (await read(sandbox, 'v2/facilities/details/1042')).data;
    expect(Object.keys(details)).not.toContain('services');
    expect(Object.keys(details.address)).toEqual(['address1', 'address2', 'number', 'zipcode', 'place', 'country']);
    expect((await read(sandbox, 'v3/facilities/details/1042')).data).toHaveProperty('services.wifi');
    const lists = await Promise.all(['v1', 'v2'].map(async (version) => (await read(sandbox, `${version}/facilities?country=France`)).data[0])); // oxfmt-ignore
    expect(lists.map((one) => 'website' in one)).toEqual([false, true]);
  });
});

test('two tee times at one time are told apart by their ids, as those of two first tees', async () => {
  const days = {
    '2026-06-10': [
      { id: 5, time: '09:00' },
      { id: 6, time: '09:00', free: 2 },
    ],
  };
  const sandbox = await open(withCourse({ days }));
  const [first, second] = await sheet(sandbox, '10-06-2026');
  expect([first.teeid, second.teeid]).toEqual([5, 6]);
  expect(await book(sandbox, second, { players: 2 })).toMatchObject({ success: true });
  expect((await sheet(sandbox, '10-06-2026')).map(({ teeid }) => teeid)).toEqual([5]);
});

test('a facility without courses is in the lists, and has its own policy and no tee times', async () => {
  const { facilities } = withFacility({ courses: [], cancellation: [{ from: 1, to: 4, hours: 12 }] });
  const sandbox = await open({ facilities: [...facilities, { ...facilities[0]!, id: 9, cancellation: [{ from: 1, to: 2, hours: 7 }] }] }); // oxfmt-ignore
  expect((await read(sandbox, 'v3/facilities?country=France')).data.map(({ id }: any) => id)).toEqual([9, 1042]);
  const sheets = await Promise.all([9, 1042].map(async (id) => (await read(sandbox, `v4/teetimes/${id}?bookingDate=10-06-2026&players=1&holes=18`)).data)); // oxfmt-ignore
  expect(sheets.map((one) => [one.teeTimeV3.length, one.facilityCancellationPolicyRange[0].timePeriod])).toEqual([[0, 7], [0, 12]]); // oxfmt-ignore
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
    [
      withCourse({ days: {}, prices: { '2026-06-10': [{ id: 265, price: 5 }] } }),
      '/facilities/0/courses/0/prices/2026-06-10',
      /is not among the `days`/,
    ],
    [
      withCourse({ days: { '2026-06-10': [] }, prices: { '2026-06-10': [{ id: 1, price: 5 }] } }),
      '/facilities/0/courses/0/prices/2026-06-10/0/id',
      /its products are 265/,
    ],
    [
      withFacility({}, { forms: { members: { 'v3.findFacility': { with: ['a b'] } } } }),
      '/forms/members/v3.findFacility/with/0',
      /the path of a member/,
    ],
    [withFacility({}, { forms: { priceOrder: ['date'] } }), '/forms/priceOrder', /4|four/],
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
    [
      withCourse({ days: { '2026-06-10': [{ time: '08:00', products: [{ id: 1, price: 5 }] }] } }),
      '/facilities/0/courses/0/days/2026-06-10/0/products/0/id',
      /its products are 265/,
    ],
    [
      withCourse({ days: { '2026-06-10': [{ time: '08:00', products: [{ id: 265 } as never] }] } }),
      '/facilities/0/courses/0/days/2026-06-10/0/products/0',
      /an object with its id and its price/,
    ],
    [
      withCourse({
        days: {
          '2026-06-10': [
            { time: '08:00', products: [{ id: 265, price: 5 }] },
            { time: '08:10', products: [{ id: 265, price: [5, 10, 15, 19] }] },
          ],
        },
      }),
      '/facilities/0/courses/0/days/2026-06-10/1/products/0',
      /two prices on one day: price is 5, 10, 15, 19 here, and 5, 10, 15, 20 before/,
    ],
    [
      withCourse({ days: { '2026-06-10': [{ time: '08:00', products: [{ id: 265, price: 1.001 }] }] } }),
      '/facilities/0/courses/0/days/2026-06-10/0/products/0/price',
      /two decimals/,
    ],
    [
      withCourse({ days: { '2026-06-10': [{ id: 5, time: '08:00' }], '2026-06-11': [{ id: 5, time: '08:00' }] } }),
      '/facilities/0/courses/0/days/2026-06-11/0/id',
      /tee time 5 occurs twice/,
    ],
    [
      withCourse({ days: { '2026-06-10': [{ id: 2 ** 53, time: '08:00' }] } }),
      '/facilities/0/courses/0/days/2026-06-10/0/id',
      /a whole number/,
    ],
    [withCourse({ days: { '1999-12-31': [] } }), '/facilities/0/courses/0/days/1999-12-31', /2000 to 2199/],
    [
      withCourse({ hours: [{ opens: '10:00', closes: '09:00' }] }),
      '/facilities/0/courses/0/hours/0/closes',
      /must not be before/,
    ],
    [withCourse({ hours: [{ opens: '20:00' }] }), '/facilities/0/courses/0/hours/0/opens', /must not be after/],
    [withCourse({ hours: [{ weekdays: ['sat'] }] }), '/facilities/0/courses/0/hours/0/weekdays/0', /saturday/],
    [withCourse({ repeat: 'daily' as never }), '/facilities/0/courses/0/repeat', /weekly/],
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
