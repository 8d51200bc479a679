import {
  createGroup,
  createSingle,
  createV5,
  listBookings,
  payBooking,
  payGroup,
  Refusal,
  unprocessed,
} from './bookings.js';
import { dateOf, encode, mix, parseDay, parseIsoDay, shuffled } from './go.js';
import { cancellationPolicy, daysAhead, olderTeeTime, priceRecord, search, teeTimeV3, type Priced } from './sheet.js';
import type { State } from './state.js';
import { type Account, accounts, facilities, type Facility, facilityOf, type Holes } from './world.js';

/** Routing, authentication and the operations that read. */

interface Call {
  readonly state: State;
  readonly account: Account;
  readonly version: number;
  /** The segments of the path that differ from request to request. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: () => Promise<unknown>;
}

interface Route {
  readonly method: 'GET' | 'POST';
  readonly versions: string;
  readonly path: RegExp;
  readonly handle: (call: Call) => unknown;
  readonly open?: boolean;
}

const bad = (detail: string) => new Refusal(400, detail);

/** A success without a payload that carries a message. */
class Notice {
  constructor(readonly message: string) {}
}

// Parameters

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw bad(`The parameter ${name} is required.`);
  return value;
}

function whole(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw bad(`${name} must be an integer.`);
  return Number(text);
}

function dayIn(query: URLSearchParams, name: string, iso = false): number {
  const text = required(query, name);
  const day = parseDay(text) ?? (iso ? parseIsoDay(text) : undefined);
  if (day === undefined) throw bad(`${name} must be a date, written dd-mm-yyyy.`);
  return day;
}

function rangeIn(query: URLSearchParams, iso: boolean): readonly [from: number, to: number] {
  const from = dayIn(query, 'fromDate', iso);
  const to = dayIn(query, 'toDate', iso);
  if (to < from) throw bad('toDate is before fromDate.');
  if (to - from > daysAhead) throw bad(`The range is longer than ${daysAhead} days.`);
  return [from, to];
}

function playersIn(query: URLSearchParams, least: number): number {
  const players = whole(required(query, 'players'), 'players');
  if (players < least || players > 4) throw bad('players must be 1 to 4.');
  return players;
}

function holesIn(query: URLSearchParams): Holes {
  const holes = whole(required(query, 'holes'), 'holes');
  if (holes !== 9 && holes !== 18) throw bad('holes must be 9 or 18.');
  return holes;
}

function booleanIn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false';
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw bad(`${name} must be a boolean.`);
}

function known(segment: string | undefined): Facility {
  const facility = facilityOf(whole(segment ?? '', 'facilityId'));
  if (facility === undefined) throw new Refusal(404, 'The facility is not found.');
  return facility;
}

function connected(account: Account, segment: string | undefined): Facility {
  const facility = known(segment);
  if (!account.connected.has(facility.id)) throw new Refusal(404, 'The facility is not found.');
  return facility;
}

const idsIn = (query: URLSearchParams): string[] =>
  required(query, 'facilityIds')
    .split(',')
    .map((id) => id.trim());

// Countries and facilities

function countries({ state, account, version, query }: Call): readonly string[] {
  const names = (list: readonly Facility[]) =>
    shuffled([...new Set(list.map(({ country }) => country))], state.iteration());
  if (!booleanIn(query, 'connected')) return names(facilities);
  const own = () => names(facilities.filter(({ id }) => account.connected.has(id)));
  if (version !== 3 || !state.is('countriesCached')) return own();
  return (state.countries ??= own());
}

function address({ address: [address1, number, zipcode, place, state], country }: Facility) {
  return { address1, address2: '', number, addition: number === '12' ? 'A' : '', zipcode, place, state, country };
}

const mailbox = (facility: Facility, name: string) =>
  `${name}@${/\/\/([^/]+)/.exec(facility.website)?.[1] ?? `f${facility.id}.example`}`;

const listItem = (facility: Facility) => ({
  id: facility.id,
  name: facility.name,
  website: facility.website,
  email: mailbox(facility, 'info'),
  address: address(facility),
});

function facilityList({ state, account, version, query }: Call): unknown {
  const country = required(query, 'country');
  const onlyConnected = booleanIn(query, 'connected') && !(version === 1 && state.is('connectedIgnored'));
  const chosen = facilities.filter((facility) => facility.country === country);
  const items = shuffled(chosen, state.iteration())
    .filter(({ id }) => !onlyConnected || account.connected.has(id))
    .map(listItem);
  if (version !== 2) return items;
  return items.map((item) => ({
    ...item,
    name: state.is('escapedTwice') ? item.name.replaceAll('&', '&amp;') : item.name,
    website: item.website === '' && state.is('websiteNull') ? null : item.website,
  }));
}

