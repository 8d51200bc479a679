import { expect, test } from 'vitest';
import { createWorlds } from '../../../../src/engine/create.js';
import { defective } from '../../../conformance/explore/defective.js';
import { axeFindings, startConsole, startSite } from './visit.js';

/** Chromium logs each refused request, and walks book wrongly on purpose. */
const unexpected = (noise: readonly string[]) => noise.filter((text) => !/responded with a status of 4\d\d/.test(text));

test('walks through this world as they run; the failing one as a story with the sheet at each step', async () => {
  // The clock is frozen, and so the walks are the same each time.
  const worlds = await createWorlds({ now: '2030-06-03T08:00:00Z', version: '1.2.3' });
  const broken = defective(() => ({
    after({ kind, items }, ok, ledger) {
      if (kind === 'book' && ok) for (const { teeId } of items) ledger.shift(teeId, 1);
    },
  }));
  const through = async (request: Request) => worlds.handle(request);
  const site = await startSite({
    handle: (request) => (/\/api\//.test(request.url) ? broken(request, through) : worlds.handle(request)),
  });
  const { page, noise } = await site.open('#/conformance');
  await page.getByLabel('Walks').fill('2');
  await page.getByRole('button', { name: 'Explore' }).click();
  const walk = page.getByRole('group', { name: 'The last walk' });
  await walk.locator('tbody tr').first().waitFor();
  await page.getByText('This walk is being made smaller').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  // The run goes on while other pages are shown.
  await page.getByRole('link', { name: /^Bookings/ }).click();
  await page.getByRole('link', { name: /^Conformance/ }).click();
  await page.getByRole('heading', { name: 'Contradictions found' }).waitFor({ timeout: 50_000 });
  const finding = page.locator('details.finding').filter({ hasText: 'explore.slots' }).first();
  await finding.locator('summary').first().click();
  await finding.getByText('Step 2').waitFor();
  const smallest = page.getByRole('group', { name: 'The smallest walk of explore.slots' }).first();
  expect(await smallest.locator('tbody tr').allTextContents()).toEqual([
    expect.stringMatching(/^1book \(\d+\) \d of 4 slots of A by v\dacceptedA \d$/),
  ]);
  expect(worlds.main.db.bookings.findMany().length).toBeGreaterThan(1);
  expect(unexpected(noise)).toEqual([]);
  await site.close();
});

test('a run that is stopped, and the world as it was before', async () => {
  const { worlds, close, open } = await startConsole({ now: '2030-06-03T08:00:00Z' });
  const { page, noise } = await open('#/conformance');
  const bookings = () => worlds.main.db.bookings.findMany().length;
  const before = bookings();
  await page.getByLabel('Walks').fill('5000');
  await page.getByRole('button', { name: 'Explore' }).click();
  await page.getByRole('group', { name: 'The last walk' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('heading', { name: 'Too little explored' }).waitFor();
  expect(bookings()).toBeGreaterThan(before);
  await page.getByRole('link', { name: 'State', exact: true }).click();
  await page
    .getByRole('row', { name: /before-explore/ })
    .getByRole('button', { name: 'Restore' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect.poll(bookings).toBe(before);
  expect(unexpected(noise)).toEqual([]);
  await close();
});
