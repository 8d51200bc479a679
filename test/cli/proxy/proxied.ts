import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { answersOf } from '../../../src/engine/state/dialect.js';
import { type ProxyServerOptions, startProxyServer } from '../../../src/cli/proxy/server.js';
import type { PassedExchange } from '../../../src/cli/proxy/wire/passed.js';
import { connectTo } from '../../support/network/raw.js';
import { openTarget } from '../../../src/cli/proxy/wire/target.js';

const urlOf = (server: Server | ReturnType<typeof createSocketServer>): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A target that answers as a function says. */
export async function startTarget(listener: RequestListener, prepare?: (server: Server) => void): Promise<string> {
  const server = createServer(listener);
  prepare?.(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return urlOf(server);
}

/** A target that does with each connection what a function says. */
export async function startSocketTarget(take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    take(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return urlOf(server);
}

/** A target that answers each connection with these bytes as soon as it is asked, and then closes it. */
export const startRawTarget = (bytes: string): Promise<string> =>
  startSocketTarget((socket) => void socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1'))));

/** A proxy in front of a target, with what passed by. */
export interface Proxied {
  readonly url: string;
  readonly passed: readonly PassedExchange[];
  /** Resolves when so many exchanges have passed by. */
  seen(count: number): Promise<readonly PassedExchange[]>;
  close(): Promise<void>;
}

export async function startProxied(
  baseUrl: string,
  { headers = [], ...options }: Partial<ProxyServerOptions> & { readonly headers?: readonly [string, string][] } = {},
): Promise<Proxied> {
  const passed: PassedExchange[] = [];
  let told = (): void => {};
  const proxy = await startProxyServer({
    target: openTarget({ baseUrl, headers }),
    port: 0,
    hostname: '127.0.0.1',
    answers: answersOf(),
    now: () => Date.now(),
    onExchange(exchange, release) {
      passed.push(exchange);
      release();
      told();
    },
    ...options,
  });
  onTestFinished(() => proxy.close());
  return {
    url: proxy.url,
    passed,
    close: () => proxy.close(),
    async seen(count) {
      while (passed.length < count) await new Promise<void>((resolve) => (told = resolve));
      return passed;
    },
  };
}

/** A request whose bytes are sent as they are; the server closes afterwards. */
export const asked = (lines: readonly string[], body = ''): string =>
  `${['GET /some/path?a=1&a=2 HTTP/1.1', 'Host: localhost', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;

/** The answer to a request on a connection of its own. */
export const get = (url: string, method = 'GET', headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request(url, { method, headers, agent: false }, resolve).on('error', reject).end());

/** The body of a message. */
export async function textOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += chunk;
  return text;
}

/** What a server sends until it closes, for a request in Latin-1. */
export async function rawBytes(url: string, text: string): Promise<string> {
  const socket = connectTo(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(Buffer.from(text, 'latin1'));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}
