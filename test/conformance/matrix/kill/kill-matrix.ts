import { describe, expect, test } from 'vitest';
import { suite } from '../../mutants/fields.js';
import { mutants } from '../../mutants/index.js';
import { type Outcome, run } from '../../mutants/kill.js';
import { recordedIn } from './matrix-file.js';

/** The resources of each part. The last part has the resources that no other part names. Parts run side by side. */
const parts = { bookings: ['bookings', 'payments'], teetimes: ['teetimes', 'prices'], others: [] } as const;
export type Part = keyof typeof parts;

/** Defects of which each of several bookings may be the one too many. */
const races = ['v2 books slots that are already taken', 'concurrent bookings all get the last slots'];

const resourceOf = (id: string): string => id.split('.')[0]!;
const named: readonly string[] = Object.values(parts).flat();

const belongsTo = (part: Part, id: string): boolean =>
  part === 'others' ? !named.includes(resourceOf(id)) : (parts[part] as readonly string[]).includes(resourceOf(id));

/**
 * The tests of one part of the kill matrix: the rule that a mutant names finds its defect, each rule has a mutant, and
 * the file of the part records the outcomes. `npm run matrix:write` sets TEEBOX_WRITE_MATRIX=1 and writes the files.
 */
export function killMatrix(part: Part): void {
  const outcomes: Outcome[] = [];
  const own = mutants.filter(({ rule }) => belongsTo(part, rule));

  describe.each([...new Set(own.map(({ rule }) => resourceOf(rule)))])('%s', { tags: ['always'] }, (resource) => {
    const some = own.filter(({ rule }) => resourceOf(rule) === resource);
    test.each(some)('$rule finds that $defect', async (mutant) => {
      const { outcome, astray } = await run(mutant);
      outcomes.push(outcome);
      expect(outcome.survived).toBeUndefined();
      if (!races.includes(mutant.defect)) expect(astray).toBeUndefined();
    });
  });

  test('every rule has a mutant', { tags: ['always'] }, () => {
    const aimedAt = new Set(own.map(({ rule }) => rule));
    expect(suite.map(({ id }) => id).filter((id) => belongsTo(part, id) && !aimedAt.has(id))).toEqual([]);
  });

  test(`${part}.json records the outcomes of this run`, { tags: ['always'] }, () => {
    const file = new URL(`${part}.json`, import.meta.url);
    const recorded = recordedIn(file, outcomes, own.length, process.env['TEEBOX_WRITE_MATRIX'] === '1');
    expect(recorded).toEqual(outcomes);
  });
}
