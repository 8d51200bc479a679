import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Injector, type InjectorOptions } from '../../../src/cli/proxy/inject/injector.js';
import { connectTo, raw } from '../../support/network/raw.js';
import { type Proxied, startProxied, startTarget } from './proxied.js';

const BODY = JSON.stringify({ success: true, data: ['Portugal', 'the Netherlands'] });

interface Struck extends Proxied {
  /** The requests that reached the target. */
  readonly reached: string[];
}

async function strike(options: InjectorOptions, coding?: 'gzip'): Promise<Struck> {
  const reached: string[] = [];
  const target = await startTarget((message, response) => {
    reached.push(`${message.method} ${message.url}`);
    message.resume();
    const headers = {
      'content-type': 'application/json',
      'x-own': '1',
      ...(coding ? { 'content-encoding': coding } : {}),
    };
    response.writeHead(200, headers).end(coding ? gzipSync(BODY) : BODY);
  });
  return { ...(await startProxied(target, { injector: new Injector(options) })), reached };
}

/** What a client gets on the wire: the answer, and whether the connection was reset. */
async function ask(url: string, line = 'GET /api/v3/countries'): Promise<{ text: string; wasReset: boolean }> {
  const socket = connectTo(url);
  let [text, wasReset] = ['', false];
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (wasReset = code === 'ECONNRESET'));
  const length = line.startsWith('POST') ? 'Content-Length: 2\r\n' : '';
  socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${length}Connection: close\r\n\r\n${length === '' ? '' : '{}'}`);
  await new Promise((resolve) => socket.on('close', resolve));
  return { text, wasReset };
}

const HALF = BODY.length >> 1;

test.for([
  ['Origin: http://localhost:5173', 1],
  ['Sec-Fetch-Site: same-site', 1],
  ['Accept: */*', 2],
] as const)('a connection with %s gets %i of two responses', async ([header, due]) => {
  const { url } = await strike({ inject: ['slow; delay=1ms'] });
  const head = `GET /api/v3/countries HTTP/1.1\r\nHost: localhost\r\n`;
  const text = await raw(url, `${head}${header}\r\n\r\n${head}Connection: close\r\n\r\n`);
  expect(text.match(/^HTTP\/1.1 200 /gm)).toHaveLength(due);
});

describe('a scenario', () => {
  test.for([
    ['connection-reset', /^$/, true, 0],
    ['connection-reset; phase=after-commit', /^$/, true, 1],
    ['empty-response', /^$/, false, 0],
    ['empty-response; phase=after-commit', /^$/, false, 1],
    ['timeout; delay=5ms', /^$/, true, 0],
    ['timeout; phase=after-commit; delay=5ms', /^$/, true, 1],
    ['truncated-body', new RegExp(`Content-Length: ${BODY.length}[^]*\\r\\n\\r\\n.{${HALF}}$`), false, 1],
    ['malformed-json', /200 OK[^]*\r\n\r\n\{"success":true.*Nether[a-z]*$/, false, 1],
    ['slow; delay=5ms', /Teebox-Scenario: slow; source=plan[^]*Netherlands"\]\}/, false, 1],
    ['slow; phase=before-commit; delay=5ms', /Teebox-Scenario: slow; source=plan[^]*Netherlands"\]\}/, false, 1],
    ['slow-body; delay=20ms', /Teebox-Scenario: slow-body; source=plan[^]*Netherlands"\]\}$/, false, 1],
    ['server-error', /^HTTP\/1.1 500 [^]*Teebox-Scenario: server-error[^]*"success":false/, false, 0],
    ['server-error; phase=after-commit', /^HTTP\/1.1 500 [^]*"success":false/, false, 1],
    ['maintenance', /^HTTP\/1.1 503 [^]*retry-after: 300/, false, 0],
    ['rate-limited', /^HTTP\/1.1 429 [^]*retry-after: 60/, false, 0],
    ['server-error; phase=after-commit, truncated-body', /^HTTP\/1.1 500 /, false, 1],
  ] as const)('`%s` breaks the answer to a read', async ([text, due, wasReset, times]) => {
    const { url, reached, seen } = await strike({ inject: [text] });
    const answer = await ask(url);
    expect(answer.text).toMatch(due);
    expect([answer.wasReset, reached.length]).toEqual([wasReset, times]);
    const [{ injected, answer: own }] = (await seen(1)) as [Proxied['passed'][number]];
    expect(injected).toMatchObject({
      scenarios: expect.arrayContaining([text.split(/[;,]/)[0]]),
      wasSent: times === 1,
    });
    // What the deployment has answered is kept as it was.
    expect(own && Buffer.from(own.body!).toString()).toBe(times === 1 ? BODY : undefined);
  });

  test('that breaks JSON breaks it also where it came compressed', async () => {
    const { url } = await strike({ inject: ['malformed-json'] }, 'gzip');
    const response = await fetch(`${url}/api/v3/countries`);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(BODY.slice(0, -4));
  });

  test('strikes nothing that the contract does not have', async () => {
    const { url, reached } = await strike({ inject: ['server-error'] });
    const response = await fetch(`${url}/health`);
    expect([response.status, response.headers.get('teebox-scenario'), reached.length]).toEqual([200, null, 1]);
  });
});

describe('a write', () => {
  const writes = [
    ['POST /api/v5/bookings', 'bookings'],
    ['POST /api/v5/token/refreshToken', 'tokens'],
    ['GET /api/v5/bookings/payment/b-1', 'payments'],
    ['GET /api/v5/teetimes?facilityIds=1', 'callbacks'],
  ] as const;

  test.for(writes)(
    '%s reaches the deployment, unless --allow %s lets a scenario stop it',
    async ([line, permission]) => {
      const spared = await strike({ inject: ['server-error'] });
      expect((await ask(spared.url, line)).text).toMatch(/^HTTP\/1.1 200 OK/);
      expect(spared.reached).toHaveLength(1);
      const stopped = await strike({ inject: ['server-error'], allow: [permission] });
      expect((await ask(stopped.url, line)).text).toMatch(/^HTTP\/1.1 500 /);
      expect(stopped.reached).toEqual([]);
    },
  );

  test('that is sent may lose its answer', async () => {
    const { url, reached } = await strike({ inject: ['connection-reset; phase=after-commit'] });
    expect(await ask(url, 'POST /api/v5/bookings')).toEqual({ text: '', wasReset: true });
    expect(reached).toEqual(['POST /api/v5/bookings']);
  });

  test('that is spared is counted', async () => {
    const injector = new Injector({ inject: ['maintenance'] });
    const { url } = await startProxied(await startTarget((_, response) => response.end()), { injector });
    await ask(url, 'POST /api/v5/bookings');
    await ask(url);
    expect([[...injector.spared], [...injector.triggered]]).toEqual([[['bookings', 1]], [['maintenance', 1]]]);
  });
});

describe('chaos', () => {
  test('breaks its share with faults of the network alone', async () => {
    const { url, seen } = await strike({ chaos: 'rate=100%; seed=3; only=server-error,maintenance' });
    for (let turn = 0; turn < 12; turn += 1) expect((await ask(url)).text).toMatch(/^HTTP\/1.1 50[03] /);
    const names = (await seen(12)).map(({ injected }) => injected?.scenarios[0]);
    expect(new Set(names)).toEqual(new Set(['server-error', 'maintenance']));
  });

  test.for([
    [{ inject: ['payment-pi-failed'] }, /needs the sandbox/],
    [{ inject: ['slowly'] }, /no scenario `slowly`/],
    [{ inject: ['slow; item=2'] }, /cannot have an `item`/],
    [{ chaos: 'rate=5%; only=rival' }, /needs the sandbox/],
    [{ chaos: 'rate=lots' }, /rate/],
  ] as const)('and scenarios that do not fit are refused: %j', ([options, due]) => {
    expect(() => new Injector(options)).toThrow(due);
  });
});
