import { expect, test } from 'vitest';
import { type BrokenField, breaking, lostIn } from '../broken-fields.js';
import { deploy } from '../deployment.js';

const run = async (row?: BrokenField) =>
  (await deploy({}, row && breaking(row))).check({ depth: 'quick', only: ['facilities.*', 'countries.*'] });

// test/conformance/matrix/collapses/fields.test.ts breaks each field in each version.
test('one wrong field hides no other rule', async () => {
  const whole = await run();
  const row: BrokenField = { operation: 'v3.listFacilities', field: 'id', fault: 'type' };
  const { lost, of } = lostIn(whole, await run(row), row);
  expect(lost.length, lost.join(' ')).toBeLessThanOrEqual(of * 0.05);
});
