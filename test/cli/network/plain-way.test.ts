import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/basic-credentials.js';
import { createWorlds } from '../../../src/engine/library.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { NOW, open } from '../../support/client.js';
import { connectTo } from '../../support/network/raw.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';

/** The same worlds behind a server that knows their `handle`, and behind one that makes a `Request` for each request. */
let servers: RunningServer[];
let credentials = '';
let booking = '';
beforeAll(async () => {
  const { sandbox, fairway } = await open({ now: NOW });
  credentials = `Authorization: ${basicCredentials(sandbox.channels[0]!)}\r\n`;
  booking = JSON.stringify({ ...bookingFor(await findTeeTime(fairway)), comment: 'für zwei, ohne Buggy' });
  const [plain, web] = await Promise.all([createWorlds({ now: NOW }), createWorlds({ now: NOW })]);
  servers = await Promise.all([
    serve(plain, { port: 0 }),
    serve({ handle: (request, hints) => web.handle(request, hints) }, { port: 0 }),
  ]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const get = (path: string, more = credentials, version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: 127.0.0.1\r\n${more}\r\n`;
const post = (body: string, more = credentials, path = '/api/v5/bookings') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
  `${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
const close = () => `${credentials}Connection: close\r\n`;
const sheet = '/api/v4/teetimes/1001?bookingDate=2026-06-19&players=1&holes=18';

/** What is written to a connection, one piece after the other, until the server closes it. */
const talks: Record<string, () => string[]> = {
  'a list': () => [get('/api/v3/countries', close())],
  'a tee sheet': () => [get(sheet, close())],
  'without credentials': () => [get('/api/v3/countries', 'Connection: close\r\n')],
  'from a page': () => [get('/api/v3/countries', `${close()}Origin: http://a.example\r\n`)],
  'HTTP/1.0': () => [get('/api/v3/countries', credentials, '1.0')],
  'HTTP/1.0, kept alive': () => [
    get('/api/v3/countries', `${credentials}Connection: keep-alive\r\n`, '1.0'),
    get('/api/v3/countries', close(), '1.0'),
  ],
  HEAD: () => [get('/api/v3/countries', close()).replace('GET', 'HEAD')],
  'many in one piece': () => [
    get('/api/v3/countries') + post(booking) + get(sheet) + post('[') + get('/api/v4/nothing') + get(sheet, close()),
  ],
  'one after the other': () => [
    get('/api/v3/countries'),
    get(sheet),
    post(booking),
    post('['),
    get('/api/v3/countries', 'Origin: http://a.example\r\n'),
    get('/api/v4/facilities?country=Austria'),
    get(sheet, close()),
  ],
  'a booking': () => [post(booking, close())],
  'a booking in pieces': () => inPieces(post(booking, close()), 90),
  'a booking, head first': () => post(booking, close()).split(/(?<=\r\n\r\n)/),
  'a booking that waits to be asked for': () =>
    post(booking, `${close()}Expect: 100-continue\r\n`).split(/(?<=\r\n\r\n)/),
  'a body that is not JSON': () => [post('{"teeTimeId":', close())],
  'a body with a mark and broken letters': () => [post('\ufeff{"a":"\ud800"}', close())],
  'no body': () => [post('', close())],
  'a body of another type': () => [post(booking, close()).replace('application/json', 'text/plain')],
  'a refresh of a token': () => [post('{"refreshToken":"none"}', close(), '/api/v5/token/refreshToken')],
  'a large body': () => [post(`[${'{"teeTimeId":"TBX"},'.repeat(4000)}{}]`, close())],
  'a body of a GET': () => [get('/api/v3/countries', `${close()}Content-Length: 3\r\n`), 'abc'],
  chunks: () => [
    post('', `${close()}Transfer-Encoding: chunked\r\n`).replace('Content-Length: 0\r\n', '') + '2\r\n{}\r\n0\r\n\r\n',
  ],
  'broken by a scenario': () => [get('/api/v3/countries', `${close()}Teebox-Scenario: truncated-body\r\n`)],
  'refused by a scenario': () => [get('/api/v3/countries', `${close()}Teebox-Scenario: server-error\r\n`)],
  'another world': () => [get('/w/run-7/api/v3/countries') + post(booking, close(), '/w/run-7/api/v5/bookings')],
  'a stranger in another world': () => [get('/w/run-8/api/v3/countries', 'Connection: close\r\n')],
  'other spellings': () => [
    [
      '/api/v3/%63ountries',
      '/api/./v3/countries',
      '//api/v3/countries',
      "/api/v3/facilities?country='%",
      '/api/v3/countries#a',
    ]
      .map((path) => get(path))
      .join('') + get('/api/v3/countries/', close()),
  ],
};

test.each(Object.entries(talks))('%s: the same bytes as by way of a `Request`', async (_title, pieces) => {
  const [plain, web] = await Promise.all(servers.map(({ url }) => talk(url, pieces())));
  expect(plain).toMatch(/^HTTP\/1\.1 \d{3} /);
  expect(plain).toBe(web);
});

async function talk(url: string, pieces: readonly string[]): Promise<string> {
  const socket = connectTo(url).setNoDelay();
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    socket.write(piece);
    await nextTurn();
    await nextTurn();
  }
  await closed;
  return Buffer.concat(received)
    .toString('latin1')
    .replaceAll(/^Date: .*$/gm, 'Date: now');
}
