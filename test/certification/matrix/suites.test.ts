import { describe, expect, test } from 'vitest';
import { certifySuite, type SuiteOptions } from '../clients/suites/certify-suite.js';
import { queueTests, withLeftover } from '../clients/suites/queue-suite.js';

const named = (name: string, attempt: number) => ({
  'teebox-test': attempt === 0 ? name : `${name} (retry ${attempt})`,
});

/** What a client without a defect is accused of. Its tests pass on the happy day. */
async function accusations(how: SuiteOptions): Promise<string[]> {
  const { obligations, exams } = await certifySuite(how);
  expect(exams[0]).toMatchObject({ id: 'happy-day', client: { ok: true } });
  const failed = obligations.filter(({ verdict }) => verdict === 'fail');
  return failed.map(({ id, exams: taken, message }) => `${id} in ${taken.join(', ')}: ${message}`);
}

/** Habits of suites whose client has no defect: none is to be accused. */
const habits: readonly [habit: string, how: SuiteOptions][] = [
  ['shares everything between its tests', {}],
  ['runs its tests in random order', { order: 17 }],
  ['runs its tests in another order', { order: 4 }],
  ['runs four tests at a time', { order: 3, workers: 4 }],
  ['runs failed tests again, and names each attempt', { order: 5, retries: 2, headersOf: named }],
  ['names its tests', { order: 8, headersOf: (name) => ({ 'teebox-test': name }) }],
  ['opens a world for each test', { hasWorlds: true }],
  ['opens a world for each test, in random order', { hasWorlds: true, order: 17 }],
  ['opens a world for each of four tests at a time', { hasWorlds: true, order: 3, workers: 4 }],
];

const queue = queueTests();
const queueHabits: readonly [habit: string, how: SuiteOptions][] = [
  ['tells nothing apart', {}],
  ['runs its tests in random order', { order: 17 }],
  ['runs four tests at a time', { order: 3, workers: 4 }],
  ['runs failed tests again, and names each attempt', { order: 5, retries: 2, headersOf: named }],
  ['begins with what the last run left', { order: 8, tests: withLeftover(queue) }],
  ['opens a world for each of four tests at a time', { hasWorlds: true, order: 3, workers: 4 }],
];

describe('a suite of a program with a queue that', { timeout: 240_000 }, () => {
  test.each(queueHabits)('%s is accused of nothing', async (_, how) => {
    expect(await accusations({ tests: queue, ...how })).toEqual([]);
  });
});

describe('a suite that', { timeout: 120_000 }, () => {
  test.each(habits)('%s is accused of nothing', async (_, how) => {
    expect(await accusations(how)).toEqual([]);
  });
});
