import { expect, test } from 'vitest';
import { complaintsOf, pairs, quickRun, runIn, runOf, wrongIn } from '../../full-run.js';

test.each(pairs.map((answers, index) => [index + 1, answers] as const))(
  'the suite observes dialect %i as planted and reports no finding; a sandbox with the observed card behaves the same',
  async (_, answers) => {
    const report = await runIn(answers);
    const card = report.dialect.answers;
    expect(complaintsOf(report)).toEqual([]);
    expect(wrongIn(answers, card)).toEqual({});
    const again = await runOf(card, answers, quickRun);
    expect(complaintsOf(again)).toEqual([]);
    expect(again.dialect.answers).toEqual(card);
  },
);
