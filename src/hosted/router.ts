import { answerConsole, mayShowConsole, problemResponse } from '../engine/index.js';
import { noSuchWorld } from './absent.js';
import type { Env } from './env.js';
import { operate } from './operator/index.js';

const inWorld = /^\/w\/([A-Za-z0-9][\w.-]{0,63})(?=\/|$)/;
const MOST_KNOWN = 10_000;
const known = new Set<string>();

/** Sends `/w/{world}/...` to the object of that world, and `/worlds` to the registry. */
export async function route(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  const name = inWorld.exec(pathname)?.[1];
  if (name !== undefined) {
    const page = mayShowConsole(request, pathname) ? await showConsole(request, env) : undefined;
    if (page) return page;
    if (!(await mayExist(name, env))) return noSuchWorld(request, name);
    return env.WORLDS.get(env.WORLDS.idFromName(name) as never).fetch(request);
  }
  if (/^\/worlds(\/|$)/.test(pathname)) return operate(request, env);
  if (pathname === '/__admin/health') return Response.json({ status: 'ok' });
  const detail =
    'There is nothing at this address. A sandbox is at /w/NAME, after the operator has made it: POST /worlds.';
  return problemResponse(404, detail);
}

/** A world that was once here is asked itself: it knows best whether it still is. */
async function mayExist(name: string, { ASK_REGISTRY, REGISTRY }: Env): Promise<boolean> {
  if (!ASK_REGISTRY || known.has(name)) return true;
  if (!(await REGISTRY.get(REGISTRY.idFromName('registry') as never).has(name))) return false;
  if (known.size >= MOST_KNOWN) known.clear();
  known.add(name);
  return true;
}

/** The console needs no object, and no token: its page asks for that. */
async function showConsole(request: Request, { CONSOLE }: Env): Promise<Response | undefined> {
  if (!CONSOLE) return undefined;
  const read = async (path: string) => {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const file = await CONSOLE.fetch(new Request(`https://console/${encoded}`));
    return file.ok ? file.arrayBuffer() : undefined;
  };
  // The platform compresses what it sends.
  return answerConsole(request, read, true);
}
