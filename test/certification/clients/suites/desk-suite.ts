/**
 * A library for booking desks, and its tests. It retries what may be retried, looks into the list of bookings when it does
 * not know how a booking ended, and reads all pages. Written from the API specification alone.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { GolfClient, Reply } from './golf-client.js';
import { check, type SuiteTest } from './runner.js';
import type { ShopContext } from './shop-suite.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;
/** What comes after a booking that failed. */
type Next = 'stop' | 'again' | 'look' | 'search';

const FACILITIES = [1001, 1002];
const PATIENCE = 200;
const CONTACT = {
  contactFirstName: 'Annika',
  contactLastName: 'Lindqvist',
  contactPhone: '+46 8 555 0100',
  contactEmail: 'annika@desk.example',
};

const reference = (): string => '8a0c0d5e-52a1-4f0e-8b1c-000000000001';

export class Desk {
  readonly client: GolfClient;
  /** The bookings that it knows to be its own. */
  readonly known = new Set<string>();
  attempts = 3;
  /** The results of its searches. */
  readonly results: Json[] = [];

  constructor(readonly context: ShopContext) {
    this.client = context.client;
  }

  /** A request with its answer; undefined if there is none that can be read. */
  send(method: string, path: string, body?: unknown): Promise<Reply | undefined> {
    return this.client.call(method, path, body).catch(() => undefined);
  }

