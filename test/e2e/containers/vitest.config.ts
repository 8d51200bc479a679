import { defineConfig } from 'vitest/config';
import { reporters } from '../../support/runner/reporters.js';

/** Builds the image of the Dockerfile and runs it with podman, which must be installed: `npm run test:containers`. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['test/e2e/containers/**/*.test.ts'],
    testTimeout: 120_000,
    // A build installs the packages and bundles.
    hookTimeout: 600_000,
    reporters,
  },
});
