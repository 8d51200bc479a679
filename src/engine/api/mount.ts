import type { Context } from 'hono';
import { HonoBase as Hono } from 'hono/hono-base';
import { getPath, getPathNoStrict } from 'hono/utils/url';
import { closest } from '../../common/index.js';
import { isPreflight } from '../admin/admin-guard.js';
import { answerFor } from '../model/answers.js';
import { Refusal } from '../model/refusal.js';
import {
  type Answers,
  type OperationName,
  operationOf,
  operations,
  type OperationSpec,
  type VersionedQuestion,
} from '../../contract/index.js';
import type { Route } from './routes/call.js';
import { cancelBooking } from './routes/cancel.js';
import { handlerOf } from './versions/index.js';
import { createParameterReader, type KnownCall, type Served } from './parameters.js';
import type { BoundedCache, Caches } from '../store/caches.js';
import type { HostHints } from './host-hints.js';
import { refusePreflight, type RequestServices, type ReadPath } from './request-context.js';
import { Router } from './router.js';
import { answer, refuse } from './answer.js';

/** The sandbox that a request is for, and what it knows of the request. */
interface RoutedRequest {
  readonly services: RequestServices;
  readonly calls: KnownCalls;
  readonly hints: HostHints;
}

interface Bindings {
  Bindings: RoutedRequest;
}

type Routes = Hono<Bindings>;

/** A method and path of the dialect with its operation. */
interface Mounted {
  readonly operation: OperationSpec;
  readonly method: string;
  readonly path: string;
  readonly route: Route<never>;
}

/** The questions that decide the methods of a payment. */
const methodQuestions: { readonly [Name in OperationName]?: VersionedQuestion } = {
  confirmPayment: 'payment.method',
  confirmBulkPayment: 'bulk-payment.method',
};

function methodQuestionOf({ name }: OperationSpec): VersionedQuestion | undefined {
  return methodQuestions[name as OperationName];
}

function methodTaken(operation: OperationSpec, answers: Answers): boolean {
  const question = methodQuestionOf(operation);
  if (!question) return true;
  const taken = answerFor(answers, question, operation.version);
  return taken === 'both' || taken === operation.method.toLowerCase();
}

/** Operations that only some dialects have; the API specification describes none of them. */
function undocumented(answers: Answers): Mounted[] {
  const extra: Mounted[] = [];
  if (answers['payment.v4.v2-path'] === 'accepted') {
    for (const operation of (['v4.confirmPayment', 'v4.confirmPayment.post'] as const).map(operationOf)) {
      if (!methodTaken(operation, answers)) continue;
      const path = operation.path.replace('/v4/', '/v2/');
      extra.push({ operation, method: operation.method, path, route: handlerOf(operation) });
    }
  }
  if (answers['booking.cancel'] === 'delete') {
    const listing = (operations as readonly OperationSpec[]).filter(({ name }) => name === 'listBookings');
    for (const version of listing.map((one) => one.version).filter((one) => one !== 'v1')) {
      const operation: OperationSpec = { ...cancelBooking.operation, id: `${version}.cancelBooking`, version };
      const path = `/api/${version}/bookings/{bookingId}`;
      extra.push({ operation: { ...operation, path }, method: 'DELETE', path, route: cancelBooking.route });
    }
  }
  return extra;
}

function mounted(answers: Answers): Mounted[] {
  const table: readonly OperationSpec[] = operations;
  const documented = table
    .filter((operation) => methodTaken(operation, answers))
    .map((operation) => ({ operation, method: operation.method, path: operation.path, route: handlerOf(operation) }));
  return [...documented, ...undocumented(answers)];
}

/** Hono's form of a path; the version of the token refresh is one of those that the dialect serves. */
function patternOf(path: string, answers: Answers): string {
  const versions = answers['token.versions'].join('|') || 'none';
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name) => (name === 'version' ? `:version{${versions}}` : `:${name}`));
}

/** GET operations with effects. They do not serve HEAD, which must be safe. */
function acts(operation: OperationSpec): boolean {
  const { name, method } = operation;
  return method === 'GET' && (methodQuestionOf(operation) !== undefined || name === 'searchTeeTimes');
}

// Each name has this form, and the world of strangers answers for all of them.
const below = (path: string) => path.replace(/^\/w\/[^/]+/, '') || '/';

/** How paths are read: with or without a trailing slash, and without the prefix of a world. */
const readers = {
  strict: getPath,
  loose: getPathNoStrict,
  strictInWorld: (request: Request) => below(getPath(request)),
  looseInWorld: (request: Request) => below(getPathNoStrict(request)),
};

