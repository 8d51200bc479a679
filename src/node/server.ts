/**
 * The sandbox as a server on a socket.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isLoopback } from '../app/callback-targets.js';
import type { Sandbox } from '../options.js';
import { type AdminAccess, refuseAdmin } from './admin-guard.js';
import { ADMIN_TOKEN_DUE, adminTokenCheck, isAdminToken } from './admin-token.js';
import { answerError, answerUnreadable } from './unreadable.js';

export interface ServeOptions {
  /** Default: 4653. 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly hostname?: string;
  /** Whether `__admin` answers on this machine; its `health` always does. Default: true. */
  readonly admin?: boolean;
  /**
   * What callers of `__admin` must send as a bearer token, at least 16 characters. Without one it is open to this
   * machine, and closed when `hostname` lets other machines in.
   */
  readonly adminToken?: string;
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
 * @throws {RangeError} for an `adminToken` that is too short or does not fit into a header.
 * @throws {Error} when the address cannot be listened on; `code` is that of the system (`EADDRINUSE`).
 * @example
 * const server = await serve(await createSandbox(), { port: 0 });
 * const answer = await fetch(`${server.url}/__admin/health`);
 * await server.close();
 */
export async function serve(sandbox: Pick<Sandbox, 'fetch'>, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const { address, host } = hostOf(hostname);
  const access = accessOf(options, hostname);
  const listener = getRequestListener(
    (request, { incoming }) => {
      const refused = refuseAdmin(request, access);
      if (refused) return refused;
      const { headers } = incoming as IncomingMessage;
      const start = performance.now();
      return sandbox.fetch(request, {
        header: (name) => headers[name] as string | undefined,
        headers,
        cut: (how) => cut(incoming as IncomingMessage, how),
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

/** Ends a connection without the rest of its answer; the listener is told that all was sent. */
function cut({ socket }: IncomingMessage, how: 'reset' | 'close'): Response {
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** A host as the socket takes it, and as an address has it. */
function hostOf(hostname: string): { readonly address: string; readonly host: string } {
  const address = hostname.replace(/^\[|\]$/g, '');
  return { address, host: address.includes(':') ? `[${address}]` : address };
}

/** Whether a server that listens on this host can be reached from other machines. */
export function listensWider(hostname: string): boolean {
  return !isLoopback(hostOf(hostname).host);
}

function accessOf({ admin = true, adminToken }: ServeOptions, hostname: string): AdminAccess {
  if (adminToken !== undefined && !isAdminToken(adminToken)) {
    throw new RangeError(`\`adminToken\` must be ${ADMIN_TOKEN_DUE}.`);
  }
  const hasToken = adminToken === undefined ? undefined : adminTokenCheck(adminToken);
  return { off: !admin, local: !listensWider(hostname), hasToken };
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
