/**
 * The first of the three independent deployments, `test/conformance/independent`, is checked at every commit.
 *
 * @module-tag slow
 */
import { describe, expect, test } from 'vitest';
import { type Ask, conversation } from './ask.js';
import { Decimal, encode, parseDay, wallClock } from './go.js';
import { channels, oddities, regressions } from './index.js';
import { accounts, facilities } from './world.js';

/** An ordinary day, the end of a year and a leap day, the last two when the dates of the zones differ. */
const clocks = ['2027-03-10T09:20:00Z', '2027-12-31T23:40:00Z', '2028-02-29T02:05:00Z'];
const [clock = ''] = clocks;

describe.each(clocks)('at %s', (at) => {
  test.each(regressions)('$name', async ({ name, shows }) => {
    const unbroken = await shows(conversation(at));
    const sameAgain = await shows(conversation(at));
    const broken = await shows(conversation(at, new Set([name])));
    expect(sameAgain).toEqual(unbroken);
    expect(broken).not.toEqual(unbroken);
  });
});

test('there are fifty regressions with names of their own, at least half of them visible to reads', () => {
  expect(new Set(regressions.map(({ name }) => name)).size).toBe(50);
  expect(regressions.filter(({ how }) => how === 'reading').length).toBeGreaterThanOrEqual(25);
  expect(oddities.length).toBeGreaterThan(10);
});

const day = '27-03-2027';
const range = `fromDate=${day}&toDate=28-03-2027`;
const when = `bookingDate=${day}&players=2`;

const reads: readonly (readonly [path: string, data: unknown])[] = [
  ['v3/countries', expect.arrayContaining(["Côte d'Ivoire", 'Trinidad & Tobago', 'the Netherlands'])],
  ['v2/countries?connected=true', expect.not.arrayContaining(['Trinidad & Tobago'])],
  ['v1/facilities?country=Atlantis', []],
  ['v2/facilities?country=India', [expect.objectContaining({ id: 1610, name: 'Nandi Hills & Lake Golf Resort' })]],
  ['v3/facilities?country=Spain&connected=true', [expect.objectContaining({ id: 1402 })]],
  ['v1/facilities/1204', expect.objectContaining({ address: expect.objectContaining({ address2: '' }) })],
  ['v2/facilities/2001', expect.objectContaining({ id: 2001, website: 'https://bayside.example' })],
  [
    'v3/facilities/1515',
    [
      expect.objectContaining({ timeZone: 'Asia/Tokyo', currencyCode: 'JPY', created: '2020-05-17T03:33:10.250Z' }),
      { paymentRule: expect.objectContaining({ name: 'Pay & play' }), applicableForWhitelable: false },
    ],
  ],
  ['v2/facilities/details/1207', expect.not.objectContaining({ reservationsContact: expect.anything() })],
  ['v3/facilities/details/1207', expect.objectContaining({ reservationsContact: expect.anything(), phoneNumber: '' })],
  [`v2/teetimes/1204?${when}&holes=18`, expect.arrayContaining([expect.objectContaining({ round: 'Duincourse' })])],
  [
    `v3/teetimes/1207?${when}&holes=18`,
    {
      teeTimeV2: expect.arrayContaining([expect.objectContaining({ course: 'Parkbaan', extraProducts: [] })]),
      facilityCancellationPolicyRange: [
        { minimumPlayer: 1, maximumPlayer: 2, timePeriod: 24 },
        { minimumPlayer: 3, maximumPlayer: 4, timePeriod: 72 },
      ],
    },
  ],
  [
    `v4/teetimes/1812?${when}&holes=9`,
    expect.objectContaining({
      teeTimeV3: expect.arrayContaining([expect.objectContaining({ holes: 9, course: 'Pines' })]),
    }),
  ],
  [`v4/teetimes/1812?${when}&holes=18`, expect.objectContaining({ teeTimeV3: [] })],
  [
    `v5/teetimes/1701/391?${when}&holes=18`,
    expect.objectContaining({
      teeTimeV3: expect.arrayContaining([expect.objectContaining({ time: expect.stringMatching(/^2027-03-27T/) })]),
    }),
  ],
  [
    `v5/price/insideDateRange?facilityIds=1610&${range}&offset=1&limit=1`,
    {
      total: 8,
      records: [
        {
          facilityId: 1610,
          facilityName: 'Nandi Hills & Lake Golf Resort',
          courseId: 381,
          courseName: 'Hills',
          countryName: 'India',
          date: '2027-03-28',
          dayOfWeek: 'sunday',
          productId: 3811,
          productName: 'Green fee 18 holes',
          price: 5100.6,
          currency: 'INR',
          availability: expect.arrayContaining([{ time: '07:30:00', available: 4 }]),
        },
      ],
    },
  ],
  ['v1/bookings', expect.arrayContaining([expect.objectContaining({ contactName: "Maartje van 't Hoff" })])],
  ['v2/bookings?toDate=01-01-2020', []],
  [
    'v4/bookings?fromDate=01-01-2027',
    expect.arrayContaining([
      expect.objectContaining({ facilityId: 1311, status: 'BOOKED' }),
      expect.objectContaining({ facilityId: 1515, status: 'CANCELED' }),
    ]),
  ],
];

