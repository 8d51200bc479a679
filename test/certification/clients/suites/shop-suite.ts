/**
 * The tests that one writes: each books the first free tee time for the same contact, and some send a mistake to see it
 * refused. Nothing in them knows of exams.
 */
import type { GolfClient, Reply } from './golf-client.js';
import { check, type SuiteTest } from './runner.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface ShopContext {
  readonly client: GolfClient;
  /** The day of the tee times, `dd-mm-yyyy`. */
  readonly day: string;
  /** Where the result of a search is received. */
  readonly receiver: Receiver;
  /** Workers at the same time keep out of each other's tee times. */
  readonly worker: number;
  /** What a file of tests has read before its tests. */
  readonly cache: Map<string, Promise<Json>>;
}

export interface Receiver {
  readonly url: string;
  next(): Promise<Json>;
  /** Takes all results until it ends; the listener returns the status of its answer, or 0 to hang up. */
  listen(listener: (text: string) => number): () => void;
}

type ShopTest = SuiteTest<ShopContext>;

const FACILITY = 1001;
const contact = {
  contactFirstName: 'Ada',
  contactLastName: 'Lovelace',
  contactPhone: '+31 20 555 0100',
  contactEmail: 'ada@partner.example',
};

async function sheet({ client, day }: ShopContext, query = 'players=1&holes=18'): Promise<Json[]> {
  return (await client.data('GET', `/api/v4/teetimes/${FACILITY}?bookingDate=${day}&${query}`)).teeTimeV3;
}

/** The first free tee time, read anew. */
async function first(context: ShopContext): Promise<Json> {
  const teeTime = (await sheet(context))[context.worker * 8];
  check(teeTime, 'no tee time is free');
  return teeTime;
}

function bookingOf(teeTime: Json, changes: object = {}): Json {
  const [product] = teeTime.products;
  return {
    facilityId: FACILITY,
    teetime: teeTime.time.replace('T', ' '),
    course: teeTime.course,
    players: 1,
    teeId: teeTime.teeid,
    holes: teeTime.holes,
    productId: product.mid,
    ...contact,
    ...changes,
  };
}

/** A tee time that several tests of a file share. */
function shared(context: ShopContext): Promise<Json> {
  const { cache } = context;
  let teeTime = cache.get('tee time');
  if (!teeTime) cache.set('tee time', (teeTime = sheet(context, 'players=4&holes=18').then((all) => all.at(-1))));
  return teeTime;
}

function refused({ status, body }: Reply, ...statuses: number[]): void {
  check(status >= 400 && status < 500, `expected a refusal, got ${status}`);
  if (statuses.length > 0) check(statuses.includes(status), `expected ${statuses.join(' or ')}, got ${status}`);
  check(body.success === false, 'expected success: false');
}

const test = (name: string, run: ShopTest['run']): ShopTest => ({ name, run });

const reads: readonly ShopTest[] = [
  test('lists countries', async ({ client }) => {
    check((await client.data('GET', '/api/v3/countries?connected=true')).length > 0, 'no country');
    await client.data('GET', '/api/v2/countries');
  }),
  test('lists facilities', async ({ client }) => {
    const [country] = await client.data('GET', '/api/v3/countries?connected=true');
    const list = await client.data('GET', `/api/v3/facilities?country=${encodeURIComponent(country)}&connected=true`);
    check(list.length > 0, 'no facility');
    await client.data('GET', `/api/v3/facilities/${list[0].id}`);
    await client.data('GET', `/api/v3/facilities/details/${list[0].id}`);
  }),
  test('reads the tee sheet again', async (context) => {
    await sheet(context, 'players=4&holes=18');
    await sheet(context);
  }),
  test('reads the first page of prices', async ({ client, day }) => {
    const query = `facilityIds=${FACILITY}&fromDate=${day}&toDate=${day}&limit=1`;
    check((await client.data('GET', `/api/v5/price/insideDateRange?${query}`)).records.length === 1, 'one price');
  }),
  test('reads all prices', async ({ client, day }) => {
    const range = `facilityIds=${FACILITY},1002&fromDate=${day}&toDate=${day}`;
    for (let offset = 0, total = 1; offset < total;) {
      const page = await client.data('GET', `/api/v5/price/insideDateRange?${range}&offset=${offset}&limit=3`);
      total = page.total;
      offset += page.records.length;
      if (page.records.length === 0) break;
    }
  }),
];

