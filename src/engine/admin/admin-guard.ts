import { getPath } from 'hono/utils/url';
import { isLoopback } from '../callbacks/targets.js';
import { forwardedBy } from './forwarded.js';
import { problemResponse } from '../api/problem.js';
import { mayShowConsole } from './console-paths.js';
import { ADMIN_OFF, pageWithoutAdmin } from './page-without-admin.js';

/** Who may use the admin API. */
export interface AdminAccess {
  /** Whether the admin API is turned off. */
  readonly off: boolean;
  /** Whether the server listens on loopback only. */
  readonly local: boolean;
  /** Checks whether an `Authorization` header carries the token; undefined if no token is required. */
  readonly hasToken: ((authorization: string | null) => boolean) | undefined;
  /** Where the token comes from, as a sentence or two. */
  readonly tokenFrom?: string;
}

const fromServer =
  'Set the token with --admin-token or TEEBOX_ADMIN_TOKEN. ' +
  'Otherwise the server makes one at the start and prints it below the address.';

/**
 * Callbacks are posted to the inbox without a token. That is safe: the inbox keeps a limited number of messages,
 * does not return them on these methods, and is closed to other origins.
 */
const delivery = /^(\/w\/[^/]+)?\/__admin\/inbox\/[^/]+\/?$/;
const deliveryMethods = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Limits the admin API to this machine and to callers with the token. On loopback it also checks the host name,
 * against DNS rebinding, and whether a proxy or a tunnel stands between. A server that other machines can reach may have any
 * name, and requires the token instead.
 * Health is open to all.
 */
export function refuseAdmin(
  request: Request,
  { off, local, hasToken, tokenFrom }: AdminAccess,
  headers: Readonly<Record<string, unknown>> = {},
): Response | undefined {
  const { url } = request;
  const page = off ? pageWithoutAdmin(request) : undefined;
  if (page) return page;
  if (!url.includes('__admin') && !url.includes('%')) return undefined;
  // Decoded as the router does it, so that no spelling (`/%5f_admin`) passes here and is routed there.
  const path = getPath(request);
  if (!/\/__admin(\/|$)/.test(path) || path.endsWith('/__admin/health')) return undefined;
  // The engine refuses it, so that the journal and the log say so: a page does not learn why.
  if (isPreflight(request)) return undefined;
  if (off) return problemResponse(404, ADMIN_OFF);
  const { hostname } = new URL(url);
  if (local && !isLoopback(hostname)) {
    return problemResponse(
      403,
      `The admin API is available only under a loopback host name, not under \`${hostname}\`. Use 127.0.0.1 or localhost. ` +
        'Behind a reverse proxy, let it send `Host: 127.0.0.1`, and start the server with --admin-token.',
    );
  }
  if (deliveryMethods.has(request.method) && delivery.test(path)) return undefined;
  if (hasToken) return hasToken(request.headers.get('authorization')) ? undefined : unauthorized(tokenFrom);
  if (!local) return closed();
  const header = forwardedBy(headers);
  return header === undefined ? undefined : tunnelled(header);
}

/** Whether a browser asks for a page whether it may send a request. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

/**
 * Refuses callbacks of a sandbox, this one or another, except at an inbox: an address can have names that do not show
 * where it leads, and whoever searches chooses the address.
 */
export function refuseCallback(request: Request, headers: Readonly<Record<string, unknown>>): Response | undefined {
  if (headers['teebox-callback'] === undefined) return undefined;
  const path = getPath(request);
  if (request.method === 'POST' && delivery.test(path)) return undefined;
  const why = 'This request is a callback of a sandbox, and only an inbox takes those: /__admin/inbox/NAME.';
  return path.includes('/__admin')
    ? problemResponse(403, why)
    : Response.json({ success: false, data: null, message: why }, { status: 403 });
}

/** Whether a request that passed lacks the token: one to an inbox may. */
export function lacksToken(
  request: Request,
  { local, hasToken }: AdminAccess,
  headers: Readonly<Record<string, unknown>> = {},
): boolean {
  return hasToken ? !hasToken(request.headers.get('authorization')) : !local || forwardedBy(headers) !== undefined;
}

function unauthorized(tokenFrom = fromServer): Response {
  const detail = `The admin API requires \`Authorization: Bearer TOKEN\`. ${tokenFrom}`;
  return problemResponse(401, detail, { headers: { 'www-authenticate': 'Bearer realm="teebox admin"' } });
}

function tunnelled(header: string): Response {
  return problemResponse(
    403,
    `The admin API is open to callers on this machine, and the header \`${header}\` says that a proxy or a tunnel has ` +
      'forwarded this request. Start the server with --admin-token, and send `Authorization: Bearer TOKEN`.',
  );
}

function closed(): Response {
  const detail =
    'The admin API is closed: other machines can reach this server, and it was started without a token. ' +
    'Set the option `adminToken` of `serve`, or listen on 127.0.0.1.';
  return problemResponse(403, detail);
}

/**
 * Whether a request may be one for the console, which is open to whoever may use the admin API. Its files need no token:
 * the page asks for it.
 */
export function admitsConsole(request: Request, path: string, { off, local, hasToken }: AdminAccess): boolean {
  if (off || !mayShowConsole(request, path)) return false;
  return local ? isLoopback(new URL(request.url).hostname) : hasToken !== undefined;
}
