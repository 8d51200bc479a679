import { expect, test } from 'vitest';
import { History, historyOf, missesIn, tableOf } from '../../contradictions.js';
import { archivedRun } from '../../recorded.js';

/** Cases of each member of each resource, and the share of them that must be found. */
const [OF_EACH, SHARE] = [25, 0.95];

test('a value that one answer claims and another contradicts is compared', async () => {
  const { archive } = await archivedRun();
  const history = new History(historyOf(archive), Number(process.env['TEEBOX_SEED'] ?? 1));
  const cases = history.cases(OF_EACH).map((one) => ({ ...one, ...history.outcomeOf(one) }));
  console.log(tableOf(cases));
  expect(missesIn(cases).length / cases.length, missesIn(cases).join('\n')).toBeLessThan(1 - SHARE);
});
