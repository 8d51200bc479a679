import { parseDialectCard } from '../app/dialect.js';
import { Misfit } from '../scenarios/spec.js';
import { Problem } from './problem.js';
import { listed, readJson } from './read.js';
import type { AdminCall, AdminRoute } from './route.js';

/** The card in force, read and replaced. */
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
    const fits = error instanceof Misfit ? ` What fits: ${listed(error.fits)}.` : '';
    throw new Problem(400, `Failed to load the dialect: ${(error as Error).message}${fits}`);
  }
  host.scenarios.armInitial();
  host.renew();
  return host.dialect.card;
}
