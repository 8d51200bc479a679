/**
 * Serves a sandbox over HTTP.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { isLoopback } from '../callbacks/targets.js';
import type { Sandbox } from '../options.js';
import { type AdminAccess, lacksToken, refuseAdmin, refuseCallback } from './admin-guard.js';
import { ADMIN_TOKEN_DUE, adminTokenCheck, isAdminToken } from './admin-token.js';
import { admitsConsole } from './console/admits.js';
import { callersOf } from './network/caller.js';
import { answerError, answerUnreadable, hostCheck } from './unreadable.js';

export interface ServeOptions {
  /** Default: 4653; 0 picks a free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly hostname?: string;
  /** Whether to serve the admin API. `__admin/health` is always served. Default: true. */
  readonly admin?: boolean;
  /**
   * The bearer token that the admin API requires, at least 16 characters. Without it, the admin API is open if the
   * server listens on loopback only, and closed otherwise.
   */
  readonly adminToken?: string;
}

export interface RunningServer {
  /** The base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets pending responses finish for 400 ms, then closes every connection. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4653;
const GRACE = 400;

/**
 * Serves a sandbox over HTTP.
 *
 * @throws {RangeError} if `adminToken` is too short or not valid in a header.
 * @throws {Error} if the server cannot listen on the address, with the `code` of the system (`EADDRINUSE`).
 * @example
 * const server = await serve(await createSandbox(), { port: 0 });
 * const response = await fetch(`${server.url}/__admin/health`);
 * await server.close();
 */
export async function serve(sandbox: Pick<Sandbox, 'handle'>, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const { address, host } = hostOf(hostname);
  const access = accessOf(options, hostname);
  const answer = answerBy(sandbox, access, () => server.address() as AddressInfo);
  const listener = getRequestListener((request, { incoming }) => answer(request, incoming as IncomingMessage), {
    hostname: host,
    errorHandler: answerError,
  });
  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => void listener(incoming, outgoing));
  answerUnreadable(server);
  await listen(server, port, address);
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server) };
}

/** A dialect chooses the name, so that it may be `constructor`, or the one header that Node lists. */
function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The console for browsers, and the sandbox for everything else. */
function answerBy(sandbox: Pick<Sandbox, 'handle'>, access: AdminAccess, listening: () => AddressInfo) {
  const checkHost = hostCheck();
  const callerOf = callersOf(listening);
  const answer = (request: Request, incoming: IncomingMessage) => {
    const refused = refuseAdmin(request, access);
    if (refused) return refused;
    const { headers, socket } = incoming;
    const start = performance.now();
    return sandbox.handle(request, {
      header: (name) => headerOf(headers, name),
      headers,
      caller: callerOf(incoming),
      get isStranger() {
        return lacksToken(request, access);
      },
      cut: (how) => cut(incoming, how),
      elapsed: () => performance.now() - start,
      hasLeft: () => socket.destroyed,
    });
  };
  return (request: Request, incoming: IncomingMessage) => {
    const { headers } = incoming;
    const refused = checkHost(request, headers.host) ?? refuseCallback(request, headers);
    if (refused) return refused;
    if (!admitsConsole(request, incoming.url ?? '', access)) return answer(request, incoming);
    const shown = import('./console/files.js').then(({ answerConsole }) => answerConsole(request));
    return shown.then((response) => response ?? answer(request, incoming));
  };
}

/** Ends a connection without a complete response. The return value makes the listener send nothing more. */
function cut({ socket }: IncomingMessage, how: 'reset' | 'close'): Response {
  if (how === 'reset') socket.resetAndDestroy();
  else socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** A host as the socket needs it, and as it is written in a URL. */
function hostOf(hostname: string): { readonly address: string; readonly host: string } {
  const address = hostname.replace(/^\[|\]$/g, '');
  return { address, host: address.includes(':') ? `[${address}]` : address };
}

/** Whether other machines can reach a server that listens on this host. */
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
