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
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
