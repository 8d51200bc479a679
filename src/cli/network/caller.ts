import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname as nameOfMachine, networkInterfaces } from 'node:os';
import { forwardedBy, type HostHints, isLoopback } from '../../engine/index.js';
import { textStream } from './text-stream.js';

/** The callers of a server that listens on an address. */
export function callersOf(
  listening: () => AddressInfo,
): (incoming: IncomingMessage) => NonNullable<HostHints['caller']> {
  return (incoming) => {
    const ownOrigin = (url: URL): string | undefined => {
      const { address, port } = listening();
      const isOwn = leadsTo(port, url) || namesIn(incoming).some((name) => isNamed(url, name));
      return isOwn ? `http://${reachable(address)}:${port}` : undefined;
    };
    return {
      get isLocal() {
        return isLocal(incoming);
      },
      ownOrigin,
      whyNot: (url, inbox) => (ownOrigin(url) === undefined ? elsewhere(url, inbox) : itself(inbox)),
      stream: textStream,
    };
  };
}

function itself(inbox: string): string {
  return `\`callbackUrl\` names this sandbox itself, where only the inbox of the same world takes callbacks: ${inbox}NAME`;
}

function elsewhere({ host, port }: URL, inbox: string): string {
  return (
    '`callbackUrl` names this machine, which only callers and pages on this machine may reach. ' +
    `Start the sandbox with \`--allow-callback ${host}\`, or use its inbox: ${inbox}NAME. ` +
    'In a container, this machine is the container itself: to reach its host, use ' +
    `\`host.docker.internal${port === '' ? '' : `:${port}`}\` in \`callbackUrl\` and in \`--allow-callback\`, and start the ` +
    'container with `--add-host host.docker.internal:host-gateway`'
  );
}

/** The address at which a server reaches itself. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  if (address === '::') return '[::1]';
  return address.includes(':') ? `[${address}]` : address;
}

function portOf({ protocol, port }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/** An address or a name in one spelling: IPv4 in IPv6, brackets and a final dot are gone. */
function plainName(hostname: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined) return hostname.replace(/^\[|\]$|\.$/g, '');
  const bytes = [high, low!].flatMap((half) => [parseInt(half, 16) >> 8, parseInt(half, 16) & 255]);
  return bytes.join('.');
}

/** Whether a URL has this port of this machine. */
function leadsTo(port: number, url: URL): boolean {
  if (portOf(url) !== String(port)) return false;
  const name = plainName(url.hostname);
  if (/^(127\..*|0\.0\.0\.0|::1?|(.*\.)?localhost)$/.test(name) || name === nameOfMachine().toLowerCase()) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === name));
}

/** The names by which the caller reaches the server, also through a proxy. */
function namesIn({ headers }: IncomingMessage): string[] {
  return [headers.host, headers['x-forwarded-host']].flatMap((name) => String(name ?? '').split(','));
}

function isNamed(url: URL, name: string): boolean {
  const named = `${url.protocol}//${name.trim()}`;
  if (!URL.canParse(named)) return false;
  const own = new URL(named);
  return plainName(own.hostname) === plainName(url.hostname) && portOf(own) === portOf(url);
}

/**
 * A page of another site may send requests too, and a proxy has callers of its own. A name in `Host` that is not
 * loopback may be one that its owner has rebound to this machine, whose page then has no other origin.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (forwardedBy(headers) !== undefined || !isLoopbackAddress(socket.remoteAddress ?? '')) return false;
  return isLoopbackHost(headers.host) && !isForeignPage(headers);
}

/** Whether a `Host` header names this machine. */
export function isLoopbackHost(host = ''): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
}

/** Whether a page sends the request that this machine does not serve. A page without an origin is that of a file. */
export function isForeignPage({ origin, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  if (origin === undefined) return site === 'cross-site';
  return !URL.canParse(origin) || !isLoopback(new URL(origin).hostname);
}

/** @throws {Error} if it cannot listen, with the `code` of the system (`EADDRINUSE`). */
export function startListening(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Milliseconds in which responses under way may finish. */
const GRACE = 400;

/** Stops listening, lets responses under way finish for a moment, then closes every connection. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), GRACE);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Milliseconds that a connection of a client may be idle. Clients should be the ones that close: a request on a connection
 * that the server has just closed fails. With the default of Node, five seconds, a pause at a breakpoint was enough.
 */
export const CLIENT_IDLE = 75_000;

/**
 * Closes the connection after the response to a page. A browser repeats a request, unseen by the page, if a connection
 * that it has used before ends without a response. A scenario that ends connections would then book twice, or not fail.
 */
export function closeAfterPage({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    response.setHeader('Connection', 'close');
  }
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopback(address.replace(/^::ffff:/, ''));
}
