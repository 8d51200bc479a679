import { expect, test } from 'vitest';
import { type BrokenField, breaking, lostIn } from '../broken-fields.js';
import { deploy } from '../deployment.js';

const run = async (row?: BrokenField) =>
  (await deploy({}, row && breaking(row))).check({ depth: 'quick', only: ['facilities.*', 'countries.*'] });

// test/conformance/matrix/collapses/fields.test.ts breaks each field in each version.
test('one wrong field hides no other rule', async () => {
  const whole = await run();
  const rows: readonly BrokenField[] = [
    { operation: 'v3.listFacilities', field: 'id', fault: 'type' },
    { operation: 'v3.listCountries', field: 'country', fault: 'missing' },
    { operation: 'v2.listFacilities', field: 'id', fault: 'null' },
  ];
  for (const row of rows) {
    const { lost, of } = lostIn(whole, await run(row), row);
    expect(lost.length, `${row.operation}: ${lost.join(' ')}`).toBeLessThanOrEqual(of * 0.05);
  }
});
