import { test } from 'vitest';
import type { RuleId } from '../../src/contract/generated/rule-basis.js';
import { rule } from './rule.js';

/** How many inputs a test has in the fast list, and how many in the slow one. */
type Counts = readonly [few: number, all: number];
type Run = (count: number) => void | Promise<void>;

/**
 * A test of many inputs: of few in the fast list, and of all in the slow one, which `npm test -- WING` and
 * `npm run test:all` run.
 */
export function sampled(title: string, [few, all]: Counts, run: Run): void {
  test(title, () => run(few));
  slowly(title, all, run);
}

/** The same for a test that exercises rules of the catalogue. */
export function sampledRule(ids: RuleId | readonly RuleId[], title: string, [few, all]: Counts, run: Run): void {
  rule(ids, title, () => run(few));
  slowly(title, all, run);
}

function slowly(title: string, all: number, run: Run): void {
  test(`${title}: all ${all}`, { tags: ['slow'] }, () => run(all));
}