  /** The payload of a request that only reads. */
  async read(path: string): Promise<Json> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.send('GET', path);
      if (this.isDone(reply)) return reply!.body.data;
      check(attempt < this.attempts && this.mayRepeat(reply), `GET ${path.split('?')[0]}: ${reply?.status}`);
      await pause(this.waitAfter(reply, attempt));
    }
  }

  isDone(reply: Reply | undefined): boolean {
    return reply !== undefined && reply.status < 300 && reply.body.success === true;
  }

  mayRepeat(reply: Reply | undefined): boolean {
    return reply === undefined || reply.status >= 500 || reply.status === 429;
  }

  waitAfter(reply: Reply | undefined, attempt: number): number {
    const asked = Number(reply?.headers?.get('retry-after') ?? 0) * 1000;
    return Math.max(asked, 110 * attempt);
  }

  sheet(facilityId: number, players: number, holes = 18, day = this.context.day): Promise<Json[]> {
    const query = `bookingDate=${day}&players=${players}&holes=${holes}`;
    return this.read(`/api/v4/teetimes/${facilityId}?${query}`).then(({ teeTimeV3 }) =>
      teeTimeV3.map((one: Json) => ({ facilityId, ...one })).slice(this.context.worker * 8),
    );
  }

  /** What the facility gets: the net rate of the product for these players, and those of the extras. */
  rateOf({ pricing }: Json, players: number, extras: readonly Json[]): number {
    const step = pricing.find(({ quantity }: Json) => quantity === players);
    return extras.reduce((sum, { netRate }) => sum + netRate.amount, step.netRate.amount);
  }

  bodyOf(teeTime: Json, players: number, extras: readonly Json[] = [], product: Json = teeTime.products[0]): Json {
    return {
      facilityId: teeTime.facilityId,
      teetime: teeTime.time.replace('T', ' '),
      course: teeTime.course,
      players,
      teeId: teeTime.teeid,
      holes: teeTime.holes,
      productId: product.mid,
      netRate: this.rateOf(product, players, extras),
      ...(extras.length > 0 ? { extraProduct: extras.map(({ mid }) => ({ mid, quantity: 1 })) } : {}),
      ...CONTACT,
    };
  }

  /** Books what `find` makes of a tee sheet. */
  async book(path: string, find: () => Promise<Json>): Promise<Json> {
    let body = await find();
    for (let attempt = 1; attempt <= this.attempts; attempt += 1) {
      const reply = await this.send('POST', path, body);
      if (this.isDone(reply)) return this.kept(reply!.body.data);
      const next = this.after(reply);
      check(next !== 'stop', `not booked: ${reply?.status} ${reply?.body.message}`);
      await pause(this.waitAfter(reply, attempt));
      if (next === 'look') {
        const found = await this.find(body);
        if (found) return found;
      }
      if (next === 'search') body = await find();
    }
    throw new Error('not booked after some attempts');
  }

  after(reply: Reply | undefined): Next {
    if (reply === undefined || reply.status >= 500) return 'look';
    if (reply.status === 429) return 'again';
    const message = JSON.stringify(reply.body);
    if (reply.status !== 400 || /transfer/i.test(message)) return 'stop';
    if (/\bcart\b/i.test(message)) return 'search';
    return /retry|try again/i.test(message) ? 'look' : 'stop';
  }

  /** The booking of a body in the list, if it was made without our knowledge. */
  async find(body: Json): Promise<Json> {
    const [wish] = body.details ?? [body].flat();
    const list: Json[] = await this.list();
    const found = list.find(
      (one) => one.teeId === wish.teeId && one.contactEmail === wish.contactEmail && !this.known.has(one.bookingId),
    );
    return found && this.kept(found);
  }

  list(): Promise<Json[]> {
    return this.read('/api/v4/bookings');
  }

  kept(booked: Json): Json {
    for (const { bookingId } of booked.bookingIds ?? [booked]) this.known.add(bookingId);
    return booked;
  }

  async pay(path: string): Promise<void> {
    for (let attempt = 1; attempt <= this.attempts; attempt += 1) {
      const reply = await this.send('POST', path);
      if (this.isDone(reply)) return;
      check(this.mayRepeat(reply), `${path}: ${reply?.status}`);
      await pause(this.waitAfter(reply, attempt));
    }
  }

  payOne({ bookingId }: Json): Promise<void> {
    return this.pay(`/api/v4/bookings/payment/${encodeURIComponent(bookingId)}`);
  }

  payGroup({ groupId }: Json): Promise<void> {
    return this.pay(`/api/v4/bulkbookings/payment/${groupId}`);
  }

  /** The prices of facilities, five at a time. */
  async prices(ids: readonly number[]): Promise<Json[]> {
    const records: Json[] = [];
    for (let at = 0; at < ids.length; at += this.mostAtOnce) {
      records.push(...(await this.pages(ids.slice(at, at + this.mostAtOnce))));
    }
    return records;
  }

  mostAtOnce = 5;

  page(ids: readonly number[], offset: number): Promise<Json> {
    const { day } = this.context;
    const query = `facilityIds=${ids.join(',')}&fromDate=${day}&toDate=${day}&offset=${offset}&limit=20`;
    return this.read(`/api/v5/price/insideDateRange?${query}`);
  }

  async pages(ids: readonly number[]): Promise<Json[]> {
    const records: Json[] = [];
    for (let total = 1; records.length < total;) {
      const page = await this.page(ids, records.length);
      records.push(...page.records);
      total = page.total;
      if (page.records.length === 0) break;
    }
    return records;
  }

  /** Takes a result; returns the status of the answer. */
  take(text: string): number {
    try {
      this.results.push(JSON.parse(text).data);
      return 204;
    } catch {
      return 400;
    }
  }

  /** Searches, and calls back with what is found; nothing if no result comes in time. */
  async search(): Promise<Json[]> {
    const { receiver, day } = this.context;
    const stop = receiver.listen((text) => this.take(text));
    const query = `facilityIds=${FACILITIES.join(',')}&fromDate=${day}&toDate=${day}&players=2&holes=18`;
    await this.read(`/api/v5/teetimes?${query}&callbackUrl=${encodeURIComponent(receiver.url)}`);
    for (let waited = 0; this.isPatient(waited) && this.results.length === 0; waited += 5) await pause(5);
    stop();
    const found: Json[] = (this.results[0] ?? []).flatMap(({ facilityId, teeTimeV3 }: Json) =>
      teeTimeV3.map((one: Json) => ({ facilityId, ...one })),
    );
    const lacking = FACILITIES.filter((id) => !this.results[0]?.some(({ facilityId }: Json) => facilityId === id));
    for (const id of lacking) found.push(...(await this.sheet(id, 2)));
    return found.slice(this.context.worker * 8);
  }

  isPatient(waited: number): boolean {
    return waited < PATIENCE;
  }
}

/** The first tee time that fits; the test is over without one. */
function firstOf(teeTimes: readonly Json[], fits: (teeTime: Json) => boolean = () => true): Json {
  const found = teeTimes.find(fits);
  check(found, 'no tee time fits');
  return found;
}

const isFree =
  (players: number) =>
  ({ products }: Json): boolean =>
    products[0]?.available >= players;

/** Two tee times of nine holes of a product for eighteen, with time for a round between them. */
function roundsOf(sheet: readonly Json[]): readonly [one: Json, other: Json, product: Json] {
  for (const one of sheet) {
    const product = one.products.find(({ name }: Json) => /18/.test(name));
    const other = sheet.find(
      ({ time, course, products }) =>
        course === one.course &&
        Date.parse(time) - Date.parse(one.time) > 2.5 * 3_600_000 &&
        products.some(({ mid }: Json) => mid === product?.mid),
    );
    if (product && other) return [one, other, product];
  }
  throw new Error('no rounds');
}