const bookings: readonly ShopTest[] = [
  test('books one', async (context) => {
    const { bookingId } = await context.client.data('POST', '/api/v5/bookings', bookingOf(await first(context)));
    check(typeof bookingId === 'string', 'a booking id');
  }),
  test('books one with a comment', async (context) => {
    const body = bookingOf(await first(context), { comments: 'Two trolleys, please' });
    check((await context.client.data('POST', '/api/v5/bookings', body)).bookingId, 'a booking id');
  }),
  test('books two players with a guest', async (context) => {
    const teeTime = (await sheet(context, 'players=2&holes=18'))[context.worker * 8];
    const additionalPlayers = [{ firstName: 'Grace', lastName: 'Hopper' }];
    const body = bookingOf(teeTime, { players: 2, additionalPlayers });
    check((await context.client.data('POST', '/api/v5/bookings', body)).bookingId, 'a booking id');
  }),
  test('books with an extra', async (context) => {
    const teeTime = (await sheet(context))
      .slice(context.worker * 8)
      .find(({ extraProducts }) => extraProducts.length > 0);
    if (!teeTime) return;
    const body = bookingOf(teeTime, { extraProduct: [{ mid: teeTime.extraProducts[0].mid, quantity: 1 }] });
    check((await context.client.data('POST', '/api/v5/bookings', body)).bookingId, 'a booking id');
  }),
  test('books a list', async (context) => {
    const body = [bookingOf(await first(context))];
    check((await context.client.data('POST', '/api/v5/bookings', body)).groupId, 'a group');
  }),
  test('books with payment', async (context) => {
    const body = { details: [bookingOf(await first(context))], paymentIntent: 'pi_17' };
    const { groupId } = await context.client.data('POST', '/api/v5/bookings', body);
    await context.client.data('POST', `/api/v4/bulkbookings/payment/${groupId}`);
  }),
  test('books in v2', async (context) => {
    const { course, productId: _, ...rest } = bookingOf(await first(context));
    const body = { ...rest, round: course, comments: '' };
    check((await context.client.data('POST', '/api/v2/bookings', body)).bookingId, 'a booking id');
  }),
  test('books the tee time of the file', async (context) => {
    const body = bookingOf(await shared(context));
    check((await context.client.data('POST', '/api/v5/bookings', body)).bookingId, 'a booking id');
  }),
  test('finds the tee time of the file in the list', async (context) => {
    const { bookingId } = await context.client.data('POST', '/api/v5/bookings', bookingOf(await shared(context)));
    const list = await context.client.data('GET', '/api/v4/bookings');
    check(
      list.some((one: Json) => one.bookingId === bookingId),
      'the booking is in the list',
    );
  }),
  test('pays the tee time of the file', async (context) => {
    const { bookingId } = await context.client.data('POST', '/api/v5/bookings', bookingOf(await shared(context)));
    const id = encodeURIComponent(bookingId);
    for (const version of ['v1', 'v3', 'v4', 'v5']) {
      await context.client.data('POST', `/api/${version}/bookings/payment/${id}`);
    }
  }),
  test('searches', async (context) => {
    const { client, day, receiver } = context;
    const query = `facilityIds=${FACILITY},1002&fromDate=${day}&toDate=${day}&players=1&holes=18`;
    const result = receiver.next();
    await client.data('GET', `/api/v5/teetimes?${query}&callbackUrl=${encodeURIComponent(receiver.url)}`);
    const { data } = await result;
    check(
      data.every((one: Json) => Array.isArray(one.teeTimeV3)),
      'a result',
    );
  }),
];

/** Mistakes on purpose. */
const mistakes: readonly ShopTest[] = [
  test('a refresh token works one time', async ({ client }) => {
    if (client.tokens.access === undefined) await client.renew();
    const used = client.tokens.refresh;
    await client.renew();
    refused(await client.raw('POST', '/api/v5/token/refreshToken', { refresh_token: used }), 401);
    await client.data('GET', '/api/v3/countries');
  }),
  test('five players are refused', async (context) => {
    refused(await context.client.call('POST', '/api/v5/bookings', bookingOf(await first(context), { players: 5 })));
    const query = `bookingDate=${context.day}&players=5&holes=18`;
    refused(await context.client.call('GET', `/api/v4/teetimes/${FACILITY}?${query}`));
  }),
  test('more players than slots are refused', async (context) => {
    const body = bookingOf(await first(context), { players: 4 });
    await context.client.data('POST', '/api/v5/bookings', { ...body, players: 1 });
    refused(await context.client.call('POST', '/api/v5/bookings', body));
  }),
  test('a tee time that does not exist is refused', async (context) => {
    const body = bookingOf(await first(context), { teeId: 123 });
    refused(await context.client.call('POST', '/api/v5/bookings', body));
  }),
  test('another product is refused', async (context) => {
    const body = bookingOf(await first(context), { productId: 99 });
    refused(await context.client.call('POST', '/api/v5/bookings', body));
  }),
  test('a body without JSON is refused', async ({ client }) => {
    refused(await client.call('POST', '/api/v5/bookings', 'players=1'));
  }),
  test('another content type is refused', async ({ client }) => {
    const headers = { 'content-type': 'text/plain' };
    refused(await client.raw('POST', '/api/v5/token/refreshToken', '{"refresh_token":"x"}', headers));
  }),
  test('an unknown path is refused', async ({ client }) => {
    refused(await client.call('GET', '/api/v5/facilities'), 404);
    refused(await client.call('DELETE', '/api/v3/countries'), 404, 405);
  }),
  test('a wrong date is refused', async ({ client }) => {
    refused(await client.call('GET', `/api/v4/teetimes/${FACILITY}?bookingDate=2026-06-11&players=1&holes=18`));
  }),
  test('six facilities are refused', async ({ client, day }) => {
    const ids = [1, 2, 3, 4, 5, 6].map((nth) => 1000 + nth).join(',');
    refused(await client.call('GET', `/api/v5/price/insideDateRange?facilityIds=${ids}&fromDate=${day}&toDate=${day}`));
  }),
  test('the payment of an unknown booking is refused', async ({ client }) => {
    refused(await client.call('POST', '/api/v4/bookings/payment/TBX-0-0-UNKNOWN'));
  }),
  test('linked tee times need one reference', async (context) => {
    const [one, two] = (await sheet(context)).slice(context.worker * 8);
    const refs = ['8a0c0d5e-52a1-4f0e-8b1c-000000000001', 'no-uuid'];
    const body = [one, two].map((teeTime, at) => bookingOf(teeTime, { linkedTeeTimeRef: refs[at] }));
    refused(await context.client.call('POST', '/api/v5/bookings', body));
  }),
];

export const shopTests: readonly ShopTest[] = [...reads, ...bookings, ...mistakes];
