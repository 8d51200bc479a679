import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** Tests in a real browser, which `npm test` leaves out so that it needs none: `npm run test:browser`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/e2e/browser/**/*.test.ts'],
    // The browser is a process of its own, so a worker for each core is not too many.
    maxWorkers: '100%',
    globalSetup: ['test/support/runner/build-once.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
