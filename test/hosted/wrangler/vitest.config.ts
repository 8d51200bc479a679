import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** The deployment for Cloudflare, in the tool that its users run: `npm run test:wrangler`. It needs Node 22 or later. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/hosted/wrangler/**/*.test.ts'],
    globalSetup: ['test/support/runner/build-once.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
