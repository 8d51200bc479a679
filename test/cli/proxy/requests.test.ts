import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { connectTo, raw } from '../../support/network/raw.js';
import { asked, rawBytes, startProxied, startSocketTarget, startTarget, textOf } from './proxied.js';

describe('a request', () => {
  test('arrives with its headers as they were written, but for those of the connection and the host', async () => {
    const seen: string[][] = [];
    const target = await startTarget(({ rawHeaders, method, url }, response) => {
      seen.push([`${method} ${url}`, ...rawHeaders]);
      response.end();
    });
    const { url } = await startProxied(target);
    const own = ['X-TWICE: one', 'x-twice: two', 'accept: */*', 'X-Latin: caf\xe9', 'X-Empty:'];
    await rawBytes(url, asked([...own, 'Keep-Alive: timeout=9', 'TE: gzip', 'X-Hop: 1', 'Connection: X-Hop']));
    const { host } = new URL(target);
    expect(seen).toEqual([
      ['GET /some/path?a=1&a=2', 'Host', host, 'X-TWICE', 'one', 'x-twice', 'two', 'accept', '*/*']
        .concat(['X-Latin', 'caf\xe9', 'X-Empty', ''])
        .concat(['Connection', 'keep-alive']),
    ]);
  });

  test.for([
    ['with a length', ['Content-Length: 11'], 'hello world', 'hello world', undefined],
    ['in chunks', ['Transfer-Encoding: chunked'], '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n', 'hello world', 'chunked'],
    ['of no bytes', ['Content-Length: 0'], '', '', undefined],
    ['without a length', [], '', '', undefined],
  ] as const)('keeps its body %s', async ([, lines, body, due, coding]) => {
    const seen: unknown[] = [];
    const target = await startTarget(async (message, response) => {
      seen.push([await textOf(message), message.headers['transfer-encoding']]);
      response.end();
    });
    const { url, seen: passed } = await startProxied(target);
    await raw(url, asked(lines, body).replace('GET', 'POST'));
    expect(seen).toEqual([[due, coding]]);
    const [exchange] = await passed(1);
    expect(Buffer.from(exchange!.request.body!).toString()).toBe(due);
  });

  test('reaches a target below a path, with the headers of --header in place of its own', async () => {
    const seen: string[][] = [];
    const target = await startTarget(({ url, rawHeaders }, response) => {
      seen.push([url!, ...rawHeaders.slice(2)]);
      response.end();
    });
    const { url } = await startProxied(`${target}/golf/`, { headers: [['X-Key', 'from the flag']] });
    await raw(url, asked(['x-key: from the client']));
    expect(seen).toEqual([['/golf/some/path?a=1&a=2', 'X-Key', 'from the flag', 'Connection', 'keep-alive']]);
  });

  test.for([
    ['that is no HTTP', 'nonsense\r\n\r\n', 400],
    ['for a tunnel', 'CONNECT golf.test:443 HTTP/1.1\r\nHost: golf.test\r\n\r\n', 405],
    ['with another expectation', asked(['Expect: a-miracle']), 417],
  ] as const)('%s is refused by the proxy, and marked as its own', async ([, bytes, status]) => {
    const { url } = await startProxied('http://127.0.0.1:1');
    expect(await raw(url, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*Teebox-Proxy: bad-request`));
  });

  test('without a body gets no headers of one', async () => {
    const seen: string[][] = [];
    const target = await startTarget(({ rawHeaders }, response) => {
      seen.push(rawHeaders.slice(2));
      response.end();
    });
    const { url } = await startProxied(target);
    for (const method of ['GET', 'DELETE', 'OPTIONS']) await raw(url, asked([]).replace('GET', method));
    expect(seen).toEqual(seen.map(() => ['Connection', 'keep-alive']));
  });

  test('streams: its first bytes arrive before its last are sent', async () => {
    let arrived: (text: string) => void = () => {};
    const first = new Promise<string>((resolve) => (arrived = resolve));
    const target = await startTarget((message, response) => {
      message.once('data', (chunk) => arrived(String(chunk)));
      message.on('end', () => response.end('done'));
    });
    const { url } = await startProxied(target);
    const sent = request(url, { method: 'POST', agent: false });
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('first');
    expect(await first).toBe('first');
    sent.end('last');
    expect(await textOf((await answer)[0])).toBe('done');
  });

  test('waits for 100 Continue of the target', async () => {
    const target = await startTarget(
      (message, response) => void message.resume().on('end', () => response.end('took it')),
      (server) => server.on('checkContinue', (_, response) => response.writeHead(413).end('too large')),
    );
    const { url } = await startProxied(target);
    const refused = await raw(url, asked(['Expect: 100-continue', 'Content-Length: 5']).replace('GET', 'POST'));
    expect(refused).toMatch(/^HTTP\/1.1 413 /);
    const willing = await startTarget((message, response) => void message.resume().on('end', () => response.end('ok')));
    const other = await startProxied(willing);
    const socket = connectTo(other.url);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('100 Continue\r\n\r\n')) socket.write('hello');
    });
    socket.write(asked(['Expect: 100-continue', 'Content-Length: 5']).replace('GET', 'POST'));
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  test('that the client gives up ends at the target too', async () => {
    let closed = (): void => {};
    const ended = new Promise<void>((resolve) => (closed = resolve));
    let begun = (): void => {};
    const reached = new Promise<void>((resolve) => (begun = resolve));
    const target = await startTarget((message) => {
      message.socket.on('close', closed);
      begun();
    });
    const { url, seen } = await startProxied(target);
    const socket = connectTo(url);
    socket.write(asked([]));
    await reached;
    socket.destroy();
    await ended;
    expect(await seen(1)).toMatchObject([{ clientLeft: true, answer: undefined, failure: undefined }]);
  });
});

describe('connections', () => {
  test('are kept on both sides', async () => {
    const [sockets, clients] = [new Set(), new Set()];
    const target = await startTarget(({ socket }, response) => {
      sockets.add(socket);
      response.end('ok');
    });
    const { url } = await startProxied(target);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; turn < 5; turn += 1) {
      const sent = request(url, { agent }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      clients.add(sent.socket);
      await textOf(answer);
    }
    agent.destroy();
    expect([sockets.size, clients.size]).toEqual([1, 1]);
  });

  test('that the target has closed meanwhile cost a read nothing', async () => {
    let connections = 0;
    const target = await startSocketTarget((socket) => {
      connections += 1;
      // The second request on a connection finds it closed.
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    const { url } = await startProxied(target);
    for (let turn = 0; turn < 3; turn += 1) expect(await (await fetch(url)).text()).toBe('ok');
    expect(connections).toBe(3);
  });
});
