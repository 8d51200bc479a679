/**
 * The first of the three independent deployments, `test/conformance/independent`, is checked at every commit.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import { channels, deploy, oddities, regressions } from './index.js';
import type { Ask, Reply } from './regressions.js';

const origin = 'https://tee.example';
const basic = (channel: number): string => `Basic ${btoa(`${channels[channel]?.name}:${channels[channel]?.password}`)}`;

/** A deployment at a moment, and what it was asked. */
function start(now: number, broken: ReadonlySet<string> = new Set()) {
  const clock = { now };
  let due: (() => void)[] = [];
  let posts: unknown[] = [];
  const asked: string[] = [];
  const around = {
    now: () => clock.now,
    schedule: (work: () => void) => void due.push(work),
    post: async (url: string, { method, headers, body }: { method: string; headers: object; body: string }) => {
      posts.push({ url, method, headers, body: JSON.parse(body) });
      return 200;
    },
  };
  const deployment = deploy(around, broken);
  const raw = (method: string, path: string, body?: unknown, as: 0 | 1 | string = 0): Promise<Response> =>
    deployment.handle(
      new Request(origin + path, {
        method,
        headers: { Authorization: typeof as === 'string' ? as : basic(as), 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  const call = async (method: string, path: string, body?: unknown, as: 0 | 1 | string = 0): Promise<Reply> => {
    asked.push(`${method} ${path}`);
    const response = await raw(method, path, body, as);
    const answered = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(answered) : answered };
  };
  const ask: Ask = Object.assign(call, {
    now: () => clock.now,
    posted: async () => {
      for (const work of due) work();
      due = [];
      const result = posts;
      posts = [];
      return result;
    },
  });
  return { ask, raw, clock, asked };
}

// A Wednesday, a month's end, a night before a change of summer time, and a year's end.
const moments = ['2026-05-13T10:20:30Z', '2027-01-31T23:30:00Z', '2026-03-28T20:00:00Z', '2026-12-23T06:00:00Z'];
const first = Date.parse('2026-05-13T10:20:30Z');
const sheetQuery = 'bookingDate=21-05-2026&players=1&holes=18';

const data = ({ body }: Reply): any => (body as { data: unknown }).data;

const single = {
  facilityId: '1019',
  teetime: '2026-05-21 06:30:00',
  course: 'Old Course',
  round: 'Old Course',
  players: ' 2 ',
  holes: 18,
  productId: 1101,
  contactFirstName: 'Robin',
  contactLastName: 'Marsh',
  contactPhone: '+44 20 5550 0100',
  contactEmail: 'robin@mail.example',
  netRate: 100,
  extraProduct: [{ mid: 501, quantity: 1 }],
  comments: '',
  additionalPlayers: [{ firstName: 'Kim', lastName: 'Vale' }],
};

async function bookable(ask: Ask, players = 4): Promise<object[]> {
  const path = `/api/v4/teetimes/1019?bookingDate=21-05-2026&players=${players}&holes=18`;
  return data(await ask('GET', path)).teeTimeV3.map((tee: any) => ({
    ...single,
    teetime: tee.time.replace('T', ' '),
    course: tee.course,
    round: tee.course,
    teeId: tee.teeid,
    productId: tee.products[0].mid,
  }));
}

describe('the deployment', () => {
  it.each([
    ['GET', '/api/v3/countries', 200],
    ['GET', '/api/v2/countries?connected=true', 200],
    ['GET', '/api/v3/facilities?country=the+Netherlands&connected=1', 200],
    ['GET', '/api/v1/facilities?country=Atlantis', 200],
    ['GET', '/api/v2/facilities', 422],
    ['GET', '/api/v3/facilities/1301', 200],
    ['GET', '/api/v1/facilities/1301', 200],
    ['GET', '/api/v2/facilities/9', 404],
    ['GET', '/api/v3/facilities/details/1019', 200],
    ['GET', '/api/v2/facilities/details/1019', 200],
    ['GET', '/api/v1/facilities/details/1019', 404],
    ['GET', `/api/v5/teetimes/1019/11?${sheetQuery}`, 200],
    ['GET', `/api/v5/teetimes/1019/14?${sheetQuery}`, 404],
    ['GET', `/api/v4/teetimes/1019?${sheetQuery}`, 200],
    ['GET', `/api/v3/teetimes/1019?${sheetQuery}`, 200],
    ['GET', `/api/v2/teetimes/1019?${sheetQuery}`, 200],
    ['GET', `/api/v2/teetimes/1102?${sheetQuery}`, 403],
    ['GET', '/api/v4/teetimes/1019?bookingDate=31-06-2026&players=1&holes=18', 422],
    ['GET', '/api/v4/teetimes/1019?bookingDate=21-05-2026&players=5&holes=18', 422],
    ['GET', '/api/v4/teetimes/1019?bookingDate=21-05-2026&players=1&holes=12', 422],
    ['GET', '/api/v5/price/insideDateRange?facilityIds=1019,1101&fromDate=21-05-2026&toDate=24-05-2026', 200],
    ['GET', '/api/v5/price/insideDateRange?facilityIds=1,2,3,4,5,6&fromDate=21-05-2026&toDate=24-05-2026', 422],
    ['GET', '/api/v4/bookings', 200],
    ['GET', '/api/v2/bookings?fromDate=01-01-2026', 200],
    ['GET', '/api/v1/bookings?toDate=2026-01-01', 422],
    ['GET', '/api/v4/bookings/payment/GB-1', 405],
    ['POST', '/api/v4/bookings/payment/GB-1', 404],
    ['POST', '/api/v3/bulkbookings/payment/1', 404],
    ['GET', '/api/v3/countries/', 301],
    ['GET', '/api/v9/countries', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    const { ask } = start(first);
    const reply = await ask(method as 'GET', path);
    expect(reply.status).toBe(status);
    if (status === 200) expect(reply.body).toMatchObject({ success: true });
    if (status === 422) expect(reply.body).toMatchObject({ success: false, data: null });
  });

  it('knows which facilities a channel is connected to', async () => {
    const { ask } = start(first);
    expect(data(await ask('GET', '/api/v3/countries'))).toHaveLength(8);
    expect(data(await ask('GET', '/api/v3/countries?connected=true'))).toHaveLength(7);
    const spain = '/api/v3/facilities?country=Spain&connected=true';
    expect(data(await ask('GET', spain)).map(({ id }: any) => id)).toEqual([1201, 1202]);
    expect(data(await ask('GET', spain, undefined, 1)).map(({ id }: any) => id)).toEqual([1202]);
  });

  it('writes JSON with escapes', async () => {
    const response = await start(first).raw('GET', '/api/v1/facilities/1301');
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    const written = await response.text();
    expect(written).toContain('\\u795e\\u6238');
    expect(written).toContain('https:\\/\\/www.kobe-golf.example\\/');
  });

  it('agrees about a tee time in every version and in prices', async () => {
    const { ask } = start(first);
    for (const [facility, course] of [
      [1019, 12],
      [1301, 21],
      [1401, 24],
      [1501, 26],
    ]) {
      for (const date of ['23-05-2026', '26-05-2026']) {
        const asked = `bookingDate=${date}&players=2&holes=18`;
        const [v5, v4, v3, v2] = await Promise.all(
          [`v5/teetimes/${facility}/${course}`, ...[4, 3, 2].map((version) => `v${version}/teetimes/${facility}`)].map(
            async (path) => data(await ask('GET', `/api/${path}?${asked}`)),
          ),
        );
        const { records } = data(
          await ask('GET', `/api/v5/price/insideDateRange?facilityIds=${facility}&fromDate=${date}&toDate=${date}`),
        );
        expect(v5.teeTimeV3.length).toBeGreaterThan(5);
        for (const tee of v5.teeTimeV3) {
          expect(v4.teeTimeV3).toContainEqual(tee);
          const [product] = tee.products;
          const pricing = product.pricing.map(({ quantity, price }: any) => ({ players: String(quantity), price }));
          const older = { id: tee.teeid, time: tee.time, holes: 18, players: product.available, pricing };
          expect(v3.teeTimeV2).toContainEqual({ ...older, course: tee.course, extraProducts: tee.extraProducts });
          expect(v2).toContainEqual({ ...older, round: tee.course });
          const record = records.find(({ productId }: any) => productId === product.mid);
          expect(record.price).toBe(product.pricing[0].price.amount);
          expect(record.availability).toContainEqual({ time: tee.time.slice(11), available: product.available });
        }
      }
    }
  });

  it('pages prices', async () => {
    const { ask } = start(first);
    const path = '/api/v5/price/insideDateRange?facilityIds=1020&fromDate=25-05-2026&toDate=31-05-2026';
    const all = data(await ask('GET', path));
    expect(all.total).toBe(14);
    expect(data(await ask('GET', `${path}&offset=3&limit=4`))).toEqual({ records: all.records.slice(3, 7), total: 14 });
  });

  it('books in every form, and lists the bookings of the channel', async () => {
    const { ask } = start(first);
    const wishes = await bookable(ask);
    const results = [
      await ask('POST', '/api/v5/bookings', wishes[0]),
      await ask('POST', '/api/v5/bookings', [wishes[1], wishes[2]]),
      await ask('POST', '/api/v5/bookings', { details: [wishes[3]] }),
      await ask('POST', '/api/v3/bulkbookings', [wishes[4]]),
      await ask('POST', '/api/v2/bookings', wishes[5]),
    ];
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [one, many, withPayment, bulk, older] = results.map(data);
    expect(one.bookingId).toMatch(/^GB-1019-\d+-x\w+$/);
    expect(many).toMatchObject({ groupId: 70001, bookingIds: [{ courseId: 11 }, { courseId: 11 }] });
    const ids = [one, ...many.bookingIds, ...withPayment.bookingIds, ...bulk.bookingIds, older];
    for (const version of [1, 2, 4]) {
      const mine = data(await ask('GET', `/api/v${version}/bookings`)).map(({ bookingId }: any) => bookingId);
      expect(mine).toEqual(expect.arrayContaining(ids.map(({ bookingId }) => bookingId)));
      const others = data(await ask('GET', `/api/v${version}/bookings`, undefined, 1));
      expect(others.map(({ bookingId }: any) => bookingId)).not.toContain(one.bookingId);
    }
    const left = await bookable(ask, 3);
    expect(left).not.toContainEqual(wishes[0]);
    for (const version of [1, 3, 4, 5])
      expect(await ask('POST', `/api/v${version}/bookings/payment/${one.bookingId}`)).toMatchObject({
        status: 200,
        body: { success: true, data: null },
      });
    for (const version of [3, 4, 5])
      expect((await ask('POST', `/api/v${version}/bulkbookings/payment/70001`)).status).toBe(200);
    expect((await ask('POST', '/api/v5/bulkbookings/payment/70001', undefined, 1)).status).toBe(404);
  });

  it.each([
    ['players', 5],
    ['players', 0],
    ['holes', 9],
    ['holes', 12],
    ['teetime', '2026-05-21T06:30:00'],
    ['teeId', 1],
    ['facilityId', 1102],
    ['course', 'New Course'],
    ['productId', 1],
    ['contactFirstName', ''],
    ['contactPhone', undefined],
    ['linkedTeeTimeRef', 'pair'],
    ['extraProduct', [{ mid: 1, quantity: 1 }]],
    ['additionalPlayers', 'Kim'],
  ])('refuses a booking whose %s is %j, without a trace', async (field, value) => {
    const { ask } = start(first);
    const wishes = await bookable(ask);
    const before = [await ask('GET', '/api/v4/bookings'), await bookable(ask)];
    const refused = await ask('POST', '/api/v5/bookings', [wishes[0], { ...wishes[1], [field]: value }]);
    expect(refused).toMatchObject({ status: 400, body: { success: false, data: null } });
    expect([await ask('GET', '/api/v4/bookings'), await bookable(ask)]).toEqual(before);
  });

  it('books linked tee times as a whole', async () => {
    const { ask } = start(first);
    const nines = data(await ask('GET', '/api/v5/teetimes/1019/13?bookingDate=21-05-2026&players=3&holes=9')).teeTimeV3;
    const link = '3f0d8a52-6c1e-4b7a-9a54-0f2c7be91d10';
    const round = (index: number, changes: object = {}): object => ({
      ...single,
      course: 'Wee Nine',
      teetime: nines[index].time.replace('T', ' '),
      teeId: nines[index].teeid,
      holes: 9,
      productId: 1302,
      linkedTeeTimeRef: link,
      ...changes,
    });
    const status = async (items: unknown): Promise<number> => (await ask('POST', '/api/v5/bookings', items)).status;
    expect(await status([round(0)])).toBe(400);
    expect(await status([round(0), round(0, { players: 2 })])).toBe(400);
    expect(await status([round(0), round(4, { players: 3 })])).toBe(400);
    expect(await status([round(0), round(4, { productId: 1301 })])).toBe(400);
    expect(await status([round(0, { linkedTeeTimeRef: undefined }), round(4)])).toBe(400);
    expect(await status([round(0), round(4)])).toBe(200);
    expect(await status(round(6))).toBe(200);
    expect(await status(round(7, { players: 1 }))).toBe(400);
  });

  it('filters the booking list by tee time', async () => {
    const { ask } = start(first);
    const dates = async (filter: string): Promise<string[]> =>
      data(await ask('GET', `/api/v4/bookings${filter}`)).map(({ teetime }: any) => teetime.slice(0, 10));
    const all = await dates('?fromDate=01-01-2026');
    expect(all).toHaveLength(5);
    expect(await dates('')).toEqual(all.filter((date) => date > '2026-05-13'));
    expect(await dates('?fromDate=22-04-2026&toDate=22-04-2026')).toEqual(['2026-04-22']);
    expect(await dates('?toDate=22-04-2026')).toEqual([]);
  });

  it('gives tokens that are used once and expire', async () => {
    const { ask, clock } = start(first);
    const refresh = (token: unknown): Promise<Reply> =>
      ask('POST', '/api/v3/token/refreshToken', { refresh_token: token }, '');
    const tokens = data(await refresh('init_birdie_77e2aa'));
    expect((await refresh('init_birdie_77e2aa')).status).toBe(401);
    expect((await refresh(undefined)).status).toBe(422);
    const mine = (token: string): Promise<Reply> => ask('GET', '/api/v4/bookings', undefined, `Bearer ${token}`);
    expect(await mine(tokens.access_token)).toEqual(await ask('GET', '/api/v4/bookings', undefined, 1));
    clock.now += tokens.expires_in * 1000;
    expect((await mine(tokens.access_token)).status).toBe(401);
    expect(data(await refresh(tokens.refresh_token)).refresh_token).not.toBe(tokens.refresh_token);
    expect((await ask('GET', '/api/v4/bookings', undefined, 'Basic bm9ib2R5')).status).toBe(401);
  });

  it('posts the result of a search to the callback', async () => {
    const { ask } = start(first);
    const path =
      '/api/v5/teetimes?facilityIds=1019,1202&fromDate=2026-05-19&toDate=20-05-2026&players=2&holes=18' +
      '&callbackUrl=https%3A%2F%2Fpartner.example%2Fresults';
    expect(await ask('GET', path)).toEqual({ status: 200, body: { success: true, data: null } });
    const [{ url, body }] = (await ask.posted()) as any;
    expect(url).toBe('https://partner.example/results');
    expect(body.data.map(({ facilityId }: any) => facilityId)).toEqual([1019, 1202]);
    const expected: unknown[] = [];
    for (const date of ['19-05-2026', '20-05-2026'])
      expected.push(
        ...data(await ask('GET', `/api/v4/teetimes/1019?bookingDate=${date}&players=2&holes=18`)).teeTimeV3,
      );
    expect(body.data[0].teeTimeV3).toEqual(expected);
  });
});

describe('the regressions', () => {
  it('are fifty, half of them visible by reading, each with its own name', () => {
    expect(new Set(regressions.map(({ name }) => name)).size).toBe(50);
    expect(regressions.filter(({ how }) => how === 'reading').length).toBeGreaterThanOrEqual(25);
    expect(new Set(oddities).size).toBe(oddities.length);
  });

  it.each(regressions)('show: $name', async ({ name, how, shows }) => {
    for (const moment of moments) {
      const now = Date.parse(moment);
      const [sound, broken] = [start(now), start(now, new Set([name]))];
      const expected = await shows(sound.ask);
      expect(await shows(broken.ask), moment).not.toEqual(expected);
      const written = sound.asked.some((line) => line.startsWith('POST') || line.includes('callbackUrl'));
      expect(written).toBe(how === 'writing');
    }
  });
});
