import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site?.close());

test('sends a request with the credentials of the chosen channel', async () => {
  const { page, noise } = await site.open('#/reference');
  await page.getByLabel('Channel').selectOption('links');
  await page.locator('[data-path="/api/v3/countries"]').click();
  const sent = page.waitForRequest(/\/api\/v3\/countries/);
  await page.getByRole('button', { name: 'Execute' }).click();
  const [username] = atob((await (await sent).headerValue('authorization'))!.slice('Basic '.length)).split(':');
  const { username: wanted } = site.worlds.main.credentials().find(({ name }) => name === 'links')!;
  expect(username).toBe(wanted);
  const answer = page.locator('.live-responses-table');
  await answer.getByText('200', { exact: true }).waitFor();
  expect(await answer.textContent()).toContain('success');
  expect(await axeFindings(page)).toEqual([]);
  expect(noise).toEqual([]);
  await page.context().close();
});

test('shows the admin API, and asks this world', async () => {
  const { page, noise } = await site.open('#/reference', { world: 'run-7' });
  await page.getByLabel('Document').selectOption('The admin API');
  await page.locator('[data-path="/__admin/clock"]').first().click();
  const sent = page.waitForRequest((request) => request.url().endsWith('/__admin/clock'));
  await page.getByRole('button', { name: 'Execute' }).click();
  expect(new URL((await sent).url()).pathname).toBe('/w/run-7/__admin/clock');
  await page.locator('.live-responses-table').getByText('200', { exact: true }).waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

test('no other page loads the viewer', async () => {
  const { page } = await site.open('#/start');
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((name) => name.includes('/viewer'))).toEqual([]);
  await page.context().close();
});