/** Answers the requests of one sandbox. Those whose route is known take a shorter way. */
export function mount(services: RequestServices): (request: Request, hints: HostHints) => Response | Promise<Response> {
  const calls = new KnownCalls(services.caches);
  let routes: Routes | undefined;
  return (request, hints) => {
    const known = calls.find(request);
    if (known) return answer(services, known, request, hints);
    routes ??= routesOf(services);
    return routes.fetch(request, { services, calls, hints });
  };
}

/** The routes of dialects by the way in which they read paths: all sandboxes of a dialect share them. */
const shared = new WeakMap<Answers, Map<ReadPath, Routes>>();

function routesOf({ engine: { answers }, prefix }: RequestServices): Routes {
  const manner = answers['path.trailing-slash'] === 404 ? 'strict' : 'loose';
  const readPath = readers[prefix === undefined ? manner : (`${manner}InWorld` as const)];
  let known = shared.get(answers);
  if (!known) shared.set(answers, (known = new Map<ReadPath, Routes>()));
  let routes = known.get(readPath);
  if (!routes) known.set(readPath, (routes = createRoutes(answers, readPath)));
  return routes;
}

/** Every operation of the table, and clear answers to everything else. */
function createRoutes(answers: Answers, readPath: ReadPath): Routes {
  const app: Routes = new Hono<Bindings>({ getPath: readPath, router: new Router() });
  const methods = new Map<string, string[]>();
  for (const { operation, method, path, route } of mounted(answers)) {
    const pattern = patternOf(path, answers);
    const allowed = methods.get(pattern) ?? [];
    methods.set(pattern, allowed);
    allowed.push(method);
    const served = { operation, route, readParameters: createParameterReader(operation.parameters, answers) };
    const serve = ({ req, env: { services, calls, hints } }: Context<Bindings>) =>
      answer(services, calls.keep(req.raw, served, req.param()), req.raw, hints);
    const unlessHead = (context: Context<Bindings>) =>
      context.req.method === 'HEAD' ? refused(context, wrongMethod('HEAD', allowed, pattern)) : serve(context);
    app.on(method, pattern, acts(operation) ? unlessHead : serve);
  }
  mountImages(app);
  const toAdmin = (context: Context<Bindings>) => {
    const { req, env } = context;
    return isPreflight(req.raw) ? closedPreflight(context) : env.services.admin(req.raw, env.hints, readPath);
  };
  app.all('/__admin', toAdmin);
  app.all('/__admin/*', toAdmin);
  // The only error here is an aborted request; it is passed on, as `fetch` does.
  app.onError((error) => {
    throw error;
  });
  let others: Routes | undefined;
  app.notFound(({ req, env }) => (others ??= createOthers(answers, readPath, methods)).fetch(req.raw, env));
  return app;
}

function refused({ req, env: { services, hints } }: Context<Bindings>, refusal: Refusal, path = req.param()) {
  return refuse(services, { request: req.raw, path: path as Record<string, string>, hints }, refusal);
}

/**
 * Responds to requests without an operation. It is a separate application, because a second handler on the path of an
 * operation would make its response asynchronous.
 */
function createOthers(answers: Answers, readPath: ReadPath, methods: ReadonlyMap<string, readonly string[]>): Routes {
  const others: Routes = new Hono<Bindings>({ getPath: readPath, router: new Router() });
  for (const [pattern, allowed] of methods) {
    others.options(pattern, (context) => preflight(context, answers, allowed, pattern));
    others.all(pattern, (context) => refused(context, wrongMethod(context.req.method, allowed, pattern)));
  }
  const absent = (context: Context<Bindings>, refusal: Refusal, path?: Record<string, string>) =>
    // The page may then read the 404, which a refused preflight would hide from it.
    isPreflight(context.req.raw) ? allow(context, answers, safelisted) : refused(context, refusal, path);
  others.all('/api/:version/token/refreshToken', (context) =>
    absent(context, unknownTokenVersion(context.req.param('version'), answers)),
  );
  others.notFound((context) => absent(context, unknownPath(context.req.path, [...methods.keys()]), {}));
  return others;
}

function wrongMethod(method: string, allowed: readonly string[], pattern: string, before = ''): Refusal {
  const rule = pattern.includes('/payment/') ? 'payments.method' : 'versions.method';
  return new Refusal('method-not-allowed', rule, {
    words: `${before}This path does not take ${method}; it takes ${allowed.join(' and ')}.`,
    headers: { allow: allowed.join(', ') },
  });
}

function unknownTokenVersion(version: string, answers: Answers): Refusal {
  const served = answers['token.versions'].join(', ') || 'no version';
  return new Refusal('unknown-path', 'tokens.version', {
    words: `Tokens are not refreshed at \`${version.slice(0, 60)}\` but at ${served}.`,
  });
}

