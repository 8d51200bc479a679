import { expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { altering } from '../deployment.js';
import { recorded } from '../recorded.js';
import { junitFaults, parseXml } from './junit-schema.js';

test('JUnit has the command that repeats each finding in the output of its suite', async () => {
  const layer = altering(/countries$/, ({ data }) => (data[0] = 7));
  const { run } = await recorded({ only: ['countries.*'] }, layer);
  const suites = parseXml(fileReporters.junit(run));
  expect(junitFaults(suites)).toEqual([]);
  const [suite] = suites.children.filter(({ attributes }) => attributes['name'] === 'countries');
  const output = suite!.children.find(({ tag }) => tag === 'system-out')!.text;
  expect(output).toMatch(
    /^countries\.response: curl -i 'http:\/\/deployment\.test\/api\/v\d\/countries' -u "\$TEEBOX_BASIC"$/m,
  );
});
