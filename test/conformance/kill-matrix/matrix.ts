import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { suite } from '../mutants/fields.js';
import { mutants } from '../mutants/index.js';
import { type Outcome, run } from '../mutants/kill.js';

/** The resources of each part; what no part names is in the last one. Parts run side by side. */
const parts = { bookings: ['bookings', 'payments'], teetimes: ['teetimes', 'prices'], others: [] } as const;
export type Part = keyof typeof parts;

const resourceOf = (id: string): string => id.split('.')[0]!;
const named: readonly string[] = Object.values(parts).flat();

const belongsTo = (part: Part, id: string): boolean =>
  part === 'others' ? !named.includes(resourceOf(id)) : (parts[part] as readonly string[]).includes(resourceOf(id));

/** A list as a file with an item on each line, so that a diff shows what changed. */
const linesOf = (items: readonly unknown[]): string =>
  `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]\n`;

/**
 * The tests of one part of the kill matrix: each mutant is found by the rule that names it, no rule is without one, and
 * the file of the part tells it so. A run with TEEBOX_WRITE_MATRIX=1 writes that file.
 */
export function killMatrix(part: Part): void {
  const outcomes: Outcome[] = [];
  const own = mutants.filter(({ rule }) => belongsTo(part, rule));

  describe.each([...new Set(own.map(({ rule }) => resourceOf(rule)))])('%s', (resource) => {
    const some = own.filter(({ rule }) => resourceOf(rule) === resource);
    test.each(some)('$rule finds that $defect', async (mutant) => {
      const outcome = await run(mutant);
      outcomes.push(outcome);
      expect(outcome.survived).toBeUndefined();
    });
  });

  test('every rule has a mutant', () => {
    const aimedAt = new Set(own.map(({ rule }) => rule));
    expect(suite.map(({ id }) => id).filter((id) => belongsTo(part, id) && !aimedAt.has(id))).toEqual([]);
  });

  test(`${part}.json tells what this run came to`, () => {
    const file = new URL(`${part}.json`, import.meta.url);
    if (process.env['TEEBOX_WRITE_MATRIX'] === '1') writeFileSync(file, linesOf(outcomes));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(outcomes);
  });
}
