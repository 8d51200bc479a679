import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import adminContract from '../../../../src/contract/generated/built/admin-openapi.json' with { type: 'json' };
import contract from '../../../../src/contract/generated/built/openapi.json' with { type: 'json' };
import { axeFindings, clipboard, type ConsoleSite, startConsole, type Visit } from './visit.js';

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site?.close());

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: object;
}

const operationsOf = ({ paths }: { readonly paths: object }): Operation[] =>
  Object.values(paths).flatMap((item: Record<string, Operation>) =>
    Object.values(item).filter(({ operationId }) => operationId !== undefined),
  );

const idsOf = (document: { readonly paths: object }): string[] =>
  operationsOf(document).map(({ operationId }) => operationId!);

/** The last operation of each tag, with and without a body. */
const oneOfAKind = (document: { readonly paths: object }): string[] => [
  ...new Map(
    operationsOf(document).map(({ tags, requestBody, operationId }) => [`${tags} ${!requestBody}`, operationId!]),
  ).values(),
];

async function openOperation(page: Page, of: string, id: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), `#/reference/${of}/${id}`);
  await page.locator('.operation').waitFor();
}

/** Presses Send; gives back the status, and the text of the body. */
async function send(page: Page): Promise<[status: string, text: string]> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const seen = page.getByRole('region', { name: 'Response', exact: true });
  await page.getByText(/The response has the status/).waitFor();
  return [await seen.locator('.badge').first().innerText(), await seen.locator('pre').innerText()];
}

/** Worlds whose facilities, tee times and clocks differ: no value of an example may come from the contract alone. */
const worlds = [
  ['the default world', {}],
  ['another world in winter', { seed: 77, now: '2027-01-15T22:30:00Z' }],
] as const;

describe.each(worlds)('in %s', (_, options) => {
  let here: ConsoleSite;
  let visit: Visit;
  beforeAll(async () => {
    here = await startConsole(options);
    visit = await here.open('#/reference');
  });
  afterAll(() => here?.close());

  test.each(idsOf(contract))('%s succeeds with the values that are filled in', async (id) => {
    const { page, noise } = visit;
    await openOperation(page, 'api', id);
    const first = page.getByRole('button', { name: /^Book (a tee time|two tee times)$/ });
    if (await first.isVisible()) {
      await first.click();
      await first.waitFor({ state: 'detached' });
    }
    const examples = page.getByLabel('Example', { exact: true });
    const names = (await examples.count()) === 0 ? [''] : await examples.locator('option').allInnerTexts();
    for (const name of names) {
      if (name !== '') await examples.selectOption(name);
      const [status, text] = await send(page);
      expect([name, status, text]).toEqual([name, '200', expect.stringContaining('"success": true')]);
    }
    expect(noise.splice(0)).toEqual([]);
  });
});

describe('an operation of each kind', () => {
  const all = [
    ...oneOfAKind(contract).map((id) => ['api', id]),
    ...oneOfAKind(adminContract).map((id) => ['admin', id]),
  ];

  test('open with everything in it, axe finds nothing, in light and dark by turns', async () => {
    const { page, noise } = await site.open('#/reference');
    for (const [index, [of, id]] of all.entries()) {
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await openOperation(page, of!, id!);
      await page.locator('.operation summary').evaluateAll((summaries) => {
        // The first example of a response stands for the others: they are JSON in the same colours.
        const isExample = (one: Element): boolean => one.textContent!.startsWith('Example ');
        const first = summaries.find(isExample);
        for (const one of summaries) if (one === first || !isExample(one)) (one as HTMLElement).click();
      });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      expect([id, await axeFindings(page, '.operation')]).toEqual([id, []]);
    }
    expect(await axeFindings(page)).toEqual([]);
    expect(noise).toEqual([]);
    await page.context().close();
  });

  test('opens without its schemas and examples, which are drawn when they are opened', async () => {
    const { page } = await site.open('#/reference');
    const elements = (): Promise<number> => page.locator('.operation *').count();
    for (const [of, id] of [
      ['api', 'v5.createBooking'],
      ['admin', 'replaceState'],
    ] as const) {
      await openOperation(page, of, id);
      const closed = await elements();
      await page.locator('.operation summary').evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
      await expect.poll(elements).toBeGreaterThan(closed * 1.5);
    }
    await page.context().close();
  });
});

