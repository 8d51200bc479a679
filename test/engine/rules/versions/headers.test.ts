import { describe, expect, test } from 'vitest';
import { open, ORIGIN } from '../../../support/client.js';
import { bare } from '../../../support/credentials.js';
import { bodyOf, everyOperation, pathOf } from '../../../support/operations.js';
import { rule } from '../../../support/rule.js';

const PAGE = 'https://shop.example';
const list = (value: string | null): string[] =>
  (value ?? '')
    .split(', ')
    .filter(Boolean)
    .map((name) => name.toLowerCase());

describe('pages of other origins', () => {
  const methodsOf = (path: string): string[] =>
    everyOperation.filter((one) => one.path === path).map(({ method }) => method);

  for (const path of new Set(everyOperation.map((operation) => operation.path))) {
    test(`a preflight of ${path} needs no credentials and names what may be sent`, async () => {
      const { sandbox } = await open();
      const sample = pathOf(everyOperation.find((operation) => operation.path === path)!);
      const headers = {
        origin: PAGE,
        'access-control-request-method': methodsOf(path)[0]!,
        'access-control-request-headers': 'authorization',
      };
      const response = await sandbox.fetch(new Request(ORIGIN + sample, { method: 'OPTIONS', headers }));
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(list(response.headers.get('access-control-allow-methods')).sort()).toEqual(
        methodsOf(path)
          .map((one) => one.toLowerCase())
          .sort(),
      );
      const allowed = list(response.headers.get('access-control-allow-headers'));
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'teebox-scenario']));
    });
  }

  test('a preflight allows the header of the bearer token that the dialect names', async () => {
    const { fairway } = await open({ dialect: { answers: { 'auth.bearer-header': 'X-Access-Token' } } });
    const headers = { origin: PAGE, 'access-control-request-method': 'GET' };
    const reply = await bare(fairway, 'OPTIONS', '/api/v3/countries', { headers });
    expect(list(reply.headers.get('access-control-allow-headers'))).toContain('x-access-token');
  });

  const anywhere: readonly (readonly [string, string, string])[] = [
    ['an operation', 'GET', '/api/v3/countries'],
    ['a write', 'POST', '/api/v3/bookings'],
    ['a method that the real request is refused for', 'POST', '/api/v3/countries'],
    ['an image', 'GET', '/images/1001/logo.svg'],
    ['an unknown path', 'GET', '/api/v9/countries'],
    ['an unknown version of the token refresh', 'POST', '/api/v9/token/refreshToken'],
    ['a world', 'GET', '/w/mine/api/v3/countries'],
    ['the origin itself', 'GET', '/'],
  ];
  for (const [title, method, path] of anywhere) {
    test(`a preflight of ${title} allows whatever headers the page asks for, and a public page, too`, async () => {
      const { fairway } = await open();
      const wanted = ['baggage', 'idempotency-key', 'sentry-trace', 'teebox-test', 'traceparent', 'x-requested-with'];
      const headers = {
        origin: PAGE,
        'access-control-request-method': method,
        'access-control-request-headers': wanted.join(','),
        'access-control-request-private-network': 'true',
      };
      const reply = await bare(fairway, 'OPTIONS', path, { headers });
      expect(reply.status).toBe(204);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      expect(reply.headers.get('access-control-allow-private-network')).toBe('true');
      expect(list(reply.headers.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(wanted));
    });
  }

  const refusedPreflights: readonly (readonly [string, string, number, string, RegExp])[] = [
    ['/api/v3/countries', 'PUT', 405, 'versions.method', /preflight .* does not take PUT; it takes GET/],
    ['/api/v4/bookings', 'DELETE', 405, 'versions.method', /preflight .* does not take DELETE/],
    ['/__admin/reset', 'POST', 403, 'preflight', /shop\.example is refused: the admin API and the inboxes are closed/],
    [
      '/__admin/inbox/mine',
      'POST',
      403,
      'preflight',
      /shop\.example is refused: the admin API and the inboxes are closed/,
    ],
  ];
  for (const [path, method, status, decided, why] of refusedPreflights) {
    test(`a refused preflight of ${method} ${path} is in the journal, with the reason`, async () => {
      const { sandbox, fairway } = await open();
      const headers = { origin: PAGE, 'access-control-request-method': method };
      const reply = await bare(fairway, 'OPTIONS', path, { headers });
      expect(reply.status).toBe(status);
      const [entry] = sandbox.journal.entries;
      expect(entry).toMatchObject({
        method: 'OPTIONS',
        status,
        rule: decided,
        detail: expect.stringMatching(why) as string,
      });
      const explained = await sandbox.journal.explain(entry!.requestId);
      expect(explained!.rules.at(decided === 'preflight' ? -2 : 0)).toMatchObject({
        rule: decided,
        outcome: 'refused',
      });
    });
  }

  test('OPTIONS without a preflight tells the methods', async () => {
    const { fairway } = await open();
    const reply = await bare(fairway, 'OPTIONS', '/api/v4/bookings/payment/x');
    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(list(reply.headers.get('allow')).sort()).toEqual(['get', 'post']);
  });

  const answers: readonly [string, string, string, number][] = [
    ['a success', 'GET', '/api/v3/countries', 200],
    ['a refusal', 'GET', '/api/v3/facilities', 400],
    ['an unknown path', 'GET', '/api/v9/countries', 404],
    ['a wrong method', 'PUT', '/api/v3/countries', 405],
  ];
  for (const [title, method, path, status] of answers) {
    test(`may read ${title} and the headers that tell more`, async () => {
      const { fairway } = await open();
      const reply = await fairway.send(method, path, { headers: { origin: PAGE } });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('access-control-allow-origin')).toBe('*');
      const exposed = list(reply.headers.get('access-control-expose-headers'));
      const wanted = [
        'teebox-request-id',
        'teebox-rule',
        'teebox-scenario',
        'www-authenticate',
        'retry-after',
        'allow',
        'x-message',
        'deprecation',
      ];
      expect([...exposed].sort()).toEqual([...wanted].sort());
      const sameOrigin = await fairway.send(method, path);
      expect([...sameOrigin.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    });
  }

  test('may read why credentials were refused', async () => {
    const { fairway } = await open();
    const reply = await bare(fairway, 'GET', '/api/v3/countries', { headers: { origin: PAGE } });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the headers of the sandbox itself', () => {
  const samples: readonly [string, string, number][] = [
    ['GET', '/api/v3/countries', 200],
    ['GET', '/api/v3/facilities/1001', 200],
    ['GET', '/api/v3/facilities', 400],
    ['POST', '/api/v5/bookings', 415],
    ['GET', '/api/v9/countries', 404],
    ['PUT', '/api/v3/countries', 405],
  ];
  const ours = (headers: Headers): string[] => [...headers.keys()].filter((name) => name.startsWith('teebox-'));

  for (const [method, path, status] of samples) {
    test(`${method} ${path}: a request id and the rule that decided; none of them when pure`, async () => {
      const [usual, pure] = [await open(), await open({ pure: true })];
      const options = { headers: { origin: PAGE } };
      const reply = await usual.fairway.send(method, path, options);
      expect(reply.status).toBe(status);
      expect(ours(reply.headers)).toEqual(['teebox-request-id', 'teebox-rule']);
      expect(reply.headers.get('teebox-request-id')).toMatch(/^\S+$/);
      expect(reply.headers.get('teebox-rule')).toMatch(/^[a-z][\w.-]+; basis=(stated|implied|open)$/);

      const plain = await pure.fairway.send(method, path, options);
      expect(plain).toMatchObject({ status, text: reply.text });
      expect(ours(plain.headers)).toEqual([]);
      expect([...plain.headers.values()].join()).not.toMatch(/teebox-/i);
    });
  }

  test('each request has an id of its own', async () => {
    const { fairway } = await open();
    const ids = new Set<string | null>();
    for (let time = 0; time < 10; time += 1)
      ids.add((await fairway.get('/api/v3/countries')).headers.get('teebox-request-id'));
    expect(ids.size).toBe(10);
  });
});

describe('deprecation', () => {
  for (const operation of everyOperation) {
    const { name, version } = operation;
    const old = everyOperation.some((other) => other.name === name && other.version > version);
    rule(
      'versions.deprecation',
      `${operation.id} is ${old ? 'announced where the dialect does so' : 'the newest'}`,
      async () => {
        const [silent, telling] = [
          await open(),
          await open({ dialect: { answers: { 'versions.deprecation': 'header' } } }),
        ];
        const call = async ({ fairway }: typeof silent) =>
          (await fairway.send(operation.method, pathOf(operation), bodyOf(operation))).headers.get('deprecation');
        expect(await call(silent)).toBeNull();
        if (old) expect(await call(telling)).toMatch(/^@\d+$/);
        else expect(await call(telling)).toBeNull();
      },
    );
  }
});
