import { getPath } from 'hono/utils/url';
import { isLoopback } from '../app/callback-targets.js';
import { problemResponse } from '../app/problem.js';

/** Who may use the admin API: this machine, nobody because the server listens wider, or nobody as was asked for. */
export type AdminAccess = 'local' | 'exposed' | 'off';

/**
 * Keeps the admin API from everyone but this machine: closed when the server listens wider, and closed to a
 * page whose host name was pointed at this machine (DNS rebinding). Health is open to all.
 */
export function refuseAdmin(request: Request, access: AdminAccess): Response | undefined {
  const { url } = request;
  if (!url.includes('__admin') && !url.includes('%')) return undefined;
  // The router's own reading of the path, so that no spelling (`/%5f_admin`) means one thing here and another there.
  const path = getPath(request);
  if (!/\/__admin(\/|$)/.test(path) || path.endsWith('/__admin/health')) return undefined;
  if (access === 'off') return problemResponse(404, 'The admin API is turned off here, by --no-admin.');
  const { hostname } = new URL(url);
  if (access === 'local' && isLoopback(hostname)) return undefined;
  const detail =
    access === 'local'
      ? `The admin API answers only to names of this machine, not to \`${hostname}\`.`
      : 'The admin API is open on loopback only. Start the sandbox without --host to use it.';
  return problemResponse(403, detail);
}
