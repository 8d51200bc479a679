import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/engine/record/journal.js';
import { exchangeLog, type LogLevel, worldLog } from '../../src/cli/log.js';
import { startCli } from '../support/network/process.js';

const exchange: JournalEntry = {
  requestHeaders: {},
  state: 'answered',
  requestId: 'req-7',
  method: 'GET',
  url: 'http://127.0.0.1:4653/api/v3/countries',
  status: 200,
  at: Date.UTC(2026, 5, 1, 8),
  operation: 'v3.listCountries',
  channel: 'fairway',
  rule: 'countries.response',
};

function written(
  given: Partial<JournalEntry>,
  level: LogLevel = 'info',
  format: 'pretty' | 'json' = 'pretty',
  colour = false,
): string[] {
  const lines: string[] = [];
  exchangeLog({ level, format, colour, write: (line) => lines.push(line) })?.({ ...exchange, ...given });
  return lines;
}

const refused = {
  status: 400,
  rule: 'countries.query.connected',
  detail: '`connected` must be true or false; got "maybe"',
};

test.each([
  ['an answer', {}, false, 'GET /api/v3/countries 200 channel=fairway id=req-7'],
  ['a measured answer', { durationMs: 12.3456 }, false, 'GET /api/v3/countries 200 12.3ms channel=fairway id=req-7'],
  [
    'a refusal',
    refused,
    false,
    'GET /api/v3/countries 400 channel=fairway rule=countries.query.connected ' +
      'why="`connected` must be true or false; got \\"maybe\\"" id=req-7',
  ],
  [
    'several scenarios and a warning',
    {
      scenario: { id: 'booking-failed', source: 'plan', struck: true, also: ['slow'] },
      warnings: ['`contactLastName` is "Slow", and 7eeb0acc-c6b4-4035-8b38-b2e946081ac4.'],
    },
    false,
    'GET /api/v3/countries 200 channel=fairway scenario=booking-failed(plan)+slow ' +
      'warning="`contactLastName` is \\"Slow\\", and ***." id=req-7',
  ],
  ['colour', {}, true, 'GET /api/v3/countries \u001b[32m200\u001b[0m channel=fairway id=req-7'],
])('a line for people: %s', (_title, given, colour, want) => {
  expect(written(given, 'info', 'pretty', colour)).toEqual([want]);
});

test('a warning is of the level warn', () => {
  const given = { warnings: ['Mind the gap.'] };
  expect(written(given, 'warn', 'json').map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', ...given }]);
  expect(written({}, 'warn')).toEqual([]);
});

test('a line for machines', () => {
  expect(written({ ...refused, durationMs: 12.3456 }, 'info', 'json').map((line) => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: '2026-06-01T08:00:00.000Z',
      msg: 'GET /api/v3/countries 400',
      requestId: 'req-7',
      method: 'GET',
      path: '/api/v3/countries',
      operation: 'v3.listCountries',
      channel: 'fairway',
      durationMs: 12.346,
      ...refused,
    },
  ]);
});

test.each<[LogLevel, number[]]>([
  ['silent', []],
  ['error', [500]],
  ['warn', [500]],
  ['info', [200, 400, 500]],
  ['debug', [200, 400, 500]],
])('level %s writes %j', (level, want) => {
  expect([200, 400, 500].filter((status) => written({ status }, level).length > 0)).toEqual(want);
});

describe('secrets are masked', () => {
  const search = 'http://127.0.0.1:4653/api/v5/teetimes?players=2&callbackUrl=';
  const pathLogged = (url: string) => written({ url })[0]!.split(' ')[1]!;
  const callbacks: [string, string, string][] = [
    ['credentials', 'http://me:s3cret@partner.example/in', 'http://***@partner.example/in'],
    ['a password with signs', 'http://me:p@s3cret@partner.example/in', 'http://***@partner.example/in'],
    ['a token', 'http://partner.example/in?token=s3cret&id=1', 'http://partner.example/in?token=***&id=1'],
    ['no secret', 'http://partner.example/a@b?id=1', 'http://partner.example/a@b?id=1'],
  ];
  test.each(callbacks)('in a callback address with %s', (_title, address, want) => {
    for (const written of [encodeURIComponent(address), address.replaceAll('&', '%26')]) {
      expect(new URL(pathLogged(search + written), 'http://x').searchParams.get('callbackUrl')).toBe(want);
    }
  });

  test.each([
    ['?access_token=s3cret&connected=true', '?access_token=***&connected=true'],
    ['?%token=s3cret&x=%E0%A4%A', '?%token=***&x=%E0%A4%A'],
    ['?connected=true&token', '?connected=true&token'],
  ])('in the query %s', (query, want) => {
    expect(pathLogged(exchange.url + query)).toBe(`/api/v3/countries${want}`);
  });

  test('a URL that the response repeats', () => {
    const detail = '`callbackUrl` must be an http address; got "ftp://me:s3cret@partner.example/?token=s3cret"';
    const [line] = written({ ...refused, detail });
    expect(line).toContain('ftp://***@partner.example/?token=***');
  });

  test('what a token refresh sent is not repeated', () => {
    const detail = '`refresh_token` must be a string; got "{\\"refresh_token\\":\\"s3cret"';
    const given = { operation: 'refreshToken', status: 400, detail };
    for (const format of ['pretty', 'json'] as const) {
      const [line] = written(given, 'info', format);
      expect(line).toContain('`refresh_token` must be a string"');
      expect(line).not.toContain('s3cret');
    }
  });

  test('whatever a token consists of', () => {
    const names = fc.constantFrom('access_token', 'refreshToken', 'token', 'password', 'client_secret', 'api_key');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), names, (value, name) => {
        const pair = `${name}=${encodeURIComponent(value)}&connected=true`;
        const callback = encodeURIComponent(`https://partner.example/in?${pair}`);
        expect(pathLogged(`${exchange.url}?${pair}`)).toBe(`/api/v3/countries?${name}=***&connected=true`);
        const { searchParams } = new URL(pathLogged(search + callback), 'http://x');
        expect(searchParams.get('callbackUrl')).toBe(`https://partner.example/in?${name}=***&connected=true`);
      }),
    );
  });
});

describe('a world that has ended', () => {
  const reason = 'The world `a` has ended: it was deleted.';
  const lines = (level: LogLevel, format: 'pretty' | 'json'): string[] => {
    const all: string[] = [];
    worldLog({ level, format, colour: false, write: (line) => all.push(line) })?.('a', reason);
    return all;
  };

  test('is a line', () => {
    expect(lines('info', 'pretty')).toEqual([reason]);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(lines('info', 'json')[0]!)).toEqual({ level: 'info', time, msg: reason, world: 'a' });
    expect(lines('warn', 'pretty')).toEqual([]);
  });

  test('is told by the server, after the requests before it and before those that a signal follows at once', async () => {
    const server = await startCli();
    const ask = (count: number) =>
      Promise.all(Array.from({ length: count }, () => fetch(`${server.baseUrl}/api/v3/countries`)));
    await ask(20);
    await fetch(`${server.baseUrl}/w/a/__admin/reset`, { method: 'POST' });
    await fetch(`${server.baseUrl}/__admin/worlds/a`, { method: 'DELETE' });
    await ask(20);
    expect(await server.stop()).toBe(0);
    const told = server.output().stderr.trimEnd().split('\n');
    const ids = Array.from({ length: 40 }, (_, at) => `id=req-${at + 1}`);
    const want = [...ids.slice(0, 20), reason, ...ids.slice(20)];
    expect(told.map((line) => / (id=.*)$/.exec(line)?.[1] ?? line)).toEqual(want);
  });
});
