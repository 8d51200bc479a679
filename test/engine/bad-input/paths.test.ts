import { beforeAll, describe, expect, test } from 'vitest';
import openapi from '../../../src/contract/generated/built/openapi.json' with { type: 'json' };
import { check, ground, type Ground } from '../../support/bad-input/check.js';
import { everyOperation, pathOf, unlistedPaths } from '../../support/operations.js';

let on: Ground;
beforeAll(async () => {
  on = await ground();
});

describe('a path that no version has', () => {
  const paths = [
    ['/', '/api', '/api/', '/api/v3', '/facilities', '/API/v3/countries', '/api//v3/countries', '/api/v3/Countries'],
    ['/api/v0/facilities', '/api/v6/facilities', '/api/v3/facilities/1001/1'],
    ['/api/v3/facilities/%2e%2e%2f1001/x', '/api/v3/countries%2f', '/%', '/api/%zz'],
    unlistedPaths,
  ].flat();
  for (const path of paths) {
    test.each(['GET', 'POST', 'DELETE'])(`%s ${path}`, (method) =>
      check(on, {
        given: path,
        method,
        path,
        want: { status: 404, rule: 'versions.path', says: /^There is no operation at \// },
      }),
    );
  }

  test.each([
    ['//api/v3/countries', '/api/v3/countries'],
    ['/api//v3/countries', '/api/v3/countries'],
    ['/API/V3/Countries', '/api/v3/countries'],
    ['/api/v3/countries%20', '/api/v3/countries'],
    ['/api/v6/countries', '/api/v3/countries'],
    ['/api/v5/booking', '/api/v5/bookings'],
    ['/api/v5/facilities', '/api/v3/facilities'],
    ['/api/v3/facility/1001', '/api/v3/facilities/1001'],
    ['/api/v5/bookings/payments/TBX-1', '/api/v5/bookings/payment/TBX-1'],
    ['/api/v5/price/inside-date-range', '/api/v5/price/insideDateRange'],
  ])('%s is near %s', async (path, near) => {
    expect((await on.client.get(path)).body.message).toContain(` Did you mean \`${near}\`? Paths look like`);
  });
  test.each(['/', '/clubs', '/api/v3/weather', '/wp-login.php', `/api/v3/${'x'.repeat(500)}`])(
    '%s is near none',
    async (path) => {
      expect((await on.client.get(path)).body.message).toMatch(/^There is no operation at \S+\. Paths look like/);
    },
  );

  test.each(['v0', 'v6', 'V5', '5', 'latest', '__proto__'])('tokens at %s', (version) =>
    check(on, {
      given: version,
      method: 'POST',
      path: `/api/${version}/token/refreshToken`,
      body: '{"refresh_token":"x"}',
      want: { status: 404, rule: 'tokens.version', says: `\`${version}\`` },
    }),
  );
});

describe('a method that a path does not take', () => {
  const paths = [...new Set(everyOperation.map(({ path }) => path))];
  test('is tried on every path of the contract', () => {
    expect(paths).toEqual(Object.keys(openapi.paths));
  });

  for (const path of paths) {
    const operations = everyOperation.filter((one) => one.path === path);
    const taken = operations.map(({ method }) => method);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !taken.includes(method));
    test.each(others)(`%s ${path}`, async (method) => {
      await check(on, {
        given: `${method} ${path}`,
        method,
        path: pathOf(operations[0]!),
        ...(method === 'GET' ? {} : { body: '{}' }),
        want: {
          status: 405,
          rule: path.includes('/payment/') ? 'payments.method' : 'versions.method',
          says: `This path does not take ${method}; it takes ${taken.join(' and ')}.`,
        },
      });
      const { headers } = await on.client.send(method, pathOf(operations[0]!));
      expect(headers.get('allow')).toBe(taken.join(', '));
    });
  }
});
