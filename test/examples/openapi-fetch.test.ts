import { setupServer } from 'msw/node';
import createClient, { type Client } from 'openapi-fetch';
import { createSandbox, type Sandbox } from 'teebox';
import { createHandlers } from 'teebox/msw';
import type { paths } from 'teebox/types';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

// A partner's unit tests with a client whose types are those of the service; Jest has the same hooks.
const baseUrl = 'https://api.partner.example';
const server = setupServer();
let sandbox: Sandbox;
let client: Client<paths>;

beforeAll(() => server.listen());
afterAll(() => server.close());

beforeEach(async () => {
  sandbox = await createSandbox({ now: '2026-06-01T08:00:00Z' });
  server.use(...createHandlers(sandbox, { baseUrl }));
  client = await logIn();
});
afterEach(async () => {
  server.resetHandlers();
  await sandbox.reset();
});

async function logIn(): Promise<Client<paths>> {
  const { data } = await createClient<paths>({ baseUrl }).POST('/api/{version}/token/refreshToken', {
    params: { path: { version: 'v5' } },
    body: { refresh_token: sandbox.channels[0]!.refreshToken },
  });
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${data!.data.access_token}` } });
}

/** The first tee time of a day for two, and a booking of it. */
async function searchAndBook(headers: Record<string, string> = {}) {
  const { data } = await client.GET('/api/v4/teetimes/{facilityId}', {
    params: { path: { facilityId: 1001 }, query: { bookingDate: '11-06-2026', players: 2, holes: 18 } },
  });
  const [teeTime] = data!.data.teeTimeV3;
  return client.POST('/api/v5/bookings', {
    headers,
    body: {
      facilityId: 1001,
      teetime: teeTime!.time.replace('T', ' '),
      course: teeTime!.course,
      teeId: teeTime!.teeid,
      holes: teeTime!.holes,
      productId: teeTime!.products[0]!.mid,
      players: 2,
      contactFirstName: 'Ada',
      contactLastName: 'Lovelace',
      contactPhone: '+31 20 555 0100',
      contactEmail: 'ada@partner.example',
    },
  });
}

/** What the sandbox has booked for Ada, in the words of its data library. */
const bookings = () => sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace', status: 'BOOKED' }));

test('a booking is made and listed', async () => {
  const { data, response } = await searchAndBook();
  expect(response.status).toBe(200);
  expect(bookings()).toMatchObject([{ facilityId: 1001, players: 2, contactFirstName: 'Ada' }]);
  const { data: list } = await client.GET('/api/v4/bookings', { params: { query: {} } });
  expect(list!.data.map(({ bookingId }) => bookingId)).toContain((data!.data as { bookingId: string }).bookingId);
});

test('a booking fails, and nothing is booked', async () => {
  const { error, response } = await searchAndBook({ 'Teebox-Scenario': 'payment-pi-failed' });
  expect(response.status).toBe(400);
  expect(error).toMatchObject({ success: false, data: null });
  expect(bookings()).toEqual([]);
});

test('a booking is made, and its answer is lost', async () => {
  sandbox.scenarios.arm('connection-reset', { operation: 'createBooking', phase: 'after-commit', times: 1 });
  await expect(searchAndBook()).rejects.toThrow();
  expect(bookings()).toHaveLength(1);
});

test('the prices of two facilities are asked for in one value', async () => {
  const dates = { fromDate: '11-06-2026', toDate: '11-06-2026' };
  const { data } = await client.GET('/api/v5/price/insideDateRange', {
    params: { query: { facilityIds: '1001,1002', ...dates } },
  });
  expect([...new Set(data!.data.records.map(({ facilityId }) => facilityId))]).toEqual([1001, 1002]);
  const listed = { facilityIds: [1001, 1002], ...dates };
  // @ts-expect-error a list would be sent as one parameter for each id, which is refused
  const call = () => client.GET('/api/v5/price/insideDateRange', { params: { query: listed } });
  expect((await call()).response.status).toBe(400);
});

test('types are those of the contract', () => {
  // @ts-expect-error there is no such path
  const call = () => client.GET('/api/v4/nowhere');
  const teeTime = {
    facilityId: 1001,
    teetime: '2030-06-11 07:40:00',
    course: 'Duinbaan',
    teeId: 1,
    holes: 18,
  } as const;
  const nobody = { ...teeTime, productId: 1, players: 1, contactPhone: '1', contactEmail: 'a@b.example' };
  // @ts-expect-error a booking needs a first and a last name, or a contact name
  const book = () => client.POST('/api/v5/bookings', { body: nobody });
  const named = () => client.POST('/api/v5/bookings', { body: { ...nobody, contactName: 'Ada Lovelace' } });
  const full = { ...nobody, contactFirstName: 'Ada', contactLastName: 'Lovelace', netRate: 80, comments: '' };
  // @ts-expect-error a bulk booking needs every field
  const bulk = () => client.POST('/api/v3/bulkbookings', { body: [full] });
  // @ts-expect-error a search needs the day, the players and the holes
  const search = () => client.GET('/api/v4/teetimes/{facilityId}', { params: { path: { facilityId: 1001 } } });
  expect([call, search, book, named, bulk]).toHaveLength(5);
});
