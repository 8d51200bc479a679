/**
 * The sandbox as a server on a socket.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { isLoopback } from '../app/callback-targets.js';
import type { Sandbox } from '../sandbox.js';
import { refuseAdmin } from './admin-guard.js';

export interface ServeOptions {
  /** Default: 4653. 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly hostname?: string;
}

export interface RunningServer {
  /** `{base_url}` without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets answers under way finish for half a second, then ends every connection. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4653;
const GRACE = 500;

/**
 * Serves a sandbox over HTTP.
 *
 * @throws {Error} when the address cannot be listened on; `code` is that of the system (`EADDRINUSE`).
 * @example
 * const server = await serve(await createSandbox(), { port: 0 });
 * const answer = await fetch(`${server.url}/__admin/health`);
 * await server.close();
 */
export async function serve(sandbox: Sandbox, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const open = isLoopback(hostname) || hostname === '::1';
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { headers } = incoming as IncomingMessage;
      const refused = refuseAdmin(request.url, headers.host, open);
      if (refused) return refused;
      return sandbox.fetch(request, { header: (name) => headers[name] as string | undefined });
    },
    { hostname, errorHandler: () => malformed() },
  );
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => void listener(incoming, outgoing));
  server.on('clientError', (_error, socket: Socket) => {
    if (socket.writable) socket.end(rawMalformed);
    else socket.destroy();
  });
  await listen(server, port, hostname);
  const bound = (server.address() as AddressInfo).port;
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server) };
}

function listen(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, hostname.replace(/^\[|\]$/g, ''), () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const malformedBody = JSON.stringify({
  success: false,
  data: null,
  message: 'The request is not well-formed HTTP.',
});
const rawMalformed =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
  `Content-Length: ${malformedBody.length}\r\n\r\n${malformedBody}`;

function malformed(): Response {
  return new Response(malformedBody, { status: 400, headers: { 'content-type': 'application/json; charset=utf-8' } });
}
