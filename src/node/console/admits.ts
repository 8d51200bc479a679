import { isLoopback } from '../../callbacks/targets.js';
import type { AdminAccess } from '../admin-guard.js';

const consolePath = /^(\/w\/[^/?]+)?\/?(__admin\/?(console\/[^/?]+)?)?(\?.*)?$/;

/**
 * Whether a request may be one for the console, which is open to whoever may use the admin API. Its files need no token:
 * the page asks for it.
 */
export function admitsConsole(request: Request, path: string, { off, local, hasToken }: AdminAccess): boolean {
  if (off || !consolePath.test(path) || !/^(GET|HEAD)$/.test(request.method)) return false;
  return local ? isLoopback(new URL(request.url).hostname) : hasToken !== undefined;
}
