import { operations, ruleBasis } from '../../contract/index.js';
import type { AdminRoute } from './route.js';

/** Health, version, channels and reset. */
export const serviceRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: 'health', answer: ({ host }) => ({ status: 'ok', version: host.version }) },
  {
    method: 'GET',
    path: 'version',
    answer: ({ host: { version, engine, place } }) => ({
      name: 'teebox',
      version,
      operations: operations.length,
      rules: Object.keys(ruleBasis).length,
      facilities: engine.store.world.size,
      seed: engine.store.world.seed,
      ...(place.certification ? { certifies: true } : {}),
    }),
  },
  {
    method: 'GET',
    path: 'channels',
    answer: ({ host: { engine } }) => {
      const channels = engine.store.tokens.credentials();
      return { count: channels.length, channels };
    },
  },
  {
    method: 'POST',
    path: 'reset',
    answer: async ({ host }) => {
      await host.reset();
      return { status: 'reset' };
    },
  },
];
