import { defineConfig } from 'vitest/config';

const results = process.env['TEEBOX_TEST_RESULTS'];

/** Tests in a real browser, which `npm test` leaves out so that it needs none: `npm run test:browser`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [
      'default',
      ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
    ],
  },
});