test.each(reads)('reads %s', async (path, data) => {
  const response = await conversation(clock)('GET', path);
  expect(response).toEqual({ status: 200, type: 'application/json', body: { success: true, data } });
});

type Body = Awaited<ReturnType<Ask>>['body'];

const sold = accounts.flatMap(({ connected }, as) => [...connected].map((facilityId) => [as, facilityId] as const));

test.each(sold)('channel %i reads the same tee times and prices of %i in each version', async (as, facilityId) => {
  const ask = conversation(clock);
  const get = async (path: string): Promise<Body> => (await ask('GET', path, undefined, as)).body.data;
  const courses = facilities.find(({ id }) => id === facilityId)?.courses ?? [];
  const firstPrices = ({ pricing }: Body) =>
    pricing
      .map(({ quantity, players, price }: Body) => `${quantity ?? players}: ${price.amount} ${price.currency}`)
      .sort();
  for (const date of ['24-03-2027', '27-03-2027']) {
    const offers: string[] = [];
    for (const holes of [9, 18]) {
      const query = `bookingDate=${date}&players=1&holes=${holes}`;
      const newest: Body[] = [];
      for (const { id } of courses) newest.push(...(await get(`v5/teetimes/${facilityId}/${id}?${query}`)).teeTimeV3);
      const inV3 = (await get(`v3/teetimes/${facilityId}?${query}`)).teeTimeV2;
      const shown = ({ teeid, id, time, course, round, products: [product] = [undefined], players, pricing }: Body) => [
        teeid ?? id,
        time,
        course ?? round,
        product?.available ?? players,
        firstPrices(product ?? { pricing }),
      ];
      const ordered = (list: Body[]) => list.map(shown).sort(([one], [other]) => one - other);
      expect(ordered((await get(`v4/teetimes/${facilityId}?${query}`)).teeTimeV3)).toEqual(ordered(newest));
      expect(ordered(inV3)).toEqual(ordered(newest));
      expect(ordered(await get(`v2/teetimes/${facilityId}?${query}`))).toEqual(ordered(newest));
      for (const { time, products } of newest) {
        for (const { mid, available, pricing } of products) {
          const { price } = pricing.find(({ quantity }: Body) => quantity === 1);
          offers.push([mid, time.slice(11), available, price.amount, price.currency].join(' '));
        }
      }
    }
    const path = `v5/price/insideDateRange?facilityIds=${facilityId}&fromDate=${date}&toDate=${date}`;
    const priced = (await get(path)).records.flatMap(({ productId, price, currency, availability }: Body) =>
      availability.map(({ time, available }: Body) => [productId, time, available, price, currency].join(' ')),
    );
    expect(priced.sort()).toEqual(offers.sort());
    expect(offers.length).toBeGreaterThan(15);
  }
});

const firstTee = async (ask: Ask, path = '1204/311', holes = 18) =>
  (await ask('GET', `v5/teetimes/${path}?bookingDate=${day}&players=4&holes=${holes}`)).body.data.teeTimeV3[0];

const bookingOf = (tee: Awaited<ReturnType<typeof firstTee>>, more: object = {}) => ({
  facilityId: '1204',
  teetime: tee.time.replace('T', ' '),
  course: tee.course,
  round: tee.course,
  players: 2,
  teeId: tee.teeid,
  holes: tee.holes,
  productId: tee.products[0].mid,
  contactFirstName: 'Zoë',
  contactLastName: '<Prins & Co>',
  contactPhone: '0',
  contactEmail: 'zoe@mail.example',
  ...more,
});

