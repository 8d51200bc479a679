import { describe, expect, test } from 'vitest';
import { alone } from '../../conformance/full-run.js';
import { certifySuite, type PlantedDefect, type SuiteOptions, withLeftover } from '../clients/suites/certify-suite.js';
import { deskDefects } from '../clients/suites/desk-defects.js';
import { deskTests } from '../clients/suites/desk-suite.js';
import { queueDefects } from '../clients/suites/queue-defects.js';
import { queueTests } from '../clients/suites/queue-suite.js';
import { shopDefects } from '../clients/suites/shop-defects.js';
import { accusations, named } from './complaints.js';

const queue = queueTests();
const marked = (name: string) => ({ 'teebox-test': name.startsWith('shows why') ? `${name}; deliberate` : name });
const queueHabits: readonly [habit: string, how: SuiteOptions][] = [
  ['tells nothing apart', {}],
  ['runs its tests in random order', { order: 17 }],
  ['runs four tests at a time', { order: 3, workers: 4 }],
  ['runs failed tests again, and names each attempt', { order: 5, retries: 2, headersOf: named }],
  ['runs failed tests again', { order: 5, retries: 3 }],
  ['runs failed tests of four at a time again', { order: 17, workers: 4, retries: 2 }],
  ['begins with what the last run left', { order: 8, tests: withLeftover(queue) }],
  ['opens a world for each of four tests at a time', { hasWorlds: true, order: 3, workers: 4 }],
];

const deskHabits: readonly [habit: string, how: SuiteOptions][] = [
  ['opens a world for each test, all at the same time', { hasWorlds: true, order: 5, workers: 11 }],
  ['runs four tests at a time', { order: 9, workers: 4 }],
  ['runs four tests at a time, and those that fail again', { order: 3, workers: 4, retries: 2, headersOf: named }],
  ['runs failed tests of four at a time again', { order: 3, workers: 4, retries: 3 }],
  ['begins with what the last run left', { order: 5, workers: 4, tests: withLeftover(deskTests()) }],
];

describe('a suite of a library for booking desks that', { timeout: 240_000 }, () => {
  test.each(deskHabits)('%s is accused of nothing', async (_, how) => {
    expect(await accusations({ tests: deskTests(), ...how })).toEqual([]);
  });
});

test('a client is accused of nothing in any dialect in which its tests pass', { timeout: 240_000 }, async () => {
  const suites: readonly SuiteOptions[] = [
    { order: 3 },
    { tests: queue, order: 3, workers: 4 },
    { tests: deskTests(), hasWorlds: true, workers: 11 },
  ];
  const found: string[] = [];
  let passed = 0;
  for (const { name, answer, given } of alone) {
    for (const how of suites) {
      const exams = ['happy-day'];
      const { obligations, exams: taken } = await certifySuite({ ...how, exams, dialect: { answers: given } });
      if (!taken[0]!.client.ok) continue;
      passed += 1;
      const failed = obligations.filter(({ verdict }) => verdict === 'fail');
      found.push(...failed.map(({ id, message }) => `${name} is ${answer}: ${id}: ${message}`));
    }
  }
  expect(found).toEqual([]);
  expect(passed).toBeGreaterThan(2 * alone.length);
});

/** Everyday defects that a suite hides, and why. */
const hidden = {
  desk: { 'refreshes before each call': 'calls at the same time share a refresh' },
  queue: { 'refreshes before each call': 'a test sends two calls' },
  shop: {
    'repeats facilityIds in place of a list with commas':
      'one request, and right ones of its kind: it may be on purpose',
  },
} as const;
/** The share of the everyday defects that must be named. */
const NAMED = 0.95;
const ENOUGH = 40;

/** Each defect in the exam that shows it: the ones that are not named, and what else is. */
async function judged(
  defects: readonly PlantedDefect[],
  suite: SuiteOptions,
): Promise<{ missed: string[]; wrong: string[] }> {
  const found = { missed: [] as string[], wrong: [] as string[] };
  for (const { does, wanted, exam, how } of defects) {
    const exams = exam === undefined ? ['happy-day'] : ['happy-day', exam];
    const { obligations } = await certifySuite({ exams, ...suite, ...how });
    const failed = obligations.filter(({ verdict }) => verdict === 'fail');
    if (!failed.some(({ id }) => id === wanted[0])) found.missed.push(does);
    const others = failed.filter(({ id }) => !wanted.includes(id));
    found.wrong.push(...others.map(({ id, message }) => `${does}: ${id}: ${message}`));
  }
  return found;
}

const inDesk = deskDefects.map(({ plant, ...row }) => ({ ...row, how: { tests: deskTests(plant) } }));

const yardsticks: readonly [suite: keyof typeof hidden, defects: readonly PlantedDefect[], how: SuiteOptions][] = [
  ['desk', inDesk, { hasWorlds: true, order: 5, workers: 11 }],
  ['queue', queueDefects, { order: 3, headersOf: marked }],
  ['shop', shopDefects, {}],
];

describe('everyday defects', { timeout: 480_000 }, () => {
  test.each(yardsticks)('of the %s are named, and nothing else is', async (suite, defects, how) => {
    const { missed, wrong } = await judged(defects, how);
    expect(wrong).toEqual([]);
    expect(missed.filter((does) => !(does in hidden[suite]))).toEqual([]);
    expect(defects.length).toBeGreaterThanOrEqual(ENOUGH);
    expect(1 - missed.length / defects.length).toBeGreaterThanOrEqual(NAMED);
  });

  test('of the desk are named in a suite that shares everything, where nothing goes wrong', async () => {
    const everyThird = inDesk.filter(({ exam }) => exam === undefined).filter((_, nth) => nth % 3 === 0);
    const { missed, wrong } = await judged(everyThird, { order: 3, workers: 4 });
    expect(wrong).toEqual([]);
    expect(missed.filter((does) => !(does in hidden.desk))).toEqual([]);
  });
});

describe('a suite of a program with a queue that', { timeout: 240_000 }, () => {
  test.each(queueHabits)('%s is accused of nothing', async (_, how) => {
    expect(await accusations({ tests: queue, ...how })).toEqual([]);
  });
});
