import { expect, test } from 'vitest';
import { History, historyOf, missesIn } from '../contradictions.js';
import { archivedRun } from '../recorded.js';

/** A tenth of the cases of the matrix, of a run that only reads and books. */
test('contradictions that are planted into a recording are compared', { tags: ['slow'] }, async () => {
  const { archive } = await archivedRun({ depth: 'quick' });
  const history = new History(historyOf(archive), 1);
  const cases = history.cases(2).map((one) => ({ ...one, ...history.outcomeOf(one) }));
  expect(cases.length).toBeGreaterThan(100);
  expect(missesIn(cases).length / cases.length, missesIn(cases).join('\n')).toBeLessThan(0.05);
});
