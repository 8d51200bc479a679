import { isLoopback } from '../app/callback-targets.js';

/**
 * Keeps the admin API from everyone but this machine: closed when the server listens wider, and closed to a
 * page whose host name was pointed at this machine (DNS rebinding). Health is open to all.
 */
export function refuseAdmin(url: string, host: string | undefined, open: boolean): Response | undefined {
  const path = url.indexOf('/__admin/');
  if (path < 0 || url.startsWith('/__admin/health', path)) return undefined;
  const hostname = (host ?? '').replace(/:\d+$/, '');
  if (open && isLoopback(hostname)) return undefined;
  const detail = open
    ? `The admin API answers only to names of this machine, not to \`${hostname}\`.`
    : 'The admin API is open on loopback only. Start the sandbox without --host to use it.';
  const body = JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403, detail });
  return new Response(body, { status: 403, headers: { 'content-type': 'application/problem+json' } });
}