test('sends the credentials of the chosen channel, or none', async () => {
  const { page } = await site.open('#/reference/api/v3.listCountries');
  await page.getByLabel('Channel').selectOption('links');
  const sent = page.waitForRequest(/\/api\/v3\/countries/);
  expect(await send(page)).toEqual(['200', expect.stringContaining('"success": true')]);
  const [username] = atob((await (await sent).headerValue('authorization'))!.slice('Basic '.length)).split(':');
  const { username: wanted } = site.worlds.main.credentials().find(({ name }) => name === 'links')!;
  expect(username).toBe(wanted);
  await page.getByText('Credentials and headers').click();
  await page.getByLabel('Credentials', { exact: true }).selectOption('None');
  expect(await send(page)).toEqual(['401', expect.stringContaining('"success": false')]);
  await page.getByRole('link', { name: 'Why this response' }).click();
  await page.getByRole('heading', { name: 'Rules that decided' }).waitFor();
  await page.context().close();
});

test('what comes late for a channel of before leaves the operation of the chosen one there', async () => {
  const { page } = await site.open();
  const first = site.worlds.main.credentials()[0]!.name;
  let release = (): void => {};
  const late = new Promise<void>((resolve) => (release = resolve));
  const isOfFirst = ({ searchParams, pathname }: URL) =>
    pathname.endsWith('/bookings') && searchParams.get('channel') === first;
  await page.route(isOfFirst, async (route) => {
    await late;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => isOfFirst(new URL(request.url())));
  await page.evaluate(() => (location.hash = '#/reference/api/v3.listCountries'));
  await asked;
  await page.getByLabel('Channel').selectOption('links');
  await page.locator('.operation').waitFor();
  const answered = page.waitForResponse((response) => isOfFirst(new URL(response.url())));
  release();
  await (await answered).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(await send(page)).toEqual(['200', expect.stringContaining('"success": true')]);
  await page.context().close();
});

test('an edited body and further headers are sent and copied, and the example comes back', async () => {
  const { page } = await site.open('#/reference/api/v5.createBooking');
  const body = page.getByLabel('Body', { exact: true });
  const example = await body.inputValue();
  await body.fill('{"players": 9}');
  await page.getByText('Credentials and headers').click();
  await page.getByLabel(/Further headers/).fill('Teebox-Scenario: rate-limited');
  expect((await send(page))[0]).toBe('429');
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  expect(await clipboard(page)).toContain(`-H 'Teebox-Scenario: rate-limited' --data-raw '{"players": 9}'`);
  await page.getByRole('button', { name: 'Restore the example' }).click();
  expect(await body.inputValue()).toBe(example);
  await page.context().close();
});

test('after a refresh, its access token can be sent', async () => {
  const { page } = await site.open('#/reference/api/refreshToken');
  const [, text] = await send(page);
  const { access_token: token } = JSON.parse(text).data;
  await openOperation(page, 'api', 'v4.listBookings');
  await page.getByText('Credentials and headers').click();
  await page.getByLabel('Credentials', { exact: true }).selectOption('Access token of the last refresh');
  const sent = page.waitForRequest(/\/api\/v4\/bookings/);
  expect((await send(page))[0]).toBe('200');
  expect(await (await sent).headerValue('authorization')).toBe(`Bearer ${token}`);
  await page.context().close();
});

test('shows the admin API, and asks this world', async () => {
  const { page, noise } = await site.open('#/reference', { world: 'run-7' });
  await page.getByLabel('Document').selectOption('The admin API');
  await page.getByRole('link', { name: /GET\s*\/__admin\/clock(?!\/)/ }).click();
  const sent = page.waitForRequest((request) => request.url().endsWith('/__admin/clock'));
  expect(await send(page)).toEqual(['200', expect.stringContaining('"running"')]);
  expect(new URL((await sent).url()).pathname).toBe('/w/run-7/__admin/clock');
  expect(noise).toEqual([]);
  await page.context().close();
});

test('a stream of events is shown as it comes, until it is stopped', async () => {
  const { page } = await site.open('#/reference/admin/followEvents');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('the journal of the sandbox').waitFor();
  await site.ask('/api/v3/countries');
  await page.getByText('event: answered').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The response has the status 200.').waitFor({ state: 'attached' });
  await page.context().close();
});

test('by keyboard: find an operation, open it, send it', async () => {
  const { page } = await site.open('#/reference');
  await page.getByLabel('Find an operation').focus();
  await page.keyboard.type('v3 countries');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.operation').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('operation-title');
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await page.getByText('The response has the status 200.').waitFor({ state: 'attached' });
  await page.context().close();
});

test('no other page loads the documents', async () => {
  const { page } = await site.open('#/start');
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((name) => name.includes('openapi'))).toEqual([]);
  await page.context().close();
});
