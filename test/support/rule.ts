import { test } from 'vitest';
import type { RuleId } from '../../src/contract/generated/rule-basis.js';

/**
 * A test that exercises rules of the catalogue. Their ids stand in its name, from which the reporter counts
 * what the run has exercised.
 */
export function rule(ids: RuleId | readonly RuleId[], title: string, run: () => void | Promise<void>): void {
  test(`${title} [${[ids].flat().join(' ')}]`, run);
}
