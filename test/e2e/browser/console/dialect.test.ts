import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { axeFindings, copiedCurl, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterEach(() => site.ask('/__admin/reset', { method: 'POST' }));
afterAll(() => site?.close());

const bodyKeys = async (path: string) => Object.keys((await (await site.ask(path)).json()) as object);

test('an answer is changed, and the API answers otherwise; the defaults come back', async () => {
  const { page, noise } = await site.open('#/dialect');
  expect(await bodyKeys('/api/v1/facilities/9')).toContain('message');
  await page.getByRole('searchbox', { name: 'Search' }).fill('error.body');
  const question = page.getByRole('listitem').filter({ hasText: 'error.body' });
  await question.locator('summary').click();
  await question.getByText('Errors, sentence', { exact: false }).first().waitFor();
  await question.getByRole('radio', { name: /^error / }).check();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('1 answer changed').waitFor();
  expect(await bodyKeys('/api/v1/facilities/9')).toContain('message');
  expect(await copiedCurl(page, 'Apply the changes')).toBe(
    `curl -X PUT ${site.url}/__admin/dialect -H 'Content-Type: application/json' --data-raw '{"answers":{"error.body":"error"}}'`,
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  await changes.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('The answer is in force.').waitFor();
  expect(await bodyKeys('/api/v1/facilities/9')).toEqual(expect.arrayContaining(['error']));
  expect(await bodyKeys('/api/v1/facilities/9')).not.toContain('message');

  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.getByRole('checkbox', { name: 'Differs from the default' }).check();
  await page
    .getByRole('region', { name: 'Open questions' })
    .getByText(/^1 of \d+$/)
    .waitFor();
  await page.getByRole('button', { name: 'Back to the defaults' }).click();
  await page.getByText('No question matches').waitFor();
  expect(await bodyKeys('/api/v1/facilities/9')).toContain('message');
  expect(noise).toEqual([]);
  await page.context().close();
});

test('each kind of question, by version too, in one card', async () => {
  const { page } = await site.open('#/dialect/payment.method');
  const item = (id: string) =>
    page.getByRole('listitem').filter({ has: page.locator('summary code').getByText(id, { exact: true }) });
  await item('payment.method').getByLabel('In v4').selectOption('post');
  await item('token.versions').locator('summary').click();
  await item('token.versions').getByRole('checkbox', { name: 'v1' }).uncheck();
  await item('callback.retries').locator('summary').click();
  await item('callback.retries').getByLabel('A whole number', { exact: false }).fill('7');
  await item('auth.bearer-header').locator('summary').click();
  await item('auth.bearer-header').getByLabel('The name of a header').fill('X-Token');
  await page.getByRole('region', { name: 'Changes' }).getByText('4 answers changed').waitFor();
  const apply = page.getByRole('button', { name: 'Apply' });
  await apply.click();
  await page
    .getByRole('alert')
    .getByText('callback.retries must be a whole number from 0 to 5; got 7.', { exact: false })
    .waitFor();
  expect(site.worlds.main.dialect.answers).toEqual({});
  await item('callback.retries').getByLabel('A whole number', { exact: false }).fill('4');
  await apply.click();
  await page.getByText('The answers are in force.').waitFor();
  const { answers } = site.worlds.main.dialect;
  expect(answers).toEqual({
    'auth.bearer-header': 'X-Token',
    'callback.retries': 4,
    'token.versions': ['v2', 'v3', 'v4', 'v5'],
    'payment.method': expect.objectContaining({ v4: 'post', v5: 'both' }),
  });
  await page.context().close();
});

test('a card leaves as a file and comes back; one that does not fit changes nothing', async () => {
  const { page } = await site.open('#/dialect');
  const card = { name: 'staging', answers: { 'error.validation': 422 }, scenarios: ['slow'] };
  const give = (text: string) =>
    page
      .getByLabel('Import a card')
      .setInputFiles({ name: 'staging.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await give(JSON.stringify(card));
  await page.getByText('The card of staging.json is in force.').waitFor();
  expect(site.worlds.main.dialect).toEqual(card);
  await page.getByText('staging', { exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the card' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('staging.json');
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual(card);

  await give(JSON.stringify({ answers: { 'error.body': 'nowhere' } }));
  await page.getByText('error.body must be one of message', { exact: false }).waitFor();
  await give('<script>');
  await page.getByText('staging.json is not JSON.', { exact: false }).waitFor();
  expect(site.worlds.main.dialect).toEqual(card);
  await page.context().close();
});

test('by keyboard alone: search, open, choose and apply', async () => {
  const { page } = await site.open('#/dialect');
  await page.getByText('error.validation', { exact: true }).waitFor();
  const focus = async (wanted: string) => {
    for (let tab = 0; tab < 40; tab += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((selector) => document.activeElement!.matches(selector), wanted)) return;
    }
    throw new Error(`Tab never came to ${wanted}.`);
  };
  await focus('input[type=search]');
  await page.keyboard.type('error.validation');
  await page
    .getByRole('region', { name: 'Open questions' })
    .getByText(/^1 of \d+$/)
    .waitFor();
  await focus('.question summary');
  await page.keyboard.press('Enter');
  await focus('.question input[type=radio]');
  await page.keyboard.press('ArrowDown');
  await focus('.apply-bar .primary');
  await page.keyboard.press('Enter');
  await page.getByText('The answer is in force.').waitFor();
  expect(site.worlds.main.dialect.answers).toEqual({ 'error.validation': 422 });
  await page.context().close();
});
