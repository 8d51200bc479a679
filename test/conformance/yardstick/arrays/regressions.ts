import type { Regression } from './index.js';
import { addDays, weekdayOf } from './world.js';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request as one of the two channels, or with the given Authorization header. */
export interface Ask {
  (method: 'GET' | 'POST', path: string, body?: unknown, as?: 0 | 1 | string): Promise<Reply>;
  now(): number;
  /** What was posted to callback addresses since the last look. */
  posted(): Promise<unknown>;
}

type Caller = 0 | 1 | string;

interface TeeTime {
  readonly teeid: number;
  readonly time: string;
  readonly course: string;
  readonly holes: number;
  readonly products: readonly { readonly mid: number; readonly available: number }[];
}

const sunday = 0;
const monday = 1;
const tuesday = 2;
const wednesday = 3;
const thursday = 4;
const friday = 5;
const saturday = 6;

const query = (date: string): string => date.split('-').reverse().join('-');
const today = (ask: Ask): string => new Date(ask.now()).toISOString().slice(0, 10);

/** The next such weekday that is at least three days ahead and not 25 December. */
function next(ask: Ask, weekday: number): string {
  let date = addDays(today(ask), 3);
  while (weekdayOf(date) !== weekday || date.endsWith('-12-25')) date = addDays(date, 1);
  return date;
}

const sheet = (
  ask: Ask,
  version: number,
  path: number | string,
  date: string,
  players = 1,
  holes = 18,
  as: Caller = 0,
) =>
  ask(
    'GET',
    `/api/v${version}/teetimes/${path}?bookingDate=${query(date)}&players=${players}&holes=${holes}`,
    undefined,
    as,
  );

const prices = (ask: Ask, ids: number, from: string, to: string, page = '', as: Caller = 0) =>
  ask(
    'GET',
    `/api/v5/price/insideDateRange?facilityIds=${ids}&fromDate=${query(from)}&toDate=${query(to)}${page}`,
    undefined,
    as,
  );

const list = (ask: Ask, version: number, filter = '', as: Caller = 0) =>
  ask('GET', `/api/v${version}/bookings${filter}`, undefined, as);

async function search(ask: Ask, ids: string, date: string, players: number, as: Caller = 0): Promise<unknown> {
  const dates = `fromDate=${query(date)}&toDate=${query(date)}`;
  const callback = encodeURIComponent('https://partner.example/results');
  const path = `/api/v5/teetimes?facilityIds=${ids}&${dates}&players=${players}&holes=18&callbackUrl=${callback}`;
  const accepted = await ask('GET', path, undefined, as);
  return [accepted, await ask.posted()];
}

async function teeTimes(ask: Ask, facility: number, date: string, players = 4, holes = 18): Promise<TeeTime[]> {
  const { body } = await sheet(ask, 4, facility, date, players, holes);
  return (body as { data: { teeTimeV3: TeeTime[] } }).data.teeTimeV3;
}

function wish(facilityId: number | string, tee: TeeTime | undefined, changes: Record<string, unknown> = {}): unknown {
  return {
    facilityId,
    teetime: tee?.time.replace('T', ' '),
    course: tee?.course,
    round: tee?.course,
    players: 2,
    teeId: tee?.teeid,
    holes: tee?.holes,
    productId: tee?.products[0]?.mid,
    contactFirstName: 'Robin',
    contactLastName: 'Marsh',
    contactPhone: '+44 20 5550 0100',
    contactEmail: 'robin@mail.example',
    netRate: 100,
    extraProduct: [],
    comments: '',
    additionalPlayers: [],
    ...changes,
  };
}

async function refresh(ask: Ask, version: number, token: string): Promise<[number, Record<string, string>]> {
  const { status, body } = await ask('POST', `/api/v${version}/token/refreshToken`, { refresh_token: token });
  return [status, (body as { data: Record<string, string> | null }).data ?? {}];
}

