import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { processTests } from './support/runner/process-tests.js';
import { shared } from './support/runner/shared.js';

/** The folder of another msw than the one installed here, as `node_modules/msw` of some project. */
const otherMsw = process.env['TEEBOX_MSW'];

function aliasesOf(folder: string): { readonly find: RegExp; readonly replacement: string }[] {
  const { resolve } = createRequire(`${folder}/package.json`);
  return ['msw', 'msw/node'].map((name) => ({ find: new RegExp(`^${name}$`), replacement: resolve(name) }));
}

/** These take long, a browser or the package registry. Each has a configuration and an npm script of its own. */
const elsewhere = [
  'test/conformance/matrix/**',
  'test/certification/matrix/**',
  'test/engine/scenarios/{fuzz,struck-walk}.test.ts',
  'test/e2e/{browser,package,docs,containers}/**',
  'test/hosted/**',
  ...processTests,
];

/**
 * These replace globals such as `fetch`, or start processes. They run in other workers than the rest. Two examples start
 * a server, whose library replaces the global `Response`: msw 3 would not know an error by it.
 */
const intercepting = ['test/examples/!(admin-client|cypress-tasks).test.ts', 'test/examples/time/*.test.ts'];

/**
 * Two projects, as a file is transformed and imported once for each: one for every wing takes a quarter longer.
 * `npm test -- WING` runs the folder of a wing.
 */
const projects: Readonly<Record<string, readonly string[]>> = {
  wings: ['test/**/*.test.ts'],
  interception: ['test/bindings/{msw,vitest}/**/*.test.ts', ...intercepting],
};

const resolve = { alias: otherMsw ? aliasesOf(otherMsw) : [] };
// The timeouts end a test that hangs. They are long because the machine may be busy with something else.
const { root, runner, expect } = shared;
const node = Number.parseInt(process.versions.node, 10);
const common = {
  root,
  expect,
  ...(runner ? { runner } : {}),
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Most of the CPU time of a small test file goes into its imports, so files share them.
  isolate: false,
  // A test makes many short-lived objects: with more room for them, less time goes into garbage collection.
  // Most code of a test runs too few times to earn what optimising it costs; Node 22 has no flag for that.
  execArgv: ['--max-semi-space-size=64', ...(node < 22 ? ['--interrupt-budget=600000'] : [])],
};

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['test/support/runner/build-once.ts'],
    // Many tests wait for sockets and timers, so a worker for each core is not too many.
    maxWorkers: '100%',
    reporters: [...shared.reporters, './test/support/runner/rules-reporter.ts'],
    // The projects do not extend this configuration: each of them would build again.
    projects: Object.entries(projects).map(([name, include]) => ({
      resolve,
      test: {
        ...common,
        name,
        include: [...include],
        exclude: name === 'wings' ? [...elsewhere, ...projects['interception']!] : elsewhere,
        // A second worker would import everything again for a few files. Groups of other sizes run one after the other.
        ...(name === 'interception' ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : {}),
      },
    })),
  },
});
