import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileReporters } from '../../../../src/conformance/report/index.js';
import { Recorder } from '../../../../src/conformance/report/recorder.js';
import { deploy } from '../../../conformance/deployment.js';
import { bookingOf, makeTraffic } from './traffic.js';
import { axeFindings, type ConsoleSite, startConsole, type Visit } from './visit.js';

let site: ConsoleSite;
let capsule: any;
let har: string;
beforeAll(async () => {
  site = await startConsole();
  await makeTraffic(site);
  const teeTimes = await site.ask('/api/v4/teetimes/1001?bookingDate=12-06-2030&players=2&holes=18');
  const [first] = ((await teeTimes.json()) as any).data.teeTimeV3;
  site.worlds.main.scenarios.arm('booking-failed', { phase: 'after-commit' });
  await site.ask('/api/v5/bookings', bookingOf(first, { contactLastName: 'Byron' }));
  site.worlds.main.clock.advance(3_600_000);
  await site.ask('/api/v4/bookings');
  capsule = await site.worlds.main.capsule();
  har = await (await fetch(`${site.url}/__admin/requests?format=har`)).text();
});
afterAll(() => site?.close());

/** Drops a file onto the page, as from a folder. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.locator('.requests').evaluate(
    (element, [file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content!], file!, { type: 'application/json' }));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}

async function dropped(text: string, width = 1440): Promise<Visit> {
  const visit = await site.open('#/requests', { viewport: { width, height: 900 } });
  await drop(visit.page, 'failure.json', text);
  await visit.page.getByRole('heading', { name: 'failure.json' }).waitFor();
  return visit;
}

const sheet = (page: Page, side: 'before' | 'after') =>
  page.getByRole('list', { name: new RegExp(` ${side}$`) }).locator('.changed');

test.each([1440, 390])(
  'a capsule is played and stepped through, with the sheet of each step, %i wide',
  async (width) => {
    const { page, noise } = await dropped(JSON.stringify(capsule), width);
    await page.getByText('12 requests with the same responses, byte for byte').waitFor();
    await page.getByText('This step is about no tee sheet.').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: '4 200 POST /api/v5/bookings' }).click();
    await page.getByText('This step changed 1 tee time.').waitFor();
    expect(await sheet(page, 'before').innerText()).not.toContain('Lovelace');
    expect(await sheet(page, 'after').innerText()).toContain('Lovelace × 2, fairway');
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('"Lovelace"').waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBe(0);
    expect(await axeFindings(page)).toEqual([]);

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Step 6 of 14' }).waitFor();
    await page.getByText('This step changed no tee time.').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Step 7 of 14' }).waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  },
);

test('a booking that was made although the client was refused is on the sheet', async () => {
  const { page, noise } = await dropped(JSON.stringify(capsule));
  const step = capsule.steps.findIndex(({ json }: any) => json?.contactLastName === 'Byron') + 1;
  await page.getByRole('button', { name: `${step} 400 POST /api/v5/bookings` }).click();
  await page.getByText('This step changed 1 tee time.').waitFor();
  expect(await sheet(page, 'after').innerText()).toContain('Byron × 2, fairway');
  await page.getByText('The clock is moved to').first().waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

test('a response that differs is marked, with what was recorded and what came', async () => {
  const text = JSON.stringify(capsule).replace('"success":true', '"success":"perhaps"');
  const { page } = await dropped(text);
  await page.getByText('Not the same').waitFor();
  await page.getByRole('button', { name: /differs$/ }).click();
  const differing = page.getByRole('region', { name: 'Differences' });
  await differing.getByText('"perhaps"').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.context().close();
});

test('a HAR is stepped through without sheets', async () => {
  const { page, noise } = await dropped(har);
  await page.getByRole('button', { name: '7 400 POST /api/v5/bookings' }).click();
  await page.getByText('Only a capsule has the state').waitFor();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('"players"').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.context().close();
});

test('a JSON report of check is stepped through, request by request', async () => {
  const recorder = new Recorder();
  const { check } = await deploy();
  await check({ only: ['countries.*'], onEvent: (event) => recorder.onEvent(event) });
  const { exchanges } = JSON.parse(fileReporters.json(recorder.run)) as { exchanges: { request: { url: string } }[] };
  const { page, noise } = await dropped(fileReporters.json(recorder.run));
  expect(exchanges.length).toBeGreaterThan(1);
  await page.getByRole('heading', { name: `Step 1 of ${exchanges.length}` }).waitFor();
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('button');
  const paths = exchanges.map(({ request }) => new URL(request.url).pathname + new URL(request.url).search);
  expect(await steps.locator('code').allTextContents()).toEqual(paths);
  await steps.last().click();
  await page.getByText('Only a capsule has the state').waitFor();
  await page.getByRole('region', { name: 'Response', exact: true }).getByText('"success"').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.context().close();
});

test.each([
  ['[1, 2]', 'failure.json was not opened: it is neither a capsule nor a HAR'],
  ['not JSON', 'failure.json was not opened: it is neither a capsule nor a HAR'],
  ['{"log":{"entries":[{"request":{"url":"nowhere"}}]}}', 'neither a capsule nor a HAR'],
  ['{"log":{"entries":[null]}}', 'neither a capsule nor a HAR'],
  ['{"exchanges":[{"id":"x1"}]}', 'neither a capsule nor a HAR'],
  ['{"exchanges":[null]}', 'neither a capsule nor a HAR'],
  ['{"capsule":1,"steps":[{"kind":"dance"}]}', 'This is no capsule'],
])('%s is no capsule, and the page says so', async (text, message) => {
  const { page, noise } = await site.open('#/requests');
  await drop(page, 'failure.json', text);
  await page.getByText(message).first().waitFor();
  expect(await page.locator('.steps').count()).toBe(0);
  expect(noise).toEqual([]);
  await page.context().close();
});

test('the page is reached by keyboard, says what it needs, and leads back', async () => {
  const { page } = await site.open('#/requests/capsule');
  await page.getByText('No file is open').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByLabel('Open another').setInputFiles({
    name: 'own.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(capsule)),
  });
  await page.getByRole('heading', { name: 'own.json' }).waitFor();
  await page.getByRole('link', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
  await page.context().close();
});
