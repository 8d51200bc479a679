import { afterEach, expect, test } from 'vitest';
import { bookingOf } from './traffic.js';
import { axeFindings, copiedCurl, type ConsoleSite, startConsole } from './visit.js';

const NOW = '2026-06-01T08:00:00.000Z';
let site: ConsoleSite;
afterEach(() => site?.close());

/** A frozen world in which callbacks are retried twice. */
async function start(): Promise<ConsoleSite> {
  site = await startConsole({ now: NOW, clock: () => Date.now(), dialect: { answers: { 'callback.retries': 2 } } });
  return site;
}

async function tokenOf({ ask, worlds }: ConsoleSite): Promise<string> {
  const [{ refreshToken } = { refreshToken: null }] = worlds.main.credentials();
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify({ refresh_token: refreshToken }) };
  return ((await (await ask('/api/v5/token/refreshToken', init)).json()) as any).data.access_token;
}

async function book({ ask }: ConsoleSite): Promise<string> {
  const path = '/api/v4/teetimes/1001?bookingDate=11-06-2026&players=2&holes=18';
  const { data } = (await (await ask(path)).json()) as any;
  return ((await (await ask('/api/v5/bookings', bookingOf(data.teeTimeV3[0]))).json()) as any).data.bookingId;
}

const shown = ({ worlds }: ConsoleSite) => new Date(worlds.main.clock.now()).toISOString();

test('past a token, and past the closing of a cancellation: what fired is shown, and the sandbox answers so', async () => {
  const { ask, open } = await start();
  const authorization = `Bearer ${await tokenOf(site)}`;
  const bookingId = await book(site);
  const { page, noise } = await open('#/clock', { viewport: { width: 1280, height: 1000 } });
  const list = page.getByRole('group', { name: 'Next events' });
  const fired = page.getByRole('region', { name: 'What fired' }).getByRole('listitem');
  await list.getByRole('row', { name: /^1 h 2026-06-01 09:00:00 UTC Access token expires fairway/ }).waitFor();
  const countries = async () => (await ask('/api/v3/countries', { headers: { authorization } })).status;
  expect(await countries()).toBe(200);

  await page.getByRole('button', { name: '1 hour', exact: true }).click();
  await fired.getByText('Access token expired').waitFor();
  expect(await countries()).toBe(401);
  await page.getByRole('button', { name: 'Access tokens expire none to come' }).waitFor();

  await page.getByRole('button', { name: /^Cancellations close/ }).click();
  expect(new URL(page.url()).hash).toBe('#/clock?kind=cancellations');
  const more = page.getByRole('button', { name: /^Show more/ });
  await list.getByRole('row').nth(5).waitFor();
  while ((await more.count()) > 0) await more.click();
  const cancel = () => ask(`/__admin/bookings/${bookingId}/cancel`, { method: 'POST' });
  await list.getByRole('row').filter({ hasText: bookingId }).getByRole('button', { name: 'Move here' }).click();
  await fired.filter({ hasText: bookingId }).getByText('Cancellation closed').last().waitFor();
  const titles = await page
    .getByRole('list', { name: /^Events until/ })
    .first()
    .getByRole('listitem')
    .allTextContents();
  expect(titles).toEqual([...titles].sort());
  expect(titles.at(-1)).toContain(bookingId);
  expect((await cancel()).status).toBe(409);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
  }
  expect(noise).toEqual([]);
});

test('as people write durations and times, taken back, frozen and resumed, each also as a command', async () => {
  const { url } = await start();
  const { page } = await site.open('#/clock');
  const form = page.getByRole('form', { name: 'Move the clock' });
  const field = form.getByRole('textbox', { name: 'By a duration, or to a time in Amsterdam' });
  await field.fill('2d');
  expect(await copiedCurl(page, 'Move the clock')).toBe(
    `curl ${url}/__admin/clock -H 'Content-Type: application/json' --data-raw '{"advance":"2d"}'`,
  );
  await field.press('Enter');
  await expect.poll(() => shown(site)).toBe('2026-06-03T08:00:00.000Z');

  await field.fill('P1M');
  await form.getByText('Write a duration such as 2h or 2d').waitFor();
  expect(await form.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);

  await field.fill('sat 9:00');
  await form.getByText('To 2026-06-06 09:00 Amsterdam').waitFor();
  await form.getByRole('button', { name: 'Move' }).click();
  await expect.poll(() => shown(site)).toBe('2026-06-06T07:00:00.000Z');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => shown(site)).toBe('2026-06-03T08:00:00.000Z');

  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect(site.worlds.main.clock.mode).toBe('standing');
});

test('a retry of a callback is listed as it is planned, and made by a move; by keyboard alone', async () => {
  const { url, ask, worlds } = await start();
  const { page } = await site.open('#/clock');
  const callbackUrl = `${url}/__admin/inbox/tests?status=503`;
  const query = { facilityIds: '1001', fromDate: '11-06-2026', toDate: '11-06-2026', players: '2', holes: '18' };
  await ask(`/api/v5/teetimes?${new URLSearchParams({ ...query, callbackUrl })}`);
  await expect.poll(() => worlds.main.callbacks.deliveries[0]?.attempts.length).toBe(1);
  await page.reload();
  await page.getByText('Callback is retried').waitFor();
  await page.getByRole('button', { name: 'Callbacks and retries 1 to come, next in 1 s' }).waitFor();

  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  for (let tab = 0; tab < 30 && (await focused()) !== '1 minute'; tab += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const fired = page.getByRole('list', { name: /^Events until/ }).getByRole('listitem');
  await fired.nth(1).waitFor();
  expect(await fired.allTextContents()).toEqual([
    '2026-06-01 08:00:01 UTCCallback was retriedfairwaycallback-1',
    '2026-06-01 08:00:03 UTCCallback was retriedfairwaycallback-1',
  ]);
  expect(worlds.main.callbacks.deliveries[0]).toMatchObject({ state: 'failed' });
});
