import { describe, expect, test } from 'vitest';
import type { GivenAnswers } from '../../../src/contract/generated/questions.js';
import { questionSwitches } from '../../../src/contract/generated/questions.js';
import { rule } from '../../support/rule.js';
import { type QuestionTable, stage } from './question.js';
import { access } from './tables/access.js';
import { bookings } from './tables/bookings.js';
import { bookingLists } from './tables/booking-lists.js';
import { callbacks } from './tables/callbacks.js';
import { facilities } from './tables/facilities.js';
import { failures } from './tables/failures.js';
import { payments } from './tables/payments.js';
import { prices } from './tables/prices.js';
import { teeTimes } from './tables/tee-times.js';

const tables = [access, failures, facilities, teeTimes, prices, bookings, bookingLists, payments, callbacks].flat();
const show = (option: unknown): string => (Array.isArray(option) ? option.join(' ') || 'none' : String(option));

/** The id of a question; with its version where each version may answer differently. */
const nameOf = ({ id, version }: Pick<QuestionTable, 'id' | 'version'>): string =>
  version ? `${id} of ${version}` : id;

for (const { id, version, also, rules, rows, probe } of tables) {
  describe(nameOf({ id, ...(version ? { version } : {}) }), () => {
    for (const [option, sees] of rows) {
      const title = `${show(option)} can be seen`;
      const run = async (): Promise<void> => {
        expect(
          await probe(await stage({ ...also, [id]: version ? { [version]: option } : option } as GivenAnswers)),
        ).toEqual(sees);
      };
      if (rules.length > 0) rule(rules, title, run);
      else test(title, run);
    }

    test('the default is what an absent answer means', async () => {
      const fallback = questionSwitches.find((entry) => entry.id === id)!.default;
      const row = rows.find(([option]) => show(option) === show(fallback))!;
      expect(await probe(await stage(also))).toEqual(row[1]);
    });
  });
}

describe('the tables', () => {
  test('leave out no question, and have none twice', () => {
    const wanted = questionSwitches.flatMap((entry) =>
      'versions' in entry ? entry.versions.map((version) => nameOf({ id: entry.id, version })) : [entry.id],
    );
    expect(tables.map(nameOf).sort()).toEqual(wanted.sort());
  });

  test.each(questionSwitches.map((entry) => [entry.id, entry] as const))('have every option of %s', (id, entry) => {
    for (const { rows } of tables.filter((table) => table.id === id)) haveEveryOption(entry, rows);
  });

  test.each(tables.map((table) => [nameOf(table), table] as const))('tell the options of %s apart', (_id, { rows }) => {
    const seen = rows.map(([, sees]) => JSON.stringify(sees));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

function haveEveryOption(entry: (typeof questionSwitches)[number], rows: QuestionTable['rows']): void {
  const tested = rows.map(([option]) => option);
  if (entry.kind === 'choice') expect([...tested].sort()).toEqual([...entry.options].sort());
  if (entry.kind === 'integer') expect(tested).toEqual(expect.arrayContaining([entry.min, entry.default]));
  if (entry.kind === 'subset') expect(tested).toEqual(expect.arrayContaining([entry.default, []]));
  if (entry.kind === 'header') expect(tested).toContain(entry.default);
  expect(tested.length, 'something else than the default').toBeGreaterThan(1);
}
