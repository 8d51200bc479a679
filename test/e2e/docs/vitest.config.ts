import { defineConfig } from 'vitest/config';
import { reporters } from '../../support/runner/reporters.js';

/** Tests of the documentation that need other tools, a browser or a compiler: `npm run test:docs`. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    globalSetup: ['test/support/runner/build-once.ts'],
    include: ['test/e2e/docs/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters,
  },
});
