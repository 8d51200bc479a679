import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

const results = process.env['TEEBOX_TEST_RESULTS'];

/** The folder of another msw than the one installed here, as `node_modules/msw` of some project. */
const otherMsw = process.env['TEEBOX_MSW'];

function aliasesOf(folder: string): { readonly find: RegExp; readonly replacement: string }[] {
  const { resolve } = createRequire(`${folder}/package.json`);
  return ['msw', 'msw/node'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: resolve(name) }));
}

export default defineConfig({
  resolve: { alias: otherMsw ? aliasesOf(otherMsw) : [] },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // These need a browser and the registry; they have configurations of their own.
    exclude: ['test/browser/**', 'test/package/**'],
    globalSetup: ['test/support/build-once.ts'],
    // Many tests wait for sockets and timers, so that a worker for each core is not too many.
    maxWorkers: '100%',
    testTimeout: 30_000,
    reporters: [
      'default',
      './test/support/rules-reporter.ts',
      ...(results ? [['json', { outputFile: results }] as [string, Record<string, unknown>]] : []),
    ],
  },
});