/** Books two tee times and returns the id of the group. */
async function group(ask: Ask, date: string): Promise<number> {
  const [first, second] = await teeTimes(ask, 1019, date);
  const { body } = await ask('POST', '/api/v5/bookings', [wish(1019, first), wish(1019, second)]);
  return (body as { data: { groupId: number } }).data.groupId;
}

/** Books linked rounds at a nine-hole course: one item of changes per round. */
async function linked(ask: Ask, link: string, rounds: readonly Record<string, unknown>[]): Promise<unknown> {
  const nines = (await teeTimes(ask, 1019, next(ask, wednesday), 4, 9)).filter(({ course }) => course === 'Wee Nine');
  const items = rounds.map((changes, index) =>
    wish(1019, nines[index * 2], { productId: 1302, linkedTeeTimeRef: link, ...changes }),
  );
  return ask('POST', '/api/v5/bookings', items);
}

const uuid = '3f0d8a52-6c1e-4b7a-9a54-0f2c7be91d10';
const enc = encodeURIComponent;

export const mistakes = {
  // Countries and facilities
  countriesV2: {
    name: 'The v2 country list ignores connected=true.',
    how: 'reading',
    forbidden:
      'Countries: when connected is true, only countries of facilities connected to the channel, in v2 and v3.',
    shows: (ask) => ask('GET', '/api/v2/countries?connected=true'),
  },
  sharedCache: {
    name: 'The cache key of the v3 facility list lacks the channel.',
    how: 'reading',
    forbidden:
      'General rule 3 and Facilities: calls are scoped to the calling channel; connected is about the channel.',
    shows: async (ask) => {
      const path = '/api/v3/facilities?country=Spain&connected=true';
      return [await ask('GET', path), await ask('GET', path, undefined, 1)];
    },
  },
  articleCut: {
    name: 'The v2 facility list cuts the leading "the" from the country before it compares.',
    how: 'reading',
    forbidden: 'Facilities: the country name is matched as sent, for example with the leading word the.',
    shows: (ask) => ask('GET', `/api/v2/facilities?country=${enc('the Netherlands')}`),
  },
  falseIsTrue: {
    name: 'The v1 facility list reads connected=false as true, because the text is not empty.',
    how: 'reading',
    forbidden: 'Facilities: connected is a boolean, and only true narrows the list to connected facilities.',
    shows: (ask) => ask('GET', '/api/v1/facilities?country=Japan&connected=false'),
  },
  westLongitude: {
    name: 'The v3 by-id form loses the sign of western longitudes.',
    how: 'reading',
    forbidden: 'Facility (v3 by-id form) and verbose details: both give the longitude of the same facility.',
    shows: (ask) => ask('GET', '/api/v3/facilities/1502'),
  },
  entities: {
    name: 'The v1 facility list escapes names for HTML.',
    how: 'reading',
    forbidden: 'Facility (list item, all versions): name is the name of the facility, the same in each version.',
    shows: (ask) => ask('GET', '/api/v1/facilities?country=India'),
  },
  youngFacility: {
    name: 'The v3 by-id form of facilities created since 2020 lacks the payment rule object.',
    how: 'reading',
    forbidden: 'Facility (v3 by-id form): data is an array of two objects.',
    shows: (ask) => ask('GET', '/api/v3/facilities/1202'),
  },

  // Tee sheets
  policyInDays: {
    name: 'v3 gives the cancellation period in days.',
    how: 'reading',
    forbidden: 'Cancellation policy range: timePeriod is in hours before the tee time.',
    shows: (ask) => sheet(ask, 3, 1301, next(ask, monday)),
  },
  playersV2: {
    name: 'The v2 tee sheet treats a search for three or four players as one for two.',
    how: 'reading',
    forbidden: 'Tee time availability: players is the number of free slots required, for all four versions.',
    shows: (ask) => sheet(ask, 2, 1401, next(ask, wednesday), 3),
  },
  holesV5: {
    name: 'The v5 tee sheet of a course ignores holes.',
    how: 'reading',
    forbidden: 'Tee time availability: holes is a required parameter of all four versions, 9 or 18.',
    shows: (ask) => sheet(ask, 5, '1101/15', next(ask, wednesday)),
  },
  thirdCourse: {
    name: 'The v5 tee sheet of the third course of a facility shows the second course.',
    how: 'reading',
    forbidden: 'Tee time availability: v5 adds the course id in the path, so it returns the tee times of that course.',
    shows: (ask) => sheet(ask, 5, '1501/27', next(ask, wednesday)),
  },
  utcDay: {
    name: 'The v4 tee sheet selects the tee times whose day in UTC is the day asked for.',
    how: 'reading',
    forbidden: 'Tee time availability: bookingDate is the day, and tee times have no zone.',
    shows: (ask) => sheet(ask, 4, 1501, next(ask, wednesday)),
  },
  halfHour: {
    name: 'The v3 tee sheet drops the half hour of a time zone such as Asia/Kolkata.',
    how: 'reading',
    forbidden: 'Tee time forms: time is the time of the tee time, so v2, v3, v4 and v5 agree about one tee time.',
    shows: (ask) => sheet(ask, 3, 1401, next(ask, wednesday)),
  },
  utcWeekend: {
    name: 'Tee sheets take the weekend surcharge from the weekday in UTC.',
    how: 'reading',
    forbidden: 'Price record and PriceStep: both report the price of one product on one day, so they agree.',
    shows: (ask) => sheet(ask, 4, 1301, next(ask, saturday)),
  },
  fourthStep: {
    name: 'v3 prices four players at the rate for three.',
    how: 'reading',
    forbidden: 'Tee time (v3 and later forms): the pricing of one tee time agrees between versions.',
    shows: (ask) => sheet(ask, 3, 1501, next(ask, wednesday)),
  },
  transferCurrency: {
    name: 'The net rate of transfers is always labelled EUR.',
    how: 'reading',
    forbidden: 'Money and ExtraProductOffer: price and netRate of one product at one facility are in its currency.',
    shows: (ask) => sheet(ask, 5, '1019/11', next(ask, wednesday)),
  },
  capacity: {
    name: 'v5 shows the capacity of nine-hole tee times as available.',
    how: 'reading',
    forbidden: 'Product: available is the number of free slots.',
    shows: (ask) => sheet(ask, 5, '1019/12', next(ask, wednesday), 1, 9),
  },
  londonZulu: {
    name: 'v5 adds a Z to the times of facilities in Europe/London.',
    how: 'reading',
    forbidden: 'Tee time: time is ISO 8601 without a zone.',
    shows: (ask) => sheet(ask, 5, '1020/14', next(ask, wednesday)),
  },

  // Prices
  yenFraction: {
    name: 'Price records in yen are not rounded to whole yen.',
    how: 'reading',
    forbidden: 'Price record and PriceStep: both report the price of one product on one day, so they agree.',
    shows: (ask) => prices(ask, 1301, next(ask, saturday), next(ask, saturday)),
  },
  monthEnd: {
    name: 'A price range that ends on the last day of a month leaves that day out.',
    how: 'reading',
    forbidden: 'Pricing: toDate is inclusive.',
    shows: (ask) => {
      const following = addDays(`${today(ask).slice(0, 7)}-01`, 70);
      const last = addDays(`${following.slice(0, 7)}-01`, -1);
      return prices(ask, 1020, addDays(last, -2), last);
    },
  },
  offsetFromOne: {
    name: 'The price offset counts from one, so the second page repeats an entry.',
    how: 'reading',
    forbidden: 'Pricing: offset is the number of entries skipped from the start.',
    shows: (ask) => prices(ask, 1020, next(ask, monday), addDays(next(ask, monday), 6), '&offset=3&limit=3'),
  },
  totalOfRest: {
    name: 'The total of a price page counts only the records after the offset.',
    how: 'reading',
    forbidden: 'Pricing: total belongs to the selection, of which offset and limit cut out the records of a page.',
    shows: (ask) => prices(ask, 1020, next(ask, monday), addDays(next(ask, monday), 6), '&offset=4&limit=4'),
  },
  sunday: {
    name: 'Price records call Sunday monday.',
    how: 'reading',
    forbidden: 'Price record: dayOfWeek is the lower case weekday name of date.',
    shows: (ask) => prices(ask, 1020, next(ask, sunday), next(ask, sunday)),
  },
  nullAvailability: {
    name: 'Price records without free tee times have null as availability.',
    how: 'reading',
    forbidden: 'Price record: availability is an array and may be empty.',
    shows: (ask) => prices(ask, 1020, next(ask, monday), next(ask, monday)),
  },
  closedPrices: {
    name: 'Price records list tee times on the weekly closing day.',
    how: 'reading',
    forbidden: 'Price record and tee time availability: both report the free tee times of a day, so they agree.',
    shows: (ask) => prices(ask, 1102, next(ask, tuesday), next(ask, tuesday), '', 1),
  },

  // Booking lists
  cancelledV2: {
    name: 'The v2 booking list leaves out cancelled bookings.',
    how: 'reading',
    forbidden: 'List bookings: cancelled bookings included. States: a cancelled booking stays in the list.',
    shows: (ask) => list(ask, 2),
  },
  leak: {
    name: 'The v2 booking list with both dates returns bookings of every channel.',
    how: 'reading',
    forbidden: 'General rule 3: the booking list returns only bookings made by the calling channel.',
    shows: (ask) => {
      const [from, to] = [addDays(today(ask), -30), addDays(today(ask), 50)];
      return list(ask, 2, `?fromDate=${query(from)}&toDate=${query(to)}`);
    },
  },
  pastCancelled: {
    name: 'The v4 booking list without parameters includes past cancelled bookings.',
    how: 'reading',
    forbidden: 'List bookings, rule 1: with no parameters, only bookings with a tee time in the future.',
    shows: (ask) => list(ask, 4),
  },
  endIgnored: {
    name: 'The v1 booking list ignores toDate without fromDate.',
    how: 'reading',
    forbidden: 'List bookings, rule 3: toDate narrows the selection further; both dates are optional.',
    shows: (ask) => list(ask, 1, `?toDate=${query(addDays(today(ask), 20))}`),
  },

  // Creating bookings
  tornDetails: {
    name: 'A refused booking of several tee times with payment keeps the ones before the refused one.',
    how: 'writing',
    forbidden: 'Errors, rule 1: a booking creation that failed created nothing; the cart is searched and booked again.',
    shows: async (ask) => {
      const [first, second] = await teeTimes(ask, 1019, next(ask, thursday));
      const details = [
        wish(1019, first),
        wish(1019, second, { players: 3 }),
        wish(1019, second, { players: 3, contactFirstName: 'Kim' }),
      ];
      return [await ask('POST', '/api/v5/bookings', { details, paymentIntent: 'pi_1' }), await list(ask, 4)];
    },
  },
  lostHold: {
    name: 'Two bookings of one tee time in one request take only the slots of the last.',
    how: 'writing',
    forbidden: 'Product: available is the number of free slots, and booked slots are not free.',
    shows: async (ask) => {
      const date = next(ask, thursday);
      const [first] = await teeTimes(ask, 1301, date);
      const pair = [wish(1301, first, { players: 1 }), wish(1301, first, { players: 2 })];
      return [await ask('POST', '/api/v5/bookings', pair), await sheet(ask, 4, 1301, date)];
    },
  },
  refusedHold: {
    name: 'A v2 booking that is refused for its contact keeps its slots.',
    how: 'writing',
    forbidden: 'Errors, rule 1 and Product: a failed creation books nothing, so its slots stay available.',
    shows: async (ask) => {
      const date = next(ask, friday);
      const [first] = await teeTimes(ask, 1019, date);
      const refused = await ask('POST', '/api/v2/bookings', wish(1019, first, { contactEmail: undefined }));
      return [refused, await sheet(ask, 2, 1019, date)];
    },
  },
  bulkStatus: {
    name: 'A refused v3 bulk booking is answered with 422.',
    how: 'writing',
    forbidden: 'Errors, rule 1: a failed booking creation answers with HTTP status 400.',
    shows: async (ask) => {
      const [first] = await teeTimes(ask, 1019, next(ask, friday));
      return ask('POST', '/api/v3/bulkbookings', [wish(1019, first, { players: 5 })]);
    },
  },
  sentType: {
    name: 'The v4 booking list returns facilityId with the type that the booking request used.',
    how: 'writing',
    forbidden: 'Booking (list item): facilityId is an integer. Booking request: the sample sends it as a string.',
    shows: async (ask) => {
      const [first] = await teeTimes(ask, 1202, next(ask, thursday));
      await ask('POST', '/api/v5/bookings', wish('1202', first));
      return list(ask, 4);
    },
  },
  thirdContact: {
    name: 'The third booking of a request is stored with the contact of the second.',
    how: 'writing',
    forbidden: 'Booking request and Booking: the list returns the contact fields with which the booking was made.',
    shows: async (ask) => {
      const tees = await teeTimes(ask, 1401, next(ask, wednesday));
      const names = ['Uma', 'Vera', 'Wim'];
      const items = names.map((contactFirstName, index) => wish(1401, tees[index], { contactFirstName }));
      await ask('POST', '/api/v5/bookings', items);
      return list(ask, 2);
    },
  },
  firstCourse: {
    name: 'The result of a booking of several tee times gives every booking the course of the first.',
    how: 'writing',
    forbidden: 'Create booking: each element of bookingIds has the courseId of its booking.',
    shows: async (ask) => {
      const tees = await teeTimes(ask, 1301, next(ask, thursday));
      return ask('POST', '/api/v5/bookings', [wish(1301, tees[0]), wish(1301, tees.at(-1))]);
    },
  },
  laterPhone: {
    name: 'From the second booking of a request on, contactPhone is not required.',
    how: 'writing',
    forbidden: 'Booking request: contactPhone is required.',
    shows: async (ask) => {
      const [first, second] = await teeTimes(ask, 1301, next(ask, thursday));
      const items = [wish(1301, first), wish(1301, second, { contactPhone: undefined })];
      return ask('POST', '/api/v5/bookings', items);
    },
  },
  zeroPlayers: {
    name: 'v3 bulk bookings accept zero players.',
    how: 'writing',
    forbidden: 'Limits: players is 1 to 4 in booking requests.',
    shows: async (ask) => {
      const [first] = await teeTimes(ask, 1301, next(ask, thursday));
      return ask('POST', '/api/v3/bulkbookings', [wish(1301, first, { players: 0 })]);
    },
  },
  looseUuid: {
    name: 'A linkedTeeTimeRef of 36 letters, digits and hyphens is accepted.',
    how: 'writing',
    forbidden: 'Booking request: linkedTeeTimeRef must be a valid UUID.',
    shows: (ask) => linked(ask, uuid.replaceAll('0', 'z'), [{}, {}]),
  },
  linkedPlayers: {
    name: 'Only the first two rounds of a linked group need the same number of players.',
    how: 'writing',
    forbidden: 'Linked tee times, rule 4: all bookings in the group have the same player count.',
    shows: (ask) => linked(ask, uuid, [{}, {}, { players: 1 }]),
  },
  linkedHoles: {
    name: 'Each linked round counts with the holes of the product, so one round is enough.',
    how: 'writing',
    forbidden:
      'Linked tee times, rule 5: the sum of holes of the tee times must be at least what the product requires.',
    shows: (ask) => linked(ask, uuid, [{}]),
  },
  mixedLink: {
    name: 'The rounds of a linked group may have different products.',
    how: 'writing',
    forbidden: 'Linked tee times, rule 3: exactly one green fee product, the same in every round of the group.',
    shows: (ask) => linked(ask, uuid, [{}, { productId: 1301 }]),
  },
  staleSheet: {
    name: 'The v3 tee sheet comes from the cache even after a booking.',
    how: 'writing',
    forbidden: 'Tee time (v3 form): players of a tee time are free slots, so a booking lowers them.',
    shows: async (ask) => {
      const date = next(ask, friday);
      await sheet(ask, 3, 1401, date);
      const [first] = await teeTimes(ask, 1401, date);
      await ask('POST', '/api/v5/bookings', wish(1401, first));
      return sheet(ask, 3, 1401, date);
    },
  },

  // Tokens
  onboardingToken: {
    name: 'The initial refresh token stays valid after its use.',
    how: 'writing',
    forbidden: 'Authentication, rule 4: a refresh token is single use, and a refresh invalidates the previous one.',
    shows: async (ask) => {
      const [first] = await refresh(ask, 5, 'init_fairway_b5b1c0');
      const [second] = await refresh(ask, 5, 'init_fairway_b5b1c0');
      return [first, second];
    },
  },
  bearerChannel: {
    name: 'Every access token acts for the first channel.',
    how: 'writing',
    forbidden: 'General rule 3 and Authentication: calls are scoped to the channel that the token was issued to.',
    shows: async (ask) => {
      const [, tokens] = await refresh(ask, 5, 'init_birdie_77e2aa');
      return list(ask, 4, '', `Bearer ${tokens['access_token']}`);
    },
  },

  // Payments
  foreignGroup: {
    name: 'The v3 bulk payment accepts groups of other channels.',
    how: 'writing',
    forbidden: 'General rule 3: calls are scoped to the calling channel.',
    shows: async (ask) =>
      ask('POST', `/api/v3/bulkbookings/payment/${await group(ask, next(ask, thursday))}`, undefined, 1),
  },
  paidStatus: {
    name: 'A v4 payment sets the status of the booking to PAID.',
    how: 'writing',
    forbidden: 'States: a booking is BOOKED or CANCELED; no other state exists.',
    shows: async (ask) => {
      const { body } = await list(ask, 4);
      const booked = (body as { data: { bookingId: string; status: string }[] }).data.find(
        ({ status }) => status === 'BOOKED',
      );
      return [await ask('POST', `/api/v4/bookings/payment/${booked?.bookingId}`), await list(ask, 4)];
    },
  },
  releasedByPayment: {
    name: 'A v4 bulk payment releases the slots of the group.',
    how: 'writing',
    forbidden: 'Product and Bulk booking payment: paid bookings stay BOOKED, so their slots are not available.',
    shows: async (ask) => {
      const date = next(ask, thursday);
      await ask('POST', `/api/v4/bulkbookings/payment/${await group(ask, date)}`);
      return sheet(ask, 4, 1019, date);
    },
  },

  // The search for several facilities
  callbackEmpty: {
    name: 'The callback leaves out facilities without tee times.',
    how: 'writing',
    forbidden: 'Events: one element of data exists per requested facility.',
    shows: (ask) => search(ask, '1019,1202', next(ask, wednesday), 1),
  },
  callbackPlayers: {
    name: 'The callback ignores players from the second facility on.',
    how: 'writing',
    forbidden:
      'Tee times for several facilities: players applies to the whole search, as in a search for one facility.',
    shows: (ask) => search(ask, '1020,1401', next(ask, friday), 4),
  },
} satisfies Record<string, Regression>;

export type Mistake = keyof typeof mistakes;
