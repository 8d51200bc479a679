import { Problem, problemResponse, readJson, shown } from '../../engine/index.js';
import type { Env } from '../env.js';
import type { HostAnswer, HostOrder } from './host-orders.js';
import { readHost } from './host-name.js';

/** A request about the hosts of a world. */
export interface HostCall {
  readonly request: Request;
  readonly env: Env;
  /** The name of the world. */
  readonly name: string;
  /** Null for the operator; otherwise the hash of the token that was given. */
  readonly by: string | null;
  param(name: string): string;
}

/** A path that takes the operator's token, or that of the world. */
interface HostRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly access: 'owner';
  answer(call: HostCall): Promise<unknown>;
}

export const hostRoutes: readonly HostRoute[] = [
  { method: 'GET', path: '/worlds/:name/hosts', access: 'owner', answer: list },
  { method: 'POST', path: '/worlds/:name/hosts', access: 'owner', answer: verify },
  { method: 'DELETE', path: '/worlds/:name/hosts/:host', access: 'owner', answer: remove },
];

const MAX_BODY = 4096;

async function list(call: HostCall): Promise<unknown> {
  const answer = await ask(call, { act: 'list' });
  return 'hosts' in answer ? { count: answer.hosts.length, hosts: answer.hosts } : failed(answer);
}

/** Fetches the challenge and answers with its outcome. */
async function verify(call: HostCall): Promise<unknown> {
  const body = await readJson(call.request, MAX_BODY);
  const host = readHost((body as { readonly host?: unknown } | null)?.host);
  const answer = await ask(call, { act: 'verify', host });
  return 'host' in answer ? Response.json(answer.host, { status: 201 }) : failed(answer);
}

async function remove(call: HostCall): Promise<unknown> {
  const host = readHost(call.param('host'));
  const answer = await ask(call, { act: 'remove', host });
  if (!('removed' in answer)) return failed(answer);
  if (answer.removed) return { status: 'removed' };
  throw new Problem(
    404,
    `The world has no host ${shown(host)}. GET /worlds/${call.name}/hosts lists those that it has.`,
  );
}

async function ask(
  { env, name, by }: HostCall,
  order: Omit<HostOrder, 'by'>,
): Promise<Exclude<HostAnswer, { denied: true }>> {
  // A name that nobody has made must not make an object.
  const isKnown = await env.REGISTRY.get(env.REGISTRY.idFromName('registry') as never).has(name);
  const answer = isKnown ? await env.WORLDS.get(env.WORLDS.idFromName(name) as never).hosts({ by, ...order }) : null;
  if (answer === null && by === null) throw new Problem(404, `There is no world ${shown(name)}.`);
  if (answer !== null && !('denied' in answer)) return answer;
  throw new Problem(401, "The hosts of a world need `Authorization: Bearer TOKEN`, with its token or the operator's.", {
    'www-authenticate': 'Bearer realm="teebox operator"',
  });
}

function failed(answer: HostAnswer): Response {
  if (!('status' in answer)) throw new Error('The world gave an answer to another question.');
  const { status, detail, challenge } = answer;
  return problemResponse(status, detail, challenge ? { challenge } : {});
}
