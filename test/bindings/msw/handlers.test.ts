import { http, HttpResponse } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { createWorlds } from '../../../src/engine/library.js';
import { createHandlers } from '../../../src/bindings/msw.js';
import { NOW, open, ORIGIN, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { FetchingClient, intercept, openIntercepted } from '../../support/msw/intercept.js';
import { bookingFor, findTeeTime, teeTimesPath } from '../../support/scenes.js';

const fairway = basic('fairway', 'not-a-secret-fairway');
const mine = () => HttpResponse.json({ mine: true });

describe('a base URL', () => {
  test.each([
    'https://api.partner.example/golf',
    'https://api.partner.example/golf/',
    'https://x.example:8443/a.b/(c)',
  ])('with a path: %s', async (baseUrl) => {
    const { sandbox, fairway: direct } = await open();
    intercept(createHandlers(sandbox, { baseUrl }));
    const base = baseUrl.replace(/\/$/, '');
    const headers = { ...fairway, 'content-type': 'application/json' };
    const body = JSON.stringify(bookingFor(await findTeeTime(direct)));
    const booked = await readReply(await fetch(`${base}/api/v5/bookings`, { method: 'POST', headers, body }));
    expect(booked).toMatchObject({ status: 200, body: { success: true } });
    expect((await direct.get('/api/v4/bookings')).text).toContain(booked.body.data.bookingId);
    expect((await fetch(`${base}/__admin/health`)).status).toBe(200);
  });

  test('keeps its path in the addresses of images', async () => {
    const { sandbox } = await open();
    intercept(createHandlers(sandbox, { baseUrl: 'https://api.partner.example/golf' }));
    const details = await fetch('https://api.partner.example/golf/api/v3/facilities/details/1001', {
      headers: fairway,
    });
    const { data } = (await details.json()) as { data: { logo: string } };
    expect(data.logo).toMatch(/^https:\/\/api\.partner\.example\/golf\/images\//);
    expect((await fetch(data.logo)).headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  });

  const others = ['/golfing/api/v3/countries', '/api/v3/countries', '/', '/golf', '/golf/', '/golf/images/hero.svg'];
  test.each([...others, '/golf/apis', '/golf/w/run-1/shop', '/golf/__administration'])(
    'leaves %s to others',
    async (path) => {
      const { sandbox } = await open();
      const baseUrl = 'https://api.partner.example/golf';
      intercept([...createHandlers(sandbox, { baseUrl }), http.get('https://api.partner.example/*', mine)]);
      expect(await (await fetch(`https://api.partner.example${path}`)).json()).toEqual({ mine: true });
      expect((await fetch(`${baseUrl}/api/v3/countries`)).status).toBe(401);
    },
  );

  const shared = 'https://partner.example';
  describe.each([false, true])('that a page has too (per operation: %s)', (perOperation) => {
    const own = [
      '/',
      '/index.html',
      '/src/engine/main.ts?t=1',
      '/@vite/client',
      '/images/hero.svg',
      '/images/1001/',
      '/w/x/',
    ];
    test.each(own)('leaves the page its %s', async (path) => {
      const { sandbox } = await open();
      intercept([...createHandlers(sandbox, { baseUrl: shared, perOperation }), http.get(`${shared}/*`, mine)]);
      expect(await (await fetch(shared + path)).json()).toEqual({ mine: true });
    });

    test.each(['/api/v3/countries', '/api/v9/nothing', '/api', '/__admin/health', '/images/1001/logo.svg'])(
      'takes %s',
      async (path) => {
        const { sandbox, fairway: direct } = await open();
        intercept([...createHandlers(sandbox, { baseUrl: shared, perOperation }), http.get(`${shared}/*`, mine)]);
        const { text } = await direct.get(path);
        expect(await (await fetch(shared + path, { headers: fairway })).text()).toBe(text);
      },
    );

    test.each([
      ['/api', '/api/v3/countries'],
      ['/api/', '/api/v3/countries'],
      ['/api', '/api/api/v3/countries'],
      ['/golf/api', '/golf/api/v3/countries'],
      ['/golf/api', '/golf/api/api/v3/countries'],
    ])('with the base %s takes %s', async (base, path) => {
      const { sandbox } = await open();
      intercept(createHandlers(sandbox, { baseUrl: shared + base, perOperation }));
      const answer = await fetch(shared + path, { headers: fairway });
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 200,
        body: { success: true },
      });
    });
  });

  test.each(['', 'partner', '/golf', 'ftp://partner.example', 'https://partner.example?x=1', 'https://p.example#x'])(
    'that is none: %j',
    async (baseUrl) => {
      const { sandbox } = await open();
      expect(() => createHandlers(sandbox, { baseUrl })).toThrow(
        `\`baseUrl\` must be an absolute http or https URL without a query, such as https://api.partner.example; got ${JSON.stringify(baseUrl)}.`,
      );
    },
  );

  test('may be relative to the page, where there is one', async () => {
    const { sandbox } = await open();
    vi.stubGlobal('location', { href: 'https://partner.example/shop/index.html' });
    const [handler] = createHandlers(sandbox, { baseUrl: '/golf' });
    vi.unstubAllGlobals();
    expect(handler!.info.header).toBe('ALL https://partner.example/golf/api/*');
  });
});

describe('handlers of others', () => {
  test.each([false, true])(
    'go first when they are given to `use`, until the reset (per operation: %s)',
    async (per) => {
      const { server, partner } = await openIntercepted({}, { perOperation: per });
      const { text } = await partner.get('/api/v3/countries');
      server.use(http.get(`${ORIGIN}/api/v3/countries`, mine));
      expect((await partner.get('/api/v3/countries')).body).toEqual({ mine: true });
      expect((await partner.get(teeTimesPath('v4'))).status).toBe(200);
      server.resetHandlers();
      expect((await partner.get('/api/v3/countries')).text).toBe(text);
    },
  );

  test('stay within their boundary; the state does not', async () => {
    const { server, partner, sandbox } = await openIntercepted();
    const teeTime = await findTeeTime(partner);
    const inside = server.boundary(async () => {
      server.use(http.get(`${ORIGIN}/api/v3/countries`, mine));
      await partner.post('/api/v5/bookings', bookingFor(teeTime));
      return (await partner.get('/api/v3/countries')).body;
    });
    const outside = server.boundary(async () => (await partner.get('/api/v3/countries')).body);
    expect(await Promise.all([inside(), outside()])).toEqual([
      { mine: true },
      expect.objectContaining({ success: true }),
    ]);
    expect(sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' }))).toHaveLength(1);
  });
});

describe('several in one process', () => {
  test('two sandboxes do not meet', async () => {
    const one = await open();
    const two = await open();
    const other = 'http://other.test';
    intercept([
      ...createHandlers(one.sandbox, { baseUrl: ORIGIN }),
      ...createHandlers(two.sandbox, { baseUrl: other, perOperation: true }),
    ]);
    const partner = new FetchingClient(one.sandbox, 'fairway');
    const booking = bookingFor(await findTeeTime(partner));
    expect((await partner.post('/api/v5/bookings', booking)).status).toBe(200);
    const booked = ({ sandbox }: typeof one) =>
      sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' })).length;
    expect([booked(one), booked(two)]).toEqual([1, 0]);
    const init = { method: 'POST', headers: { ...fairway, 'content-type': 'application/json' } };
    await fetch(`${other}/api/v5/bookings`, { ...init, body: JSON.stringify(booking) });
    expect([booked(one), booked(two)]).toEqual([1, 1]);
  });

  test('worlds', async () => {
    const worlds = await createWorlds({ now: NOW });
    intercept(createHandlers(worlds, { baseUrl: `${ORIGIN}/golf` }));
    const partner = new FetchingClient(worlds.main, 'fairway');
    const booking = bookingFor(await findTeeTime((await open()).fairway));
    await partner.post('/golf/w/run-1/api/v5/bookings', booking);
    const list = async (base: string) => (await partner.get(`/golf${base}/api/v4/bookings`)).text;
    expect(await list('/w/run-1')).toContain('Lovelace');
    for (const base of ['', '/w/run-2']) expect(await list(base)).not.toContain('Lovelace');
  });
});
