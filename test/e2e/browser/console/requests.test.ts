import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, beforeAll, describe, expect, test } from 'vitest';
import type { QueryableSandbox } from '../../../../src/engine/sandbox.js';
import { playCapsule } from '../../../../src/engine/play.js';
import { bookingOf, HOSTILE, makeCallbacks, makeTraffic } from './traffic.js';
import { axeFindings, clipboard, type ConsoleSite, startConsole } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
beforeEach(() => site.worlds.main.reset());
afterAll(() => site?.close());

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Requests' }).getByRole('link');
const main = () => site.worlds.main as QueryableSandbox;

describe('live', () => {
  test('what is sent appears at once, until the page is paused or left', async () => {
    const { page, noise } = await site.open('#/requests');
    await page.getByText('No requests yet').waitFor();
    await page.getByText('Live').waitFor();
    await site.ask('/api/v3/countries');
    await page.getByRole('link', { name: 'req-1: GET /api/v3/countries, 200' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await site.ask('/api/v9/nothing');
    await page.getByText('Paused, 1 new').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('link', { name: 'req-2: GET /api/v9/nothing, 404' }).waitFor();
    await main().reset();
    await page.getByText('No requests yet').waitFor();

    // The clock of the frame follows the events on every page.
    expect(main().isFollowed).toBe(true);
    expect(noise).toEqual([]);
    await page.context().close();
    await expect.poll(() => main().isFollowed).toBe(false);
  });

  test('a thousand requests are a few rows of the page, and the one that is read stays where it is', async () => {
    const { username, password } = main().channels[0]!;
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
    for (let sent = 0; sent < 1000; sent++) await main().fetch(`${site.url}/api/v3/countries?n=${sent}`, { headers });
    const { page, noise } = await site.open('#/requests');
    await page.getByText('1,000 requests').waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(60);
    const list = page.locator('.virtual-scroll');
    await list.evaluate((element) => (element.scrollTop = 25_000));
    const read = page.getByRole('link', { name: / req-500: / });
    await read.waitFor();
    const before = await read.boundingBox();
    for (let sent = 0; sent < 5; sent++) await site.ask('/api/v3/countries');
    await page.getByText('1,005 requests').waitFor();
    expect(await read.boundingBox()).toEqual(before);
    await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
    await page.getByRole('link', { name: / req-1: / }).waitFor();
    expect(await rowsOf(page).count()).toBeLessThan(60);
    expect(noise).toEqual([]);
    await page.context().close();
  });
});

describe('a row says why', () => {
  const paths = (page: Page) => page.locator('.virtual-scroll [role=row]').allInnerTexts();

  test.each([1440, 390])(
    'the reason is its second line, and a scenario that was triggered is marked, %i wide',
    async (width) => {
      await makeTraffic(site);
      const { page, noise } = await site.open('#/requests', { viewport: { width, height: 900 } });
      await page.getByText('9 requests').waitFor();
      const row = (id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: `${id}:` }) });
      const detail = main().journal.find('req-7')!.detail!.replaceAll('`', '');
      expect(await row('req-7').innerText()).toContain(`Refused: ${detail}`);
      expect(await row('req-6').innerText()).toContain('Refused: scenario payment-pi-failed, by its header');
      expect(await row('req-9').innerText()).toContain('listBookings v4');
      expect(await page.locator('.virtual-row.met').count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      expect(noise).toEqual([]);
      await page.context().close();
    },
  );

  test('the same failure folds, and unfolds by mouse and keyboard', async () => {
    for (let sent = 0; sent < 8; sent += 1) await site.ask('/api/v3/countries');
    main().scenarios.arm('server-error', { times: 7 });
    for (let sent = 0; sent < 7; sent += 1) await site.ask('/api/v3/countries');
    await site.ask('/api/v9/nothing');
    const { page, noise } = await site.open('#/requests');
    const fold = page.getByRole('button', { name: '7 times server-error, from req-9 to req-15' });
    await fold.waitFor();
    expect(await page.getByRole('row').filter({ has: fold }).innerText()).toContain('7 × server-error');
    expect((await paths(page)).length).toBe(10);
    await fold.click();
    await page.getByRole('link', { name: 'req-12:' }).click();
    await page.getByRole('region', { name: 'Request req-12' }).waitFor();
    expect((await paths(page)).length).toBe(17);
    expect(await axeFindings(page)).toEqual([]);
    await fold.press('Enter');
    await expect.poll(async () => (await paths(page)).length).toBe(10);
    // The row that it is folded into stands for it.
    expect(await page.locator('.virtual-row.selected').innerText()).toContain('7 × server-error');
    await fold.press('k');
    await expect.poll(() => page.evaluate(() => document.activeElement!.textContent)).toContain('req-16:');
    expect(noise).toEqual([]);
    await page.context().close();
  });
});