const all = { netRate: 12.5, extraProduct: [], comments: '', additionalPlayers: [] };
const id = expect.stringMatching(/^GTT-1204-2027/);

test('books in every shape, confirms the payments and lists the bookings', async () => {
  const ask = conversation(clock);
  const tee = await firstTee(ask);
  const group = [{ bookingId: id, teetime: tee.time, courseId: 311 }];
  const one = bookingOf(tee, { players: 1 });
  const single = await ask('POST', 'v5/bookings', one);
  expect(single).toMatchObject({ status: 200, body: { success: true, data: { bookingId: id } } });
  const multiple = await ask('POST', 'v5/bookings', { details: [one], paymentIntent: 'pi_1' });
  expect(multiple.body.data).toEqual({ groupId: 70001, bookingIds: group });
  const bulk = await ask('POST', 'v3/bulkbookings', [{ ...one, ...all }]);
  expect(bulk.body.data).toEqual({ bulkBookingId: 70002, bookingIds: group });
  expect((await ask('POST', 'v2/bookings', one)).body.data).toEqual({ bookingId: id });
  const full = await ask('POST', 'v5/bookings', [one]);
  expect(full).toMatchObject({ status: 400, body: { success: false, data: null } });
  for (const version of ['v1', 'v3', 'v4']) {
    const { body } = await ask('POST', `${version}/bookings/payment/${single.body.data.bookingId}`);
    expect(body).toEqual({ success: true, data: null });
  }
  expect((await ask('POST', 'v4/bulkbookings/payment/70002')).body).toEqual({ success: true, data: null });
  expect((await ask('POST', 'v4/bulkbookings/payment/70002', undefined, 1)).status).toBe(404);
  const listed = (await ask('GET', `v4/bookings?fromDate=${day}&toDate=${day}`)).body.data;
  expect(listed).toHaveLength(4);
  expect(listed[0]).toMatchObject({ teetime: tee.time, contactLastName: '<Prins & Co>', status: 'BOOKED' });
});

const ref = 'b4dd1c4c-2a6c-4d0b-9e0c-5a4c1f6a7e21';
const wrong: readonly (readonly [what: string, path: string, change: object])[] = [
  ['a product of 18 holes without reference', 'v5/bookings', { productId: 3123 }],
  ['one round of nine holes', 'v5/bookings', { productId: 3123, linkedTeeTimeRef: ref }],
  ['no UUID', 'v5/bookings', { linkedTeeTimeRef: 'the-same-for-all' }],
  ['a string of players', 'v5/bookings', { players: '2' }],
  ['five players', 'v5/bookings', { players: 5 }],
  ['another tee time', 'v5/bookings', { teeId: 7 }],
  ['another course', 'v5/bookings', { course: 'Parkbaan' }],
  ['holes of another course', 'v5/bookings', { holes: 18 }],
  ['a product of another course', 'v5/bookings', { productId: 3111 }],
  ['a facility without connection', 'v5/bookings', { facilityId: 2001 }],
  ['no email', 'v2/bookings', { contactEmail: undefined }],
  ['a day that does not exist', 'v2/bookings', { teetime: '2027-02-30 07:30:00' }],
];

test.each(wrong)('refuses a booking with %s', async (_, path, change) => {
  const ask = conversation(clock);
  const tee = await firstTee(ask, '1204/312', 9);
  expect(await ask('POST', path, bookingOf(tee))).toMatchObject({ status: 200 });
  const { status, body } = await ask('POST', path, bookingOf(tee, change));
  expect({ status, data: body.data, success: body.success }).toEqual({ status: 400, data: null, success: false });
});

test('books linked rounds of one product for one number of players', async () => {
  const ask = conversation(clock);
  const slots = (await ask('GET', `v5/teetimes/1204/312?${when}&holes=9`)).body.data.teeTimeV3;
  const rounds = [0, 1].map((index) => bookingOf(slots[index], { productId: 3123, linkedTeeTimeRef: ref }));
  expect((await ask('POST', 'v5/bookings', [rounds[0], { ...rounds[1], players: 1 }])).status).toBe(400);
  expect((await ask('POST', 'v5/bookings', [rounds[0], { ...rounds[1], productId: 3124 }])).status).toBe(400);
  expect((await ask('POST', 'v5/bookings', [rounds[0], rounds[0]])).status).toBe(400);
  expect((await ask('POST', 'v5/bookings', rounds)).body.data.bookingIds).toHaveLength(2);
});

