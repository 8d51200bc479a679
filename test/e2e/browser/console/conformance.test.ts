import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileReporters } from '../../../../src/conformance/report/index.js';
import { Recorder } from '../../../../src/conformance/report/recorder.js';
import { deploy, type Layer } from '../../../conformance/deployment.js';
import { HOSTILE } from './traffic.js';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

const broken: Layer = async (request, through) =>
  new URL(request.url).pathname.endsWith('/v3/countries')
    ? Response.json({ success: true, data: [HOSTILE, 7] })
    : through(request);

async function reportOf(layer?: Layer): Promise<string> {
  const recorder = new Recorder();
  const { check } = await deploy({}, layer);
  await check({ only: ['countries.*', 'facilities.list'], onEvent: (event) => recorder.onEvent(event) });
  return fileReporters.json(recorder.run);
}

let site: ConsoleSite;
let reports: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[];
beforeAll(async () => {
  site = await startConsole();
  const texts = [await reportOf(), await reportOf(broken)];
  const fileOf = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  reports = [fileOf('old.json', texts[0]!), fileOf('new.json', texts[1]!)];
});
afterAll(() => site?.close());

test('a report shows its findings with their exchanges, and two reports what has changed', async () => {
  const { page, noise } = await site.open('#/conformance');
  const input = page.getByLabel('Open a report');
  await input.setInputFiles(reports[1]!);
  await page.getByText('not-conformant').first().waitFor();
  const finding = page.locator('details.finding').filter({ hasText: 'countries.item' }).first();
  await finding.locator('summary').first().click();
  await finding.locator('details summary').first().click();
  expect(await finding.textContent()).toContain(JSON.stringify(HOSTILE));
  const row = page.getByRole('row', { name: /^listCountries/ });
  expect(await row.textContent()).toContain('fail');
  await input.setInputFiles(reports[0]!);
  await page.getByRole('heading', { name: /^Fixed|^New findings/ }).waitFor();
  await page.getByText('regression').first().waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  expect(noise).toEqual([]);
  await page.context().close();
});

test('a file is dropped; one that is no report is refused', async () => {
  const { page } = await site.open('#/conformance');
  const drop = async (name: string, text: string): Promise<void> => {
    const files = await page.evaluateHandle(
      ([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
      },
      [name, text] as const,
    );
    await page.getByText('Drop a report here').dispatchEvent('drop', { dataTransfer: files });
  };
  await drop('notes.json', '{"rules": 1}');
  await page.getByText('notes.json was not opened').waitFor();
  await drop('old.json', reports[0]!.buffer.toString());
  await page.getByText('old.json', { exact: true }).waitFor();
  await page.getByLabel('Verdict').selectOption('all');
  await page.getByLabel('Text').fill('countries.list');
  await page.locator('details.finding').first().waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Drop a report here').waitFor();
  await page.context().close();
});