describe('by keyboard', () => {
  test('j and k go from row to row, Enter opens, the pane takes the focus, Escape gives it back', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests');
    await page.getByText('9 requests').waitFor();
    const focused = () => page.evaluate(() => document.activeElement!.textContent!);
    await page.locator('.virtual-scroll').focus();
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
    expect(await focused()).toContain('req-8: GET');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).isEnabled()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Send again');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toContain('req-8: GET');
    expect(new URL(page.url()).hash).toBe('#/requests');
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('on a narrow screen, too', async () => {
    await site.ask('/api/v3/countries');
    const { page } = await site.open('#/requests', { viewport: { width: 390, height: 800 } });
    await page.getByRole('link', { name: /req-1/ }).press('Enter');
    await page.getByRole('button', { name: 'Send again' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement!.textContent)).toContain('req-1: GET');
    await page.context().close();
  });
});

describe('why a request was refused', () => {
  test('the pane begins with it, and the rule that refused is the one that is open', async () => {
    await site.ask(
      '/api/v5/bookings',
      bookingOf({ time: '2030-06-11T09:10:00', products: [{ mid: 1 }] }, { holes: 7 }),
    );
    const { page } = await site.open('#/requests/req-1');
    const detail = main().journal.entries[0]!.detail!.replaceAll('`', '');
    const pane = page.getByRole('region', { name: 'Request req-1' });
    await pane.getByRole('region', { name: 'The rules that decided' }).locator('li.refused').waitFor();
    expect(await pane.locator('p').first().innerText()).toBe(`Refused: ${detail}`);
    const open = pane.locator('.rules details[open]');
    expect(await open.count()).toBe(1);
    expect(await open.innerText()).toContain('Specification: ');
    expect(await pane.locator('.rules li').count()).toBeGreaterThan(3);
    await page.context().close();
  });

  test.each([
    [1440, true],
    [390, false],
  ])('request and response are side by side where there is room, %i wide: %s', async (width, beside) => {
    await site.ask('/api/v9/nothing');
    const { page } = await site.open('#/requests/req-1', { viewport: { width, height: 900 } });
    const top = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())!.y;
    expect((await top('Request')) === (await top('Response'))).toBe(beside);
    await page.context().close();
  });

  test('a question that no dialect answers says so', async () => {
    await site.ask('/api/v3/countries?connected=perhaps');
    const { page } = await site.open('#/requests/req-1');
    await page.getByText(/The sandbox has one answer, which no dialect changes \(input\.form\)/).waitFor();
    expect(await page.locator('.rules').innerText()).not.toMatch(/answers\s+\(/);
    await page.context().close();
  });
});

test('a row that is older than the journal says what is left of it', async () => {
  await site.ask('/api/v9/nothing');
  const { page } = await site.open('#/requests');
  await page.getByRole('link', { name: /req-1/ }).waitFor();
  main().journal.clear();
  await page.getByRole('link', { name: /req-1/ }).click();
  await page.getByText('Its headers and body are gone.').waitFor();
  await page.locator('.panes-detail').getByText('/api/v9/nothing', { exact: true }).waitFor();
  await page.context().close();
});

test.each([1440, 900, 390])('the buttons stay where they are while requests come in, %i wide', async (width) => {
  const { page } = await site.open('#/requests', { viewport: { width, height: 900 } });
  await page.getByText('No requests yet').waitFor();
  const boxes = () =>
    Promise.all(
      ['Pause', 'Export', 'Clear'].map((name) => page.getByRole('button', { name, exact: true }).boundingBox()),
    );
  const before = await boxes();
  for (let sent = 1; sent <= 12; sent += 1) {
    await site.ask('/api/v3/countries');
    await page.getByText(`· ${sent} request`).waitFor();
    expect(await boxes()).toEqual(before);
  }
  await page.context().close();
});

