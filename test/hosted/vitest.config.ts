import { defineConfig } from 'vitest/config';
import { shared } from '../support/runner/shared.js';

/** Tests in the real workerd, which `npm test` leaves out because it is large to install: `npm run test:workers`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/hosted/**/*.test.ts'],
    exclude: ['test/hosted/wrangler/**'],
    // workerd is a process of its own, so a worker for each core is not too many.
    maxWorkers: '100%',
    globalSetup: ['test/support/runner/build-once.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
