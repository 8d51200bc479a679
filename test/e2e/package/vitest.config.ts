import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** Tests of the package as people install it, which need the registry, and of all generators: `npm run test:package`. */
export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/support/runner/build-once.ts'],
    include: ['test/e2e/package/**/*.test.ts'],
    // Each test runs npm and the tools of users several times: half a minute where nothing else runs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
