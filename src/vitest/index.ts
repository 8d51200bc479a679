/**
 * A sandbox for each test of Vitest.
 *
 * @module
 */
import { test as base, type TestAPI } from 'vitest';
import type { Sandbox, SandboxOptions } from '../options.js';
import { createSandbox } from '../sandbox.js';

export interface SandboxFixtures {
  /** What the sandbox is made with; for other options, `test.extend({ sandboxOptions: { ... } })`. */
  readonly sandboxOptions: SandboxOptions;
  /** A sandbox of this test's own, whose clock stands; what it has under way ends with the test. */
  readonly sandbox: Sandbox;
}

/**
 * Vitest's `test` with a fresh sandbox in its context; tests that ask for none pay for none.
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
});
