/**
 * The sandbox as a server on a socket.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { isLoopback } from '../app/callback-targets.js';
import type { Sandbox } from '../options.js';
import { refuseAdmin } from './admin-guard.js';
import { answerError, answerUnreadable } from './unreadable.js';

export interface ServeOptions {
  /** Default: 4653. 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly hostname?: string;
  /** Whether `__admin` answers on this machine; its `health` always does. Default: true. */
  readonly admin?: boolean;
}

export interface RunningServer {
  /** `{base_url}` without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets answers under way finish for a moment, then ends every connection. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4653;
const GRACE = 400;

/**
 * Serves a sandbox over HTTP.
 *
 * @throws {Error} when the address cannot be listened on; `code` is that of the system (`EADDRINUSE`).
 * @example
 * const server = await serve(await createSandbox(), { port: 0 });
 * const answer = await fetch(`${server.url}/__admin/health`);
 * await server.close();
 */
export async function serve(sandbox: Pick<Sandbox, 'fetch'>, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1', admin = true } = options;
  const address = hostname.replace(/^\[|\]$/g, '');
  const host = address.includes(':') ? `[${address}]` : address;
  const access = !admin ? 'off' : isLoopback(host) ? 'local' : 'exposed';
  const listener = getRequestListener(
    (request, { incoming }) => {
      const refused = refuseAdmin(request, access);
      if (refused) return refused;
      const { headers } = incoming as IncomingMessage;
      const start = performance.now();
      return sandbox.fetch(request, {
        header: (name) => headers[name] as string | undefined,
        elapsed: () => performance.now() - start,
      });
    },
    { hostname: host, errorHandler: answerError },
  );
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => void listener(incoming, outgoing));
  answerUnreadable(server);
  await listen(server, port, address);
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server) };
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
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
