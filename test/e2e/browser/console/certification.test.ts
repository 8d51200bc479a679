import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Certifying, logIn, startCertification } from './certifying.js';
import { axeFindings } from './visit.js';

let certifying: Certifying;
beforeAll(async () => {
  certifying = await startCertification(['happy-day']);
});
afterAll(() => certifying?.site.close());

test('the page follows what the client does: satisfied, violated, ended; its links show the same', async () => {
  const { page, noise } = await certifying.site.open('#/certification');
  const facts = page.getByRole('region', { name: 'So far' });
  await facts.getByText(/^Press Ctrl-C/).waitFor();
  expect(await facts.getByText('fail').count()).toBe(0);
  await page
    .getByRole('row', { name: /Happy path/ })
    .getByText('no calls')
    .waitFor();
  const read = await logIn(certifying.environments[0]!);
  await page
    .getByRole('row', { name: /Happy path/ })
    .getByText('no breach')
    .waitFor();
  // There is no such parameter.
  await read('/api/v3/countries?sort=name');
  const broken = page.locator('details.finding').filter({ hasText: 'requests.documented-parameters' });
  await broken.getByText('fail', { exact: true }).waitFor();
  await broken.locator('summary').click();
  await broken.getByText('Expected').waitFor();
  await broken.getByText('Tee time availability, row players (stated, major)').waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'To see it:' }).count()).toBeGreaterThan(0);
  expect(page.url()).toMatch(/#\/certification\/requests\.documented-parameters$/);
  await page.reload();
  await page.locator('details.finding[open]').getByText('requests.documented-parameters').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  }
  await certifying.end();
  await page.getByText('ended', { exact: true }).waitFor();
  await page.getByText(/The client violated \d/).waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});
