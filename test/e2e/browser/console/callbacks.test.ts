import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCallbacks } from './traffic.js';
import { copiedCurl, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site?.close());

test('deliveries and their attempts appear, and one is posted again', async () => {
  const { page, noise } = await site.open('#/callbacks');
  await page.getByText('No callbacks yet').waitFor();
  await makeCallbacks(site);
  await page.getByRole('link', { name: `callback-1 delivered, to ${site.url}/__admin/inbox/tests` }).click();
  const delivery = page.getByRole('region', { name: 'Callback callback-1' });
  const attempts = delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
  await attempts.first().waitFor();
  expect(await attempts.count()).toBe(1);
  await delivery.getByText('"teeTimeV3"').first().waitFor();

  expect(await copiedCurl(page, 'Redeliver POST')).toBe(
    `curl -X POST ${site.url}/__admin/callbacks/callback-1/redeliver`,
  );
  await delivery.getByRole('button', { name: 'Redeliver', exact: true }).click();
  await page.getByText('It was posted again: the receiver answered with').waitFor();
  await expect.poll(() => attempts.count()).toBe(2);
  expect(site.worlds.main.callbacks.deliveries[0]!.attempts).toHaveLength(2);
  await delivery.getByRole('link', { name: 'req-1' }).click();
  await page.getByRole('region', { name: 'Request req-1' }).waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

test('the inbox shows what it received as text, and is emptied', async () => {
  const body = JSON.stringify({ name: '<img src=x onerror="document.title=1">' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${site.url}/__admin/inbox/mine`, { method: 'POST', headers, body });
  const { page, noise } = await site.open('#/callbacks');
  await page.getByRole('link', { name: 'mine' }).click();
  const inbox = page.getByRole('region', { name: 'Inbox mine' });
  await inbox.getByText('<img src=x').waitFor();
  expect(await page.title()).toBe('Callbacks · Teebox');
  await inbox.getByRole('button', { name: 'Empty', exact: true }).click();
  await inbox.getByText('There are no messages.').waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});
