import { defineConfig } from 'vitest/config';

const results = process.env['TEEBOX_TEST_RESULTS'];

/** Tests of the package as people install it, which need the registry: `npm run test:package`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/package/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    reporters: [
      'default',
      ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
    ],
  },
});