function unknownPath(path: string, patterns: readonly string[]): Refusal {
  return new Refusal('unknown-path', 'versions.path', {
    words: `There is no operation at ${path}.${nearestPath(path, patterns)} Paths look like /api/v3/facilities; \`npx --no-install teebox spec\` has them all.`,
  });
}

/** Characters of a path that is compared with those of operations. */
const MOST_COMPARED = 120;

/** The path of an operation that differs in few letters, slashes or blanks, as a question. */
function nearestPath(path: string, patterns: readonly string[]): string {
  const sent = path
    .split('/')
    .map((part) => part.trim())
    .filter(Boolean);
  if (path.length > MOST_COMPARED) return '';
  const sameLength = patterns
    .map((pattern) => pattern.split('/').slice(1))
    .filter(({ length }) => length === sent.length);
  const paths = sameLength.map(
    (parts) => `/${parts.map((part, at) => (part.startsWith(':') ? sent[at] : part)).join('/')}`,
  );
  // Of several versions as near, the newest.
  const guess = closest(`/${sent.join('/')}`.toLowerCase(), paths.toReversed());
  return guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
}

/** Methods for which a page needs no permission: it sends them whatever a preflight names. */
const safelisted = ['GET', 'HEAD', 'POST'];

/** A method that a page could not send is refused in words, so that the journal and the log say why the page got nothing. */
function preflight(
  context: Context<Bindings>,
  answers: Answers,
  allowed: readonly string[],
  pattern: string,
): Response | Promise<Response> {
  if (!isPreflight(context.req.raw)) return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
  const method = context.req.header('access-control-request-method')!;
  if (allowed.includes(method) || safelisted.includes(method)) return allow(context, answers, allowed);
  return refused(context, wrongMethod(method.slice(0, 60), allowed, pattern, 'The preflight of a page is refused. '));
}

/** Allows the headers that a page asks for: tracing and test tools add their own, and no header can do harm here. */
function allow({ req }: Context<Bindings>, answers: Answers, methods: readonly string[]): Response {
  const wanted = (req.header('access-control-request-headers') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const usual = [
    'authorization',
    'content-type',
    'teebox-scenario',
    'teebox-test',
    answers['auth.bearer-header'].toLowerCase(),
  ];
  const isPrivate = req.header('access-control-request-private-network') === 'true';
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': [...new Set([...usual, ...wanted])].filter((name) => name !== '').join(', '),
      ...(isPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Headers, Access-Control-Request-Private-Network',
    },
  });
}

function closedPreflight({ req, env: { services, hints } }: Context<Bindings>): Response {
  return refusePreflight(
    services,
    { request: req.raw, path: {}, hints },
    `The preflight of a page at ${(req.header('origin') ?? 'an unknown origin').slice(0, 200)} is refused: ` +
      'the admin API and the inboxes are closed to pages of other sites. Call them from the test itself, not from the page.',
  );
}

/** Logos and images of facilities, drawn by the sandbox so that the URLs in the details work offline. */
function mountImages<Bindings extends { readonly services: RequestServices }>(app: Hono<{ Bindings: Bindings }>): void {
  app.get('/images/:facilityId{[0-9]+}/:file{(logo|[0-9]+)\\.svg}', async (context) => {
    const { facilityId, file } = context.req.param();
    const facility = context.env.services.engine.store.world.facility(Number(facilityId));
    const n = Number.parseInt(file!, 10);
    if (!facility || (file !== 'logo.svg' && (n < 1 || n > facility.images))) return context.notFound();
    // Loaded on demand, so that pages that never show one do not load it.
    const { facilityImage, facilityLogo, imageHeaders: headers } = await import('./routes/images.js');
    return new Response(file === 'logo.svg' ? facilityLogo(facility) : facilityImage(facility, n), { headers });
  });
}

/** Maximum number of calls of one method that are kept, and of characters of their URLs. */
const KEPT_CALLS = 1000;
const LONGEST_URL = 1024;
/** What the parameters of a call hold, without their texts. */
const CALL_BYTES = 900;

/** The calls that were made last: most callers repeat the same few. */
class KnownCalls {
  readonly #byMethod = new Map<string, BoundedCache<KnownCall>>();

  constructor(readonly caches: Caches) {}

  find({ method, url }: Request): KnownCall | undefined {
    return this.#byMethod.get(method)?.get(url);
  }

  /** Keeps a call, if its method is that of the operation: HEAD, which answers without a body, goes the way of Hono. */
  keep({ method, url }: Request, served: Served, path: Readonly<Record<string, string>>): KnownCall {
    const call: KnownCall = { served, path, read: undefined };
    if (method !== served.operation.method || url.length > LONGEST_URL) return call;
    let calls = this.#byMethod.get(method);
    if (!calls) this.#byMethod.set(method, (calls = this.caches.create(KEPT_CALLS, () => CALL_BYTES)));
    return calls.set(url, call);
  }
}
