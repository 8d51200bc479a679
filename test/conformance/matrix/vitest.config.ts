import { defineConfig } from 'vitest/config';
import { shared } from '../../support/runner/shared.js';

/**
 * Every planted defect, every dialect, every permitted deployment and every hostile target against the suite, and any
 * scenario against the sandbox: `npm run test:matrix`.
 */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/conformance/matrix/**/*.test.ts', 'test/engine/scenarios/{fuzz,struck-walk}.test.ts'],
    globalSetup: ['test/support/runner/build-once.ts'],
    maxWorkers: '100%',
    // Files share what they import, which is the whole suite and the whole sandbox.
    isolate: false,
    execArgv: ['--max-semi-space-size=64'],
    // One test runs the suite up to forty times.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
