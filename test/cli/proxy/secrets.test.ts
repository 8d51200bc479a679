import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { TrafficChecker } from '../../../src/cli/proxy/check/traffic-checker.js';
import type { TrafficEvent } from '../../../src/cli/proxy/check/events.js';
import { jsonOutput, terminalOutput } from '../../../src/cli/proxy/output.js';
import type { PassedExchange } from '../../../src/cli/proxy/wire/passed.js';
import { reportFormats } from '../../../src/conformance/index.js';
import { NOW } from '../../support/client.js';
import { echoes, leaksIn } from '../../support/secrets.js';
import { exchanges } from './exchanges.js';

const [gate, bearer, password, cookie, query, refresh, issued] = [
  'GATE/secret+4711',
  'abc.CLIENT-SECRET-0815.def',
  'pass"word&<0815>',
  'session-COOKIE-99',
  'API key/of=query',
  'refresh-TOKEN-one',
  'issued-TOKEN-two',
];
const all = [gate, bearer, password, cookie, query, refresh, issued];
const basic = Buffer.from(`fairway:${password}`).toString('base64');

const bytesOf = (text: string): Uint8Array => new Uint8Array(new TextEncoder().encode(text));
const message = (body: string, headers: readonly string[] = []) => ({
  headers: ['content-type', 'application/json', ...headers],
  body: bytesOf(body),
  size: bytesOf(body).length,
});

/** One exchange whose answer says what it got, in the shapes in which a debug page or an error text does. */
function exchange(turn: number, path: string, headers: readonly string[], answer: string, body = ''): PassedExchange {
  const [one] = exchanges(1);
  return {
    ...one!,
    id: `x${turn + 1}`,
    turn,
    at: Date.parse(NOW) + turn,
    method: body === '' ? 'GET' : 'POST',
    path,
    request: message(body, headers),
    answer: { ...message(answer, ['x-echo', encodeURIComponent(answer.slice(0, 2000))]), status: 200, isWhole: true },
  };
}

test('no output of the proxy contains a secret that a target echoes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'teebox-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const har = join(folder, 'traffic.har');
  const lines: string[] = [];
  const outputs = [
    terminalOutput({ line: (text) => void lines.push(text), colour: false }),
    jsonOutput({ out: (text: string) => void lines.push(text) } as Parameters<typeof jsonOutput>[0]),
  ];
  const events = (event: TrafficEvent): void => outputs.forEach(({ tell }) => tell(event));
  const checker = new TrafficChecker(
    {
      baseUrl: 'http://deployment.test',
      deployment: { headers: { 'X-Gate': gate } },
      obligations: ['*'],
      tellsExchanges: true,
      har,
    },
    events,
  );
  const shapes = all.flatMap((secret) => Object.values(echoes(secret)));
  const echo = JSON.stringify({ success: true, data: [...shapes, `Bearer ${bearer}`, `Basic ${basic}`, 7] });
  const cut = `{"success":true,"data":["Bearer ${bearer.slice(0, -6)}`;
  const credentials = ['authorization', `Bearer ${bearer}`, 'cookie', `sid=${cookie}`];
  const token = JSON.stringify({
    success: true,
    data: { access_token: issued, refresh_token: refresh, expires_in: 1 },
  });
  const asked = `/api/v3/countries?api_key=${encodeURIComponent(query)}`;
  checker.take(
    [
      exchange(0, '/api/v3/token/refreshToken', [], token, JSON.stringify({ refresh_token: refresh })),
      exchange(1, asked, credentials, echo),
      exchange(2, '/api/v3/countries', ['authorization', `Basic ${basic}`], echo),
      exchange(3, '/api/v3/countries', credentials, echo),
      exchange(4, `/api/v3/facilities?country=${bearer}`, credentials, cut),
      exchange(5, `/api/v3/facilities/${bearer}`, credentials, `<p>${echo}</p>`),
      exchange(6, '/api/v4/bookings', credentials, echo, echo),
    ],
    0,
  );
  const end = await checker.end({ unreachable: 0, unanswered: 0, lost: 0 }, reportFormats);
  for (const { summarize } of outputs) summarize(end.outcome, undefined);
  const written = { har: await readFile(har, 'utf8'), lines: lines.join('\n') };
  const texts = { ...written, ...Object.fromEntries(reportFormats.map((format, at) => [format, end.texts[at]!])) };
  expect(leaksIn(texts, [...all, basic])).toEqual([]);
  // What was echoed is in the outputs, with its secrets masked.
  expect(texts.har).toContain('***');
  expect(end.outcome.traffic.exchanges).toBe(7);
});

