import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** Builds the image of the Dockerfile and runs it with podman, which must be installed: `npm run test:containers`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/e2e/containers/**/*.test.ts'],
    testTimeout: 120_000,
    // A build installs the packages and bundles.
    hookTimeout: 600_000,
  },
});
