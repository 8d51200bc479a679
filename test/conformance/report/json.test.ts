import { expect, test } from 'vitest';
import { fileReporters } from '../../../src/conformance/report/index.js';
import type { Layer } from '../deployment.js';
import { recorded } from '../recorded.js';

/** Answers with a country that is no text, and with a body of more characters than a report shows. */
const broken: Layer = async (request, through) =>
  new URL(request.url).pathname.endsWith('/countries')
    ? Response.json({ success: true, data: ['x'.repeat(12_000), 7] })
    : through(request);

test('the JSON has the report, its form, and each exchange that a rule names, its bodies cut', async () => {
  const only = ['countries.item', 'countries.list', 'facilities.list'];
  const { report, run } = await recorded({ only }, broken);
  const { exchanges, form, teebox, ...rest } = JSON.parse(fileReporters.json(run));
  expect(rest).toEqual(JSON.parse(JSON.stringify(report)));
  expect([form, teebox]).toEqual([1, '1.2.3']);
  const ids: string[] = exchanges.map(({ id }: { id: string }) => id);
  const shown = report.rules.flatMap(({ shownBy }) => shownBy ?? []);
  expect(shown.length).toBeGreaterThan(0);
  expect(ids).toEqual(expect.arrayContaining(shown));
  expect(ids).toEqual(expect.arrayContaining(report.rules.flatMap((rule) => rule.exchanges)));
  expect(new Set(ids).size).toBe(ids.length);
  const { response } = exchanges[ids.indexOf(shown[0]!)];
  expect([response.body.length, response.length]).toEqual([4000, run.exchanges.get(shown[0]!)!.response!.length]);
});