test('filters narrow the list, and the address keeps them', async () => {
  await makeTraffic(site);
  const { page, noise } = await site.open('#/requests?channel=fairway');
  await page.getByText('8 requests').waitFor();
  await page.getByLabel('Status').selectOption('4xx');
  await page.getByText('2 requests').waitFor();
  await page.getByLabel('Scenario').selectOption('payment-pi-failed');
  await page.getByText('1 request', { exact: false }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/requests?channel=fairway&status=4xx&scenario=payment-pi-failed');
  await page.reload();
  await page.getByText('1 request', { exact: false }).waitFor();
  await page.getByLabel('Text').fill('nowhere');
  await page.getByText('No request fits the filters').waitFor();
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByText('9 requests').waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});

describe('one request', () => {
  test('a booking that a scenario struck: rules with their source, scenario, bodies', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests');
    await page.getByRole('link', { name: 'req-6: POST /api/v5/bookings, 400' }).click();
    const detail = page.getByRole('region', { name: 'Request req-6' });
    const scenario = detail.getByRole('link', { name: 'payment-pi-failed' });
    expect(await scenario.getAttribute('href')).toBe('#/scenarios/payment-pi-failed');
    await detail.getByText('triggered', { exact: true }).waitFor();
    const rules = detail.getByRole('region', { name: 'The rules that decided' });
    await rules
      .locator('[open]')
      .getByText(/^Specification: /)
      .waitFor();
    expect(await rules.getByText('refused', { exact: true }).count()).toBe(1);
    await detail.getByRole('region', { name: 'Request', exact: true }).getByText('"Lovelace"').waitFor();
    await detail.getByRole('link', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('it leads to the booking that it made and the plan that it met, and both lead back', async () => {
    const { id } = main().scenarios.arm('booking-failed', { phase: 'after-commit' });
    const teeTimes = await site.ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18');
    const [first] = ((await teeTimes.json()) as any).data.teeTimeV3;
    await site.ask('/api/v5/bookings', bookingOf(first, { contactLastName: 'Byron' }));
    const { page, noise } = await site.open('#/requests/req-2');
    const made = page.getByRole('list', { name: 'What it made and met' });
    await made.getByText('so the client may not know').waitFor();
    expect(await axeFindings(page, '.panes-detail')).toEqual([]);
    await made.getByText('Booking').getByRole('link').click();
    await page.getByRole('region', { name: 'History' }).getByRole('link', { name: 'req-2' }).click();
    await made.getByRole('link', { name: id }).click();
    await page
      .getByRole('listitem', { name: `${id}: booking-failed` })
      .getByRole('link', { name: '1' })
      .click();
    await page.getByRole('link', { name: 'req-2: POST /api/v5/bookings, 400' }).waitFor();
    await page.getByText('1 request', { exact: false }).waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('a search leads to the callback that it posted', async () => {
    await makeCallbacks(site);
    const { page } = await site.open('#/requests/req-1');
    const made = page.getByRole('list', { name: 'What it made and met' });
    await made.getByRole('link', { name: 'callback-1' }).click();
    await page.getByRole('heading', { name: 'Callback callback-1' }).waitFor();
    await page.getByRole('link', { name: 'req-1' }).waitFor();
    await page.context().close();
  });

  test('it is sent again with the credentials of now, as the copied command does', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests/req-1');
    const detail = page.getByRole('region', { name: 'Request req-1' });
    await detail.getByRole('button', { name: 'Copy as curl' }).click();
    expect(await clipboard(page)).toMatch(
      /^curl -u fairway:not-a-secret-fairway http:\/\/[\d.:]+\/api\/v3\/countries( -H|$)/,
    );
    await detail.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again as req-10, which was answered with 200.').waitFor();
    await page.getByRole('region', { name: 'Request req-10' }).waitFor();
    expect(main().journal.find('req-10')).toMatchObject({ operation: 'v3.listCountries', status: 200 });
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('a hostile name stays text', async () => {
    const teeTimes = await site.ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18');
    const [first] = ((await teeTimes.json()) as any).data.teeTimeV3;
    await site.ask('/api/v5/bookings', bookingOf(first, { contactLastName: HOSTILE }));
    const { page, noise } = await site.open('#/requests/req-2');
    await page.getByText(JSON.stringify(HOSTILE)).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Requests · Teebox');
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('one that the journal has forgotten says so', async () => {
    const { page } = await site.open('#/requests/req-99');
    await page.getByText('There is no request req-99').waitFor();
    await page.context().close();
  });
});

describe('fail again', () => {
  test('like a refused one: the scenario with its words, for its operation, channel and facility', async () => {
    const teeTimes = await site.ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18');
    const [first, other] = ((await teeTimes.json()) as any).data.teeTimeV3;
    for (let sent = 0; sent < 3; sent += 1) await site.ask('/api/v5/bookings', bookingOf(first));
    const { page, noise } = await site.open('#/requests/req-4');
    await page.getByRole('button', { name: 'Fail again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fail again like req-4' });
    await dialog.getByLabel('players').check();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Armed as plan-1.').waitFor();
    expect(main().scenarios.plans).toMatchObject([
      {
        scenario: 'cart-problem',
        operation: 'v5.createBooking',
        channel: 'fairway',
        facilityId: 1001,
        match: { players: 2 },
      },
    ]);
    const refused = await site.ask('/api/v5/bookings', bookingOf(other));
    expect(await refused.json()).toEqual(JSON.parse(main().journal.find('req-4')!.responseBody as string));
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('like one that a scenario ended: the same scenario in the same phase', async () => {
    main().scenarios.arm('booking-failed', { phase: 'after-commit' });
    const teeTimes = await site.ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18');
    const [first] = ((await teeTimes.json()) as any).data.teeTimeV3;
    await site.ask('/api/v5/bookings', bookingOf(first));
    const { page } = await site.open('#/requests/req-2', { viewport: { width: 390, height: 800 } });
    await page.getByRole('button', { name: 'Fail again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('facilityId').uncheck();
    await dialog.getByLabel('How often').selectOption('always');
    await dialog.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Armed as plan-2.').waitFor();
    const [, plan] = main().scenarios.plans;
    expect(plan).toMatchObject({ scenario: 'booking-failed', phase: 'after-commit', times: 'always' });
    expect(plan).not.toHaveProperty('facilityId');
    await page.context().close();
  });

  test('is not offered for one that succeeded', async () => {
    await site.ask('/api/v3/countries');
    const { page } = await site.open('#/requests/req-1');
    await expect.poll(() => page.getByRole('button', { name: 'Send again' }).isEnabled()).toBe(true);
    await page.getByText('Rules that decided').waitFor();
    expect(await page.getByRole('button', { name: 'Fail again' }).count()).toBe(0);
    await page.context().close();
  });
});

test('with a frozen clock, a row has the time since the last one', async () => {
  main().clock.freeze();
  await site.ask('/api/v3/countries');
  const { page } = await site.open('#/requests');
  await page.getByRole('columnheader', { name: 'Since last' }).waitFor();
  await page.getByText('1 request', { exact: false }).waitFor();
  for (let sent = 2; sent <= 3; sent += 1) {
    await site.ask('/api/v3/countries');
    await page.getByText(`${sent} requests`).waitFor();
  }
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'req-3:' }) })
    .getByText(/^\+[\d.]+ m?s$/)
    .waitFor();
  main().clock.resume();
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
  await page.context().close();
});

describe('two requests', () => {
  test('a bad one is compared with the good one from its own pane, and both ways', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests/req-7');
    await page.getByRole('link', { name: 'Compare with req-5' }).click();
    const both = page.getByRole('region', { name: 'req-5 and req-7' });
    const cells = (part: string) =>
      both.getByRole('table', { name: part, exact: true }).getByRole('cell').allInnerTexts();
    await both.getByRole('table', { name: 'Decided by' }).waitFor();
    expect((await cells('Decided by')).slice(0, 3)).toEqual([
      'rule',
      'bookings.create',
      main().journal.find('req-7')!.rule,
    ]);
    const body = await cells('Request body');
    expect(body.slice(body.indexOf('players'), body.indexOf('players') + 3)).toEqual(['players', '2', '9']);
    await both.getByText('The same in both: request').waitFor();
    await both.getByRole('region', { name: 'Changes between them' }).getByRole('link', { name: 'req-5' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await both.getByRole('link', { name: 'Swap' }).click();
    await page.getByRole('region', { name: 'req-7 and req-5' }).waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('two that are chosen are compared, by keyboard too', async () => {
    await makeTraffic(site);
    const { page } = await site.open('#/requests', { viewport: { width: 390, height: 800 } });
    const bar = page.getByRole('group', { name: 'Chosen requests' });
    await page.getByRole('link', { name: 'req-9:' }).focus();
    for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key);
    await bar.getByText('2 chosen').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await bar.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('region', { name: 'req-6 and req-8' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.context().close();
  });
});

/** Exports what is chosen, or what the filter shows. */
async function exported(
  page: Page,
  title: string,
  part: 'Chosen requests' | 'all',
): Promise<{ name: string; text: string }> {
  const where = part === 'all' ? page.locator('.toolbar') : page.getByRole('group', { name: part });
  await where.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await where.getByRole('button', { name: new RegExp(`^${title}`) }).click();
  const saved = await download;
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
}

describe('what is exported', () => {
  test('is what the filter shows', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests?status=4xx');
    await page.getByText('3 requests').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('Of these 3 requests').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const har = await exported(page, 'HAR', 'all');
    expect(har.name).toBe('teebox.har');
    const { log } = JSON.parse(har.text);
    expect(log.entries.map(({ _id }: any) => _id)).toEqual(['req-6', 'req-7', 'req-8']);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('is what is chosen: a script that sends the requests again', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests');
    for (const id of ['req-1', 'req-7']) await page.getByLabel(`Choose ${id}:`).check();
    const { name, text } = await exported(page, 'curl script', 'Chosen requests');
    expect(name).toBe('teebox-requests.sh');
    expect(text).toContain('# req-7 was answered with 400');
    const before = main().journal.entries.length;
    await new Promise((done) => execFile('sh', ['-c', text], done));
    const sent = main().journal.entries.slice(before);
    expect(sent.map(({ operation, status, channel }) => [operation, status, channel])).toEqual([
      ['v3.listCountries', 200, 'fairway'],
      ['v5.createBooking', 400, 'fairway'],
    ]);
    expect(sent[1]!.body).toMatchObject({ players: 9 });
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('is, as a capsule, what is chosen with what it needs of the state before', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests');
    await page.getByLabel('Choose req-7:').check();
    const { name, text } = await exported(page, 'Capsule', 'Chosen requests');
    expect(name).toBe('teebox-capsule.json');
    expect(await playCapsule(JSON.parse(text))).toMatchObject({ requests: 1, differences: [] });
    const whole = await exported(page, 'Capsule', 'all');
    expect(await playCapsule(JSON.parse(whole.text))).toMatchObject({ requests: 9, differences: [] });
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('is, as a test, a file that Vitest runs', async () => {
    await makeTraffic(site);
    const { page, noise } = await site.open('#/requests');
    await page.getByLabel('Choose req-7:').check();
    const { name, text } = await exported(page, 'Vitest file', 'Chosen requests');
    expect(name).toBe('req-7.test.ts');
    expect(text).toContain('test("req-7 POST /api/v5/bookings: 400"');
    expect(await outcomeOfTest(name, text)).toBe('passed');
    expect(await outcomeOfTest(name, text.replace('"players":9', '"players":1'))).toBe('failed');
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('says so if the journal has none of it any more', async () => {
    await site.ask('/api/v9/nothing');
    const { page } = await site.open('#/requests');
    await page.getByLabel('Choose req-1:').check();
    main().journal.clear();
    const bar = page.getByRole('group', { name: 'Chosen requests' });
    await bar.getByRole('button', { name: 'Export' }).click();
    await bar.getByRole('button', { name: 'HAR' }).click();
    await page.getByText('None of these requests is in the journal').waitFor();
    await page.context().close();
  });
});

/** Runs a file of Vitest in a folder of this repository, where it finds the package. */
async function outcomeOfTest(name: string, text: string): Promise<'passed' | 'failed'> {
  const root = new URL('../../../..', import.meta.url).pathname;
  const folder = mkdtempSync(join(root, 'node_modules/.exported-'));
  try {
    writeFileSync(join(folder, name), text);
    const run = ['vitest', 'run', '--root', folder, '--config', join(folder, 'none.ts')];
    writeFileSync(join(folder, 'none.ts'), 'export default { test: { include: ["*.test.ts"], exclude: [] } };\n');
    return await new Promise((done) => execFile('npx', run, (error) => done(error ? 'failed' : 'passed')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the journal is cleared', async () => {
  await makeTraffic(site);
  const { page, noise } = await site.open('#/requests');
  await page.getByText('9 requests').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('The journal was cleared.').waitFor();
  await page.getByText('No requests yet').waitFor();
  expect(noise).toEqual([]);
  await page.context().close();
});
