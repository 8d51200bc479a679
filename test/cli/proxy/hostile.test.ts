import { expect, onTestFinished, test } from 'vitest';
import { openTarget } from '../../../src/cli/proxy/wire/target.js';
import { startProxy } from '../../support/network/proxy.js';
import { rawBytes, startProxied, startRawTarget, startSocketTarget, startTarget } from './proxied.js';

const requestFor = (line: string, ...lines: readonly string[]): string =>
  `${[line, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const named = 'Host: localhost';

test.for([
  ['GET', 'ftp://other.test/x', '/ftp://other.test/x'],
  ['GET', '*@other.test/x', '/*@other.test/x'],
  ['GET', '*.other.test', '/*.other.test'],
  ['GET', 'http://other.test/x', '/x'],
  ['OPTIONS', '*', ''],
] as const)(
  '%s %s reaches nothing but the target, also behind a proxy of the environment',
  async ([method, asked, due]) => {
    const target = await startTarget((_, response) => response.end());
    const between = await startProxy(Number(new URL(target).port));
    onTestFinished(() => between.close());
    const baseUrl = 'http://deployment.test';
    const { url } = await startProxied(baseUrl, { target: openTarget({ baseUrl, env: { http_proxy: between.url } }) });
    await rawBytes(url, requestFor(`${method} ${asked} HTTP/1.1`, named));
    expect(between.asked).toEqual([`${method} http://deployment.test${due}`]);
  },
);

test('a second host is not passed on', async () => {
  const target = await startTarget(({ rawHeaders }, response) => response.end(rawHeaders.join()));
  const { url } = await startProxied(target);
  const answer = await rawBytes(
    url,
    requestFor('GET /x HTTP/1.1', 'X-First: 1', 'host: localhost', 'Host: other.test'),
  );
  expect(answer).toContain(`\r\n\r\nX-First,1,host,${new URL(target).host},Connection`);
});

test.for([
  ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
  ['an upgrade that nobody asked for', 'HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxx'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nabc'],
  ['two ways of framing', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
] as const)('an answer with %s is a 502, and the proxy goes on', async ([, bytes]) => {
  const { url } = await startProxied(await startRawTarget(bytes));
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await rawBytes(url, requestFor('GET /x HTTP/1.1', named));
    expect(answer).toMatch(/^HTTP\/1\.1 502 .*did not answer with HTTP \(HPE_\w+\)\. The request was sent/s);
  }
});

test('a hint that is no link is dropped, and the answer passes', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: nonsense\r\n\r\n';
  const { url } = await startProxied(await startRawTarget(`${hint}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`));
  expect(await rawBytes(url, requestFor('GET /x HTTP/1.1', named))).toMatch(/^HTTP\/1\.1 200 OK\r\n.*ok$/s);
});

test.for([
  ['/__admin/state', 'sandbox.evil.test', 403],
  ['/w/one/%5F_admin/state', 'sandbox.evil.test', 403],
  ['/__admin', '', 403],
  ['/__admin/state', '127.0.0.1:4654', 200],
  ['/__admin/state', '[::1]:4654', 200],
  ['/api/v5/x?callbackUrl=http://127.0.0.1/__admin/inbox/a', '127.0.0.1:4654', 200],
  ['/api/v5/x', 'sandbox.evil.test', 403],
] as const)('%s under the host %j is answered with %i', async ([path, host, due]) => {
  const { url } = await startProxied(await startTarget((_, response) => response.end()));
  expect(await rawBytes(url, requestFor(`GET ${path} HTTP/1.1`, `Host: ${host}`))).toMatch(`HTTP/1.1 ${due} `);
});

const simplePost: readonly string[] = ['Content-Type: text/plain', 'Content-Length: 0'];
const foreign: readonly (readonly [string, string, readonly string[], number])[] = [
  ['a page of another site', 'POST', ['Origin: http://evil.example', ...simplePost], 403],
  ['a page in a frame without an origin', 'POST', ['Origin: null', ...simplePost], 403],
  ['an image on a page of another site', 'GET', ['Sec-Fetch-Site: cross-site'], 403],
  ['a page on a name that was rebound to this machine', 'GET', ['Host: evil.example'], 403],
  ['TRACE, which shows the headers that were added', 'TRACE', [], 405],
  ['a page on this machine', 'GET', ['Origin: http://localhost:5173', 'Sec-Fetch-Site: cross-site'], 200],
  ['a page of the proxy itself', 'GET', ['Sec-Fetch-Site: same-origin'], 200],
];
test.for(foreign)('a request of %s reaches the target as it may', async ([, method, lines, status]) => {
  let reached = 0;
  const target = await startTarget((_, response) => {
    reached += 1;
    response.end();
  });
  const { url } = await startProxied(target, { headers: [['X-Gate', 'secret-of-the-gate']] });
  const host = lines.some((line) => line.startsWith('Host:')) ? [] : [named];
  const answer = await rawBytes(url, requestFor(`${method} /api/v3/countries HTTP/1.1`, ...host, ...lines));
  expect(answer).toMatch(`HTTP/1.1 ${status} `);
  expect(answer).not.toContain('secret-of-the-gate');
  expect(reached).toBe(status === 200 ? 1 : 0);
});

test('bytes that nobody asked for are no answer to the next request', async () => {
  let turn = 0;
  const answerWith = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const target = await startSocketTarget((socket) => {
    socket.on('data', () => {
      turn += 1;
      socket.write(answerWith(`right-${turn}`));
      setTimeout(() => socket.write(answerWith('wrong')), 5);
    });
  });
  const { url } = await startProxied(target);
  for (let asked = 1; asked <= 3; asked += 1) {
    expect(await (await fetch(`${url}/x`)).text()).toBe(`right-${asked}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});
