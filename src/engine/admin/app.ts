import type { Context } from 'hono';
import { HonoBase as Hono } from 'hono/hono-base';
import { isLoopback } from '../callbacks/targets.js';
import { bookingRoutes } from './bookings/routes.js';
import { callbackRoutes } from './callbacks.js';
import { certificationRoutes } from './certification.js';
import { clockRoutes } from './clock.js';
import { dialectRoutes } from './dialect.js';
import { eventRoutes } from './events.js';
import { inboxRoutes } from './inbox.js';
import { planRoutes } from './plans.js';
import type { HostHints } from '../api/host-hints.js';
import type { ReadPath } from '../api/request-context.js';
import { Router } from '../api/router.js';
import { WorldNeeded } from '../api/authenticate.js';
import { notKeptWords } from '../api/broken-answer.js';
import { ValidationError } from '../../common/index.js';
import { Problem, problemOf } from './problem.js';
import { listed, MAX_BODY, readBody } from './read.js';
import { requestRoutes } from './requests.js';
import type { AdminHost, AdminRoute } from './route.js';
import { serviceRoutes } from './service.js';
import { stateRoutes } from './state.js';
import { teeSheetRoutes } from './tee-sheets/routes.js';
import { ownWorldRoutes } from './world.js';
import { worldRoutes } from './worlds.js';

// Loaded together, so that what they share with the rest needs no file of its own.
export { writeCapsule } from '../record/capsule-write.js';

const routes: readonly AdminRoute[] = [
  ...serviceRoutes,
  ...stateRoutes,
  ...clockRoutes,
  ...bookingRoutes,
  ...teeSheetRoutes,
  ...callbackRoutes,
  ...inboxRoutes,
  ...dialectRoutes,
  ...ownWorldRoutes,
  ...planRoutes,
  ...requestRoutes,
  ...eventRoutes,
  ...worldRoutes,
  ...certificationRoutes,
];
const directory = listed(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`));

/**
 * Other sites must neither change nor read a sandbox on a developer's machine. The console changes it from its own
 * origin: under a loopback name, which no other site can have, or with the token of the server.
 */
function isForeign({ req }: Context): boolean {
  const origin = req.header('origin');
  const { host, hostname } = new URL(req.url);
  const reads = req.method === 'GET' || req.method === 'HEAD';
  const isOwn = reads || isLoopback(hostname) || req.header('authorization') !== undefined;
  const own = isOwn ? host : undefined;
  return (origin !== undefined && hostOf(origin) !== own) || req.header('sec-fetch-site') === 'cross-site';
}

/** The host of an origin, without its scheme: a proxy in front of the sandbox may speak https. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}

/**
 * Who may use the admin API makes a world by changing or following it; to read makes none.
 *
 * @throws {WorldNeeded} for a request that is for a world of its own.
 */
function leaveToWorld({ req, env }: Context<AdminBindings>, path: string): never {
  const follows = path === 'events' && req.method === 'GET';
  if (!follows && (req.method === 'GET' || req.method === 'HEAD')) throw new WorldNeeded(true);
  // An image on a page of another port sends no origin.
  const isImage = follows && req.header('sec-fetch-site') === 'same-site';
  if (!isImage && !env.hints.isStranger) throw new WorldNeeded(false);
  throw new Problem(404, 'There is no such world. A request with valid credentials makes it; then try again.');
}

/** Whether a call changes what decides responses. Plans, chaos and the clock are noted where they change. */
function isOrder({ req }: Context, path: string): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD' && /^(bookings|tee-sheets|dialect)\b/.test(path);
}

/**
 * Whether a call changes what no order is: it is not recorded, and whoever follows the journal is told. A snapshot that is
 * restored begins the journal anew, which says more.
 */
function isChange({ req }: Context, path: string): boolean {
  const isWritten = req.method !== 'GET' && req.method !== 'HEAD';
  return (
    isWritten &&
    (/^(snapshots(?!.*\/restore$)|callbacks|inbox)\b/.test(path) || path === 'requests' || path === 'world')
  );
}

function note(host: AdminHost, { method, url }: Request, body: string): void {
  const { pathname, search } = new URL(url);
  const path = pathname.slice(pathname.indexOf('/__admin/') + '/__admin/'.length) + search;
  host.noteOrder(method, path, body === '' ? undefined : JSON.parse(body));
}

/** What shows nothing of the state, and waits for nothing. */
const stateless = new Set(['version', 'events']);

async function answer(context: Context<AdminBindings>, route: AdminRoute): Promise<Response> {
  const { host } = context.env;
  const response = await made(context, route, host);
  try {
    if (stateless.has(route.path)) return response;
    const kept = host.keep?.();
    // A health check does not wait either, but it knows of a failure that lasts.
    await (route.path === 'health' ? Promise.race([kept, undefined]) : kept);
    return response;
  } catch (error) {
    return new Problem(503, notKeptWords(error)).response();
  }
}

async function made(
  context: Context<AdminBindings>,
  { path, answer: handle }: AdminRoute,
  host: AdminHost,
): Promise<Response> {
  try {
    if (isForeign(context) && path !== 'health') {
      throw new Problem(403, 'The admin API answers no request of another site.');
    }
    if (host.forStrangers && path !== 'health' && path !== 'version') leaveToWorld(context, path);
    const { raw } = context.req;
    const body = isOrder(context, path) ? await readBody(raw, MAX_BODY) : undefined;
    const request = body === undefined ? raw : new Request(raw.url, { method: raw.method, headers: raw.headers, body });
    const isStranger = context.env.hints.isStranger === true;
    const result = await handle({ host, request, path: context.req.param(), isStranger });
    if (body !== undefined) note(host, request, body);
    if (isChange(context, path)) host.inspector.journal.tellChange(path);
    if (result instanceof Response) return result;
    return Response.json(result, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (error instanceof WorldNeeded) throw error;
    if (error instanceof Problem) return error.response();
    if (error instanceof ValidationError) return problemOf(error).response();
    return new Problem(500, `This is a defect of the sandbox: ${(error as Error).message}`).response();
  }
}

/** The sandbox that a request is for. */
interface AdminBindings {
  Bindings: { readonly host: AdminHost; readonly hints: HostHints };
}

/** The applications by how they read paths: all sandboxes share them. */
const shared = new Map<ReadPath, Hono<AdminBindings>>();

/** Answers a request of the admin API of one sandbox. */
export const serveAdmin = (
  host: AdminHost,
  request: Request,
  hints: HostHints,
  readPath: ReadPath,
): Response | Promise<Response> => {
  let app = shared.get(readPath);
  if (!app) shared.set(readPath, (app = createAdmin(readPath)));
  return app.fetch(request, { host, hints });
};

/** The admin API as an application of its own (RFC 9457 for what goes wrong). */
function createAdmin(readPath: ReadPath): Hono<AdminBindings> {
  const app = new Hono<AdminBindings>({ getPath: readPath, router: new Router() });
  app.onError((error) => {
    throw error;
  });
  for (const route of routes) {
    app.on(route.method, `/__admin/${route.path}`, (context) => answer(context, route));
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allow = methods.join(', ');
    app.all(`/__admin/${path}`, (context) =>
      new Problem(405, `This path does not take ${context.req.method}; it takes ${methods.join(' and ')}.`, {
        allow,
      }).response(),
    );
  }
  const unknown = ({ req }: Context) =>
    new Problem(404, `There is no ${req.method} ${req.path}; below /__admin there are ${directory}.`).response();
  app.all('/__admin', unknown);
  app.all('/__admin/*', unknown);
  return app;
}
