import type { Channel, Surroundings } from '../../independent/desk.js';
import type { Mistake } from './regressions.js';
import {
  addDays,
  clock,
  dayNumber,
  facilities,
  findSlot,
  isClosed,
  localTime,
  offsetOf,
  payable,
  perPlayer,
  slotsOf,
  weekdayOf,
} from './world.js';
import type { Course, Extra, Facility, Product, Slot } from './world.js';

type Row = Record<string, unknown>;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const invalid = (message: string): Refusal => new Refusal(422, 'VALIDATION_FAILED', message);
const missing = (what: string): Refusal => new Refusal(404, 'NOT_FOUND', `${what} not found.`);
const cart = (): Refusal =>
  new Refusal(400, 'CART', 'There is a problem with the tee times in your cart. Search and book the tee times again.');
const unbookable = (why: string): Refusal =>
  new Refusal(
    400,
    'NOT_BOOKED',
    `The booking could not be processed at the moment: ${why}. Please retry, and contact support if the error persists.`,
  );

/** JSON with the escapes of a classic framework. */
const encode = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(encode(body), { status, headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers } });

const page = (status: number, title: string, headers: Record<string, string> = {}): Response =>
  new Response(`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`, {
    status,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', ...headers },
  });

function integer(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : undefined;
}