function facilityById({ state, version, path }: Call): unknown {
  const facility = known(path[0]);
  if (version < 3) return listItem(facility);
  const [latitude, longitude] = facility.position;
  const deposit = facility.deposit;
  return [
    {
      id: facility.id,
      name: facility.name,
      website: facility.website,
      email: mailbox(facility, 'info'),
      timeZone: facility.zone,
      address: {
        ...address(facility),
        address2: undefined,
        mid: 5000 + facility.id,
        latitude,
        longitude: state.is('longitudeSign') ? Math.abs(longitude) : longitude,
        region: facility.address[4],
      },
      language: facility.language,
      currencyCode: facility.currency,
      created: state.is('createdTrimmed') ? facility.created.replace(/\.?0*Z$/, 'Z') : facility.created,
    },
    {
      paymentRule: {
        mid: 60 + (facility.id % 40),
        name: deposit === 100 ? 'Prepaid' : deposit === 0 ? 'Pay & play' : `Deposit ${deposit}%`,
        description: '',
        firstPaymentCondition: 'Time of Booking',
        lastPaymentCondition: 'Time of Play',
        firstPaymentConditionDuration: 0,
        lastPaymentConditionDuration: 0,
        firstPaymentConditionPercentage: deposit,
        lastPaymentConditionPercentage: 100 - deposit,
      },
      applicableForWhitelable: facility.whiteLabel,
    },
  ];
}

const serviceNames =
  'drivingRange chippingArea puttingGreen proShop golfSchool golfBuggy pushTrolley electricTrolley ' +
  'golfClubRentals caddies restaurant bar lockerRoom wifi shuttleService';

function facilityDetails({ version, path }: Call): unknown {
  const facility = known(path[0]);
  const [latitude, longitude] = facility.position;
  const { id, name } = facility;
  const v3 = version === 3;
  return {
    id,
    name,
    latitude,
    longitude,
    address: v3 ? { ...address(facility), address2: undefined } : address(facility),
    phoneNumber: facility.phone,
    email: mailbox(facility, 'info'),
    website: facility.website,
    reservationsContact: v3
      ? { name: `Reservations, ${name}`, email: mailbox(facility, 'booking'), phoneNumber: facility.phone }
      : undefined,
    foundedIn: facility.founded,
    description: `${name} is in ${facility.address[3]}, ${facility.country}. It has been open since ${facility.founded}.`,
    services: {
      mid: 8000 + id,
      ...Object.fromEntries(serviceNames.split(' ').map((service, index) => [service, mix(id, index) % 3 > 0])),
    },
    logo: `https://images.example/${id}/logo.png`,
    images: Array.from({ length: id % 3 }, (_, index) => `https://images.example/${id}/${index + 1}.jpg`),
  };
}

// Tee times and prices

/** The day that is asked for, after the mistakes that can be made with it. */
function bookingDay({ state, version, query }: Call, facility: Facility): number {
  const day = dayIn(query, 'bookingDate');
  if (version === 2 && state.is('americanDate')) {
    return parseDay(required(query, 'bookingDate').replace(/^(..)-(..)/, '$2-$1')) ?? day;
  }
  if (version === 4 && dateOf(day).endsWith('-31') && state.is('thirtyFirst')) return day + 1;
  if (version === 5 && facility.zone.startsWith('America/') && state.is('westernDay')) return day - 1;
  return day;
}

function teeTimes(call: Call): unknown {
  const { state, account, version, path, query } = call;
  const facility = connected(account, path[0]);
  const day = bookingDay(call, facility);
  const players = playersIn(query, version === 5 && state.is('noPlayers') ? 0 : 1);
  const holes = holesIn(query);
  let courses = facility.courses;
  if (version === 5) {
    const courseId = whole(path[1] ?? '', 'courseId');
    const course = courses.find(({ id }) => id === courseId);
    if (course === undefined) throw new Refusal(404, 'The course is not found.');
    courses = state.is('coursePrefix') ? courses.filter(({ name }) => name.startsWith(course.name)) : [course];
  }
  const least = version === 3 && players === 3 && state.is('threePlayers') ? 2 : players;
  const slots = search(state, facility, courses, day, least, holes);
  if (version === 2) return slots.map((slot) => olderTeeTime(state, facility, slot, version));
  const facilityCancellationPolicyRange = cancellationPolicy(state, facility, version);
  if (version === 3) {
    const teeTimeV2 = slots.map((slot) => olderTeeTime(state, facility, slot, version));
    return { teeTimeV2, facilityCancellationPolicyRange };
  }
  const sheet = () => slots.map((slot) => teeTimeV3(state, facility, slot, version));
  if (version === 5 || !state.is('sheetCached')) return { teeTimeV3: sheet(), facilityCancellationPolicyRange };
  const key = [facility.id, day, players, holes].join();
  if (!state.sheets.has(key)) state.sheets.set(key, sheet());
  return { teeTimeV3: state.sheets.get(key), facilityCancellationPolicyRange };
}

