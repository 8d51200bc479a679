import { defineConfig } from 'vitest/config';
import { processTests } from '../support/runner/process-tests.js';
import { shared } from '../support/runner/shared.js';

/** The command as a process: what it prints, what its signals do, and what a kill leaves. `npm run test:processes`. */
export default defineConfig({
  test: {
    ...shared,
    include: processTests,
    globalSetup: ['test/support/runner/build-once.ts'],
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
