import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/** Every defect of a client in its exams, and the correct client in every exam and dialect: `npm run test:clients`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/certification/matrix/**/*.test.ts'],
    globalSetup: ['test/support/runner/build-once.ts'],
    maxWorkers: '100%',
    isolate: false,
    // A whole suite in all exams takes half a minute where nothing else runs.
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
