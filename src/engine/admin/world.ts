import type { WorldFile } from '../../contract/index.js';
import { counted, ValidationError } from '../../common/index.js';
import { withoutSecrets } from '../record/capsule-write.js';
import { Problem } from './problem.js';
import { readJsonInSlices, readQuery } from './read.js';
import type { AdminCall, AdminHost, AdminRoute } from './route.js';

/** Shows the file of the world in force, and starts anew with another one. */
export const ownWorldRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'world', answer: ({ host }) => shownWorld(host) },
  { method: 'PUT', path: 'world', answer: replace },
];

/** Bytes of a world file, as many as the command line reads. */
const LARGEST_WORLD = 16_777_216;

function shownWorld(host: AdminHost): unknown {
  const { seed, size, digest } = host.engine.store.base;
  const file = host.world();
  return { seed, facilities: size, digest: digest ?? null, world: file ? withoutSecrets(file) : null };
}

async function replace({ host, request }: AdminCall): Promise<unknown> {
  const { reset = 'false' } = await readQuery(request, 'replaceWorldQuery');
  if (host.keep) {
    const why = 'The state of this sandbox is kept, and belongs to the world with which it started.';
    throw new Problem(
      409,
      `${why} Start a sandbox with the other world: without \`--state\`, or as a new hosted world.`,
    );
  }
  const file = await readJsonInSlices(request, LARGEST_WORLD, host.pause);
  const take = await host.readWorld(file as WorldFile).catch((error: unknown) => {
    if (!(error instanceof ValidationError)) throw error;
    const detail = `Failed to load the world: ${error.advice} Nothing was changed.`;
    throw new Problem(400, detail, {}, error.fits, error.pointer);
  });
  // Until here, clients may have booked.
  const { booked } = host.engine.store;
  if (booked > 0 && reset !== 'true') {
    const why = `Clients have made ${counted(booked, 'booking')} in this world.`;
    throw new Problem(409, `${why} Send \`?reset=true\` to drop them and all else that is in it.`);
  }
  await take();
  return shownWorld(host);
}