/** The tests of the library; with a defect, all of them use it. */
export const deskTests = (plant: (desk: Desk) => void = () => {}): readonly SuiteTest<ShopContext>[] => {
  const test = (name: string, run: (desk: Desk) => Promise<void>): SuiteTest<ShopContext> => ({
    name,
    run: (context) => {
      const desk = new Desk(context);
      plant(desk);
      return run(desk);
    },
  });
  const bookFor = (desk: Desk, players: number): Promise<Json> =>
    desk.book('/api/v5/bookings', async () =>
      desk.bodyOf(firstOf(await desk.sheet(1001, players), isFree(players)), players),
    );
  return [
    test('books with an extra, and finds it in the list', async (desk) => {
      const { bookingId } = await desk.book('/api/v5/bookings', async () => {
        const sheet = await desk.sheet(1001, 2);
        const teeTime = sheet.find((one) => isFree(2)(one) && one.extraProducts.length > 0) ?? firstOf(sheet);
        return desk.bodyOf(teeTime, 2, teeTime.extraProducts.slice(0, 1));
      });
      check(
        (await desk.list()).some((one) => one.bookingId === bookingId),
        'it is in the list',
      );
    }),
    test('pays for a booking', async (desk) => desk.payOne(await bookFor(desk, 1))),
    test('pays for a group', async (desk) => {
      const group = await desk.book('/api/v5/bookings', async () => {
        const [one, other] = (await desk.sheet(1002, 1)).filter(isFree(1));
        return { details: [desk.bodyOf(one, 1), desk.bodyOf(other, 1)], paymentIntent: 'pi_4' };
      });
      if (group.groupId) await desk.payGroup(group);
    }),
    test('books two rounds as one product', async (desk) => {
      await desk.book('/api/v5/bookings', async () => {
        const [one, other, product] = roundsOf(await desk.sheet(1002, 2, 9));
        return [one, other].map(({ ...round }) => {
          const { netRate: _, ...body } = desk.bodyOf(round, 2, [], product);
          return { ...body, linkedTeeTimeRef: reference() };
        });
      });
    }),
    test('books by the older versions', async (desk) => {
      const found = async (): Promise<Json> => firstOf(await desk.sheet(1002, 1), isFree(1));
      await desk.book('/api/v2/bookings', async () => {
        const { course, productId: _, netRate: __, ...body } = desk.bodyOf(await found(), 1);
        return { ...body, round: course };
      });
      await desk.book('/api/v3/bulkbookings', async () => {
        const { productId: _, ...body } = desk.bodyOf(await found(), 1);
        const rest = { extraProduct: [], comments: '', additionalPlayers: [], linkedTeeTimeRef: reference() };
        return [{ ...body, ...rest }];
      });
    }),
    test('shows the prices of seven facilities', async (desk) => {
      const records = await desk.prices([1001, 1002, 1003, 1004, 1005, 1006, 1007]);
      check(new Set(records.map(({ facilityId }) => facilityId)).size > 1, 'prices of several');
    }),
    test('books from a search', async (desk) => {
      const found = await desk.search();
      let isFirst = true;
      if (found.length === 0) return;
      await desk.book('/api/v5/bookings', async () => {
        const teeTimes = isFirst ? found : await desk.sheet(1001, 2);
        isFirst = false;
        return desk.bodyOf(firstOf(teeTimes, isFree(2)), 2);
      });
    }),
    test('shows facilities', async (desk) => {
      const countries: string[] = await desk.read('/api/v3/countries?connected=true');
      const list = await desk.read(`/api/v3/facilities?country=${encodeURIComponent(countries[0]!)}&connected=true`);
      await desk.read(`/api/v3/facilities/${list[0].id}`);
      const { images, services } = await desk.read(`/api/v3/facilities/details/${list[0].id}`);
      check(Array.isArray(images) && typeof services.bar === 'boolean', 'details');
    }),
    test('shows a week', async (desk) => {
      await desk.sheet(1001, 1);
      const days = [12, 13, 14, 15].map((day) => `${day}-06-2026`);
      await Promise.all(days.map((day) => desk.sheet(1001, 1, 18, day)));
    }),
    test('a used refresh token is refused', async ({ client }) => {
      if (client.tokens.access === undefined) await client.renew();
      const used = client.tokens.refresh;
      await client.renew();
      const { status } = await client.raw('POST', '/api/v5/token/refreshToken', { refresh_token: used });
      check(status === 401, 'a used token is refused');
    }),
    test('five players are refused', async (desk) => {
      const teeTime = firstOf(await desk.sheet(1001, 1));
      const reply = await desk.send('POST', '/api/v5/bookings', { ...desk.bodyOf(teeTime, 1), players: 5 });
      check(reply && reply.status >= 400, 'five players');
    }),
  ];
};
