import type { Context } from 'hono';
import { HonoBase as Hono } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';
import { getPath, getPathNoStrict } from 'hono/utils/url';
import { answerFor } from '../domain/answers.js';
import { Refusal } from '../domain/refusal.js';
import { type OperationName, operations, type OperationSpec } from '../generated/operations.js';
import type { Answers, VersionedQuestion } from '../generated/questions.js';
import type { Route } from '../routes/call.js';
import { cancelBooking } from '../routes/cancel.js';
import { handlerOf } from '../versions/index.js';
import { mountImages } from './images.js';
import { createParameterReader } from './parameters.js';
import type { HostHints } from './host-hints.js';
import type { Incoming } from './passage.js';
import type { Pipeline } from './pipeline.js';
import { answer, refuse } from './answer.js';
import { KnownCalls } from './known-calls.js';

interface Bindings {
  Bindings: HostHints;
}

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

function find(id: string): OperationSpec {
  return operations.find((operation) => operation.id === id)!;
}

/** Operations that only some dialects have; the document describes none of them. */
function undocumented(answers: Answers): Mounted[] {
  const extra: Mounted[] = [];
  if (answers['payment.v4.v2-path'] === 'accepted') {
    for (const operation of ['v4.confirmPayment', 'v4.confirmPayment.post'].map(find)) {
      if (!methodTaken(operation, answers)) continue;
      const path = operation.path.replace('/v4/', '/v2/');
      extra.push({ operation, method: operation.method, path, route: handlerOf(operation) });
    }
  }
  if (answers['booking.cancel'] === 'delete') {
    for (const version of ['v2', 'v4'] as const) {
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
  const { id, method } = operation;
  return method === 'GET' && (methodQuestionOf(operation) !== undefined || id === 'v5.searchTeeTimes');
}

/** The service as a Hono application, and a shorter way into it for requests whose route is known. */
export interface Service {
  readonly app: Hono<Bindings>;
  readonly serve: (request: Request, hints: HostHints) => Response | Promise<Response>;
}

/** Mounts every operation of the table, and clear answers to everything else. */
export function mount(pipeline: Pipeline): Service {
  const { answers } = pipeline.engine;
  const app = new Hono<Bindings>({ ...manners(pipeline), router: new TrieRouter() });
  const incoming = (context: Context<Bindings>) => ({
    request: context.req.raw,
    path: context.req.param() as Record<string, string>,
    hints: context.env ?? {},
  });
  const table = mounted(answers);
  const calls = new KnownCalls(pipeline.caches);
  const methods = new Map<string, string[]>();
  for (const { operation, method, path, route } of table) {
    const pattern = patternOf(path, answers);
    const allowed = methods.get(pattern) ?? [];
    methods.set(pattern, allowed);
    allowed.push(method);
    const served = { operation, route, readParameters: createParameterReader(operation.parameters, answers) };
    const serve = ({ req, env }: Context<Bindings>) =>
      answer(pipeline, calls.keep(req.raw, served, req.param()), req.raw, env ?? {});
    const unlessHead = (context: Context<Bindings>) =>
      context.req.method === 'HEAD'
        ? refuse(pipeline, incoming(context), wrongMethod('HEAD', allowed, pattern))
        : serve(context);
    app.on(method, pattern, acts(operation) ? unlessHead : serve);
  }
  mountImages(app, pipeline.engine.store.world);
  const others = mountOthers(pipeline, methods, incoming);
  // The only error here is an aborted request; it is passed on, as `fetch` does.
  app.onError((error) => {
    throw error;
  });
  app.notFound((context) => others.fetch(context.req.raw, context.env));
  const serve = (request: Request, hints: HostHints) => {
    const known = calls.find(request);
    return known ? answer(pipeline, known, request, hints) : app.fetch(request, hints);
  };
  return { app, serve };
}

/** How paths are read: without the prefix of a world, and with or without a trailing slash. */
function manners({ engine: { answers }, prefix }: Pipeline) {
  const strict = answers['path.trailing-slash'] === 404;
  if (prefix === undefined) return { strict };
  const read = strict ? getPath : getPathNoStrict;
  // Each name has this form, and the world of strangers answers for all of them.
  const below = (path: string) => path.replace(/^\/w\/[^/]+/, '') || '/';
  return { getPath: (request: Request) => below(read(request)) };
}

/**
 * Responds to requests without an operation. It is a separate application, because a second handler on the path of an
 * operation would make its response asynchronous.
 */
function mountOthers(
  pipeline: Pipeline,
  methods: ReadonlyMap<string, readonly string[]>,
  incoming: (context: Context<Bindings>) => Incoming,
): Hono<Bindings> {
  const { answers } = pipeline.engine;
  const others = new Hono<Bindings>({ ...manners(pipeline), router: new TrieRouter() });
  for (const [pattern, allowed] of methods) {
    others.options(pattern, (context) => preflight(context, answers, allowed));
    others.all(pattern, (context) =>
      refuse(pipeline, incoming(context), wrongMethod(context.req.method, allowed, pattern)),
    );
  }
  others.all('/api/:version/token/refreshToken', (context) =>
    refuse(pipeline, incoming(context), unknownTokenVersion(context.req.param('version'), answers)),
  );
  others.notFound((context) => refuse(pipeline, { ...incoming(context), path: {} }, unknownPath(context.req.path)));
  return others;
}

function wrongMethod(method: string, allowed: readonly string[], pattern: string): Refusal {
  const rule = pattern.includes('/payment/') ? 'payments.method' : 'versions.method';
  return new Refusal('method-not-allowed', rule, {
    words: `This path does not take ${method}; it takes ${allowed.join(' and ')}.`,
    headers: { allow: allowed.join(', ') },
  });
}

function unknownTokenVersion(version: string, answers: Answers): Refusal {
  const served = answers['token.versions'].join(', ') || 'no version';
  return new Refusal('unknown-path', 'tokens.version', {
    words: `Tokens are not refreshed at \`${version.slice(0, 60)}\` but at ${served}.`,
  });
}

function unknownPath(path: string): Refusal {
  return new Refusal('unknown-path', 'versions.path', {
    words: `There is no operation at ${path}. Paths look like /api/v3/facilities; \`npx teebox spec\` has them all.`,
  });
}

function preflight(context: Context<Bindings>, answers: Answers, allowed: readonly string[]): Response {
  if (!context.req.header('access-control-request-method')) {
    return new Response(null, { status: 204, headers: { allow: allowed.join(', ') } });
  }
  const headers = ['Authorization', 'Content-Type', 'Teebox-Scenario', answers['auth.bearer-header']];
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allowed.join(', '),
      'access-control-allow-headers': [...new Set(headers)].join(', '),
      'access-control-max-age': '600',
    },
  });
}
