/**
 * Serves a sandbox over HTTP.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  type AdminAccess,
  admitsConsole,
  type HostHints,
  isLoopback,
  lacksToken,
  refuseAdmin,
  refuseCallback,
  type Sandbox,
} from '../engine/index.js';
import { ADMIN_TOKEN_DUE, isAdminToken } from './admin-token.js';
import { callersOf } from './network/caller.js';
import { answerError, answerMalformed, answerUnreadable, hostCheck } from './unreadable.js';

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
  const access = await accessOf(options, hostname);
  const callerOf = callersOf(() => server.address() as AddressInfo);
  const answer = answerBy(sandbox.handle, { access, callerOf });
  const listener = getRequestListener((request, { incoming }) => answer(request, incoming as IncomingMessage), {
    hostname: host,
    errorHandler: (error) => (error instanceof RequestError ? answerMalformed() : answerError(error)),
  });
  const server: Server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    void listener(incoming, outgoing);
  });
  answerUnreadable(server);
  await listen(server, port, address);
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server) };
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

/** The cryptography of Node is loaded only for a token. */
async function accessOf({ admin = true, adminToken }: ServeOptions, hostname: string): Promise<AdminAccess> {
  if (adminToken !== undefined && !isAdminToken(adminToken)) {
    throw new RangeError(`\`adminToken\` must be ${ADMIN_TOKEN_DUE}.`);
  }
  const hasToken =
    adminToken === undefined ? undefined : (await import('./admin-token-check.js')).adminTokenCheck(adminToken);
  return { off: !admin, local: !listensWider(hostname), hasToken };
}

/** What the hints of all requests of a server share. */
interface HintSource {
  readonly access: AdminAccess;
  readonly callerOf: (incoming: IncomingMessage) => NonNullable<HostHints['caller']>;
}

/** Answers requests: the console for browsers, and the sandbox for everything else. */
function answerBy(handle: Sandbox['handle'], source: HintSource) {
  const checkHost = hostCheck();
  const { access } = source;
  const answer = (request: Request, incoming: IncomingMessage) =>
    refuseAdmin(request, access) ?? handle(request, new NodeHints(source, request, incoming));
  return (request: Request, incoming: IncomingMessage): Response | Promise<Response> => {
    const { headers } = incoming;
    const refused = checkHost(request, headers.host) ?? refuseCallback(request, headers);
    if (refused) return refused;
    if (!admitsConsole(request, incoming.url ?? '', access)) return answer(request, incoming);
    const shown = import('./console/files.js').then(({ showConsole }) => showConsole(request));
    return shown.then((response) => response ?? answer(request, incoming));
  };
}

/** What the server knows of a request besides its `Request`. Hints are derived from it, so it has no private fields. */
class NodeHints implements HostHints {
  readonly start = performance.now();
  readonly headers: IncomingMessage['headers'];

  constructor(
    readonly source: HintSource,
    readonly request: Request,
    readonly incoming: IncomingMessage,
  ) {
    this.headers = incoming.headers;
  }

  /** A dialect chooses the name, so it may be `constructor`, or the one header that Node lists. */
  header(name: string): string | undefined {
    // Not `this.headers`: derived hints may have replaced it with a `Headers` object.
    const { headers } = this.incoming;
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return typeof value === 'object' ? value.join(', ') : value;
  }

  get caller(): NonNullable<HostHints['caller']> {
    return this.source.callerOf(this.incoming);
  }

  get isStranger(): boolean {
    return lacksToken(this.request, this.source.access);
  }

  /** Ends the connection without a complete response. */
  cut(how: 'reset' | 'close'): Response {
    const { socket } = this.incoming;
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return RESPONSE_ALREADY_SENT;
  }

  elapsed(): number {
    return performance.now() - this.start;
  }

  hasLeft(): boolean {
    return this.incoming.socket.destroyed;
  }
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