test('posts the tee times of several facilities to the callback address', async () => {
  const ask = conversation(clock);
  const query = 'facilityIds=1204,1515&fromDate=2027-03-27&toDate=28-03-2027&players=2&holes=9';
  const response = await ask('GET', `v5/teetimes?${query}&callbackUrl=http%3A%2F%2Flocalhost%2Fresult`);
  expect(response.body).toEqual({ success: true, data: null });
  const { success, data } = await ask.posted();
  expect(success).toBe(true);
  expect(data.map(({ facilityId }: { facilityId: number }) => facilityId).sort()).toEqual([1204, 1515]);
});

const refusals: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', 'v1/countries', 404],
  ['POST', 'v3/countries', 405],
  ['GET', 'v3/facilities', 400],
  ['GET', 'v3/facilities?country=Spain&connected=perhaps', 400],
  ['GET', 'v3/facilities/twelve', 400],
  ['GET', 'v3/facilities/12', 404],
  [`GET`, `v4/teetimes/2001?${when}&holes=18`, 404],
  ['GET', `v4/teetimes/1204?${when}&holes=12`, 400],
  ['GET', 'v4/teetimes/1204?bookingDate=31-02-2027&players=2&holes=18', 400],
  ['GET', `v5/teetimes/1204/331?${when}&holes=18`, 404],
  ['GET', `v5/price/insideDateRange?facilityIds=1,2,3,4,5,6&${range}`, 400],
  ['GET', `v5/teetimes?facilityIds=1204&${range}&players=2&holes=9&callbackUrl=nowhere`, 400],
  ['GET', 'v4/bookings?fromDate=2027-03-27', 400],
  ['POST', 'v4/bookings/payment/GTT-0', 404],
  ['GET', 'v4/bookings/payment/GTT-0', 405],
  ['POST', 'v5/bookings', 400],
];

test.each(refusals)('%s %s is refused with %i', async (method, path, status) => {
  const response = await conversation(clock)(method, path);
  expect(response.status).toBe(status);
  if (response.type.endsWith('json')) expect(response.body).toMatchObject({ success: false, data: null });
});

test('accepts a refresh token once and the access token until it expires', async () => {
  const ask = conversation(clock);
  const refresh = (token: unknown) => ask('POST', 'v5/token/refreshToken', { refresh_token: token });
  const first = await refresh(channels[1]?.refreshToken);
  expect(first.body.data).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: 900,
  });
  const countries = await ask('GET', 'v3/countries?connected=true', undefined, first.body.data.access_token);
  expect(countries.body.data).toContain("Côte d'Ivoire");
  expect((await refresh(channels[1]?.refreshToken)).status).toBe(401);
  expect((await refresh(first.body.data.refresh_token)).status).toBe(200);
  expect((await refresh(7)).status).toBe(400);
  expect((await ask('GET', 'v3/countries', undefined, 'made-up')).status).toBe(401);
});

test('the facilities, countries, zones and currencies are many, and one facility has no connection', () => {
  const distinct = (key: 'country' | 'zone' | 'currency') => new Set(facilities.map((facility) => facility[key])).size;
  expect([facilities.length, distinct('country'), distinct('zone'), distinct('currency')]).toEqual([13, 9, 11, 8]);
  const without = facilities.filter((facility) => !accounts.some(({ connected }) => connected.has(facility.id)));
  expect(without.map(({ id: number }) => number)).toEqual([2001]);
});

test('JSON and dates follow the habits of Go', () => {
  const amounts = [0, 72.35, 999_999, 5_950_000, 23_800_000].map((amount) => new Decimal(amount));
  expect(encode({ amounts, left: undefined, text: 'A & <B>' })).toBe(
    '{"amounts":[0,72.35,999999,5.95e+06,2.38e+07],"text":"A \\u0026 \\u003cB\\u003e"}',
  );
  expect([parseDay('29-02-2028'), parseDay('29-02-2027'), parseDay('2027-02-28')]).toEqual([
    21243,
    undefined,
    undefined,
  ]);
  expect(wallClock('Asia/Kolkata', Date.parse('2027-01-01T20:00:00Z'))).toBe('2027-01-02T01:30:00');
});
