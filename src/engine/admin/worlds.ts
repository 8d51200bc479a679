import { Problem, shown } from './problem.js';
import type { AdminCall, AdminRoute, WorldsHost } from './route.js';

/** The worlds besides the main one. Only the main world can list and delete them. */
export const worldRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'worlds', answer: list },
  { method: 'DELETE', path: 'worlds/:name', answer: remove },
];

function list(call: AdminCall): unknown {
  const worlds = hostOf(call).list();
  return {
    count: worlds.length,
    worlds: worlds.map(({ name, lastUsed }) => ({ name, lastUsed: new Date(lastUsed).toISOString() })),
  };
}

function remove(call: AdminCall): unknown {
  const name = call.path['name']!;
  if (hostOf(call).delete(name)) return { status: 'deleted' };
  throw new Problem(404, `There is no world ${shown(name)}. GET worlds lists the existing ones.`);
}

function hostOf({ host }: AdminCall): WorldsHost {
  if (host.place.worlds) return host.place.worlds;
  throw new Problem(404, 'Worlds are seen from the main one: {origin}/__admin/worlds, of a server.');
}
