import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RuleResult } from '../../../src/conformance/client/types.js';
import { fileReporters } from '../../../src/conformance/report/index.js';
import { type RecordedRun, Recorder } from '../../../src/conformance/report/recorder.js';
import { deploy } from '../../conformance/deployment.js';
import { startChromium } from './chromium.js';

const folder = mkdtempSync(join(tmpdir(), 'report-'));
const url = `file://${join(folder, 'report.html')}`;
let browser: Browser;
let run: RecordedRun;

beforeAll(async () => {
  const recorder = new Recorder('1.2.3');
  const { check } = await deploy({}, async (request, through) => {
    const { pathname } = new URL(request.url);
    const response = await through(request);
    if (!response.ok || !/countries$|facilities$/.test(pathname)) return response;
    const body = (await response.json()) as any;
    if (pathname.endsWith('v3/countries')) body.data[0] = 7;
    if (/v[23]\/facilities$/.test(pathname)) body.data.forEach((item: any) => (item.name = 5));
    return Response.json(body);
  });
  // A difference from a card warns.
  const card = { 'country.unknown': 404 } as const;
  await check({ card, only: ['countries.*', 'facilities.*'], onEvent: (event) => recorder.onEvent(event) });
  run = recorder.run;
  writeFileSync(join(folder, 'report.html'), fileReporters.html(run));
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the page and says what it fetched beside itself and what it complained of. */
async function open(colorScheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; noise: string[] }> {
  const page = await browser.newPage({ colorScheme });
  const noise: string[] = [];
  page.on('request', (request) => request.url().startsWith(url) || noise.push(request.url()));
  page.on('console', (message) => noise.push(message.text()));
  await page.goto(url);
  return { page, noise };
}

const shown = (page: Page): Promise<string[]> =>
  page.locator('div.item:visible article:visible h3 code').allTextContents();

/** Ids of the findings that a filter should leave. */
const findings = (keep: (rule: RuleResult) => boolean): string[] =>
  run.report.findings
    .map(({ rules }) => rules.map((id) => run.report.rules.find((rule) => rule.id === id)!))
    .filter((group) => group.some(keep))
    .map(([first]) => first!.id);

/** A difference from a card is in no operation: it is shown for those of its rule. */
const OF_CARD: RuleResult['operations'] = ['v2.listFacilities'];

describe('the filters', () => {
  test.each<[facet: string, value: string, keep: (rule: RuleResult) => boolean]>([
    ['verdict', 'fail', ({ verdict }) => verdict === 'fail'],
    ['severity', 'minor', ({ severity }) => severity === 'minor'],
    [
      'operation',
      'listFacilities',
      ({ operations = OF_CARD }) => operations.some((id) => id.includes('listFacilities')),
    ],
    ['version', 'v2', ({ operations = OF_CARD }) => operations.some((id) => id.startsWith('v2'))],
  ])('%s: %s', async (facet, value, keep) => {
    const { page, noise } = await open();
    expect(await shown(page)).toEqual(findings(() => true));
    await page.getByLabel(facet).selectOption(value);
    const left = findings(keep);
    expect(left.length).toBeLessThan(findings(() => true).length);
    expect(await shown(page)).toEqual(left);
    await page.getByLabel(facet).selectOption('');
    expect(await shown(page)).toEqual(findings(() => true));
    expect(noise).toEqual([]);
    await page.close();
  });

  test('work by keyboard, together, and on the list of every rule', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter-verdict');
    await page.keyboard.type('fail');
    expect(await shown(page)).toEqual(findings(({ verdict }) => verdict === 'fail'));
    await page.locator('details.all summary').press('Enter');
    const failed = run.report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const listed = await page.locator('li.item:visible > code:first-of-type').allTextContents();
    expect(listed.sort()).toEqual(failed.sort());
    await page.getByLabel('version').selectOption('v1');
    expect(await shown(page)).toEqual([]);
    await page.close();
  });
});

test('a finding leads to its exchange, which opens', async () => {
  const { page } = await open();
  const link = page.locator('div.item article a').first();
  const id = await link.textContent();
  const answer = page.locator('details.exchange', { has: page.locator(`#${id}`) });
  expect(await answer.locator('pre').first().isVisible()).toBe(false);
  await link.press('Enter');
  await answer.locator('pre').first().waitFor({ state: 'visible' });
  expect(await answer.locator('summary').textContent()).toContain(id);
  await page.close();
});

/** The contrast of two colours, by WCAG 2. */
function contrast(one: string, other: string): number {
  const light = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = colour
      .match(/\d+(\.\d+)?/g)!
      .slice(0, 3)
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test.each(['light', 'dark'] as const)('in the %s, filters and links can be read', async (scheme) => {
  const { page, noise } = await open(scheme);
  const colours = await page.evaluate(() => {
    const of = (selector: string) => getComputedStyle(document.querySelector(selector)!);
    const select = of('select');
    return [
      [select.color, select.backgroundColor],
      [of('div.item article a').color, of('article').backgroundColor],
      [of('.filters label').color, of('body').backgroundColor],
      [of('td.all, td.some, td.none').color, of('body').backgroundColor],
    ] as const;
  });
  for (const [ink, paper] of colours) expect(contrast(ink, paper)).toBeGreaterThan(4.5);
  expect(noise).toEqual([]);
  await page.close();
});
