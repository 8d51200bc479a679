import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scenarios } from '../../../../src/contract/generated/scenarios.js';
import { bookingOf, HOSTILE } from './traffic.js';
import { axeFindings, clipboard, type ConsoleSite, startConsole } from './visit.js';

const own = {
  ...scenarios.find(({ id }) => id === 'server-error')!,
  id: 'own-outage',
  title: HOSTILE,
  means: HOSTILE,
  after: { 'before-commit': HOSTILE },
};
let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole({ ownScenarios: [own] });
});
afterAll(() => site?.close());
beforeEach(() => site.worlds.main.reset());

const countries = () => site.ask('/api/v3/countries');

async function book(): Promise<Response> {
  const found = await site.ask('/api/v4/teetimes/1001?bookingDate=11-06-2030&players=2&holes=18');
  const { data } = (await found.json()) as any;
  return site.ask('/api/v5/bookings', bookingOf(data.teeTimeV3[0]));
}

describe('a scenario', () => {
  test('is found, armed by a click, strikes a booking before the eyes, and is removed', async () => {
    const { page, noise } = await site.open('#/scenarios');
    await page.getByText('Nothing is armed').waitFor();
    await page.getByLabel('Filter').fill('first payment');
    const list = page.getByRole('navigation', { name: 'Scenarios' });
    expect(await list.locator('li code').allTextContents()).toEqual(['payment-pi-failed']);
    await list.getByRole('link', { name: /payment-pi-failed/ }).click();
    await page.getByLabel('How often').selectOption('Several times');
    await page.getByLabel('Times', { exact: true }).fill('2');
    await page.getByLabel('Channel').selectOption('fairway');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    const plan = page.getByRole('listitem', { name: 'plan-1: payment-pi-failed' });
    await plan.getByText('channel=fairway').waitFor();
    await page.evaluate(() => ((window as any).still = true));
    const response = await book();
    expect([response.status, response.headers.get('teebox-scenario')]).toEqual([400, 'payment-pi-failed; source=plan']);
    await plan.getByText('1 of 2').waitFor();
    await list.getByText('1 armed').waitFor();
    expect((await book()).status).toBe(400);
    await plan.getByText('2 of 2').waitFor();
    await plan.getByText('spent').waitFor();
    expect((await book()).status).toBe(200);
    await plan.getByRole('button', { name: 'Remove' }).click();
    await plan.waitFor({ state: 'detached' });
    expect(site.worlds.main.scenarios.plans).toEqual([]);
    expect(await page.evaluate(() => (window as any).still)).toBe(true);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('shows why requests came near its plan, also of plans that others armed', async () => {
    const { page } = await site.open('#/scenarios');
    site.worlds.main.scenarios.arm('rate-limited', { channel: 'links', times: 'always' });
    site.worlds.main.scenarios.arm('slow', { match: { country: '`x`' } });
    await countries();
    await countries();
    const plan = page.getByRole('listitem', { name: 'plan-1: rate-limited' });
    await plan.getByText('channel is fairway, not links').waitFor();
    await plan.getByText('2 times, last').waitFor();
    expect(await plan.getByRole('link', { name: 'req-2' }).getAttribute('href')).toBe('#/requests/req-2');
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('Nothing is armed').waitFor();
    await page.context().close();
  });

  test('all options reach the plan, and a refused one says why', async () => {
    const { page } = await site.open('#/scenarios/payment-pi-failed');
    await page.getByRole('button', { name: 'After the commit' }).click();
    await page.getByText('The booking is complete and in every list').waitFor();
    await page.getByLabel('How often').selectOption('Every time');
    await page.getByLabel('Operation').selectOption('v5.createBooking');
    await page.getByLabel('Facility').fill('1001');
    await page.getByLabel('Booking of a group').fill('1');
    await page.getByLabel('Let pass first').fill('3');
    await page.getByText('More conditions').click();
    await page.getByLabel('Delay').fill('uniform(1ms,9ms)');
    await page.getByLabel('Probability').fill('0.5');
    await page.getByLabel('Expires after').fill('10m');
    await page.getByLabel('Match').fill('{"players":');
    const arm = page.getByRole('button', { name: 'Arm', exact: true });
    expect(await arm.isDisabled()).toBe(true);
    await page.getByText('Write a JSON object').waitFor();
    await page.getByLabel('Match').fill('{"players":2}');
    await arm.click();
    await page
      .getByRole('listitem', { name: /^plan-1/ })
      .getByText(/^Expires in/)
      .waitFor();
    expect(site.worlds.main.scenarios.plans).toMatchObject([
      {
        scenario: 'payment-pi-failed',
        phase: 'after-commit',
        times: 'always',
        operation: 'v5.createBooking',
        facilityId: 1001,
        item: 1,
        delay: { uniform: [1, 9] },
        after: 3,
        probability: 0.5,
        ttl: 600,
        match: { players: 2 },
      },
    ]);
    await page.getByLabel('Facility').fill('7');
    await arm.click();
    await page.getByRole('alert').getByText('There is no facility 7').waitFor();
    expect(site.worlds.main.scenarios.plans).toHaveLength(1);
    await page.context().close();
  });

  test('is written as a command, a header and code, which follow the form', async () => {
    const { page } = await site.open('#/scenarios/payment-pi-failed');
    await page.getByLabel('How often').selectOption('Several times');
    await page.getByLabel('Times', { exact: true }).fill('2');
    await page.getByText('More conditions').click();
    await page.getByLabel('Delay').fill('uniform(100ms, 900ms)');
    await page.getByRole('button', { name: 'After the commit' }).click();
    const options = `{ phase: 'after-commit', times: 2, delay: { uniform: [100, 900] } }`;
    const text = 'payment-pi-failed; phase=after-commit; delay=uniform(100ms,900ms)';
    const body = '{"scenario":"payment-pi-failed","phase":"after-commit","times":2,"delay":{"uniform":[100,900]}}';
    const copied: readonly [tab: string, name: string, code: string][] = [
      [
        'curl',
        'the curl command',
        `curl ${site.url}/__admin/plans -H 'Content-Type: application/json' --data-raw '${body}'`,
      ],
      ['Header', 'the header', `Teebox-Scenario: ${text}`],
      ['TypeScript', 'the line of TypeScript', `sandbox.scenarios.arm('payment-pi-failed', ${options});`],
      [
        'TypeScript',
        'the line with the admin client',
        `await createAdmin('${site.url}').arm('payment-pi-failed', ${options});`,
      ],
      ['Command line', 'the command line', `teebox serve --scenario '${text}'`],
    ];
    for (const [tab, name, code] of copied) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      expect(await clipboard(page)).toBe(code);
    }
    await page.getByRole('button', { name: 'Copy the name' }).click();
    expect(await clipboard(page)).toBe('PAYMENT-PI-FAILED');
    await page.getByText('Facility First Payment Failed Golf Club').waitFor();
    await page.context().close();
  });

  test('is drawn on the way of a booking, by phase', async () => {
    const { page } = await site.open('#/scenarios/server-error');
    const places = () => page.getByRole('list', { name: 'The way of a booking' }).locator('> li').allInnerTexts();
    const struck = async () => (await places()).flatMap((text, at) => (text.includes('triggered here') ? [at] : []));
    await page.getByRole('list', { name: 'The way of a booking' }).waitFor();
    expect([await struck(), (await places()).length]).toEqual([[0], 7]);
    expect((await places())[5]).toContain('not reached');
    await page.getByRole('button', { name: 'After the commit' }).click();
    expect(await struck()).toEqual([6]);
    expect((await places())[5]).toContain('passed');
    await page.getByText('The request takes effect, but the response reports a failure.').waitFor();
    await page.getByRole('link', { name: 'Another channel books first' }).click();
    await page.getByRole('heading', { name: 'Another channel books first' }).waitFor();
    expect(await struck()).toEqual([3]);
    expect((await places())[5]).toContain('depends on the change');
    await page.context().close();
  });

  test('of others stays text, and an unknown one says so', async () => {
    const { page, noise } = await site.open('#/scenarios/own-outage');
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await page.title()).toBe('Scenarios · Teebox');
    expect(await page.content()).not.toContain(HOSTILE);
    await page.goto(`${site.url}/__admin/#/scenarios/%3Cb%3E`);
    await page.getByText('There is no scenario “<b>”.').waitFor();
    expect(noise).toEqual([]);
    await page.context().close();
  });
});

