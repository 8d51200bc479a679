import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileReporters } from '../../../../src/conformance/report/index.js';
import { exploreReporters } from '../../../../src/conformance/report/explore-report.js';
import { type RecordedRun, Recorder } from '../../../../src/conformance/report/recorder.js';
import { deploy, type Layer } from '../../../conformance/deployment.js';
import { defective } from '../../../conformance/explore/defective.js';
import { defects } from '../../../conformance/explore/defects.js';
import { exploreSandbox } from '../../../conformance/explore/deployments.js';
import { HOSTILE } from './traffic.js';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

const broken: Layer = async (request, through) =>
  new URL(request.url).pathname.endsWith('/v3/countries')
    ? Response.json({ success: true, data: [HOSTILE, 7] })
    : through(request);

async function reportOf(layer?: Layer): Promise<RecordedRun> {
  const recorder = new Recorder();
  const { check } = await deploy({}, layer);
  await check({ only: ['countries.*', 'facilities.list'], onEvent: (event) => recorder.onEvent(event) });
  return recorder.run;
}

let site: ConsoleSite;
let htmlOfBroken: string;
let reports: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[];
beforeAll(async () => {
  site = await startConsole();
  const runs = [await reportOf(), await reportOf(broken)];
  const texts = runs.map((run) => fileReporters.json(run));
  htmlOfBroken = fileReporters.html(runs[1]!);
  reports = [fileOf('old.json', texts[0]!), fileOf('new.json', texts[1]!)];
});
afterAll(() => site?.close());

function fileOf(name: string, text: string) {
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) };
}

test('a report shows its findings with their exchanges, and two reports what has changed', async () => {
  const { page, noise } = await site.open('#/conformance');
  const input = page.getByLabel('Open a report');
  await input.setInputFiles(reports[1]!);
  await page.getByText('Not conformant').first().waitFor();
  const finding = page.locator('details.finding').filter({ hasText: 'countries.item' }).first();
  await finding.locator('summary').first().click();
  await finding.locator('details summary').first().click();
  expect(await finding.textContent()).toContain(JSON.stringify(HOSTILE));
  await page
    .getByRole('row', { name: /^listCountries/ })
    .first()
    .waitFor();
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

test('says the same as the report as HTML', async () => {
  const { page } = await site.open('#/conformance');
  await page.getByLabel('Open a report').setInputFiles(reports[1]!);
  await page.getByRole('heading', { name: 'Not conformant' }).waitFor();
  const inHtml = await (await site.browser.newContext()).newPage();
  await inHtml.setContent(htmlOfBroken);
  const ids = await inHtml.locator('article > h3 > code').allTextContents();
  expect(ids.length).toBeGreaterThan(1);
  expect(await page.locator('details.finding > summary strong').allTextContents()).toEqual(ids);
  const titles = await inHtml
    .locator('section > h2')
    .evaluateAll((all) => all.map((one) => one.firstChild!.textContent!));
  const own = await page.locator('main h2').allTextContents();
  const others = titles.map((title) => title.trim()).filter((title) => !['Every rule', 'Exchanges'].includes(title));
  expect(others.filter((title) => !own.some((one) => one.startsWith(title)))).toEqual([]);
  await inHtml.context().close();
  await page.context().close();
});

test('a report of explore shows the story of a race, its walk and its requests, and no difference', async () => {
  const race = defective(defects['loses the update of one of two bookings at once']!);
  const explored = await exploreSandbox({ seed: 7, walks: 60, maxFindings: 1 }, {}, race);
  const { story, timeline, commands, exchanges } = explored.findings[0]!;
  expect(story.join('\n')).toContain('At the same time');
  const { page, noise } = await site.open('#/conformance');
  const input = page.getByLabel('Open a report');
  await input.setInputFiles(reports[1]!);
  await page.getByRole('heading', { name: 'Not conformant' }).waitFor();
  await input.setInputFiles(fileOf('explored.json', exploreReporters.json(explored, '0.0.0')));
  await page.getByRole('heading', { name: 'Contradictions found' }).waitFor();
  expect(await page.getByRole('heading', { name: 'What has changed' }).count()).toBe(0);
  await page.getByText(`${explored.requests} requests`).first().waitFor();
  const finding = page.locator('details.finding').first();
  await finding.locator('summary').first().click();
  const steps = finding.locator('dl > div').filter({ has: page.locator('dt', { hasText: /^Step/ }) });
  expect(await steps.locator('dd').allTextContents()).toEqual(story.map((line) => line.replace(/^\d+\. /, '')));
  expect(await finding.locator('pre').first().textContent()).toBe(commands[0]);
  expect(await finding.locator('.finding-body > details').count()).toBe(exchanges.length);
  const walk = page.getByRole('group', { name: /^The smallest walk of explore/ }).first();
  const rows = await walk.locator('tbody tr').evaluateAll((all) => all.map((row) => row.textContent));
  expect(rows).toEqual(timeline.map(({ step, outcome, facts }, at) => `${at + 1}${step}${outcome}${facts}`));
  await page.getByRole('group', { name: 'Pairs of operations that were tried' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.reload();
  await page.getByRole('heading', { name: 'Contradictions found' }).waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

test('survives a reload, and its address shows the same finding and filters', async () => {
  const { page, noise } = await site.open('#/conformance');
  await page.getByLabel('Open a report').setInputFiles(reports[1]!);
  await page.getByLabel('Verdict').selectOption('pass');
  const finding = page.locator('details.finding').first();
  await finding.locator('summary').first().click();
  await expect.poll(() => page.url()).toMatch(/#\/conformance\/[\w.-]+\?verdict=pass$/);
  const { hash } = new URL(page.url());
  await page.reload();
  await page.locator('details.finding[open]').waitFor();
  expect(new URL(page.url()).hash).toBe(hash);
  expect(await page.getByLabel('Verdict').inputValue()).toBe('pass');
  // A link leads to its finding even where the filters would hide it.
  const asked = hash.slice(2).split(/[/?]/)[1]!;
  await page.goto(`${site.url}/__admin/#/conformance/${asked}?verdict=fail`);
  await page.locator('details.finding[open]').getByText(asked, { exact: true }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByText('Drop a report here').waitFor();
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
  await drop('part.json', '{"findings": [], "triples": {}}');
  await page.getByText('part.json was not opened: parts of it are missing.').waitFor();
  await drop('later.json', '{"form": 2, "findings": [], "triples": {}}');
  await page.getByText('later.json was not opened: it is of form 2').waitFor();
  await drop('old.json', reports[0]!.buffer.toString());
  await page.getByText('old.json', { exact: true }).waitFor();
  await page.getByLabel('Verdict').selectOption('all');
  await page.getByLabel('Text').fill('countries.list');
  await page.locator('details.finding').first().waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Drop a report here').waitFor();
  await page.context().close();
});
