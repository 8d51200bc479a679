import type { Ask, Reply } from './ask.js';
import { dateOf, weekdayOf } from './go.js';
import type { Regression } from './index.js';
import type { Mistake } from './mistakes.js';
import { accounts } from './world.js';

/** For each mistake: what forbids it, and the requests that show it. */

type Data = Reply['body'];

const written = (day: number) => dateOf(day).split('-').reverse().join('-');

/** The first day that satisfies a condition, some weeks ahead; not Christmas, when the facilities are closed. */
function dayWhere(ask: Ask, holds: (day: number) => boolean): number {
  let day = ask.today + 20;
  while (!holds(day) || dateOf(day).endsWith('-12-25')) day += 1;
  return day;
}

const weekday = (ask: Ask, number: number) => dayWhere(ask, (day) => weekdayOf(day) === number);
const workday = (ask: Ask) => weekday(ask, 4);
const monthOf = (day: number) => dateOf(day).slice(0, 7);

const unique = (values: readonly unknown[]) => [...new Set(values.map(String))].sort();

/** The tee times of a facility (v2, v3, v4) or of a course (v5: facility/course). */
async function sheet(ask: Ask, version: number, of: string, day: number, holes = 18, players = 1, as = 0) {
  const query = `bookingDate=${written(day)}&players=${players}&holes=${holes}`;
  const { body } = await ask('GET', `v${version}/teetimes/${of}?${query}`, undefined, as);
  const data: Data = body.data;
  const list: Data[] = version === 2 ? data : version === 3 ? data.teeTimeV2 : data.teeTimeV3;
  return list;
}

const days = (teeTimes: readonly Data[]) => unique(teeTimes.map(({ time }) => time.slice(0, 10)));

async function prices(ask: Ask, ids: string, from: number, to = from, page = '') {
  const query = `facilityIds=${ids}&fromDate=${written(from)}&toDate=${written(to)}${page}`;
  return (await ask('GET', `v5/price/insideDateRange?${query}`)).body.data as Data;
}

const bookings = async (ask: Ask, path: string, as: number | string = 0): Promise<Data[]> =>
  (await ask('GET', path, undefined, as)).body.data;

const since = (ask: Ask) => `fromDate=${written(ask.today - 200)}`;

/** A request for a booking, with the members of all versions. */
const wish = (facilityId: number, tee: Data, players: number, more: object = {}): Data => ({
  facilityId,
  teetime: tee.time.replace('T', ' '),
  course: tee.course,
  round: tee.course,
  players,
  teeId: tee.teeid,
  holes: tee.holes,
  productId: tee.products[0].mid,
  contactFirstName: 'Ines',
  contactLastName: 'Bakker',
  contactPhone: '+31 6 5550 0199',
  contactEmail: 'ines@mail.example',
  netRate: 80.5,
  extraProduct: [],
  comments: '',
  additionalPlayers: [],
  ...more,
});

const wholeSlots = (ask: Ask, of: string, holes = 18, as = 0) => sheet(ask, 5, of, workday(ask), holes, 4, as);

/** Reads a tee time again, as v5 shows it to one player. */
async function again(ask: Ask, of: string, tee: Data): Promise<number> {
  const list = await sheet(ask, 5, of, workday(ask), tee.holes);
  return list.find(({ teeid }) => teeid === tee.teeid)?.products[0].available ?? 0;
}

/** Books two players in v5 and returns the identifier. */
async function booked(ask: Ask, as = 0): Promise<string> {
  const [tee] = await wholeSlots(ask, '1204/311', 18, as);
  return (await ask('POST', 'v5/bookings', wish(1204, tee, 2), as)).body.data.bookingId;
}

/** Rounds of the nine-hole course with a product of 18 holes. */
async function linked(ask: Ask, ref: string, players: readonly number[]): Promise<Data[]> {
  const slots = await wholeSlots(ask, '1812/411', 9);
  return players.map((count, index) => {
    const tee = slots[index];
    const product = tee.products.find(({ name }: Data) => name.startsWith('Two rounds'));
    return wish(1812, tee, count, { productId: product.mid, linkedTeeTimeRef: ref });
  });
}

const ref = '0d3b5a1e-7f42-4c19-9a57-6be0c2f1d384';

async function callback(ask: Ask, ids: string, day: number, players: number): Promise<Data[]> {
  const range = `fromDate=${written(day)}&toDate=${written(day)}&players=${players}&holes=18`;
  await ask('GET', `v5/teetimes?facilityIds=${ids}&${range}&callbackUrl=https://partner.example/result`);
  return (await ask.posted()).data;
}

const steps = (list: readonly Data[], quantity: number): Data[] =>
  list
    .flatMap(({ products }) => products)
    .flatMap(({ name, pricing }: Data) => pricing.map((step: Data) => ({ name, ...step })))
    .filter((step: Data) => step.quantity === quantity);

