import { describe, expect } from 'vitest';
import { open } from '../../../support/client.js';
import { bare } from '../../../support/credentials.js';
import { bodyOf, everyOperation, pathOf, unlistedPaths } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';
import { bookingFor, findTeeTime } from '../../../support/scenes.js';
import { freeIn, openAtOnce, viewsOf } from '../../../support/views.js';

const failure = { success: false, data: null, message: expect.stringMatching(/\w/) };
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('every operation', () => {
  for (const operation of everyOperation) {
    rule(['versions.base-path', 'versions.path-segment'], `${operation.id} is found under its path`, async () => {
      const { fairway } = await open();
      expect(operation.path).toMatch(/^\/api\/(v[1-5]|\{version\})\//);
      const reply = await fairway.send(operation.method, pathOf(operation), bodyOf(operation));
      expect(reply.rule).not.toMatch(/^versions\./);
      expect(reply.body.success).toBe(reply.status === 200);
      const refused = reply.rule?.startsWith('payments.') ? 404 : 400;
      expect(reply.status).toBe(operation.bodies || refused === 404 ? refused : 200);
    });
  }
});

describe('the range of the service', () => {
  const samples: readonly [string, string, string][] = [
    ['facilities', 'GET', '/api/v3/facilities?country=the%20Netherlands'],
    ['a facility', 'GET', '/api/v3/facilities/1001'],
    ['its details', 'GET', '/api/v2/facilities/details/1001'],
    ['countries', 'GET', '/api/v3/countries'],
    ['tee times', 'GET', '/api/v4/teetimes/1001?bookingDate=11-06-2026&players=1&holes=18'],
    ['prices', 'GET', '/api/v5/price/insideDateRange?facilityIds=1001&fromDate=11-06-2026&toDate=11-06-2026'],
    ['bookings', 'GET', '/api/v4/bookings'],
  ];
  rule('versions.scope', 'facilities, countries, tee times, prices, bookings, payments and tokens', async () => {
    const { sandbox, fairway } = await open();
    for (const [what, method, path] of samples) {
      const { status, body } = await fairway.send(method, path);
      expect({ status, success: body.success, empty: JSON.stringify(body.data).length < 5 }, what).toEqual({
        status: 200,
        success: true,
        empty: false,
      });
    }
    const booked = await fairway.post('/api/v5/bookings', bookingFor(await findTeeTime(fairway)));
    expect(booked.body.success).toBe(true);
    expect((await fairway.get(`/api/v4/bookings/payment/${booked.body.data.bookingId}`)).body.success).toBe(true);
    const { refreshToken } = sandbox.channels[0]!;
    const refreshed = await bare(fairway, 'POST', '/api/v5/token/refreshToken', {
      body: { refresh_token: refreshToken },
    });
    expect(refreshed.body.success).toBe(true);
  });
});

describe('what is not listed', () => {
  const paths = [
    '/',
    '/api',
    '/api/v3',
    '/api/v0/countries',
    '/api/v6/countries',
    '/api/v33/countries',
    '/api/V3/countries',
    '/api/3/countries',
    '/v3/countries',
    '/countries',
    '/api/v3/Countries',
    '/api/v3/countries/NL',
    '/api//v3/countries',
    '/api/v3/countries%2F',
    ...unlistedPaths,
    '/api/v5/bookings/x',
  ];
  for (const path of paths) {
    rule('versions.path', `${path} is unknown to every method, with credentials and without`, async () => {
      const { fairway } = await open();
      for (const method of METHODS) {
        for (const reply of [await fairway.send(method, path), await bare(fairway, method, path)]) {
          expect(reply, method).toMatchObject({ status: 404, body: failure, rule: 'versions.path' });
          expect(reply.body).toEqual(failure);
          expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
        }
      }
    });
  }
});

describe('methods that are not listed', () => {
  const taken = new Map<string, string[]>();
  for (const { path, method } of everyOperation) taken.set(path, [...(taken.get(path) ?? []), method]);

  for (const [path, methods] of taken) {
    rule('versions.method', `${path} takes ${methods.join(' and ')} alone`, async () => {
      const { fairway } = await open();
      const sample = pathOf(everyOperation.find((operation) => operation.path === path)!);
      for (const method of METHODS.filter((one) => !methods.includes(one))) {
        const reply = await fairway.send(method, sample);
        expect(reply, method).toMatchObject({ status: 405, body: failure });
        expect(reply.rule).toBe(path.includes('/payment/') ? 'payments.method' : 'versions.method');
        expect(reply.body).toEqual(failure);
        expect(reply.body.message).toContain(method);
        expect(reply.headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort());
        expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      }
    });
  }
});

describe('versions side by side', () => {
  rule(
    'versions.side-by-side',
    'a booking of v2 is listed in all versions and lowers the availability of all',
    async () => {
      const { fairway } = await openAtOnce();
      const teeTime = await findTeeTime(fairway, { players: 3 });
      const before = freeIn(await viewsOf(fairway), teeTime.teeid);
      const { course, productId: _, ...rest } = bookingFor(teeTime, { players: 2 });
      const { body } = await fairway.post('/api/v2/bookings', { ...rest, round: course });
      const after = freeIn(await viewsOf(fairway), teeTime.teeid);
      for (const [window, free] of Object.entries(before)) expect(after[window], window).toBe(free! - 2);
      for (const version of ['v1', 'v2', 'v4']) {
        const list = (await fairway.get(`/api/${version}/bookings`)).body.data;
        const item = list.find(({ bookingId }: { bookingId: string }) => bookingId === body.data.bookingId);
        expect(item, version).toMatchObject({
          teeId: teeTime.teeid,
          players: 2,
          teetime: teeTime.time,
          status: 'BOOKED',
        });
      }
    },
  );
});

describe('a slash at the end', () => {
  const paths = [
    '/api/v3/countries/',
    '/api/v3/facilities/1001/',
    '/api/v4/bookings/',
    '/api/v3/facilities/?country=Spain',
  ];
  for (const path of paths) {
    rule('versions.trailing-slash', `${path} is the same path, unless the dialect says otherwise`, async () => {
      const { fairway } = await open();
      const same = await fairway.get(path.replace(/\/(?=\?|$)/, ''));
      expect(same.status).toBe(200);
      expect(await fairway.get(path)).toMatchObject({ status: 200, text: same.text });

      const strict = await open({ dialect: { answers: { 'path.trailing-slash': 404 } } });
      expect(await strict.fairway.get(path)).toMatchObject({ status: 404, body: failure, rule: 'versions.path' });
      expect(await strict.fairway.get(path.replace(/\/(?=\?|$)/, ''))).toMatchObject({ status: 200 });
    });
  }
});
