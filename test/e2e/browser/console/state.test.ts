import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingOf } from './traffic.js';
import { axeFindings, copiedCurl, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site?.close());

async function book(): Promise<string> {
  const path = '/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18';
  const { data } = (await (await site.ask(path)).json()) as any;
  return ((await (await site.ask('/api/v5/bookings', bookingOf(data.teeTimeV3[0]))).json()) as any).data.bookingId;
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
}

const statusOf = async (bookingId: string) => (await site.ask(`/__admin/bookings/${bookingId}`)).status;

test('a snapshot is taken, a tee time is booked, and after the restore the booking is gone', async () => {
  const { page, noise } = await site.open('#/state');
  await page.getByLabel('Name of the snapshot').fill('before');
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  const row = page.getByRole('row', { name: /^before/ });
  await row.waitFor();
  const bookingId = await book();
  expect(await statusOf(bookingId)).toBe(200);
  await page.getByRole('button', { name: 'as curl' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await copiedCurl(page, 'Restore POST snapshots/before/restore')).toBe(
    `curl -X POST ${site.url}/__admin/snapshots/before/restore`,
  );
  await row.getByRole('button', { name: 'Restore', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore before?' });
  await dialog.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf(bookingId)).toBe(200);
  await row.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('The world is as before has it.').waitFor();
  expect(await statusOf(bookingId)).toBe(404);
  await row.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No snapshots yet').waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

test('the state leaves as a file, the world starts anew, and the file brings it back', async () => {
  const { page } = await site.open('#/state');
  const bookingId = await book();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the state' }).click(),
  ]);
  expect(await copiedCurl(page, 'Import a state')).toBe(
    `curl -X PUT ${site.url}/__admin/state --data-binary @teebox-state.json`,
  );
  const buffer = await readFile(await download.path());
  expect(JSON.parse(buffer.toString())).toMatchObject({ format: 'teebox-state' });

  await page.getByRole('button', { name: 'Reset the world' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the world?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf(bookingId)).toBe(200);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Reset the world');
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByText('as it was at the start').waitFor();
  expect(await statusOf(bookingId)).toBe(404);

  const give = (name: string, content: Buffer) =>
    page.getByLabel('Import a state').setInputFiles({ name, mimeType: 'application/json', buffer: content });
  await give('wrong.json', Buffer.from('{"format":"teebox-state"}'));
  await page.getByText('Nothing was changed.', { exact: false }).waitFor();
  expect(await statusOf(bookingId)).toBe(404);
  await give('state.json', buffer);
  await page.getByText('The state of state.json is restored.').waitFor();
  expect(await statusOf(bookingId)).toBe(200);
  await page.context().close();
});

test('another world is chosen or dropped, and is in force after a question', async () => {
  const own = await startConsole({ now: '2026-06-01T08:00:00Z' });
  const { page, noise } = await own.open('#/state');
  const card = page.getByRole('region', { name: 'The world' });
  await card.getByText('The world is generated from the seed 1, with 81 facilities.').waitFor();
  const course = { id: 7, name: 'Lac', products: [{ id: 265, name: 'Green fee', price: 85 }] };
  const facility = { id: 1042, name: 'Golf de Vallon', country: 'France', courses: [course] };
  const content = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const give = (name: string, value: unknown) =>
    page.getByLabel('Take another world').setInputFiles({ name, mimeType: 'application/json', buffer: content(value) });
  expect(await copiedCurl(page, 'Take another world')).toBe(
    `curl -X PUT ${own.url}/__admin/world --data-binary @world.json`,
  );

  await give('world.yaml', 'facilities: []');
  await page.getByText('world.yaml is not JSON.', { exact: false }).waitFor();
  await give('wrong.json', { facilities: [{ ...facility, country: 'Atlantis' }] });
  const wrong = page.getByRole('dialog', { name: 'Start anew with wrong.json?' });
  await wrong.getByRole('button', { name: 'Start anew', exact: true }).click();
  await page.getByText('Nothing is known of the country Atlantis', { exact: false }).waitFor();
  await wrong.getByRole('button', { name: 'Cancel' }).click();
  expect(own.worlds.main.db.facilities.count()).toBe(81);

  await give('mine.json', { facilities: [facility] });
  const dialog = page.getByRole('dialog', { name: 'Start anew with mine.json?' });
  await dialog.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start anew', exact: true }).click();
  await page.getByText('The world is that of mine.json, with 1 facility.').waitFor();
  await card.getByText('"Golf de Vallon"').waitFor();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download the world file' }).click(),
  ]);
  expect(JSON.parse((await readFile(await download.path())).toString())).toEqual({ facilities: [facility] });

  const transfer = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
      return data;
    },
    content({ facilities: [facility, { ...facility, id: 2, courses: [{ ...course, id: 8 }] }] }).toString(),
  );
  await card.dispatchEvent('drop', { dataTransfer: transfer });
  const dropped = page.getByRole('dialog', { name: 'Start anew with dropped.json?' });
  await dropped.getByRole('button', { name: 'Start anew', exact: true }).click();
  await card.getByText('The world is of a file, with 2 facilities.', { exact: false }).waitFor();
  expect(noise.filter((one) => !one.includes('400'))).toEqual([]);
  await page.context().close();
  await own.close();
});
