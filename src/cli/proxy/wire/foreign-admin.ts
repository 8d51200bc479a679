import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopback } from '../../../engine/index.js';
import { isLoopbackAddress } from '../../network/caller.js';
import { OWN_HEADER } from './unreachable.js';

/**
 * Whether a request to the admin API of a sandbox comes from another machine, or by a name that another site may own. The
 * sandbox trusts its own machine, on which this proxy runs, and cannot see who is behind it.
 */
export function isForeignAdmin({ url = '', headers, socket }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1);
  const decoded = path.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (!decoded.includes('__admin')) return false;
  const host = `http://${headers.host ?? ''}`;
  const isOwnName = URL.canParse(host) && isLoopback(new URL(host).hostname);
  return !isOwnName || !isLoopbackAddress(socket.remoteAddress ?? '');
}

/** 403, in the form of RFC 9457. */
export function refuseForeignAdmin(response: ServerResponse): void {
  const detail =
    'teebox proxy passes requests to an admin API only for callers on its own machine, under a loopback host name. ' +
    'Ask the sandbox itself.';
  const body = JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403, detail, source: 'teebox proxy' });
  response.writeHead(403, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    [OWN_HEADER]: 'foreign-admin',
  });
  response.end(body);
}
