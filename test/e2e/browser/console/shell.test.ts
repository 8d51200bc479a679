import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings, clipboard, type ConsoleSite, copiedCurl, startConsole } from './visit.js';

const TOKEN = 'correct-horse-battery';
let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site?.close());

describe('the start', () => {
  test('says what runs here, and the base URL leads to it', async () => {
    const page = await (await site.browser.newContext()).newPage();
    await page.goto(site.url);
    expect(page.url()).toBe(`${site.url}/__admin/`);
    const facts = page.getByRole('region', { name: 'What runs here' });
    await facts.getByText('teebox 1.2.3').waitFor();
    await facts.getByText('running').waitFor();
    expect(await facts.getByText(site.url).count()).toBe(1);
    await page.context().close();
  });

  test('its first call is copied, and sent', async () => {
    const { page, noise } = await site.open();
    const card = page.getByRole('region', { name: 'A first call' });
    await card.getByText('curl -u').waitFor();
    await card.getByRole('button', { name: 'Copy the command' }).click();
    expect(await clipboard(page)).toBe(`curl -u fairway:not-a-secret-fairway ${site.url}/api/v3/countries`);
    await card.getByRole('button', { name: 'Send it' }).click();
    await card.getByText('"the Netherlands"').waitFor();
    expect(site.worlds.main.journal.entries.at(-1)).toMatchObject({ operation: 'v3.listCountries', status: 200 });
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('shows the refresh token that works now', async () => {
    const { page } = await site.open();
    const row = page.getByRole('row', { name: /^fairway/ });
    const refreshToken = site.worlds.main.credentials()[0]!.refreshToken!;
    await row.getByText(refreshToken).waitFor();
    const body = JSON.stringify({ refresh_token: refreshToken });
    const headers = { 'content-type': 'application/json' };
    await site.ask('/api/v5/token/refreshToken', { method: 'POST', headers, body });
    const next = site.worlds.main.credentials()[0]!.refreshToken!;
    expect(next).not.toBe(refreshToken);
    await row.getByText(next).waitFor();
    await row.getByRole('button', { name: 'Copy the refresh token of fairway' }).click();
    expect(await clipboard(page)).toBe(next);
    await page.context().close();
  });

  test('each world has a console of its own, and the main one deletes it', async () => {
    await site.ask('/w/run-7/api/v3/countries');
    const { page } = await site.open();
    await page.getByRole('link', { name: 'run-7' }).click();
    await page.getByText('The world run-7').waitFor();
    expect(page.url()).toBe(`${site.url}/w/run-7/__admin/`);
    await page.getByText(`${site.url}/w/run-7`, { exact: true }).waitFor();
    await page.goto(`${site.url}/__admin/`);
    await page.getByRole('row', { name: /run-7/ }).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The world run-7 was deleted.').waitFor();
    await page.getByText('Only the main world').waitFor();
    await page.context().close();
  });
});

test('what another tab or a program changes is shown as it happens', async () => {
  const { page } = await site.open('#/state');
  const admin = (method: string, path: string, body?: unknown) =>
    site.ask(`/__admin/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  // The page asks again after 20 seconds, whatever the event stream says.
  const within = { timeout: 15_000 };
  await page.getByText('No snapshots yet').waitFor();
  await admin('PUT', 'snapshots/elsewhere');
  await page.getByRole('row', { name: /^elsewhere/ }).waitFor(within);
  await admin('POST', 'plans', { scenario: 'timeout' });
  await page.getByRole('link', { name: 'Scenarios 1 armed plan' }).waitFor(within);
  await admin('POST', 'chaos', { rate: '5%' });
  await page.getByRole('link', { name: /Scenarios chaos is on/ }).waitFor(within);
  await page.getByRole('link', { name: 'Dialect', exact: true }).click();
  await page.getByText('default', { exact: true }).first().waitFor();
  await admin('PUT', 'dialect', { name: 'elsewhere' });
  await page.getByText('elsewhere', { exact: true }).waitFor(within);
  await page.getByRole('link', { name: 'Start', exact: true }).click();
  await page.getByText('Only the main world').waitFor();
  await site.ask('/w/run-elsewhere/api/v3/countries');
  await page.getByRole('row', { name: /run-elsewhere/ }).waitFor(within);
  for (const path of ['worlds/run-elsewhere', 'snapshots', 'plans', 'chaos']) await admin('DELETE', path);
  await page.getByText('Only the main world').waitFor(within);
  await admin('PUT', 'dialect', {});
  await page.context().close();
});

describe('a world and the others', () => {
  test('the name of the world is a menu: the main one, the others, a new one', async () => {
    for (const name of ['run-8', 'run-9']) await site.ask(`/w/${name}/api/v3/countries`);
    const { page, noise } = await site.open('#/bookings', { world: 'run-8' });
    const menu = page.getByRole('button', { name: 'World: run-8' });
    await menu.press('Enter');
    const worlds = page.getByRole('list', { name: 'Worlds' });
    await worlds.getByRole('link', { name: 'run-9' }).waitFor();
    expect(await worlds.getByRole('link', { name: 'run-8' }).getAttribute('aria-current')).toBe('page');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await worlds.isVisible()).toBe(false);
    expect(await menu.evaluate((one) => one === document.activeElement)).toBe(true);
    await menu.click();
    await worlds.getByRole('link', { name: 'main' }).click();
    await page.getByRole('button', { name: 'World: main' }).click();
    await page.locator('#worlds').getByLabel('Open a world').fill('brand-new');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'World: brand-new' }).waitFor();
    expect(page.url()).toBe(`${site.url}/w/brand-new/__admin/`);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('a world that ends under a page says so, and the page asks for nothing until a new one is opened', async () => {
    await site.ask('/w/doomed/api/v3/countries');
    const { page } = await site.open('#/tee-sheet/1001?date=2030-06-11', { world: 'doomed' });
    await page.getByRole('grid').waitFor();
    await fetch(`${site.url}/__admin/worlds/doomed`, { method: 'DELETE' });
    const dialog = page.getByRole('dialog', { name: 'This world has ended' });
    await dialog.getByText('deleted').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await page.waitForTimeout(500);
    const listed = async () => (await (await fetch(`${site.url}/__admin/worlds`)).text()).includes('doomed');
    expect(await listed()).toBe(false);
    await dialog.getByRole('button', { name: 'Open a new one' }).click();
    await page.getByRole('grid').waitFor();
    expect(await dialog.isVisible()).toBe(false);
    await expect.poll(listed).toBe(true);
    await page.context().close();
  });
});

describe('the clock of the frame', () => {
  test('shows a move by somebody else at once, and a server that is down', async () => {
    const own = await startConsole({ now: '2030-06-03T08:00:00Z' });
    const { page } = await own.open();
    const line = page.locator('.clock-line');
    await line.getByText('2030-06-03 08:00 UTC').waitFor();
    await page.getByRole('link', { name: 'Clock frozen' }).waitFor();
    const body = JSON.stringify({ set: '2031-01-01T12:30:00Z' });
    await fetch(`${own.url}/__admin/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await line.getByText('2031-01-01 12:30 UTC').waitFor({ timeout: 10_000 });
    await own.stop();
    await line.getByText('The server does not answer').waitFor();
    expect(await line.locator('.dot').getAttribute('class')).toBe('dot lost');
    await own.close();
  });
});

describe('the navigation as a status board', () => {
  test('counts plans, chaos, pending callbacks and the refusals since the page Requests was open', async () => {
    const own = await startConsole();
    const { page, noise } = await own.open();
    const entry = (name: string) => page.locator('nav').getByRole('link', { name, exact: true });
    await entry('Scenarios').waitFor();
    await entry('Requests').waitFor();
    expect(await page.locator('nav .note').count()).toBe(0);
    const { scenarios } = own.worlds.main;
    scenarios.arm('payment-pi-failed', { times: 'always' });
    scenarios.arm('booking-failed');
    await own.ask('/api/v9/nothing');
    await entry('Scenarios 2 armed plans').waitFor();
    await entry('Requests 1 refusal since you looked').waitFor();
    await own.ask('/api/v9/nothing');
    await own.ask('/api/v3/countries');
    await entry('Requests 2 refusals since you looked').waitFor();
    own.worlds.main.clock.freeze();
    const search = { facilityIds: '1001', fromDate: '11-06-2030', toDate: '11-06-2030', players: '2', holes: '18' };
    const query = new URLSearchParams({ ...search, callbackUrl: `${own.url}/__admin/inbox/tests` });
    await own.ask(`/api/v5/teetimes?${query}`, { headers: { 'teebox-scenario': 'callback-late' } });
    await entry('Callbacks 1 pending callback').waitFor();
    await entry('Clock frozen').waitFor();
    scenarios.chaos({ rate: '5%', only: ['payment-pi-failed'] });
    await own.ask('/api/v3/countries');
    await entry('Scenarios chaos is on 2 armed plans').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    await entry('Requests 2 refusals since you looked').click();
    await entry('Requests').waitFor();
    await own.ask('/api/v9/missing');
    await page.getByText('/api/v9/missing').first().waitFor();
    await page.goto(`${own.url}/__admin/#/clock`);
    await entry('Requests').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await entry('Clock').waitFor();
    own.worlds.main.clock.advance(86_400_000);
    await entry('Callbacks').waitFor();
    expect(noise).toEqual([]);
    await own.close();
  });
});

describe('the frame', () => {
  test.each([
    ['#/', 'quick-starts%2Fcurl'],
    ['#/scenarios', 'failures'],
    ['#/requests', 'failures'],
  ])('%s links to the page of the documentation about it', async (hash, guide) => {
    const { page } = await site.open(hash);
    const link = page.getByRole('link', { name: 'Documentation' });
    expect(await link.getAttribute('href')).toBe(`#/docs/${guide}`);
    await page.context().close();
  });

  test('by keyboard: the skip link leads past the navigation', async () => {
    const { page } = await site.open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.context().close();
  });

  test('on a narrow screen, the navigation is a menu', async () => {
    const { page } = await site.open('', { viewport: { width: 360, height: 740 } });
    const start = page.getByRole('link', { name: 'Start' });
    expect(await start.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    expect(await start.isVisible()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await start.isVisible()).toBe(false);
    await page.context().close();
  });

  test('colours follow the system until one is chosen, which is kept', async () => {
    const { page } = await site.open('', { colorScheme: 'dark' });
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await paper();
    await page.getByRole('button', { name: 'Light colours' }).click();
    const light = await paper();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await paper()).toBe(light);
    await page.context().close();
  });

  test('an unknown page says so', async () => {
    const { page, noise } = await site.open('#/%3Cscript%3E');
    await page.getByText('There is no page “<script>”.').waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  });
});

// Counted from bytes and round trips: a busy machine must not make the line slower.
test('on a line of 50 kB/s and 400 ms, the first content needs less than 3 seconds of the line', async () => {
  const { page } = await site.open('', { reducedMotion: 'no-preference' });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const requests = new Map<string, { url: string; asker: string | undefined }>();
  let bytes = 0;
  network.on('Network.requestWillBeSent', ({ requestId, request, initiator, type }) => {
    if (type !== 'Document' && type !== 'Stylesheet' && type !== 'Script') return;
    requests.set(requestId, { url: request.url, asker: initiator.url ?? initiator.stack?.callFrames[0]?.url });
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requests.has(requestId)) bytes += encodedDataLength;
  });
  await page.reload();
  await page.locator('h1').waitFor();
  const all = [...requests.values()];
  const trips = (url: string | undefined): number => {
    const found = all.find((request) => request.url === url);
    return found ? 1 + (found.asker === url ? 0 : trips(found.asker)) : 0;
  };
  const connection = 1;
  const waits = connection + Math.max(...all.map(({ url }) => trips(url)));
  expect(all.length).toBeGreaterThan(2);
  expect(bytes).toBeGreaterThan(20_000);
  expect(waits * 0.4 + bytes / 50_000).toBeLessThan(3);
  await page.context().close();
});

describe('with an admin token', () => {
  let guarded: ConsoleSite;
  beforeAll(async () => {
    guarded = await startConsole({}, { adminToken: TOKEN });
  });
  afterAll(() => guarded?.close());

  test('the page asks for it, keeps it for its tab alone and asks again after a wrong one', async () => {
    const { page } = await guarded.open();
    const dialog = page.getByRole('dialog', { name: 'Admin token' });
    await dialog.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Token').fill('a-wrong-token-of-a-guess');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('did not accept').waitFor();
    await dialog.getByLabel('Token').fill(TOKEN);
    await page.keyboard.press('Enter');
    await page.getByText('teebox 1.2.3').waitFor();
    expect(await copiedCurl(page, 'What runs here')).toBe(
      `curl ${guarded.url}/__admin/version -H "Authorization: Bearer $TEEBOX_ADMIN_TOKEN"`,
    );
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]));
    expect(kept).not.toContain(TOKEN);
    await page.reload();
    await page.getByText('teebox 1.2.3').waitFor();
    expect(await dialog.count()).toBe(0);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('dialog', { name: 'Admin token' }).waitFor();
    await page.context().close();
  });
});
