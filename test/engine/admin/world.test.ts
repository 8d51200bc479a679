/** `GET world` and `PUT world`: a sandbox that runs takes another world of one's own. */
import { describe, expect, test } from 'vitest';
import {
  createSandbox,
  createWorlds,
  type Sandbox,
  type SandboxOptions,
  type WorldFile,
} from '../../../src/engine/library.js';
import { adminOf, asDescribed, expectedProblem } from '../../support/admin.js';
import { Client, NOW, ORIGIN, readReply } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { playCapsule } from '../../../src/engine/play.js';

const facility = {
  id: 1042,
  name: 'Golf de Vallon',
  country: 'France',
  courses: [
    {
      id: 7,
      name: 'Lac',
      demand: 'none',
      products: [{ id: 265, name: 'Green fee', price: 85 }],
      days: { '2026-06-10': [{ id: 77, time: '09:00' }] },
    },
  ],
} as const;
const free: WorldFile = { facilities: [facility] };
const shop: WorldFile = {
  dialect: { name: 'shop', answers: { 'booking.id-form': 'short' } },
  channels: [{ name: 'shop', username: 'shop-user', password: 'hunter-2' }, { name: 'app' }],
  facilities: [{ ...facility, scenario: 'payment-pi-failed' }],
};
const masked = { ...shop, channels: [{ name: 'shop', username: 'shop-user' }, { name: 'app' }] };
const booking = {
  facilityId: 1042,
  course: 'Lac',
  teetime: '2026-06-10 09:00:00',
  teeId: 77,
  holes: 18,
  productId: 265,
  players: 1,
  contactFirstName: 'Ada',
  contactLastName: 'Byron',
  contactPhone: '+33 1 99 00 00 00',
  contactEmail: 'ada@partner.example',
};

async function opened(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ now: NOW, ...options });
  return { sandbox, admin: adminOf(sandbox), as: (channel: string) => new Client(sandbox, channel) };
}
const booked = async (sandbox: Sandbox): Promise<void> => {
  const fairway = new Client(sandbox, 'fairway');
  expect((await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)))).status).toBe(200);
};

test('shows that the world is generated, or its file without passwords and tokens', async () => {
  const { admin } = await opened({ seed: 7 });
  expect((await admin('GET', 'world')).body).toEqual({ seed: 7, facilities: 81, digest: null, world: null });
  const own = await opened({ world: shop });
  const { body, text } = await own.admin('GET', 'world');
  expect(body).toEqual({ seed: 1, facilities: 1, digest: expect.stringMatching(/^[0-9a-f]{16}$/), world: masked });
  expect(text).not.toContain('hunter-2');
});

