import { defineConfig } from 'vitest/config';

const results = process.env['TEEBOX_TEST_RESULTS'];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build-once.ts'],
    testTimeout: 30_000,
    reporters: [
      'default',
      './test/support/rules-reporter.ts',
      ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
    ],
  },
});