describe('chaos', () => {
  test('chaos is started, strikes, and is stopped', async () => {
    const { page } = await site.open('#/scenarios?view=chaos');
    await page.getByLabel('Percent of the requests').fill('100');
    await page.getByLabel('Seed').fill('7');
    await page.getByText('Draw from all that have a weight').click();
    await page.getByLabel('rate-limited').check();
    const curl = await page.getByLabel('the curl command').textContent();
    expect(curl).toContain(`'{"rate":"100%","seed":7,"only":["rate-limited"]}'`);
    await page.getByRole('button', { name: 'Start chaos' }).click();
    const card = page.getByRole('region', { name: 'Chaos' });
    await card.getByText('100 % of the requests').waitFor();
    expect((await countries()).status).toBe(429);
    const struck = card.locator('dl > div', { hasText: 'Triggered' }).locator('dd');
    await expect.poll(() => struck.textContent()).toBe('1');
    await card.getByRole('button', { name: 'Stop chaos' }).click();
    await card.getByText('off', { exact: true }).waitFor();
    expect((await countries()).status).toBe(200);
    await page.context().close();
  });
});

test('by keyboard alone: filter, choose with arrows, arm', async () => {
  const { page } = await site.open('#/scenarios');
  const filter = page.getByLabel('Filter');
  await filter.focus();
  await page.keyboard.type('503');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The service is down for maintenance' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  for (let presses = 0; presses < 40 && (await focused()) !== 'Arm'; presses += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('listitem', { name: 'plan-1: maintenance' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.context().close();
});

test('on a narrow screen, list and details take turns, and the focus goes along', async () => {
  const { page } = await site.open('#/scenarios', { viewport: { width: 360, height: 740 } });
  const link = page.getByRole('link', { name: /server-error/ });
  await link.click();
  await page.getByRole('heading', { name: 'The service has an internal error' }).waitFor();
  expect(await link.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('scenario-detail');
  await page.getByRole('link', { name: 'All scenarios' }).click();
  expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.context().close();
});
