import { getPath } from 'hono/utils/url';
import { isLoopback } from '../app/callback-targets.js';

/**
 * Keeps the admin API from everyone but this machine: closed when the server listens wider, and closed to a
 * page whose host name was pointed at this machine (DNS rebinding). Health is open to all.
 */
export function refuseAdmin(request: Request, open: boolean): Response | undefined {
  const { url } = request;
  if (!url.includes('__admin') && !url.includes('%')) return undefined;
  // The router's own reading of the path, so that no spelling (`/%5f_admin`) means one thing here and another there.
  const path = getPath(request);
  if (!/\/__admin(\/|$)/.test(path) || path.endsWith('/__admin/health')) return undefined;
  const { hostname } = new URL(url);
  if (open && isLoopback(hostname)) return undefined;
  const detail = open
    ? `The admin API answers only to names of this machine, not to \`${hostname}\`.`
    : 'The admin API is open on loopback only. Start the sandbox without --host to use it.';
  const body = JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403, detail });
  return new Response(body, { status: 403, headers: { 'content-type': 'application/problem+json' } });
}
