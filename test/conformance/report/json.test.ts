import { expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { Recorder } from '../../../src/conformance/report/recorder.js';
import { deploy, type Layer } from '../deployment.js';

/** Answers with a country that is no text, and with a body of more characters than a report shows. */
const broken: Layer = async (request, through) =>
  new URL(request.url).pathname.endsWith('/countries')
    ? Response.json({ success: true, data: ['x'.repeat(12_000), 7] })
    : through(request);

test('the JSON has the report, its form, and each exchange that a rule names, its bodies cut', async () => {
  const recorder = new Recorder('1.2.3');
  const { check } = await deploy({}, broken);
  const only = ['countries.item', 'countries.list', 'facilities.list'];
  const report = await check({ only, onEvent: (event) => recorder.onEvent(event) });
  const { exchanges, form, teebox, ...rest } = JSON.parse(fileReporters.json(recorder.run));
  expect(rest).toEqual(JSON.parse(JSON.stringify(report)));
  expect([form, teebox]).toEqual([1, '1.2.3']);
  const ids: string[] = exchanges.map(({ id }: { id: string }) => id);
  const shown = report.rules.flatMap(({ shownBy }) => shownBy ?? []);
  expect(shown.length).toBeGreaterThan(0);
  expect(ids).toEqual(expect.arrayContaining(shown));
  expect(ids).toEqual(expect.arrayContaining(report.rules.flatMap((rule) => rule.exchanges)));
  expect(new Set(ids).size).toBe(ids.length);
  const { response } = exchanges[ids.indexOf(shown[0]!)];
  expect([response.body.length, response.length]).toEqual([
    4000,
    recorder.run.exchanges.get(shown[0]!)!.response!.length,
  ]);
});
