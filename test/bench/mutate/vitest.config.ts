import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import kill from '../../conformance/matrix/vitest.config.js';
import tests from '../../vitest.config.js';

const setupFiles = [new URL('setup.ts', import.meta.url).pathname];
// A mutation that waits for ever is found by this.
const timeouts = { testTimeout: 90_000, hookTimeout: 90_000 };

const { globalSetup: _, reporters: __, maxWorkers: ___, ...killing } = kill.test!;
const projects = (tests.test!.projects as TestProjectInlineConfiguration[]).map(({ test, ...rest }) => ({
  ...rest,
  test: { ...test, ...timeouts, setupFiles },
}));
const include = ['test/conformance/matrix/kill/*.test.ts'];

/** The tests of `npm test` and the kill matrix, with what `mutate.ts` needs of them. */
export default defineConfig({
  test: {
    ...tests.test,
    reporters: [],
    projects: [...projects, { test: { ...killing, ...timeouts, name: 'kill', include, setupFiles } }],
  },
});
