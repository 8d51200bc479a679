import { type DialectCard, parseDialectCard, Problem, readJson, readQueryBy, shown } from '../../engine/index.js';
import {
  type operatorComponents as components,
  fit,
  listWorldsQuery,
  WorldChange,
  WorldRequest,
  type WorldFile,
} from '../../contract/index.js';
import { defined, ValidationError } from '../../common/index.js';
import { hostRoutes } from '../callbacks/host-routes.js';
import type { Env } from '../env.js';
import { expiryOf, readInstant } from './expiry.js';
import { limitsOf, mostWorlds } from './limits.js';
import type { WorldMaking, RegistryClient, WorldChanges } from './registry-client.js';
import type { ListedWorld } from './registry-table.js';
import { hashOf, newName, newToken } from './secrets.js';
import type { WorldSettings } from './settings.js';
import { originOf, shownUsage, shownWorld, statusOf } from './view.js';

export interface OperatorCall {
  readonly request: Request;
  readonly env: Env;
  readonly registry: RegistryClient;
  /** The name of the world in the path; empty where there is none. */
  readonly name: string;
  /** A parameter of the path, decoded. */
  param(name: string): string;
  /** Who asks: null for the operator, otherwise the hash of the bearer token, which the world compares with its own. */
  readonly by: string | null;
  readonly now: number;
}

/** A path of the operator API and what answers it. */
export interface OperatorRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for the name of a world. */
  readonly path: string;
  /** Whether the token of the world is enough. The route has the world check it. */
  readonly access?: 'owner';
  answer(call: OperatorCall): Promise<unknown>;
}

export const operatorRoutes: readonly OperatorRoute[] = [
  { method: 'GET', path: '/worlds', answer: list },
  { method: 'POST', path: '/worlds', answer: create },
  { method: 'GET', path: '/worlds/:name', answer: find },
  { method: 'PATCH', path: '/worlds/:name', answer: change },
  { method: 'DELETE', path: '/worlds/:name', answer: remove },
  { method: 'POST', path: '/worlds/:name/token', answer: replaceToken },
  ...hostRoutes,
];

const MAX_BODY = 65_536;
/** A new world may bring a world file. */
const MAX_NEW_WORLD = 1_048_576;
const PAGE = 100;

async function list({ request, env, registry, now }: OperatorCall): Promise<unknown> {
  const { limit = PAGE, cursor = '0' } = readQueryBy(listWorldsQuery, request);
  const origin = originOf(request, env);
  const { count, worlds } = await registry.list(Number(cursor), limit + 1);
  const page = worlds.slice(0, limit);
  const next = worlds.length > limit ? String(page.at(-1)!.id) : null;
  return { count, worlds: page.map((world) => shownWorld(world, origin, now)), next };
}

async function create(call: OperatorCall): Promise<Response> {
  const { request, env, registry, now } = call;
  const given = fit(WorldRequest, await readJson(request, MAX_NEW_WORLD), { whole: 'The body' });
  const token = newToken();
  const settings = await settingsOf(given, token, call);
  const { name } = settings;
  const made = await registry.create(settings, mostWorlds(env));
  if ('refused' in made) throw refusalOf(made.refused, name, mostWorlds(env));
  if ('validationError' in made) throw new ValidationError(made.validationError, made.fits);
  const body = { ...shownWorld(made.world, originOf(request, env), now), token, channels: made.channels };
  const headers = { location: `/worlds/${name}`, 'cache-control': 'no-store' };
  return Response.json(body, { status: 201, headers });
}

async function settingsOf(
  {
    name = newName(),
    seed,
    facilities,
    world,
    now,
    dialect,
    limits,
    ...lifetime
  }: components['schemas']['WorldRequest'],
  token: string,
  call: OperatorCall,
): Promise<WorldSettings> {
  if (now !== undefined) readInstant('now', now);
  const expiresAt = expiryOf(lifetime, call.now) ?? null;
  const card: DialectCard | undefined = dialect && parseDialectCard(dialect);
  return defined({
    name,
    tokenHash: await hashOf(token),
    seed,
    facilities,
    // Checked where the world is made.
    world: world as WorldFile | undefined,
    now,
    dialect: card,
    expiresAt,
    limits: limitsOf(call.env, limits),
  });
}

function refusalOf(refused: Extract<WorldMaking, { refused: string }>['refused'], name: string, most: number): Problem {
  switch (refused) {
    case 'taken':
      return new Problem(409, `There is a world ${shown(name)}. Choose another name, or delete that world first.`);
    case 'unsettled':
      return new Problem(409, `The world ${shown(name)} is being made or deleted. Try again in a second.`);
    case 'full':
      return new Problem(
        507,
        `This deployment has ${most} worlds, its maximum. Delete some, or raise the variable \`MAX_WORLDS\`.`,
      );
  }
}

async function find({ request, env, registry, name, now }: OperatorCall): Promise<unknown> {
  const found = await registry.usage(name);
  if (!found) throw unknown(name);
  const { world, usage } = found;
  const isActive = statusOf(world, now) === 'active';
  return { ...shownWorld(world, originOf(request, env), now), usage: isActive && usage ? shownUsage(usage) : null };
}

async function change(call: OperatorCall): Promise<unknown> {
  const { request, env, registry, name, now } = call;
  const { limits, ...lifetime } = fit(WorldChange, await readJson(request, MAX_BODY), { whole: 'The body' });
  const expiresAt = expiryOf(lifetime, now);
  const world = await active(call);
  await apply(call, defined({ expiresAt, limits: limits && { ...world.limits, ...limits } }));
  return shownWorld((await registry.find(name)) ?? world, originOf(request, env), now);
}

async function replaceToken(call: OperatorCall): Promise<unknown> {
  await active(call);
  const token = newToken();
  await apply(call, { tokenHash: await hashOf(token) });
  return { name: call.name, token };
}

async function apply({ registry, name }: OperatorCall, changes: WorldChanges): Promise<void> {
  if (!(await registry.change(name, changes))) throw new Problem(409, `The world ${shown(name)} has just ended.`);
}

async function remove({ registry, name }: OperatorCall): Promise<unknown> {
  if (!(await registry.remove(name))) throw unknown(name);
  return { status: 'deleted' };
}

/** @throws {Problem} 404 for an unknown world, 409 for one that has ended. */
async function active({ registry, name, now }: OperatorCall): Promise<ListedWorld> {
  const world = await registry.find(name);
  if (!world) throw unknown(name);
  const status = statusOf(world, now);
  if (status === 'active') return world;
  const why = status === 'idle' ? 'nobody used it' : 'it expired';
  throw new Problem(409, `The world ${shown(name)} has ended because ${why}. Delete it and make a new one.`);
}

function unknown(name: string): Problem {
  return new Problem(404, `There is no world ${shown(name)}. \`GET /worlds\` lists those that there are.`);
}
