import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** Tests of the documentation that need other tools, a browser or a compiler: `npm run test:docs`. */
export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/support/runner/build-once.ts'],
    include: ['test/e2e/docs/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