function searchSeveral({ state, account, query }: Call): null {
  const chosen = [...new Set(idsIn(query).map((id) => connected(account, id)))];
  const [from, to] = rangeIn(query, true);
  const players = playersIn(query, 1);
  const holes = holesIn(query);
  const callback = required(query, 'callbackUrl');
  if (!/^https?:\/\/[^/]/.test(callback) || !URL.canParse(callback)) throw bad('callbackUrl must be an address.');
  const result = () =>
    chosen
      .map((facility, index) => {
        const least = index > 0 && state.is('callbackPlayers') ? 1 : players;
        const days = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
        const slots = days.flatMap((day) => search(state, facility, facility.courses, day, least, holes));
        return { facilityId: facility.id, teeTimeV3: slots.map((slot) => teeTimeV3(state, facility, slot, 5)) };
      })
      .filter(({ teeTimeV3: times }) => times.length > 0 || !state.is('callbackGap'));
  state.around.schedule(() => {
    const data = shuffled(result(), state.iteration());
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'Go-http-client/1.1' };
    // Nobody waits for the delivery, and there is no second attempt.
    state.around
      .post(callback, { method: 'POST', headers, body: `${encode({ success: true, data })}\n` })
      .catch(() => 0);
  }, 60);
  return null;
}

function prices({ state, account, query }: Call): unknown {
  const ids = idsIn(query);
  if (ids.length > (state.is('sixIds') ? 6 : 5)) throw bad('facilityIds has more than five ids.');
  const chosen = [...new Set(ids.map((id) => connected(account, id)))];
  const [from, to] = rangeIn(query, false);
  const offset = whole(query.get('offset') ?? '0', 'offset');
  const limit = Math.min(200, whole(query.get('limit') ?? '100', 'limit'));
  const otherMonth = dateOf(from).slice(0, 7) !== dateOf(to).slice(0, 7);
  const end = otherMonth && state.is('monthEnd') ? to : to + 1;
  const selection: Priced[] = [];
  for (const facility of chosen) {
    for (const course of facility.courses) {
      for (const product of course.products) {
        for (let day = from; day < end; day += 1) selection.push({ facility, course, product, day });
      }
    }
  }
  return {
    records: selection.slice(offset, offset + limit).map((priced) => priceRecord(state, priced)),
    total: state.is('totalRest') ? Math.max(0, selection.length - offset) : selection.length,
  };
}

// Bookings and tokens

const optionalDay = (query: URLSearchParams, name: string) => (query.has(name) ? dayIn(query, name) : undefined);

function bookings({ state, account, version, query }: Call): unknown {
  return listBookings(state, account, version, optionalDay(query, 'fromDate'), optionalDay(query, 'toDate'));
}

function confirm({ state, account, version, path }: Call): unknown {
  payBooking(state, account, path[0] ?? '', version);
  if (version < 5 || state.is('silentPause')) return null;
  return new Notice('Payment confirmation to providers is temporarily paused.');
}

function confirmGroup({ state, account, path }: Call): null {
  payGroup(state, account, whole(path[0] ?? '', 'bulkBookingId'));
  return null;
}

const lifetime = 900;

async function refresh({ state, body }: Call): Promise<unknown> {
  const sent = await body();
  const token: unknown = typeof sent === 'object' && sent !== null ? Object(sent)['refresh_token'] : undefined;
  if (typeof token !== 'string' || token === '') throw bad('refresh_token is required and must be a string.');
  const account = state.refreshTokens.get(token);
  if (account === undefined) throw new Refusal(401, 'The refresh token is invalid or was used.');
  if (token === account.refreshToken || !state.is('refreshKept')) state.refreshTokens.delete(token);
  const number = state.iteration();
  const fresh = (kind: number) =>
    [1, 2, 3].map((part) => mix(number, kind, part, account.name.length).toString(16).padStart(8, '0')).join('');
  const access = `at_${fresh(1)}${number}`;
  const next = `rt_${fresh(2)}${number}`;
  state.accessTokens.set(access, { account, until: state.around.now() + lifetime * 1000 });
  state.refreshTokens.set(next, account);
  state.lastRefreshed = account;
  return { access_token: access, refresh_token: next, expires_in: lifetime };
}