/** How a secret becomes known in the middle of a run: an exchange whose request or answer carries it in its proper place. */
const carriers: Readonly<Record<string, (turn: number, secret: string) => PassedExchange>> = {
  'a token that is issued': (turn, secret) =>
    exchange(turn, '/api/v3/token/refreshToken', [], JSON.stringify({ data: { access_token: secret } }), '{}'),
  'a header of the client': (turn, secret) =>
    exchange(turn, '/api/v3/countries', ['authorization', `Bearer ${secret}`], '{}'),
  'a cookie of the client': (turn, secret) => exchange(turn, '/api/v3/countries', ['cookie', `sid=${secret}`], '{}'),
  'a parameter': (turn, secret) => exchange(turn, `/api/v3/countries?api_key=${secret}`, [], '{}'),
  'a member of a request': (turn, secret) =>
    exchange(turn, '/api/v3/token/refreshToken', [], '{}', JSON.stringify({ refresh_token: secret })),
};

/** One exchange that shows a secret wherever it does not belong. */
function showing(turn: number, secret: string): PassedExchange {
  const shapes = Object.values(echoes(secret));
  const body = JSON.stringify({ success: true, data: [...shapes, { [secret]: 7 }] });
  const path = `/api/v3/facilities?country=${encodeURIComponent(secret)}&note=${secret}`;
  return exchange(turn, path, ['x-trace', secret], body, body);
}

test('nothing that is written at the end contains a secret that was shown before it was known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'teebox-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = fc.record({
    before: fc.integer({ min: 1, max: 60 }),
    after: fc.integer({ min: 0, max: 3 }),
    batch: fc.integer({ min: 1, max: 70 }),
    how: fc.constantFrom(...Object.keys(carriers)),
    secret: fc.stringMatching(/^later-[A-Za-z0-9._~-]{4,20}$/),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(run, async ({ before, after, batch, how, secret }) => {
      const har = join(folder, `${(runs += 1)}.har`);
      const deployment = { only: ['countries.*'] };
      const settings = { baseUrl: 'http://deployment.test', deployment, obligations: ['requests.*'], har };
      const checker = new TrafficChecker(settings, () => {});
      const passed = [
        ...Array.from({ length: before }, (_, turn) => (turn % 5 === 0 ? showing(turn, secret) : plain(turn))),
        carriers[how]!(before, secret),
        ...Array.from({ length: after }, (_, more) => showing(before + 1 + more, secret)),
      ];
      for (let at = 0; at < passed.length; at += batch) {
        checker.take(passed.slice(at, at + batch));
        await checker.evaluate();
      }
      const written = (await readFile(har, 'utf8')).length;
      const end = await checker.end({ unreachable: 0, unanswered: 0, lost: 0 }, reportFormats);
      const texts = {
        recording: await readFile(har, 'utf8'),
        outcome: JSON.stringify(end.outcome),
        ...Object.fromEntries(reportFormats.map((format, at) => [format, end.texts[at]!])),
      };
      expect(leaksIn(texts, [secret])).toEqual([]);
      // What was written keeps its place, and each exchange is in it.
      expect(texts.recording.length).toBe(written);
      const { log } = JSON.parse(texts.recording) as {
        log: { entries: { response: { content: { text: string } } }[] };
      };
      expect(log.entries.length).toBe(passed.length);
      expect(log.entries.map(({ response }) => response.content.text).join()).toContain('***');
    }),
    { numRuns: 12 },
  );
});

const plain = (turn: number): PassedExchange => ({ ...exchanges(1)[0]!, id: `x${turn + 1}`, turn });
