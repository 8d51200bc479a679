/** A small test runner: what the runners of partners do to the order and the number of calls. */
import type { AttemptResult } from '../../../../src/certification/library.js';

export interface SuiteTest<Context> {
  readonly name: string;
  run(context: Context): Promise<void>;
}

export interface RunnerOptions {
  /** Shuffles the tests. Absent: they run in the order in which they are written. */
  readonly order?: number;
  /** Tests that run at the same time. Default: 1. */
  readonly workers?: number;
  /** How often a failed test is run again. Default: never. */
  readonly retries?: number;
}

/** Runs tests and says how they ended, as a process does by its exit code. */
export async function runTests<Context>(
  tests: readonly SuiteTest<Context>[],
  contextOf: (test: SuiteTest<Context>, attempt: number, worker: number) => Context,
  { order, workers = 1, retries = 0 }: RunnerOptions = {},
): Promise<AttemptResult> {
  const waiting = order === undefined ? [...tests] : shuffled(tests, order);
  const failed: string[] = [];
  const work = async (worker: number): Promise<void> => {
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      for (let attempt = 0; attempt <= retries; attempt += 1) {
        try {
          await test.run(contextOf(test, attempt, worker));
          break;
        } catch (error) {
          if (attempt === retries) failed.push(`${test.name}: ${(error as Error).message}`);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  return failed.length === 0 ? { ok: true } : { ok: false, said: failed.join('; ') };
}

/** The same order for the same number. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647;
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
