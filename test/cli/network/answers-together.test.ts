import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/world.js';
import { type RunningServer, serve } from '../../../src/cli/server.js';
import { NOW, open } from '../../support/client.js';
import { connectTo } from '../../support/network/raw.js';

let server: RunningServer;
let credentials = '';
beforeAll(async () => {
  const { sandbox } = await open({ now: NOW });
  credentials = `Authorization: ${basicCredentials(sandbox.channels[0]!)}\r\n`;
  server = await serve(sandbox, { port: 0 });
});
afterAll(() => server.close());

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${credentials}${more}\r\n`;

/** All that a connection receives until the server closes it. */
async function receivedFor(sent: string): Promise<string> {
  const socket = connectTo(server.url);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(sent);
  await once(socket, 'close');
  return text;
}

test.each<[what: string, sent: () => string, want: readonly string[]]>([
  ['a request whose connection is closed', () => get('/api/v3/countries', 'Teebox-Scenario: empty-response\r\n'), []],
  ['what is no HTTP', () => 'no HTTP\r\n\r\n', ['HTTP/1.1 400']],
  ['a tunnel', () => 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', ['HTTP/1.1 405']],
])('%s, in one piece with a request before it, comes after its answer', async (_what, sent, want) => {
  const text = await receivedFor(get('/api/v3/countries') + sent());
  expect(text).toContain('"the Netherlands"]}');
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', ...want]);
});

test('of many connections at once, each gets its own answers in order', async () => {
  const paths = [
    '/api/v3/countries',
    '/api/v4/teetimes/1001?bookingDate=2026-06-19&players=1&holes=18',
    '/api/v4/facilities?country=Austria',
    '/api/v4/nothing',
  ];
  const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);
  const wanted = await Promise.all(paths.map((path) => receivedFor(get(path, 'Connection: close\r\n'))));
  await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const socket = connectTo(server.url);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      for (let turn = at; turn < at + 12; turn += 1) {
        const body = bodyOf(wanted[turn % paths.length]!);
        text = '';
        socket.write(get(paths[turn % paths.length]!));
        while (!text.endsWith(body)) await once(socket, 'data');
        expect(bodyOf(text)).toBe(body);
      }
      socket.destroy();
    }),
  );
});
