import { describe, expect, test } from 'vitest';
import { type SuiteOptions, withLeftover } from '../clients/suites/certify-suite.js';
import { shopTests } from '../clients/suites/shop-suite.js';
import { accusations, named } from './complaints.js';

/** Resets the sandbox before each test. */
const withReset: SuiteOptions['tests'] = shopTests.map(({ name, run }) => ({
  name,
  async run(context) {
    const { settings, tokens } = context.client;
    await settings.fetch(`${settings.baseUrl}/__admin/reset`, { method: 'POST' });
    context.cache.clear();
    Object.assign(tokens, { access: undefined, refresh: settings.refreshToken });
    await run(context);
  },
}));

/** Habits of suites whose client has no defect: none is to be accused. */
const habits: readonly [habit: string, how: SuiteOptions][] = [
  ['shares everything between its tests', {}],
  ['runs its tests in random order', { order: 17 }],
  ['runs its tests in another order', { order: 4 }],
  ['runs four tests at a time', { order: 3, workers: 4 }],
  ['runs failed tests again, and names each attempt', { order: 5, retries: 2, headersOf: named }],
  ['runs failed tests again', { order: 5, retries: 2 }],
  ['runs failed tests of four at a time again, three times', { order: 3, workers: 4, retries: 3 }],
  ['names its tests', { order: 8, headersOf: (name) => ({ 'teebox-test': name }) }],
  ['begins with what the last run left', { order: 8, tests: withLeftover(shopTests) }],
  ['resets the sandbox before each test', { order: 6, tests: withReset }],
  ['opens a world for each test', { hasWorlds: true }],
  ['opens a world for each test, in random order', { hasWorlds: true, order: 17 }],
  ['opens a world for each attempt of four tests at a time', { hasWorlds: true, order: 3, workers: 4, retries: 1 }],
];

describe('a suite of a shop that', { timeout: 120_000 }, () => {
  test.each(habits)('%s is accused of nothing', async (_, how) => {
    expect(await accusations(how)).toEqual([]);
  });
});