describe('another world', () => {
  test('is in force for everything', async () => {
    const { sandbox, admin, as } = await opened();
    await as('fairway').get('/api/v3/countries');
    sandbox.db.facilities.findFirst((query) => query.where({ id: 1001 }));
    const put = await admin('PUT', 'world', shop);
    expect(put.body).toMatchObject({ facilities: 1, world: masked });
    expect((await admin('GET', 'world')).body).toEqual(put.body);
    expect(sandbox.dialect.name).toBe('shop');
    expect(sandbox.summary).toContain('1 facility in 1 country');
    expect(sandbox.channels.map(({ username }) => username)).toEqual(['shop-user', 'app']);
    expect(sandbox.credentials().map(({ name }) => name)).toEqual(['shop', 'app']);
    expect((await admin('GET', 'channels')).body.channels).toMatchObject([{ name: 'shop' }, { name: 'app' }]);
    expect((await admin('GET', 'version')).body.facilities).toBe(1);
    expect((await admin('GET', 'facilities')).body.facilities).toMatchObject([{ facilityId: 1042 }]);
    expect(sandbox.db.facilities.findMany().map(({ id }) => id)).toEqual([1042]);
    expect(sandbox.db.channels.findMany().map(({ name }) => name)).toEqual(['shop', 'app']);

    const client = as('shop');
    expect((await client.get('/api/v3/countries')).body.data).toEqual(['France']);
    expect((await client.get('/api/v3/facilities/1001')).status).toBe(404);
    // The facility is named after a scenario, which strikes.
    expect((await client.post('/api/v5/bookings', booking)).headers.get('teebox-scenario')).toContain(
      'payment-pi-failed',
    );
    expect((await admin('GET', 'requests?channel=shop')).body.count).toBe(3);
    expect((await admin('GET', 'requests?channel=fairway')).status).toBe(400);
    expect((await admin('POST', 'plans', { scenario: 'slow', channel: 'app', facilityId: 1042 })).status).toBe(200);
    expect((await admin('POST', 'plans', { scenario: 'slow', facilityId: 1001 })).status).toBe(400);
    const fairway = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}` };
    expect((await sandbox.fetch(`${ORIGIN}/api/v3/countries`, { headers: fairway })).status).toBe(401);
  });

  test('starts at its baseline, to which a reset goes back', async () => {
    const { sandbox, admin, as } = await opened();
    sandbox.clock.advance(86_400_000);
    sandbox.scenarios.arm('slow');
    await admin('PUT', 'world', free);
    expect(sandbox.clock.now()).toBe(Date.parse(NOW));
    expect(sandbox.scenarios.plans).toEqual([]);
    expect(sandbox.journal.entries).toEqual([]);
    expect((await as('fairway').post('/api/v5/bookings', booking)).status).toBe(200);
    await admin('POST', 'reset');
    expect((await as('fairway').get('/api/v4/bookings?fromDate=01-01-2020')).body.data).toEqual([]);
    expect((await as('fairway').post('/api/v5/bookings', booking)).status).toBe(200);
  });

  test('gives the bytes of a sandbox that starts with it', async () => {
    const { admin, as } = await opened();
    await as('fairway').get('/api/v3/countries');
    await admin('PUT', 'world', free);
    const { as: fresh } = await opened({ world: free });
    const paths = ['v3/facilities/1042', 'v4/teetimes/1042?bookingDate=10-06-2026&players=1&holes=18'];
    for (const path of paths) {
      const [one, other] = [await as('links').get(`/api/${path}`), await fresh('links').get(`/api/${path}`)];
      expect([one.text, [...one.headers]]).toEqual([other.text, [...other.headers]]);
    }
  });

  test('refuses snapshots of the world before, and takes its own', async () => {
    const { admin } = await opened();
    await admin('PUT', 'snapshots/before');
    await admin('PUT', 'world', shop);
    const refused = await admin('POST', 'snapshots/before/restore');
    expect(refused.body.detail).toContain('The state is of a generated world, and this sandbox has the world');
    await admin('PUT', 'snapshots/after');
    expect((await admin('POST', 'snapshots/after/restore')).status).toBe(200);
  });

  test('is in a capsule, which plays again', async () => {
    const { sandbox, admin, as } = await opened();
    await as('fairway').get('/api/v3/countries');
    await admin('PUT', 'world', shop);
    await as('shop').get('/api/v3/facilities/1042');
    await as('shop').post('/api/v5/bookings', booking);
    const capsule = await sandbox.capsule();
    expect(capsule.options.world).toEqual(masked);
    expect(JSON.stringify(capsule)).not.toContain('hunter-2');
    expect(capsule.steps).toHaveLength(2);
    const { same, differences } = await playCapsule(capsule);
    expect({ same, differences }).toEqual({ same: true, differences: [] });
  });

  test('keeps the dialect card that an option gives', async () => {
    const { sandbox, admin } = await opened({ dialect: { name: 'given' } });
    await admin('PUT', 'world', shop);
    expect(sandbox.dialect.name).toBe('given');
  });

  test('takes the place of one with another number of facilities', async () => {
    const { sandbox, admin } = await opened({ facilities: 200 });
    expect((await admin('PUT', 'world', shop)).body.facilities).toBe(1);
    await expect(sandbox.capsule()).resolves.toMatchObject({ facilities: 1 });
  });

  test('is only of the world that is asked', async () => {
    const worlds = await createWorlds({ now: NOW });
    const call = async (base: string, method: string, path: string, body?: unknown) => {
      const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return asDescribed(method, path, await readReply(await worlds.fetch(`${ORIGIN}${base}/__admin/${path}`, init)));
    };
    expect((await call('/w/mine', 'PUT', 'world', shop)).status).toBe(200);
    expect((await call('/w/mine', 'GET', 'version')).body.facilities).toBe(1);
    for (const base of ['', '/w/other']) expect((await call(base, 'GET', 'version')).body.facilities).toBe(81);
  });
});

describe('bookings of clients', () => {
  test('refuse another world, unless they are to be dropped', async () => {
    const { sandbox, admin } = await opened();
    await booked(sandbox);
    const refused = await admin('PUT', 'world', shop);
    expect(refused.body).toEqual(
      expectedProblem(409, expect.stringContaining('Clients have made 1 booking in this world.')),
    );
    expect((await admin('GET', 'world')).body.world).toBeNull();
    expect((await admin('PUT', 'world?reset=true', shop)).status).toBe(200);
    expect(sandbox.snapshot().store.bookings).toEqual([]);
  });

  test('are told from those of the file, of which one had no room', async () => {
    const bookings = Array.from({ length: 3 }, () => ({
      channel: 'fairway',
      facility: 1042,
      date: '2026-06-10',
      time: '09:00',
      players: 2,
    }));
    const { admin, as } = await opened({ world: { ...free, bookings } });
    expect((await as('fairway').get('/api/v4/bookings')).body.data).toHaveLength(2);
    expect((await admin('PUT', 'world', { ...free, bookings: bookings.slice(0, 1) })).status).toBe(200);
    expect((await as('fairway').post('/api/v5/bookings', booking)).status).toBe(200);
    expect((await admin('PUT', 'world', free)).status).toBe(409);
  });
});

describe('is refused', () => {
  test.each<[what: string, path: string, body: unknown, problem: object]>([
    ['a file without facilities', 'world', {}, { status: 400, pointer: '' }],
    [
      'a country without a zone',
      'world',
      { facilities: [{ ...facility, country: 'Atlantis' }] },
      { status: 400, pointer: '/facilities/0/country', detail: expect.stringContaining('Nothing was changed.') },
    ],
    [
      'a wrong answer of its dialect card',
      'world',
      { ...shop, dialect: { answers: { 'booking.id-form': 'long' } } },
      { status: 400, pointer: '/dialect/answers/booking.id-form', fits: ['composite', 'short'] },
    ],
    [
      'a scenario of its dialect card',
      'world',
      { ...shop, dialect: { scenarios: ['no-such'] } },
      { status: 400, pointer: '/dialect/scenarios/0' },
    ],
    ['no JSON', 'world', '{', { status: 400 }],
    ['a query', 'world?reset=yes', shop, { status: 400, fits: ['true', 'false'] }],
    ['a body over the limit', 'world', `"${'x'.repeat(16_777_216)}"`, { status: 413 }],
  ])('%s', async (_, path, body, problem) => {
    const { admin, as } = await opened();
    await as('fairway').get('/api/v3/countries');
    expect((await admin('PUT', path, body)).body).toMatchObject(problem);
    expect((await admin('GET', 'world')).body.world).toBeNull();
    expect((await admin('GET', 'requests')).body.count).toBe(1);
  });

  test('where the state is kept, because it belongs to its world', async () => {
    const { admin } = await opened({ changes: { append: () => {}, kept: () => undefined } });
    const { body } = await admin('PUT', 'world?reset=true', shop);
    expect(body).toEqual(expectedProblem(409, expect.stringContaining('The state of this sandbox is kept')));
    expect((await admin('GET', 'world')).body.world).toBeNull();
  });
});