function calendarDay(value: string | null, isoToo = false): string | undefined {
  const text = value?.trim() ?? '';
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text) ?? [];
  const date = isoToo && /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${year}-${month}-${day}`;
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).trim() || undefined;
}

class Query {
  constructor(private readonly search: URLSearchParams) {}

  text(name: string): string {
    const value = this.search.get(name)?.trim();
    if (!value) throw invalid(`${name} is required.`);
    return value;
  }

  has(name: string): boolean {
    return (this.search.get(name) ?? '').trim() !== '';
  }

  integer(name: string, allowed: (value: number) => boolean, rule: string): number {
    const value = integer(this.text(name));
    if (value === undefined || !allowed(value)) throw invalid(`${name} must be ${rule}.`);
    return value;
  }

  players = (): number => this.integer('players', (value) => value >= 1 && value <= 4, 'from 1 to 4');
  holes = (): number => this.integer('holes', (value) => value === 9 || value === 18, '9 or 18');

  day(name: string, isoToo = false): string {
    const date = calendarDay(this.text(name), isoToo);
    if (date === undefined) throw invalid(`${name} must be a date (dd-mm-yyyy).`);
    return date;
  }

  optionalDay(name: string): string | undefined {
    return this.has(name) ? this.day(name) : undefined;
  }

  range(isoToo: boolean, longest: number): string[] {
    const from = this.day('fromDate', isoToo);
    const days = dayNumber(this.day('toDate', isoToo)) - dayNumber(from) + 1;
    if (days < 1) throw invalid('toDate must not be before fromDate.');
    if (days > longest) throw invalid(`The range must not exceed ${longest} days.`);
    return Array.from({ length: days }, (_, index) => addDays(from, index));
  }

  flag(name: string): boolean {
    const value = (this.search.get(name) ?? '').trim().toLowerCase();
    if (['1', 'true', 'on', 'yes'].includes(value)) return true;
    if (['', '0', 'false', 'off', 'no'].includes(value)) return false;
    throw invalid(`${name} must be a boolean.`);
  }

  ids(name: string): number[] {
    const ids = this.text(name).split(',').map(integer);
    if (ids.some((id) => id === undefined)) throw invalid(`${name} must be integers, separated by commas.`);
    return [...new Set(ids as number[])];
  }
}

interface Call {
  readonly channel: Channel;
  readonly version: number;
  /** The variable parts of the path. */
  readonly parts: readonly string[];
  readonly query: Query;
  readonly address: string;
  readonly body: unknown;
}

interface Contact {
  readonly first: string;
  readonly last: string;
  readonly phone: string;
  readonly email: string;
}

/** A booking that passed validation and is not stored yet. */
interface Order {
  readonly slot: Slot;
  readonly product: Product;
  readonly players: number;
  readonly contact: Contact;
  readonly link: string | undefined;
  readonly facilityId: unknown;
}

interface Booking extends Order {
  readonly bookingId: string;
  readonly channel: string;
  readonly createdAt: string;
  status: string;
}

type Route = readonly [method: 'GET' | 'POST', path: RegExp, run: (call: Call) => unknown];

const tokenPath = /^\/api\/v([1-5])\/token\/refreshToken$/;
const accessLifetime = 900;
const longestReach = 730;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export class Service {
  private readonly cache = new Map<string, unknown>();
  private readonly refreshTokens = new Map<string, Channel>();
  private readonly accessTokens = new Map<string, { readonly channel: Channel; readonly until: number }>();
  private readonly bookings: Booking[] = [];
  private readonly groups = new Map<number, { readonly channel: string; readonly bookings: readonly Booking[] }>();
  private readonly held = new Map<number, number>();
  private lastToken = 0;
  private lastGroup = 70_000;

  constructor(
    private readonly around: Surroundings,
    private readonly channels: readonly Channel[],
    private readonly wrong: (mistake: Mistake) => boolean,
  ) {
    for (const channel of channels) this.refreshTokens.set(channel.refreshToken, channel);
    this.seed();
  }

  private readonly routes: readonly Route[] = [
    ['GET', /^\/api\/v([23])\/countries$/, (call) => this.cached(call, () => this.countries(call))],
    ['GET', /^\/api\/v([123])\/facilities$/, (call) => this.cached(call, () => this.facilityList(call))],
    ['GET', /^\/api\/v([123])\/facilities\/(\d+)$/, (call) => this.cached(call, () => this.facilityById(call))],
    ['GET', /^\/api\/v([23])\/facilities\/details\/(\d+)$/, (call) => this.cached(call, () => this.details(call))],
    ['GET', /^\/api\/v(5)\/teetimes$/, (call) => this.search(call)],
    ['GET', /^\/api\/v(5)\/teetimes\/(\d+)\/(\d+)$/, (call) => this.teeTimes(call)],
    ['GET', /^\/api\/v([24])\/teetimes\/(\d+)$/, (call) => this.teeTimes(call)],
    [
      'GET',
      /^\/api\/v(3)\/teetimes\/(\d+)$/,
      (call) => (this.wrong('staleSheet') ? this.cached(call, () => this.teeTimes(call)) : this.teeTimes(call)),
    ],
    ['GET', /^\/api\/v(5)\/price\/insideDateRange$/, (call) => this.prices(call)],
    ['POST', /^\/api\/v([25])\/bookings$/, (call) => this.book(call)],
    ['POST', /^\/api\/v(3)\/bulkbookings$/, (call) => this.bookBulk(call)],
    ['GET', /^\/api\/v([124])\/bookings$/, (call) => this.bookingList(call)],
    ['POST', /^\/api\/v([1345])\/bookings\/payment\/([^/]+)$/, (call) => this.pay(call)],
    ['POST', /^\/api\/v([345])\/bulkbookings\/payment\/(\d+)$/, (call) => this.payGroup(call)],
    ['POST', tokenPath, (call) => this.refresh(call)],
  ];

  async handle(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const known = this.routes.filter(([, path]) => path.test(pathname));
    if (known.length === 0) {
      const bare = pathname.replace(/\/+$/, '');
      return request.method === 'GET' && bare !== pathname && this.routes.some(([, path]) => path.test(bare))
        ? page(301, 'Moved Permanently', { Location: bare + search })
        : page(404, 'Not Found');
    }
    const route = known.find(([method]) => method === request.method);
    if (!route) return page(405, 'Method Not Allowed', { Allow: known.map(([method]) => method).join(', ') });
    const [, path, run] = route;
    try {
      const [version, ...parts] = (path.exec(pathname) ?? []).slice(1);
      const data = run({
        channel: tokenPath.test(pathname) ? this.anyone() : this.authenticate(request),
        version: Number(version),
        parts,
        query: new Query(searchParams),
        address: pathname + search,
        body: request.method === 'POST' ? await this.bodyOf(request, pathname) : undefined,
      });
      if (pathname.startsWith('/api/v5/') && pathname.includes('/payment/'))
        return json(200, {
          success: true,
          data,
          message: 'Payment confirmation to providers is temporarily paused.',
        });
      return json(200, { success: true, data });
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      return json(
        failure.status,
        { success: false, data: null, error: { code: failure.code, message: failure.message } },
        failure.status === 401 ? { 'WWW-Authenticate': 'Basic realm="teetimes", Bearer' } : {},
      );
    }
  }

  private async bodyOf(request: Request, pathname: string): Promise<unknown> {
    if (pathname.includes('/payment/')) return undefined;
    try {
      return await request.json();
    } catch {
      throw pathname.includes('bookings') ? unbookable('the body is not JSON') : invalid('The body is not JSON.');
    }
  }

  private cached(call: Call, compute: () => unknown): unknown {
    const shared = this.wrong('sharedCache') && call.address.startsWith('/api/v3/facilities?');
    const key = `${shared ? '' : call.channel.name} ${call.address}`;
    if (!this.cache.has(key)) this.cache.set(key, compute());
    return this.cache.get(key);
  }

  // Authentication

  private anyone(): Channel {
    return this.channels[0] as Channel;
  }

  private authenticate(request: Request): Channel {
    const [scheme = '', credentials = ''] = (request.headers.get('authorization') ?? '').split(' ');
    if (scheme.toLowerCase() === 'bearer') {
      const session = this.accessTokens.get(credentials);
      if (session && this.around.now() < session.until) return session.channel;
    }
    if (scheme.toLowerCase() === 'basic') {
      const channel = this.channels.find(({ name, password }) => btoa(`${name}:${password}`) === credentials);
      if (channel) return channel;
    }
    throw new Refusal(401, 'UNAUTHENTICATED', 'The credentials are missing, invalid or expired.');
  }

  private refresh({ body }: Call): unknown {
    const token = text((body as Row | null)?.['refresh_token']);
    if (token === undefined) throw invalid('refresh_token is required.');
    const channel = this.refreshTokens.get(token);
    if (!channel) throw new Refusal(401, 'INVALID_REFRESH_TOKEN', 'The refresh token is invalid or was used before.');
    if (!(this.wrong('onboardingToken') && token === channel.refreshToken)) this.refreshTokens.delete(token);
    this.lastToken += 1;
    const suffix = `${this.lastToken.toString(36)}${this.around.now().toString(36)}`;
    this.accessTokens.set(`sess_${suffix}`, {
      channel: this.wrong('bearerChannel') ? this.anyone() : channel,
      until: this.around.now() + accessLifetime * 1000,
    });
    this.refreshTokens.set(`rfsh_${suffix}`, channel);
    return { access_token: `sess_${suffix}`, refresh_token: `rfsh_${suffix}`, expires_in: accessLifetime };
  }

  // Facilities

  private countries({ channel, version, query }: Call): string[] {
    const connected = query.flag('connected') && !(version === 2 && this.wrong('countriesV2'));
    const visible = facilities.filter((facility) => !connected || facility.connected.includes(channel.name));
    return [...new Set(visible.map(({ address }) => address.country))];
  }

  private facilityList({ channel, version, query }: Call): unknown {
    let country = query.text('country');
    if (version === 2 && this.wrong('articleCut')) country = country.replace(/^the /i, '');
    const connected = query.flag('connected') || (version === 1 && this.wrong('falseIsTrue') && query.has('connected'));
    return facilities
      .filter((facility) => facility.address.country === country)
      .filter((facility) => !connected || facility.connected.includes(channel.name))
      .map((facility) => ({
        ...this.listItem(facility),
        ...(version === 1 && this.wrong('entities')
          ? { name: facility.name.replaceAll('&', '&amp;').replaceAll("'", '&#039;') }
          : {}),
      }));
  }

  private listItem(facility: Facility): Row {
    const { id, name, domain, address } = facility;
    return { id, name, website: `https://www.${domain}/`, email: `info@${domain}`, address };
  }

  private facility(id: string | number | undefined): Facility {
    const facility = facilities.find((each) => each.id === Number(id));
    if (!facility) throw missing('Facility');
    return facility;
  }

  private facilityById({ version, parts }: Call): unknown {
    const facility = this.facility(parts[0]);
    const item = this.listItem(facility);
    if (version < 3) return item;
    const { address2: _, ...address } = facility.address;
    const { id, latitude, longitude, region, created } = facility;
    const west = this.wrong('westLongitude') && longitude < 0;
    const first = {
      ...item,
      timeZone: facility.timeZone,
      address: { ...address, mid: id + 4000, latitude, longitude: west ? -longitude : longitude, region },
      language: facility.language,
      currencyCode: facility.currency,
      created,
    };
    if (created >= '2020' && this.wrong('youngFacility')) return [first];
    const paymentRule = {
      mid: id + 6000,
      name: 'Deposit',
      description: 'A deposit with the booking, and the rest at the club',
      firstPaymentCondition: 'Time of Booking',
      lastPaymentCondition: 'Time of Play',
      firstPaymentConditionDuration: 0,
      lastPaymentConditionDuration: 0,
      firstPaymentConditionPercentage: 20,
      lastPaymentConditionPercentage: 80,
    };
    return [first, { paymentRule, applicableForWhitelable: facility.connected.length > 1 }];
  }

  private details({ version, parts }: Call): unknown {
    const facility = this.facility(parts[0]);
    const { id, name, latitude, longitude, phone, domain } = facility;
    const { website, email, address } = this.listItem(facility);
    const { address2: _, ...addressV3 } = facility.address;
    const offers = (category: string): boolean => facility.extras.some((extra) => extra.category === category);
    return {
      id,
      name,
      latitude,
      longitude,
      address: version === 3 ? addressV3 : address,
      phoneNumber: phone,
      email,
      website,
      ...(version === 3
        ? { reservationsContact: { name: 'Reservations', email: `tee@${domain}`, phoneNumber: phone } }
        : {}),
      foundedIn: facility.founded,
      description: `${name}: golf since ${facility.founded}.`,
      services: {
        mid: id + 8000,
        drivingRange: true,
        chippingArea: id % 2 === 1,
        puttingGreen: true,
        proShop: phone !== '',
        golfSchool: id % 3 === 0,
        golfBuggy: offers('Buggy'),
        pushTrolley: true,
        electricTrolley: id % 2 === 0,
        golfClubRentals: true,
        caddies: facility.currency === 'INR' || facility.currency === 'IDR',
        restaurant: true,
        bar: true,
        lockerRoom: true,
        wifi: id % 5 !== 0,
        shuttleService: offers('Transfer'),
      },
      logo: `https://www.${domain}/logo.png`,
      images: phone === '' ? [] : [1, 2].map((number) => `https://www.${domain}/images/${number}.jpg`),
    };
  }

  private connectedFacility(channel: Channel, id: string | number | undefined): Facility {
    const facility = this.facility(id);
    if (!facility.connected.includes(channel.name))
      throw new Refusal(403, 'NOT_CONNECTED', 'The facility is not connected to your channel.');
    return facility;
  }

  // Tee sheets

  private free(slot: Slot): number {
    return Math.max(0, 4 - slot.taken - (this.held.get(slot.id) ?? 0));
  }

  private hold(slot: Slot, players: number): void {
    this.held.set(slot.id, (this.held.get(slot.id) ?? 0) + players);
  }

  /** The tee times of a course on a date that are still to come and have a free slot. */
  private sheet(facility: Facility, course: Course, date: string, closedToo = false): Slot[] {
    const now = localTime(this.around.now(), facility.timeZone);
    const ahead = dayNumber(date) - dayNumber(now.slice(0, 10));
    if (ahead < 0 || ahead > longestReach || (isClosed(course, date) && !closedToo)) return [];
    return slotsOf(facility, course, date).filter((slot) => slot.time > now && this.free(slot) > 0);
  }

  private matching(
    facility: Facility,
    courses: readonly Course[],
    date: string,
    players: number,
    holes: number,
  ): Slot[] {
    return courses
      .flatMap((course) => this.sheet(facility, course, date))
      .filter((slot) => (holes === 0 || slot.holes === holes) && this.free(slot) >= players);
  }

  private utcDate(slot: Slot): string {
    const minute = slot.minute - offsetOf(slot.facility.timeZone, slot.date);
    return addDays(slot.date, Math.floor(minute / (24 * 60)));
  }

  private step(slot: Slot, product: Product, players: number, version: number): Row {
    const { facility, date } = slot;
    const priced = version === 3 && this.wrong('fourthStep') ? Math.min(players, 3) : players;
    const day = this.wrong('utcWeekend') ? this.utcDate(slot) : date;
    const each = payable(facility.currency, perPlayer(facility, product, day, priced));
    const money = (perHead: number): Row => ({
      amount: payable(facility.currency, perHead) * players,
      currency: facility.currency,
    });
    return {
      price: money(each),
      netRate: money(each * (1 - facility.commission)),
      publicRate: money(each * 1.1),
    };
  }

  private extra(facility: Facility, { mid, name, category, price }: Extra): Row {
    const { currency, commission } = facility;
    const money = (amount: number): Row => ({ amount: payable(currency, amount), currency });
    const netRate = money(price * (1 - commission));
    if (category === 'Transfer' && this.wrong('transferCurrency')) netRate['currency'] = 'EUR';
    return { mid, name, category, price: money(price), netRate, publicRate: money(price) };
  }

  private teeTimeV3(slot: Slot, version: number): Row {
    const { facility } = slot;
    const zulu = version === 5 && facility.timeZone === 'Europe/London' && this.wrong('londonZulu');
    return {
      teeid: slot.id,
      time: zulu ? `${slot.time}Z` : slot.time,
      course: slot.course.name,
      holes: slot.holes,
      extraProducts: facility.extras.map((extra) => this.extra(facility, extra)),
      products: slot.products.map((product) => ({
        mid: product.mid,
        name: product.name,
        category: 'Greenfee',
        available: version === 5 && slot.holes === 9 && this.wrong('capacity') ? 4 : this.free(slot),
        pricing: [1, 2, 3, 4].map((quantity) => ({ quantity, ...this.step(slot, product, quantity, version) })),
        players: null,
        linkedProducts: [],
      })),
    };
  }

  private olderTeeTime(slot: Slot, version: number): Row {
    const { facility, course, holes } = slot;
    const [product] = slot.products;
    const lost = version === 3 && this.wrong('halfHour') ? Math.abs(offsetOf(facility.timeZone, slot.date) % 60) : 0;
    return {
      id: slot.id,
      time: `${slot.date}T${clock(slot.minute - lost)}`,
      ...(version === 2 ? { round: course.name } : { course: course.name }),
      holes,
      players: this.free(slot),
      ...(version === 3 ? { extraProducts: facility.extras.map((extra) => this.extra(facility, extra)) } : {}),
      pricing: product
        ? [1, 2, 3, 4].map((players) => ({
            players: String(players),
            price: this.step(slot, product, players, version)['price'],
          }))
        : [],
    };
  }

  private teeTimes({ channel, version, parts, query }: Call): unknown {
    const facility = this.connectedFacility(channel, parts[0]);
    let courses = facility.courses;
    if (version === 5) {
      const index = courses.findIndex(({ id }) => id === Number(parts[1]));
      if (index < 0) throw missing('Course');
      courses = courses.slice(index, index + 1);
      if (index === 2 && this.wrong('thirdCourse')) courses = facility.courses.slice(1, 2);
    }
    const date = query.day('bookingDate');
    const asked = query.players();
    const players = version === 2 && this.wrong('playersV2') ? Math.min(asked, 2) : asked;
    const round = query.holes();
    const holes = version === 5 && this.wrong('holesV5') ? 0 : round;
    const slots =
      version === 4 && this.wrong('utcDay')
        ? [-1, 0, 1]
            .flatMap((days) => this.matching(facility, courses, addDays(date, days), players, holes))
            .filter((slot) => this.utcDate(slot) === date)
        : this.matching(facility, courses, date, players, holes);
    if (version === 2) return slots.map((slot) => this.olderTeeTime(slot, 2));
    const facilityCancellationPolicyRange = facility.policy.map(([minimumPlayer, maximumPlayer, hours]) => ({
      minimumPlayer,
      maximumPlayer,
      timePeriod: version === 3 && this.wrong('policyInDays') ? hours / 24 : hours,
    }));
    return version === 3
      ? { teeTimeV2: slots.map((slot) => this.olderTeeTime(slot, 3)), facilityCancellationPolicyRange }
      : { teeTimeV3: slots.map((slot) => this.teeTimeV3(slot, version)), facilityCancellationPolicyRange };
  }

  private search({ channel, query }: Call): null {
    const asked = query.ids('facilityIds').map((id) => this.connectedFacility(channel, id));
    const dates = query.range(true, 92);
    const [players, holes, callback] = [query.players(), query.holes(), query.text('callbackUrl')];
    if (!URL.canParse(callback) || !/^https?:/i.test(callback)) throw invalid('callbackUrl must be a web address.');
    this.around.schedule(() => {
      const found = asked.map((facility, index) => ({
        facilityId: facility.id,
        teeTimeV3: dates
          .flatMap((date) => {
            const free = index > 0 && this.wrong('callbackPlayers') ? 1 : players;
            return this.matching(facility, facility.courses, date, free, holes);
          })
          .map((slot) => this.teeTimeV3(slot, 5)),
      }));
      const data = this.wrong('callbackEmpty') ? found.filter(({ teeTimeV3 }) => teeTimeV3.length > 0) : found;
      const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'User-Agent': 'teetimes-worker' };
      // The caller can search again, so a lost delivery is not repeated.
      void this.around
        .post(callback, { method: 'POST', headers, body: encode({ success: true, data }) })
        .catch(() => 0);
    }, 250);
    return null;
  }

  private prices({ channel, query }: Call): unknown {
    const ids = query.ids('facilityIds');
    if (ids.length > 5) throw invalid('facilityIds must be at most five.');
    const asked = ids.map((id) => this.connectedFacility(channel, id));
    let dates = query.range(false, 731);
    const count = (name: string, least: number, otherwise: number): number =>
      query.has(name) ? query.integer(name, (value) => value >= least, `at least ${least}`) : otherwise;
    const offset = count('offset', 0, 0);
    const limit = Math.min(count('limit', 1, 100), 500);
    const last = dates.at(-1) ?? '';
    if (this.wrong('monthEnd') && dates.length > 1 && addDays(last, 1).endsWith('-01')) dates = dates.slice(0, -1);
    const selection = asked.flatMap((facility) =>
      dates.flatMap((date) =>
        facility.courses.flatMap((course) => course.products.map((product) => ({ facility, date, course, product }))),
      ),
    );
    const start = this.wrong('offsetFromOne') ? Math.max(0, offset - 1) : offset;
    const records = selection.slice(start, start + limit).map((each) => this.priceRecord(each));
    return { records, total: selection.length - (this.wrong('totalOfRest') ? offset : 0) };
  }

  private priceRecord(of: { facility: Facility; date: string; course: Course; product: Product }): Row {
    const { facility, date, course, product } = of;
    const raw = perPlayer(facility, product, date, 1);
    const availability = this.sheet(facility, course, date, this.wrong('closedPrices'))
      .filter(({ products }) => products.includes(product))
      .map((slot) => ({ time: clock(slot.minute), available: this.free(slot) }));
    const weekday = weekdayOf(date);
    return {
      facilityId: facility.id,
      facilityName: facility.name,
      courseId: course.id,
      courseName: course.name,
      countryName: facility.address.country,
      date,
      dayOfWeek: weekday === 0 && this.wrong('sunday') ? 'monday' : weekdays[weekday],
      productId: product.mid,
      productName: product.name,
      price: facility.currency === 'JPY' && this.wrong('yenFraction') ? raw : payable(facility.currency, raw),
      currency: facility.currency,
      availability: availability.length === 0 && this.wrong('nullAvailability') ? null : availability,
    };
  }

  // Bookings

  /** Validates one requested booking. */
  private order(channel: Channel, version: number, item: unknown, index: number): Order {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw unbookable('each booking must be an object');
    const row = item as Row;
    const whole = (name: string): number => {
      const value = integer(row[name]);
      if (value === undefined) throw unbookable(`${name} must be an integer`);
      return value;
    };
    const words = (name: string): string => {
      const value = text(row[name]);
      if (value === undefined) throw unbookable(`${name} is required`);
      return value;
    };
    const players = whole('players');
    const least = version === 3 && this.wrong('zeroPlayers') ? 0 : 1;
    if (players < least || players > 4) throw unbookable('players must be from 1 to 4');
    const holes = whole('holes');
    if (holes !== 9 && holes !== 18) throw unbookable('holes must be 9 or 18');
    const teetime = words('teetime');
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(teetime)) throw unbookable('teetime must be yyyy-mm-dd HH:MM:ss');
    const facility = facilities.find(({ id }) => id === whole('facilityId'));
    if (!facility?.connected.includes(channel.name)) throw unbookable('facilityId is not a facility of your channel');
    const course = words(version === 2 ? 'round' : 'course');
    const slot = findSlot(facility, whole('teeId'));
    if (!slot || slot.time !== teetime.replace(' ', 'T') || slot.course.name !== course || slot.holes !== holes)
      throw cart();
    const now = localTime(this.around.now(), facility.timeZone);
    if (slot.time <= now || slot.time > `${addDays(now.slice(0, 10), longestReach)}T24` || this.free(slot) < players)
      throw cart();
    const product = version === 5 ? slot.products.find(({ mid }) => mid === whole('productId')) : slot.products.at(0);
    if (!product) throw unbookable('productId is not offered at this tee time');
    const early = version === 2 && this.wrong('refusedHold');
    if (early) this.hold(slot, players);
    const contact = {
      first: words('contactFirstName'),
      last: words('contactLastName'),
      phone: this.wrong('laterPhone') && index > 0 ? String(row['contactPhone'] ?? '') : words('contactPhone'),
      email: words('contactEmail'),
    };
    if (!/^[^\s@]+@[^\s@]+$/.test(contact.email)) throw unbookable('contactEmail must be an email address');
    if (version !== 2) this.checkOptions(row, version, facility);
    if (early) this.hold(slot, -players);
    const link = version === 5 && row['linkedTeeTimeRef'] !== undefined ? row['linkedTeeTimeRef'] : undefined;
    const uuid = this.wrong('looseUuid')
      ? /^[0-9a-z-]{36}$/i
      : /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
    if (link !== undefined && link !== null && !(typeof link === 'string' && uuid.test(link)))
      throw unbookable('linkedTeeTimeRef must be a UUID');
    return {
      slot,
      product,
      players,
      contact,
      link: typeof link === 'string' ? link.toLowerCase() : undefined,
      facilityId: this.wrong('sentType') ? row['facilityId'] : facility.id,
    };
  }

  /** Validates what v5 leaves optional and v3 requires. */
  private checkOptions(row: Row, version: number, facility: Facility): void {
    const given = (name: string): boolean => {
      if (row[name] !== undefined && row[name] !== null) return true;
      if (version === 3) throw unbookable(`${name} is required`);
      return false;
    };
    if (given('netRate')) {
      const rate = Number(text(row['netRate']) ?? Number.NaN);
      if (!Number.isFinite(rate) || rate < 0) throw unbookable('netRate must be an amount');
    }
    if (given('comments') && typeof row['comments'] !== 'string') throw unbookable('comments must be text');
    if (given('extraProduct')) {
      const items: unknown = row['extraProduct'];
      if (!Array.isArray(items)) throw unbookable('extraProduct must be a list');
      for (const item of items as (Row | null)[]) {
        if (!facility.extras.some(({ mid }) => mid === integer(item?.['mid'])))
          throw unbookable('extraProduct names a product that is not offered');
        if ((integer(item?.['quantity']) ?? 0) < 1)
          throw unbookable('the quantity of an extraProduct must be positive');
      }
    }
    if (given('additionalPlayers')) {
      const others: unknown = row['additionalPlayers'];
      if (!Array.isArray(others) || others.some((other) => typeof other !== 'object'))
        throw unbookable('additionalPlayers must be a list of players');
    }
  }

  private checkLinks(channel: Channel, orders: readonly Order[]): void {
    for (const { product, slot, link } of orders)
      if (link === undefined && product.holes > slot.holes) throw unbookable('the product needs linked tee times');
    for (const link of new Set(orders.map((order) => order.link))) {
      if (link === undefined) continue;
      const earlier = this.bookings.filter((each) => each.channel === channel.name && each.status === 'BOOKED');
      const group: readonly Order[] = [...earlier, ...orders].filter((order) => order.link === link);
      const product = group[0]?.product as Product;
      if (group.some((order) => order.product !== product) && !this.wrong('mixedLink'))
        throw unbookable('all rounds of a linked group need the same product');
      const compared = this.wrong('linkedPlayers') ? group.slice(0, 2) : group;
      if (new Set(compared.map(({ players }) => players)).size > 1)
        throw unbookable('all rounds of a linked group need the same number of players');
      const rounds = new Map(group.map((order) => [order.slot.id, order]));
      let holes = 0;
      for (const { slot, product } of rounds.values()) holes += this.wrong('linkedHoles') ? product.holes : slot.holes;
      if (holes < product.holes) throw unbookable('the linked tee times have too few holes');
    }
  }

  /** Stores all orders, or none. */
  private place(channel: Channel, orders: readonly Order[], torn = false): Booking[] {
    this.checkLinks(channel, orders);
    if (!torn) {
      const wanted = new Map<number, number>();
      for (const { slot, players } of orders) {
        wanted.set(slot.id, (wanted.get(slot.id) ?? 0) + players);
        if ((wanted.get(slot.id) ?? 0) > this.free(slot)) throw cart();
      }
    }
    const before = new Map(this.held);
    return orders.map((order, index) => {
      const { slot, players } = order;
      if (this.free(slot) < players) throw cart();
      if (this.wrong('lostHold')) this.held.set(slot.id, (before.get(slot.id) ?? 0) + players);
      else this.hold(slot, players);
      const contact = index > 1 && this.wrong('thirdContact') ? orders[1]?.contact : undefined;
      return this.insert(channel, contact ? { ...order, contact } : order, this.around.now());
    });
  }

  private insert(channel: Channel, order: Order, created: number): Booking {
    const { facility, id } = order.slot;
    const row: Booking = {
      ...order,
      bookingId: `${facility.code}-${facility.id}-${id}-x${(this.bookings.length + 7).toString(36)}`,
      channel: channel.name,
      createdAt: new Date(created).toISOString().slice(0, 23),
      status: 'BOOKED',
    };
    this.bookings.push(row);
    return row;
  }

  private placeGroup(channel: Channel, version: number, items: unknown, torn = false): [number, Row[]] {
    if (!Array.isArray(items) || items.length === 0) throw unbookable('at least one booking is required');
    const orders = items.map((item, index) => this.order(channel, version, item, index));
    const bookings = this.place(channel, orders, torn);
    this.lastGroup += 1;
    this.groups.set(this.lastGroup, { channel: channel.name, bookings });
    const first = bookings[0]?.slot.course.id;
    return [
      this.lastGroup,
      bookings.map(({ bookingId, slot }) => ({
        bookingId,
        teetime: slot.time,
        courseId: this.wrong('firstCourse') ? first : slot.course.id,
      })),
    ];
  }

  private book({ channel, version, body }: Call): unknown {
    const details = version === 5 ? (body as Row | null)?.['details'] : undefined;
    if (details !== undefined) {
      const intent = (body as Row)['paymentIntent'];
      if (intent !== undefined && intent !== null && typeof intent !== 'string')
        throw unbookable('paymentIntent must be text');
    }
    if (details !== undefined || (version === 5 && Array.isArray(body))) {
      const torn = details !== undefined && this.wrong('tornDetails');
      const [groupId, bookingIds] = this.placeGroup(channel, 5, details ?? body, torn);
      return { groupId, bookingIds };
    }
    const [booking] = this.place(channel, [this.order(channel, version, body, 0)]);
    return { bookingId: booking?.bookingId };
  }

  private bookBulk({ channel, body }: Call): unknown {
    try {
      const [bulkBookingId, bookingIds] = this.placeGroup(channel, 3, body);
      return { bulkBookingId, bookingIds };
    } catch (refusal) {
      if (refusal instanceof Refusal && this.wrong('bulkStatus')) throw invalid(refusal.message);
      throw refusal;
    }
  }

  private bookingList({ channel, version, query }: Call): unknown {
    const from = query.optionalDay('fromDate');
    const to = query.optionalDay('toDate');
    if (from !== undefined && to !== undefined && to < from) throw invalid('toDate must not be before fromDate.');
    const endless = to === undefined || (version === 1 && from === undefined && this.wrong('endIgnored'));
    return this.bookings
      .filter((each) => each.channel === channel.name || (version === 2 && from && to && this.wrong('leak')))
      .filter(({ slot, status }) => {
        if (version === 4 && from === undefined && status === 'CANCELED' && this.wrong('pastCancelled')) return true;
        const start = from ?? localTime(this.around.now(), slot.facility.timeZone);
        return slot.time > start && (endless || slot.time.slice(0, 10) <= to);
      })
      .filter(({ status }) => !(version === 2 && status === 'CANCELED' && this.wrong('cancelledV2')))
      .map((booking) => {
        const { slot, contact } = booking;
        return {
          teetime: slot.time,
          [version === 4 ? 'course' : 'round']: slot.course.name,
          players: booking.players,
          teeId: slot.id,
          ...(version === 4 ? { facilityId: booking.facilityId } : {}),
          ...(version === 1
            ? { contactName: `${contact.first} ${contact.last}` }
            : { contactFirstName: contact.first, contactLastName: contact.last }),
          contactPhone: contact.phone,
          contactEmail: contact.email,
          createdAt: booking.createdAt,
          bookingId: booking.bookingId,
          status: booking.status,
        };
      });
  }

  // Payments

  private pay({ channel, version, parts }: Call): null {
    const booking = this.bookings.find((each) => each.bookingId === parts[0] && each.channel === channel.name);
    if (!booking) throw missing('Booking');
    if (booking.status === 'CANCELED') throw new Refusal(422, 'BOOKING_CANCELED', 'The booking is cancelled.');
    if (version === 4 && this.wrong('paidStatus')) booking.status = 'PAID';
    return null;
  }

  private payGroup({ channel, version, parts }: Call): null {
    const group = this.groups.get(Number(parts[0]));
    const foreign = group && group.channel !== channel.name && !(version === 3 && this.wrong('foreignGroup'));
    if (!group || foreign) throw missing('Bulk booking');
    if (version === 4 && this.wrong('releasedByPayment'))
      for (const { slot, players } of group.bookings) this.hold(slot, -players);
    return null;
  }

  // What was booked before the deployment started

  private seed(): void {
    const day = 86_400_000;
    const seeds = [
      [0, 1019, 0, -21, 2, 'Isla', 'Macrae', 'BOOKED'],
      [0, 1501, 1, -4, 4, 'Walter', 'Núñez', 'CANCELED'],
      [0, 1301, 0, 5, 1, 'Aiko', 'Ōta', 'BOOKED'],
      [0, 1202, 1, 9, 2, 'Carmen', "D'Angelo", 'CANCELED'],
      [0, 1101, 1, 40, 3, 'Joost', 'van der Meer', 'BOOKED'],
      [1, 1401, 0, -12, 3, 'Meera', 'Iyer', 'BOOKED'],
      [1, 1102, 0, -2, 1, 'Anne', 'de Wit', 'CANCELED'],
      [1, 1502, 0, 6, 2, 'Sean', "O'Hara", 'BOOKED'],
      [1, 1601, 1, 15, 4, 'Putri', 'Sari & Co', 'CANCELED'],
      [1, 1019, 2, 33, 2, 'Rory', 'Mac Aulay', 'BOOKED'],
    ] as const;
    const now = this.around.now();
    for (const [channel, facilityId, courseIndex, days, players, first, last, status] of seeds) {
      const facility = this.facility(facilityId);
      const course = facility.courses[courseIndex] as Course;
      let date = addDays(localTime(now, facility.timeZone).slice(0, 10), days);
      while (isClosed(course, date)) date = addDays(date, Math.sign(days));
      const slot = slotsOf(facility, course, date).find((each) => this.free(each) >= players) as Slot;
      const contact = { first, last, phone: '+31 6 5550 0101', email: `${first.toLowerCase()}@mail.example` };
      const product = slot.products[0] as Product;
      const order = { slot, product, players, contact, link: undefined, facilityId };
      const booking = this.insert(this.channels[channel] as Channel, order, now - (22 - courseIndex) * day);
      booking.status = status;
      if (status === 'BOOKED') this.hold(slot, players);
    }
  }
}
