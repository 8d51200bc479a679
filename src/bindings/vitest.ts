/**
 * A sandbox for each test of Vitest.
 *
 * @module
 */
import { test as base, type TestAPI } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../engine/index.js';
import { testHeaderOf } from './test-header.js';

export interface SandboxFixtures {
  /** The options of the sandbox. Set them with `test.extend({ sandboxOptions: { ... } })`. */
  readonly sandboxOptions: SandboxOptions;
  /** The sandbox of this test, with a frozen clock. Its pending callbacks end with the test. */
  readonly sandbox: Sandbox;
  /** The header by which `teebox certify` tells this attempt of the test from others. Send it with each request. */
  readonly testHeaders: Readonly<Record<'teebox-test', string>>;
}

/**
 * Vitest's `test` with a new sandbox in its context. It is created only for tests that use it.
 *
 * @example
 * test('books', async ({ sandbox }) => {
 *   await bookWith(sandbox);
 *   expect(sandbox.db.bookings.findMany((q) => q.where({ status: 'BOOKED' }))).toHaveLength(1);
 * });
 */
export const test: TestAPI<SandboxFixtures> = base.extend<SandboxFixtures>({
  sandboxOptions: {},
  sandbox: async ({ sandboxOptions }, use) => {
    const sandbox = await createSandbox(sandboxOptions);
    await use(sandbox);
    await sandbox.reset();
  },
  testHeaders: async ({ task }, use) => {
    const names = [task.suite?.name, task.name].filter(Boolean).join(' > ');
    await use({ 'teebox-test': testHeaderOf(names, task.result?.retryCount) });
  },
});
