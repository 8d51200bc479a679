import { expect, test } from 'vitest';
import { complaintsOf, pairs, runIn, runOf, wrongIn } from './silence.js';

/** The round trip of every so many rows of the pairwise set, so that several files can share them. */
export function roundTrips(part: number, parts: number): void {
  const rows = pairs.map((answers, index) => [index + 1, answers] as const);
  test.each(rows.filter(([number]) => number % parts === part))(
    'dialect %i is told as it was planted and is no reason to complain; the card that tells it behaves the same',
    async (_, answers) => {
      const report = await runIn(answers);
      const card = report.dialect.answers;
      expect(complaintsOf(report)).toEqual([]);
      expect(wrongIn(answers, card)).toEqual({});
      const again = await runOf(card, answers);
      expect(complaintsOf(again)).toEqual([]);
      expect(again.dialect.answers).toEqual(card);
    },
  );
}