const olderPrices = (list: readonly Data[], players: string) =>
  unique(
    list
      .flatMap(({ pricing }) => pricing)
      .filter((step: Data) => step.players === players)
      .map(({ price }: Data) => price.amount),
  );

type Evidence = Omit<Regression, 'name'>;

const reading = (forbidden: string, shows: Evidence['shows']): Evidence => ({ how: 'reading', forbidden, shows });
const writing = (forbidden: string, shows: Evidence['shows']): Evidence => ({ how: 'writing', forbidden, shows });

export const evidence: Readonly<Record<Mistake, Evidence>> = {
  westernDay: reading('Tee time availability, parameters: bookingDate is the day', async (ask) =>
    days(await sheet(ask, 5, '1803/401', workday(ask), 18, 1, 1)),
  ),
  thirtyFirst: reading('Tee time availability, parameters: bookingDate is the day', async (ask) => {
    const last = dayWhere(ask, (day) => dateOf(day).endsWith('-31'));
    return days(await sheet(ask, 4, '1204', last));
  }),
  americanDate: reading('General rules 4: dates in query parameters are dd-mm-yyyy', async (ask) => {
    const early = dayWhere(ask, (day) => /-(0\d|1[0-2])$/.test(dateOf(day)) && !/-(\d\d)-\1$/.test(dateOf(day)));
    return days(await sheet(ask, 2, '1204', early));
  }),
  threePlayers: reading(
    'Tee time availability, parameters: players is the number of free slots required',
    async (ask) => unique((await sheet(ask, 3, '1311', workday(ask), 18, 3)).map(({ players }) => players)),
  ),
  noPlayers: reading('Limits: players in tee time queries is 1 to 4', async (ask) => {
    const query = `bookingDate=${written(workday(ask))}&players=0&holes=18`;
    return (await ask('GET', `v5/teetimes/1204/311?${query}`)).status;
  }),
  coursePrefix: reading('Tee time availability: the path of v5 names the course', async (ask) =>
    unique((await sheet(ask, 5, '1311/331', workday(ask), 9)).map(({ course }) => course)),
  ),
  poundsInEuro: reading(
    'Tee time availability: v4 returns the same object as v5; Facility by id: a facility has one currencyCode',
    async (ask) => unique(steps(await sheet(ask, 4, '1311', workday(ask)), 3).map(({ netRate }) => netRate.currency)),
  ),
  twilightDay: reading('Tee time availability: v4 returns the same object as v5', async (ask) =>
    unique(
      steps(await sheet(ask, 4, '1311', workday(ask)), 1)
        .filter(({ name }) => name.startsWith('Twilight'))
        .map(({ price }) => price.amount),
    ),
  ),
  rupiahOverflow: reading(
    'Tee time availability: v4 returns the same object as v5, where the price is right',
    async (ask) => unique(steps(await sheet(ask, 4, '1701', workday(ask)), 4).map(({ price }) => price.amount)),
  ),
  fridayWeekend: reading(
    'Tee time availability: the versions show the tee times of one facility, so the prices of v2 and v3 agree',
    async (ask) => olderPrices(await sheet(ask, 2, '1402', weekday(ask, 5)), '1'),
  ),
  threeRounded: reading(
    'Money: an amount may have decimals; the versions show the prices of one facility, so v3 agrees with v2 and v4',
    async (ask) => olderPrices(await sheet(ask, 3, '1402', workday(ask)), '3'),
  ),
  linkedNull: reading('Product: linkedProducts is an array', async (ask) =>
    unique(
      (await sheet(ask, 5, '1204/311', workday(ask)))
        .flatMap(({ products }) => products)
        .map(({ linkedProducts }) => JSON.stringify(linkedProducts)),
    ),
  ),
  policyCut: reading(
    'Cancellation policy range: the facility sets its policy, and v3 to v5 return it with the tee times',
    async (ask) => {
      const query = `bookingDate=${written(workday(ask))}&players=1&holes=18`;
      return (await ask('GET', `v3/teetimes/1207?${query}`)).body.data.facilityCancellationPolicyRange;
    },
  ),
  yenMinor: reading('Price record: price and currency of a product, which the tee times show as well', async (ask) =>
    (await prices(ask, '1515', workday(ask))).records.map(({ price }: Data) => price),
  ),
  sundayPrice: reading(
    'Price record: the price of the product on the date, which the tee times of the date show as well',
    async (ask) => (await prices(ask, '1402', weekday(ask, 0))).records.map(({ price }: Data) => price),
  ),
  totalRest: reading('Pricing: total counts the records of the selection, not those after the offset', async (ask) => {
    return (await prices(ask, '1204', workday(ask), workday(ask), '&offset=3')).total;
  }),
  monthEnd: reading('Pricing, query: toDate is inclusive', async (ask) => {
    const last = dayWhere(ask, (day) => monthOf(day) !== monthOf(day + 1));
    return (await prices(ask, '1701', last, last + 1)).records.map(({ date }: Data) => date);
  }),
  sixIds: reading('Pricing, query, and Limits: at most five facility ids', async (ask) => {
    const query = `fromDate=${written(workday(ask))}&toDate=${written(workday(ask))}`;
    return (await ask('GET', `v5/price/insideDateRange?facilityIds=1204,1207,1311,1402,1515,1610&${query}`)).status;
  }),
  asianWeekday: reading('Price record: dayOfWeek is the weekday of the date', async (ask) =>
    unique((await prices(ask, '1610', workday(ask))).records.map(({ dayOfWeek }: Data) => dayOfWeek)),
  ),
  closedNull: reading('Price record: availability is an array, which may be empty', async (ask) =>
    (await prices(ask, '1207', weekday(ask, 1))).records.map(({ availability }: Data) => availability),
  ),
  connectedIgnored: reading('Facilities, list: with connected true only connected facilities', async (ask) =>
    unique((await bookings(ask, 'v1/facilities?country=the%20Netherlands&connected=true', 1)).map(({ name }) => name)),
  ),
  countriesCached: reading(
    'Countries: with connected true only those of the facilities of the channel',
    async (ask) => {
      await ask('GET', 'v3/countries?connected=true');
      return unique(await bookings(ask, 'v3/countries?connected=true', 1));
    },
  ),
  websiteNull: reading('Facility (list item): website is a string', async (ask) =>
    unique((await bookings(ask, 'v2/facilities?country=the%20Netherlands')).map(({ website }) => website)),
  ),
  createdTrimmed: reading('Facility (v3 by-id form): created has milliseconds', async (ask) => {
    return (await ask('GET', 'v3/facilities/1207')).body.data[0].created;
  }),
  longitudeSign: reading(
    'Address and Verbose facility details: both forms give the longitude of one facility',
    async (ask) => (await ask('GET', 'v3/facilities/1311')).body.data[0].address.longitude,
  ),
  escapedTwice: reading('Facility (list item, all versions): one name in each form', async (ask) =>
    unique((await bookings(ask, 'v2/facilities?country=India')).map(({ name }) => name)),
  ),
  everyChannel: reading('General rules 3: the list returns only bookings made by the channel', async (ask) =>
    unique((await bookings(ask, `v1/bookings?${since(ask)}`)).map(({ contactEmail }) => contactEmail)),
  ),
  toDatePast: reading('List bookings, rules: fromDate includes past bookings, toDate only narrows', async (ask) =>
    unique(
      (await bookings(ask, `v4/bookings?toDate=${written(ask.today + 90)}`)).map(({ contactEmail }) => contactEmail),
    ),
  ),
  canceledDropped: reading('List bookings, response: cancelled bookings are included', async (ask) =>
    unique((await bookings(ask, `v2/bookings?${since(ask)}`)).map(({ status }) => status)),
  ),
  halfHourUtc: reading(
    'Booking (list item): teetime is that of the booking, as in v1 and v4, where the tee time has no zone',
    async (ask) => unique((await bookings(ask, `v2/bookings?${since(ask)}`)).map(({ teetime }) => teetime)),
  ),
  refreshKept: writing('Authentication, token lifecycle 4: a refresh token is single use', async (ask) => {
    const refresh = (token: unknown) => ask('POST', 'v5/token/refreshToken', { refresh_token: token });
    const first = await refresh(accounts[0]?.refreshToken);
    await refresh(first.body.data.refresh_token);
    return (await refresh(first.body.data.refresh_token)).status;
  }),
  lastChannel: writing('General rules 3: calls are scoped to the calling channel', async (ask) => {
    const tokens: string[] = [];
    for (const { refreshToken } of accounts) {
      const { body } = await ask('POST', 'v3/token/refreshToken', { refresh_token: refreshToken });
      tokens.push(body.data.access_token);
    }
    return unique((await bookings(ask, 'v4/bookings', tokens[0])).map(({ contactEmail }) => contactEmail));
  }),
  paidStatus: writing('States and transitions: a status is BOOKED or CANCELED', async (ask) => {
    const id = await booked(ask);
    await ask('POST', `v4/bookings/payment/${id}`);
    return (await bookings(ask, 'v4/bookings')).find(({ bookingId }) => bookingId === id)?.status;
  }),
  silentPause: writing('Confirm booking payment: v5 carries a message that says it is paused', async (ask) => {
    return (await ask('POST', `v5/bookings/payment/${await booked(ask)}`)).body;
  }),
  paidReleased: writing(
    'Product: available counts free slots, and the bookings stay active after their payment',
    async (ask) => {
      const [tee] = await wholeSlots(ask, '1204/311');
      const { body } = await ask('POST', 'v5/bookings', [wish(1204, tee, 3)]);
      await ask('POST', `v5/bulkbookings/payment/${body.data.groupId}`);
      return again(ask, '1204/311', tee);
    },
  ),
  foreignPayment: writing('General rules 3: calls are scoped to the calling channel', async (ask) => {
    return (await ask('POST', `v1/bookings/payment/${await booked(ask, 1)}`)).status;
  }),
  firstCourse: writing('Create booking: bookingIds holds the course id of each booking', async (ask) => {
    const [long] = await wholeSlots(ask, '1204/311');
    const [short] = await wholeSlots(ask, '1204/312', 9);
    const { body } = await ask('POST', 'v5/bookings', [wish(1204, long, 1), wish(1204, short, 1)]);
    return body.data.bookingIds.map(({ courseId }: Data) => courseId);
  }),
  spacedTime: writing('General rules 4: dates in responses are written yyyy-mm-ddTHH:MM:ss', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    return (await ask('POST', 'v3/bulkbookings', [wish(1204, tee, 1)])).body.data.bookingIds[0].teetime;
  }),
  tornBulk: writing('Errors 1: the creation failed with 400, so there is no booking in the list', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    await ask('POST', 'v3/bulkbookings', [wish(1204, tee, 1), wish(1204, tee, 1, { teeId: 1 })]);
    return (await bookings(ask, 'v4/bookings')).length;
  }),
  heldSlots: writing('Product: available counts free slots, and the refused booking has none', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    await ask('POST', 'v5/bookings', wish(1204, tee, 3, { extraProduct: [{ mid: 1, quantity: 1 }] }));
    return again(ask, '1204/311', tee);
  }),
  thirdPlayers: writing('Linked tee times 4: all bookings of a group have the same player count', async (ask) => {
    return (await ask('POST', 'v5/bookings', await linked(ask, ref, [2, 2, 1]))).status;
  }),
  detailsHoles: writing('Linked tee times 5: the holes add up to those of the product', async (ask) => {
    return (await ask('POST', 'v5/bookings', { details: await linked(ask, ref, [2]) })).status;
  }),
  looseUuid: writing('Linked tee times 1: linkedTeeTimeRef is a valid UUID', async (ask) => {
    return (await ask('POST', 'v5/bookings', await linked(ask, ref.replaceAll('-', '_'), [2, 2]))).status;
  }),
  lostUpdate: writing('Product: available counts free slots, so two groups of three cannot share four', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    const both = [1, 2].map(() => ask('POST', 'v2/bookings', wish(1204, tee, 3)));
    return unique((await Promise.all(both)).map(({ status }) => status));
  }),
  sheetCached: writing('Product: available counts free slots', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    const read = async () =>
      (await sheet(ask, 4, '1204', workday(ask))).find(({ teeid }) => teeid === tee.teeid).products[0].available;
    const before = await read();
    await ask('POST', 'v5/bookings', wish(1204, tee, 2));
    return [before, await read()];
  }),
  oldBookingsFree: writing('Price record: availability says what is available at a time', async (ask) => {
    const [tee] = await wholeSlots(ask, '1701/391');
    await ask('POST', 'v2/bookings', wish(1701, tee, 2));
    const { records } = await prices(ask, '1701', workday(ask));
    return records[0].availability.find(({ time }: Data) => tee.time.endsWith(time));
  }),
  namesSwapped: writing('Booking (list item): the names of the contact are those of the booking', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    const { body } = await ask('POST', 'v2/bookings', wish(1204, tee, 2));
    const made = (await bookings(ask, 'v4/bookings')).find(({ bookingId }) => bookingId === body.data.bookingId);
    return [made.contactFirstName, made.contactLastName];
  }),
  conflictStatus: writing('Errors 1: a failed booking creation has the status 400', async (ask) => {
    const [tee] = await wholeSlots(ask, '1204/311');
    await ask('POST', 'v5/bookings', wish(1204, tee, 4));
    return (await ask('POST', 'v5/bookings', wish(1204, tee, 1))).status;
  }),
  callbackGap: writing('Events: one element of data for each requested facility', async (ask) => {
    return unique((await callback(ask, '1204,1207', weekday(ask, 1), 1)).map(({ facilityId }) => facilityId));
  }),
  callbackPlayers: writing('Tee times for several facilities: players is the number of free slots', async (ask) => {
    const data = await callback(ask, '1204,1311', workday(ask), 4);
    const products = data.flatMap(({ teeTimeV3 }) => teeTimeV3).flatMap((tee: Data) => tee.products);
    return unique(products.map(({ available }: Data) => available));
  }),
};
