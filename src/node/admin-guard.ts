import { getPath } from 'hono/utils/url';
import { isLoopback } from '../app/callback-targets.js';
import { problemResponse } from '../app/problem.js';

/** Who may use the admin API. */
export interface AdminAccess {
  /** Nobody, as was asked for. */
  readonly off: boolean;
  /** Whether the server listens on this machine alone. */
  readonly local: boolean;
  /** Tells whether an `Authorization` header carries the token; absent where none was made. */
  readonly hasToken: ((authorization: string | null) => boolean) | undefined;
}

/**
 * What a poster of callbacks sends, who has no token: the inbox takes it without one, since it keeps a bounded number
 * of messages, shows none of them, and refuses pages of other sites as every path here does.
 */
const delivery = /^(\/w\/[^/]+)?\/__admin\/inbox\/[^/]+\/?$/;
const deliveryMethods = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Keeps the admin API from everyone but this machine and those who have its token. On loopback the host name is
 * checked too, against a page whose name was pointed at this machine (DNS rebinding); a server that listens wider may
 * have any name, and there the token stands for it. Health is open to all.
 */
export function refuseAdmin(request: Request, { off, local, hasToken }: AdminAccess): Response | undefined {
  const { url } = request;
  if (!url.includes('__admin') && !url.includes('%')) return undefined;
  // The router's own reading of the path, so that no spelling (`/%5f_admin`) means one thing here and another there.
  const path = getPath(request);
  if (!/\/__admin(\/|$)/.test(path) || path.endsWith('/__admin/health')) return undefined;
  if (off) return problemResponse(404, 'The admin API is turned off here, by --no-admin.');
  const { hostname } = new URL(url);
  if (local && !isLoopback(hostname)) {
    return problemResponse(403, `The admin API answers only to names of this machine, not to \`${hostname}\`.`);
  }
  if (deliveryMethods.has(request.method) && delivery.test(path)) return undefined;
  if (hasToken) return hasToken(request.headers.get('authorization')) ? undefined : unauthorized();
  return local ? undefined : closed();
}

function unauthorized(): Response {
  const detail =
    'The admin API needs `Authorization: Bearer TOKEN` here. The token is the one given by --admin-token or ' +
    'TEEBOX_ADMIN_TOKEN; without them it is made at the start and printed with the address.';
  return problemResponse(401, detail, { headers: { 'www-authenticate': 'Bearer realm="teebox admin"' } });
}

function closed(): Response {
  const detail =
    'The admin API is closed: other machines can reach this server, and it was started without a token. ' +
    'Give `serve` the option `adminToken`, or let it listen on 127.0.0.1.';
  return problemResponse(403, detail);
}
