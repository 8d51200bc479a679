import { expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { altering, deploy } from '../deployment.js';
import { junitFaults, parseXml } from './junit-schema.js';

test('JUnit has the command that repeats each finding in the output of its suite', async () => {
  const recorder = new Recorder('1.2.3');
  const { check } = await deploy(
    {},
    altering(/countries$/, ({ data }) => (data[0] = 7)),
  );
  await check({ only: ['countries.*'], onEvent: (event) => recorder.onEvent(event) });
  const suites = parseXml(fileReporters.junit(recorder.run));
  expect(junitFaults(suites)).toEqual([]);
  const [suite] = suites.children.filter(({ attributes }) => attributes['name'] === 'countries');
  const output = suite!.children.find(({ tag }) => tag === 'system-out')!.text;
  expect(output).toMatch(
    /^countries\.response: curl -i 'http:\/\/deployment\.test\/api\/v\d\/countries' -u "\$TEEBOX_BASIC"$/m,
  );
});
