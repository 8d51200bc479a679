import { afterAll, beforeAll, expect, test } from 'vitest';
import { certify } from '../../../../src/certification/certify.js';
import type { ExamEnvironment } from '../../../../src/certification/library.js';
import { CertifyProgress } from '../../../../src/certification/progress.js';
import { createSandboxAt } from '../../../../src/engine/sandbox.js';
import { axeFindings, type ConsoleSite, startSite } from './visit.js';

let site: Omit<ConsoleSite, 'worlds' | 'ask'>;
let environment: ExamEnvironment;
let stop: () => void;
let ended: Promise<unknown>;
beforeAll(async () => {
  const progress = new CertifyProgress('2026-11-22T08:00:00.000Z');
  const main = await createSandboxAt({ certification: progress }, { clock: () => Date.now() });
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  await new Promise<void>((begun) => {
    ended = certify({
      exams: ['happy-day'],
      host: { now: () => Date.now() },
      onEvent: (event) => progress.onEvent(event),
      attempt: async (one) => {
        environment = one;
        begun();
        await stopped;
        return {};
      },
    });
  });
  site = await startSite(main);
});
afterAll(() => site?.close());

/** Logs in, as the API specification asks for, and then reads the countries with a parameter that there is not. */
async function logIn(): Promise<() => Promise<unknown>> {
  const { fetch, baseUrl, refreshToken } = environment;
  const body = JSON.stringify({ refresh_token: refreshToken });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}/api/v3/token/refreshToken`, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { readonly data: { readonly access_token: string } };
  const authorization = `Bearer ${data.access_token}`;
  return () => fetch(`${baseUrl}/api/v3/countries?sort=name`, { headers: { authorization } });
}

test('the page follows what the client does: met, broken, ended; its links show the same', async () => {
  const { page, noise } = await site.open('#/certification');
  const facts = page.getByRole('region', { name: 'So far' });
  await facts.getByText(/^Press Ctrl-C/).waitFor();
  expect(await facts.getByText('fail').count()).toBe(0);
  await page
    .getByRole('row', { name: /Happy day/ })
    .getByText('no calls')
    .waitFor();
  const sort = await logIn();
  await page
    .getByRole('row', { name: /Happy day/ })
    .getByText('no breach')
    .waitFor();
  await sort();
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
  stop();
  await ended;
  await page.getByText('ended', { exact: true }).waitFor();
  await page.getByText(/The client violated \d/).waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});
