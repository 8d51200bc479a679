import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { raw } from '../../support/network/raw.js';
import {
  asked,
  get,
  rawBytes,
  startProxied,
  startRawTarget,
  startSocketTarget,
  startTarget,
  textOf,
} from './proxied.js';
import type { Socket } from 'node:net';
import { networkFetch } from '../../../src/cli/network/network-fetch.js';

const message = (head: readonly string[], body = ''): string => `${head.join('\r\n')}\r\n\r\n${body}`;
const ok = 'HTTP/1.1 200 OK';
/** An answer without what is of the connection alone. */
const endToEnd = (text: string): string => text.replace(/^(connection|keep-alive): .*\r\n/gim, '');

describe('an answer', () => {
  const dated = 'Date: Thu, 01 Jan 1970 00:00:00 GMT';
  test.for([
    [
      'with repeated headers and odd spelling',
      'GET',
      [ok, 'SET-cookie: a=1', 'set-Cookie: b=2', 'Content-Length: 2', dated],
      'ok',
    ],
    ['without a date', 'GET', [ok, 'Content-Length: 2'], 'ok'],
    ['with a phrase of its own', 'GET', ['HTTP/1.1 299 As You Like', 'Content-Length: 2', dated], 'ok'],
    ['that is an error', 'GET', ['HTTP/1.1 500 Internal Server Error', 'Content-Length: 4', 'Retry-After: 3'], 'oops'],
    ['that redirects', 'GET', ['HTTP/1.1 302 Found', 'Location: /elsewhere', 'Content-Length: 0'], ''],
    ['to HEAD', 'HEAD', [ok, 'Content-Length: 50000', 'ETag: "x"'], ''],
    ['to HEAD without a length', 'HEAD', [ok, 'ETag: "x"'], ''],
    ['204', 'GET', ['HTTP/1.1 204 No Content', 'X-A: 1'], ''],
    ['304', 'GET', ['HTTP/1.1 304 Not Modified', 'ETag: "x"', 'Content-Length: 7'], ''],
    ['in Latin-1', 'GET', [ok, 'X-Name: caf\xe9', 'Content-Length: 2'], '\xe9\xff'],
    ['in chunks', 'GET', [ok, 'Transfer-Encoding: chunked'], '3\r\nabc\r\n0\r\n\r\n'],
  ] as const)('%s arrives byte for byte', async ([, method, head, body]) => {
    const target = await startRawTarget(message(head, body));
    const { url } = await startProxied(target);
    const text = (method as string) === 'HEAD' ? asked([]).replace('GET', 'HEAD') : asked([]);
    const [direct, proxied] = [await rawBytes(target, text), await rawBytes(url, text)];
    expect(endToEnd(proxied)).toBe(endToEnd(direct));
  });

  test('whose length only the end of the connection tells arrives in chunks', async () => {
    const { url } = await startProxied(await startRawTarget(message([ok, 'X-A: 1'], 'all of it')));
    const answer = await get(url);
    expect([answer.headers['transfer-encoding'], await textOf(answer)]).toEqual(['chunked', 'all of it']);
  });

  test('that is compressed stays so', async () => {
    const zipped = gzipSync('{"success":true}'.repeat(500));
    const target = await startTarget((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped),
    );
    const { url } = await startProxied(target);
    const chunks: Buffer[] = [];
    for await (const chunk of await get(url)) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(zipped)).toBe(true);
  });

  test('of many megabytes arrives whole, and no more of it is kept than there is room for', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const target = await startTarget((_, response) => {
      for (let at = 0; at < 20; at += 1) response.write(piece);
      response.end();
    });
    const { url, seen } = await startProxied(target, { maxBody: 1024 * 1024 });
    let size = 0;
    for await (const chunk of await get(url)) size += (chunk as Buffer).length;
    expect(size).toBe(20 * piece.length);
    expect((await seen(1))[0]!.answer).toMatchObject({ body: undefined, size, isWhole: true });
  });

  test('streams: status and first bytes arrive before the last are sent', async () => {
    let finish = (): void => {};
    const target = await startTarget((_, response) => {
      response.writeHead(200).flushHeaders();
      finish = () => response.end('last');
    });
    const { url } = await startProxied(target);
    const answer = await get(url);
    finish();
    expect(await textOf(answer)).toBe('last');
  });

  test('keeps its trailers, and hints come before it', async () => {
    const target = await startTarget((_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.writeHead(200, { trailer: 'X-Sum' });
      response.write('body');
      response.addTrailers({ 'X-Sum': '42' });
      response.end();
    });
    const { url } = await startProxied(target);
    const text = await raw(url, asked([]));
    expect(text).toMatch(/^HTTP\/1.1 103 Early Hints\r\nLink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1.1 200 OK/);
    expect(text).toMatch(/Trailer: X-Sum[^]*\r\n4\r\nbody\r\n0\r\nX-Sum: 42\r\n\r\n$/i);
  });

  test.for([
    ['breaks off', `${ok}\r\nContent-Length: 100\r\n\r\nhalf`, /half$/],
    ['breaks off in chunks', `${ok}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`, /half\r\n$/],
    ['never begins', '', /^$/],
  ] as const)('that %s ends the connection of the client', async ([, bytes, due]) => {
    const { url, seen } = await startProxied(await startRawTarget(bytes));
    expect(await raw(url, asked([]))).toMatch(due);
    const [exchange] = await seen(1);
    expect(exchange).toMatchObject({ clientLeft: false, isUnreachable: false });
    expect(exchange!.failure).toMatch(/hang up|middle of the answer/);
  });

  test.for([
    [
      'is reset',
      (socket: Socket) => socket.resetAndDestroy(),
      'the connection broke in the middle of the answer',
      /half\r\n$/,
    ],
    ['ends', (socket: Socket) => socket.end(), undefined, /half\r\n0\r\n\r\n$/],
  ] as const)('without a length whose connection %s', async ([, end, failure, due]) => {
    const target = await startSocketTarget((socket) => {
      socket.once('data', () => socket.write(`${ok}\r\n\r\nhalf`, () => setTimeout(() => end(socket), 50)));
    });
    const { url, seen } = await startProxied(target);
    expect(await raw(url, asked([]))).toMatch(due);
    const [exchange] = await seen(1);
    expect(exchange).toMatchObject({ failure, answer: { isWhole: failure === undefined } });
    // The same bytes, as `check` reads them.
    const read = (async () => (await networkFetch({ env: {} })(new Request(target))).text())();
    if (failure === undefined) expect(await read).toBe('half');
    else await expect(read).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('that breaks off while the proxy is closed is reported before that', async () => {
    const target = await startRawTarget(`${ok}\r\nContent-Length: 100\r\n\r\nhalf`);
    for (let run = 0; run < 20; run += 1) {
      const { url, passed, close } = await startProxied(target);
      const request = raw(url, asked([]));
      // A moment before, with, and after the end of the connection.
      if (run % 2 === 0) await request;
      else await new Promise((resolve) => setTimeout(resolve, run / 4));
      await close();
      const count = passed.length;
      await request.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(passed).toHaveLength(count);
    }
  });

  test.for([
    ['nothing listens', 'http://127.0.0.1:1', /nothing listens at that address \(ECONNREFUSED\)/],
    ['the name is unknown', 'http://nowhere.invalid', /ENOTFOUND|EAI_AGAIN/],
  ] as const)('is 502 and says whose it is where %s', async ([, target, due]) => {
    const { url, seen } = await startProxied(target);
    const response = await fetch(`${url}/api/v3/countries`);
    expect(response.status).toBe(502);
    expect(response.headers.get('teebox-proxy')).toBe('target-unreachable');
    expect(await response.json()).toMatchObject({
      status: 502,
      source: 'teebox proxy',
      detail: expect.stringMatching(due),
    });
    expect(await seen(1)).toMatchObject([{ isUnreachable: true, answer: undefined }]);
  });

  test('that is no HTTP is 502 too', async () => {
    const { url } = await startProxied(await startRawTarget('SSH-2.0-golf\r\n\r\n'));
    const response = await fetch(url);
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      502,
      expect.stringMatching(/did not answer with HTTP/),
    ]);
  });
});
