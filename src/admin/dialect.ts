import { parseDialectCard } from '../state/dialect.js';
import { Misfit } from '../input/misfit.js';
import { problemOf } from './problem.js';
import { readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** Reads and replaces the current dialect card. */
export const dialectRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'dialect', answer: ({ host }) => host.dialect.card },
  { method: 'PUT', path: 'dialect', answer: replace },
];

async function replace({ host, request }: AdminCall): Promise<unknown> {
  const card = await readJson(request);
  try {
    host.scenarios.check(parseDialectCard(card).scenarios ?? []);
    host.dialect.replace(card);
  } catch (error) {
    const what = 'Failed to load the dialect: ';
    throw error instanceof Misfit ? problemOf(error, what) : error;
  }
  host.scenarios.armInitial();
  host.renew();
  return host.dialect.card;
}
