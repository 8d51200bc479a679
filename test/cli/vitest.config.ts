import { defineConfig } from 'vitest/config';
import { processTests } from '../support/runner/process-tests.js';
import { reporters } from '../support/runner/reporters.js';

/** The command as a process: what it prints, what its signals do, and what a kill leaves. `npm run test:processes`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: processTests,
    globalSetup: ['test/support/runner/build-once.ts'],
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters,
  },
});
