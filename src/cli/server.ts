/**
 * Serves a sandbox over HTTP.
 *
 * @module
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AdminAccess, isLoopback, type Sandbox } from '../engine/index.js';
import { ADMIN_TOKEN_DUE, isAdminToken } from './admin-token.js';
import { callersOf, CLIENT_IDLE, startListening, stopListening } from './network/caller.js';
import { UnreadAnswers } from './network/unread.js';
import { answerFull, answerUnreadable, type OwnAnswers } from './unreadable.js';

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
  const { loaded, ...server } = await serveEarly(sandbox, options);
  await loaded;
  return server;
}

/**
 * Serves a sandbox, but does not wait for the classes of the web, which take a third of the start to load: the requests
 * wait for them.
 */
export async function serveEarly(
  sandbox: Pick<Sandbox, 'handle'>,
  options: ServeOptions & Pick<OwnAnswers, 'onStray'>,
): Promise<RunningServer & { readonly loaded: Promise<void> }> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = options;
  const { address, host } = hostOf(hostname);
  const access = await accessOf(options, hostname);
  const callerOf = callersOf(() => server.address() as AddressInfo);
  const server: Server = createServer({ requireHostHeader: false, keepAliveTimeout: CLIENT_IDLE });
  answerUnreadable(server, options);
  await startListening(server, port, address);
  let take: RequestListener = (incoming, outgoing) => void loaded.then(() => take(incoming, outgoing));
  const unread = new UnreadAnswers(server);
  server.on('request', (incoming, outgoing) => {
    if (unread.isFull && !incoming.url?.endsWith('/__admin/health')) answerFull(outgoing);
    else take(incoming, outgoing);
  });
  const loaded = import('./listener.js').then(({ listenerFor }) => {
    take = listenerFor(sandbox.handle, { access, callerOf }, host);
  });
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => stopListening(server), loaded };
}

/** A host as the socket needs it, and as it is written in a URL. */
function hostOf(hostname: string): { readonly address: string; readonly host: string } {
  const address = hostname.replace(/^\[|\]$/g, '');
  const host = address.includes(':') ? `[${address}]` : address;
  // An address has several spellings: 127.1 is 127.0.0.1.
  return { address, host: URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host };
}

/** Whether other machines can reach a server that listens on this host. */
export function listensWider(hostname: string): boolean {
  return !isLoopback(hostOf(hostname).host);
}

/** The cryptography of Node is loaded only for a token. */
async function accessOf({ admin = true, adminToken }: ServeOptions, hostname: string): Promise<AdminAccess> {
  if (adminToken !== undefined && !isAdminToken(adminToken)) {
    throw new RangeError(`\`adminToken\` must be ${ADMIN_TOKEN_DUE}.`);
  }
  const hasToken =
    adminToken === undefined ? undefined : (await import('./admin-token-check.js')).adminTokenCheck(adminToken);
  return { off: !admin, local: !listensWider(hostname), hasToken };
}
