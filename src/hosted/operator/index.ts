import type { Context } from 'hono';
import { HonoBase as Hono } from 'hono/hono-base';
import { listed, Problem, problemOf, Router } from '../../engine/index.js';
import { ValidationError } from '../../common/index.js';
import type { Env } from '../env.js';
import { operatorRoutes, type OperatorRoute } from './routes.js';
import { hashOf, sameHash } from './secrets.js';

const SHORTEST = 24;
const LONGEST = 512;
const form = /^[\w.~+/-]+=*$/;
const bearer = /^bearer +(\S+) *$/i;

/** Answers a request of the operator (`spec/operator.yaml`). */
export async function operate(request: Request, env: Env): Promise<Response> {
  return app.fetch(request, env);
}

const app = new Hono<{ Bindings: Env }>({ router: new Router() });
for (const route of operatorRoutes) app.on(route.method, route.path, (context) => answer(context, route));
for (const path of new Set(operatorRoutes.map((route) => route.path))) {
  const methods = operatorRoutes.filter((route) => route.path === path).map(({ method }) => method);
  app.all(path, (context) => refuse(context, wrongMethod(context.req.method, methods)));
}
app.notFound((context) => refuse(context, unknownPath(context.req)));

type OperatorContext = Context<{ Bindings: Env }>;

async function answer({ req, env }: OperatorContext, route: OperatorRoute): Promise<Response> {
  try {
    const by = await whoAsks(req.raw, env, route.access === 'owner');
    const registry = env.REGISTRY.get(env.REGISTRY.idFromName('registry') as never);
    const param = (name: string): string => req.param(name) ?? '';
    const call = { request: req.raw, env, registry, name: param('name'), param, by, now: Date.now() };
    const result = await route.answer(call);
    if (result instanceof Response) return result;
    return Response.json(result, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (error instanceof Problem) return error.response();
    if (error instanceof ValidationError) return problemOf(error).response();
    const detail = `The deployment failed to complete this request: ${(error as Error).message}. Send it again.`;
    return new Problem(503, detail).response();
  }
}

/** Refuses a request that no route takes, after its token is checked. */
async function refuse({ req, env }: OperatorContext, problem: Problem): Promise<Response> {
  try {
    await whoAsks(req.raw, env, false);
    return problem.response();
  } catch (error) {
    return (error as Problem).response();
  }
}

/**
 * Null for the operator; the hash of another token, which may be that of a world.
 *
 * @throws {Problem} 503 if the deployment has no fit token, 401 if the request has none, or the wrong one.
 */
async function whoAsks(request: Request, { OPERATOR_TOKEN }: Env, orOwner: boolean): Promise<string | null> {
  // A variable that is not set is null in workerd.
  const due = OPERATOR_TOKEN ?? '';
  if (due.length < SHORTEST || due.length > LONGEST || !form.test(due)) {
    const state = due === '' ? 'has no operator token' : 'has an operator token that does not fit';
    throw new Problem(
      503,
      `This deployment ${state}, so nobody can manage its worlds. Set OPERATOR_TOKEN to ${SHORTEST} to ${LONGEST} letters, ` +
        'digits or any of - . _ ~ + /, for example with `wrangler secret put OPERATOR_TOKEN`.',
    );
  }
  const [, given] = bearer.exec(request.headers.get('authorization') ?? '') ?? [];
  const hash = given === undefined ? undefined : await hashOf(given);
  if (hash !== undefined && sameHash(hash, await hashOf(due))) return null;
  if (hash !== undefined && orOwner) return hash;
  throw new Problem(
    401,
    'The operator API requires `Authorization: Bearer OPERATOR_TOKEN`, with the token of this deployment.',
    {
      'www-authenticate': 'Bearer realm="teebox operator"',
    },
  );
}

function wrongMethod(method: string, methods: readonly string[]): Problem {
  const allow = methods.join(', ');
  return new Problem(405, `This path does not take ${method}; it takes ${methods.join(' and ')}.`, { allow });
}

function unknownPath({ method, path }: { readonly method: string; readonly path: string }): Problem {
  const directory = listed(operatorRoutes.map((one) => `${one.method} ${one.path.replace(':name', '{name}')}`));
  return new Problem(404, `There is no ${method} ${path}; the operator API has ${directory}.`);
}
