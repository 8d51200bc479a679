import { defineConfig } from 'vitest/config';
import { reporters } from '../../support/runner/reporters.js';

/** Tests of the package as people install it, which need the registry, and of all generators: `npm run test:package`. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    globalSetup: ['test/support/runner/build-once.ts'],
    include: ['test/e2e/package/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters,
  },
});
