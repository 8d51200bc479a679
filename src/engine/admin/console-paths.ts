import { isLoopback } from '../callbacks/targets.js';
import type { AdminAccess } from './admin-guard.js';

const consolePath = /^(\/w\/[^/?]+)?\/?(__admin\/?(console\/[^?]+)?)?(\?.*)?$/;

/**
 * Whether a request may be one for the console, which is open to whoever may use the admin API. Its files need no token:
 * the page asks for it.
 */
export function admitsConsole(request: Request, path: string, { off, local, hasToken }: AdminAccess): boolean {
  if (off || !mayShowConsole(request, path)) return false;
  return local ? isLoopback(new URL(request.url).hostname) : hasToken !== undefined;
}

/** Whether a request may be one for the console by its path and method. */
export function mayShowConsole({ method }: Request, path: string): boolean {
  return consolePath.test(path) && /^(GET|HEAD)$/.test(method);
}
