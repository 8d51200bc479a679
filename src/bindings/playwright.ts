/**
 * Fixtures of Playwright Test: a world of a sandbox for each test.
 *
 * @module
 */
import { type Admin, createAdmin } from './admin-client/library.js';
import { testHeaderOf } from './test-header.js';

/** The world of one test. */
export interface TestWorld {
  /** The base URL for the page or program under test. */
  readonly baseUrl: string;
  /** The admin API of this world. */
  readonly admin: Admin;
}

/** What the fixtures add to a test. */
export interface SandboxWorlds {
  /** An option: the origin of a running sandbox. Default: `TEEBOX_BASE_URL`, or else `http://127.0.0.1:4653`. */
  readonly teeboxUrl: string;
  /** An option: the token of its admin API, if it requires one. */
  readonly teeboxToken: string | undefined;
  /** A world of this test's own. It begins at the initial state, and is deleted after the test. */
  readonly world: TestWorld;
  /** The header by which `teebox certify` tells this attempt of the test from others. Send it with each request. */
  readonly testHeaders: Readonly<Record<'teebox-test', string>>;
}

/** The parts of Playwright's `TestInfo` that name a run of a test. */
export interface TestRun {
  readonly testId: string;
  readonly retry: number;
  readonly repeatEachIndex: number;
}

/** The environment, which `teebox exec` sets: Playwright runs tests in Node. */
const environment =
  (globalThis as { process?: { env: Readonly<Record<string, string | undefined>> } }).process?.env ?? {};

type Options = Pick<SandboxWorlds, 'teeboxUrl' | 'teeboxToken'>;
type FixtureOption<T> = [value: T, settings: { option: true }];

/**
 * The fixtures, for `test.extend`.
 *
 * @example
 * import { test as base } from '@playwright/test';
 * import { type SandboxWorlds, sandboxWorlds } from 'teebox/playwright';
 *
 * const test = base.extend<SandboxWorlds>(sandboxWorlds);
 * test('books', async ({ page, world }) => {
 *   await world.admin.arm('payment-pi-failed');
 *   await page.goto(`/?api=${world.baseUrl}`);
 * });
 */
export const sandboxWorlds: {
  teeboxUrl: FixtureOption<string>;
  teeboxToken: FixtureOption<string | undefined>;
  world: (options: Options, use: (world: TestWorld) => Promise<void>, run: TestRun) => Promise<void>;
  testHeaders: (
    options: object,
    use: (headers: SandboxWorlds['testHeaders']) => Promise<void>,
    run: Pick<TestRun, 'retry'> & { readonly titlePath: readonly string[] },
  ) => Promise<void>;
} = {
  teeboxUrl: [environment['TEEBOX_BASE_URL'] ?? 'http://127.0.0.1:4653', { option: true }],
  teeboxToken: [undefined, { option: true }],
  // Playwright reads the names of fixtures from this pattern.
  world: async ({ teeboxUrl, teeboxToken }, use, { testId, retry, repeatEachIndex }) => {
    const main = createAdmin(teeboxUrl, teeboxToken === undefined ? {} : { token: teeboxToken });
    const name = `pw-${testId}-${repeatEachIndex}-${retry}`.replaceAll(/[^\w.-]/g, '-').slice(0, 64);
    const admin = main.worlds.of(name);
    // A run that was killed may have left a world of this name.
    await admin.reset();
    await use({ baseUrl: admin.baseUrl, admin });
    await main.worlds.delete(name);
  },
  // eslint-disable-next-line no-empty-pattern
  testHeaders: async ({}, use, { titlePath, retry }) => {
    await use({ 'teebox-test': testHeaderOf(titlePath.slice(1).join(' > '), retry) });
  },
};