function authenticate(state: State, authorization: string | null): Account {
  const [, scheme = '', credential = ''] = /^(\w+) +(\S+)$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') {
    const token = state.accessTokens.get(credential);
    if (token !== undefined && token.until > state.around.now()) {
      return state.is('lastChannel') ? (state.lastRefreshed ?? token.account) : token.account;
    }
  }
  if (scheme.toLowerCase() === 'basic') {
    const account = accounts.find(({ name, password }) => btoa(`${name}:${password}`) === credential);
    if (account !== undefined) return account;
  }
  throw new Refusal(401, 'The credentials are missing, wrong or expired.');
}

// Routes

const routes: readonly Route[] = [
  { method: 'POST', versions: '12345', path: /^token\/refreshToken$/, handle: refresh, open: true },
  { method: 'GET', versions: '23', path: /^countries$/, handle: countries },
  { method: 'GET', versions: '123', path: /^facilities$/, handle: facilityList },
  { method: 'GET', versions: '123', path: /^facilities\/([^/]+)$/, handle: facilityById },
  { method: 'GET', versions: '23', path: /^facilities\/details\/([^/]+)$/, handle: facilityDetails },
  { method: 'GET', versions: '5', path: /^teetimes$/, handle: searchSeveral },
  { method: 'GET', versions: '5', path: /^teetimes\/([^/]+)\/([^/]+)$/, handle: teeTimes },
  { method: 'GET', versions: '234', path: /^teetimes\/([^/]+)$/, handle: teeTimes },
  { method: 'GET', versions: '5', path: /^price\/insideDateRange$/, handle: prices },
  {
    method: 'POST',
    versions: '5',
    path: /^bookings$/,
    handle: async ({ state, account, body }) => createV5(state, account, await body()),
  },
  {
    method: 'POST',
    versions: '3',
    path: /^bulkbookings$/,
    handle: async ({ state, account, body }) => createGroup(state, account, await body(), 3, 'multiple'),
  },
  {
    method: 'POST',
    versions: '2',
    path: /^bookings$/,
    handle: async ({ state, account, body }) => createSingle(state, account, await body(), 2),
  },
  { method: 'GET', versions: '124', path: /^bookings$/, handle: bookings },
  { method: 'POST', versions: '1345', path: /^bookings\/payment\/([^/]+)$/, handle: confirm },
  { method: 'POST', versions: '345', path: /^bulkbookings\/payment\/([^/]+)$/, handle: confirmGroup },
];

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
};

function answer(status: number, contentType: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : encode(body);
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': contentType, ...headers } });
}

function refused(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = { success: false, data: null, title: titles[status], status, detail };
  return answer(status, 'application/problem+json', problem, headers);
}

async function jsonOf(request: Request, otherwise: Refusal): Promise<unknown> {
  const sent = await request.text();
  try {
    return JSON.parse(sent) as unknown;
  } catch {
    throw otherwise;
  }
}

/** Answers one request. */
export async function serve(state: State, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, version = '', rest = ''] = /^\/api\/v([1-5])\/(.+)$/.exec(url.pathname) ?? [];
  const matching = routes.filter(({ versions, path }) => versions.includes(version) && path.test(rest));
  if (version === '' || matching.length === 0) {
    const headers = { 'X-Content-Type-Options': 'nosniff' };
    return answer(404, 'text/plain; charset=utf-8', '404 page not found', headers);
  }
  const route = matching.find(({ method }) => method === request.method);
  if (route === undefined) {
    const allow = [...new Set(matching.map(({ method }) => method))].join(', ');
    return refused(405, 'The method is not allowed here.', { Allow: allow });
  }
  try {
    const path = (route.path.exec(rest) ?? []).slice(1).map((segment) => decodeURIComponent(segment));
    const account = route.open === true ? accounts[0] : authenticate(state, request.headers.get('Authorization'));
    if (account === undefined) throw new Refusal(401, 'There is no channel.');
    const noJson = 'the request body is no JSON';
    const body = () => jsonOf(request, route.open === true ? bad(noJson) : unprocessed(noJson));
    const data = await route.handle({
      state,
      account,
      version: Number(version),
      path,
      query: url.searchParams,
      body,
    });
    const envelope = data instanceof Notice ? { data: null, message: data.message } : { data };
    return answer(200, 'application/json; charset=utf-8', { success: true, ...envelope });
  } catch (error) {
    if (error instanceof URIError) return refused(400, 'The path is not well-formed.');
    if (!(error instanceof Refusal)) throw error;
    const challenge = error.status === 401 ? { 'Www-Authenticate': 'Bearer, Basic realm="tee times"' } : {};
    return refused(error.status, error.message, challenge);
  }
}
