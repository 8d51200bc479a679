import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
