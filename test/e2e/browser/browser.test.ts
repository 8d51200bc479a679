import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corpus } from '../../support/msw/corpus.js';
import type { Sent } from '../../support/msw/play.js';
import { answersOfServer, asOnServer } from '../../support/msw/server.js';
import { startChromium } from './chromium.js';
import type { Day } from './page.js';
import { type Site, startSite } from './site.js';

let requests: readonly Sent[];
let browser: Browser;
let site: Site;
beforeAll(async () => {
  requests = await corpus();
  browser = await startChromium();
  site = await startSite({ requests, options: asOnServer });
});
afterAll(async () => {
  site?.close();
  await browser?.close();
});

/** What came of a deed of the page, which does it as it is loaded. */
async function visit(deed: 'day' | 'replay' | 'code' | 'example'): Promise<Awaited<Window['result']>> {
  const page = await browser.newPage();
  try {
    await page.goto(`${site.url}?${deed}`);
    return await page.evaluate(() => window.result);
  } finally {
    await page.close();
  }
}

describe('in Chromium, under a strict policy', () => {
  test("a partner's day", async () => {
    const { result, violations } = await visit('day');
    const day = result as Day;
    expect(day.tokens).toMatchObject({ access_token: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(day.teeTimes).toBeGreaterThan(10);
    expect(day.booked).toMatch(/^TBX-/);
    expect(day.listed).toContain(day.booked);
    expect(day.struck).toEqual([400, { success: false, message: expect.any(String) }, 1]);
    expect(day.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
    expect(day.posted).toEqual([JSON.parse(day.deliveries[0]!.body!)]);
    expect(violations).toEqual([]);
  });

  test('the example of the guide', async () => {
    expect(await visit('example')).toEqual({ result: true, violations: [] });
  });

  test('code made at run time is refused, so the policy holds', async () => {
    expect(await visit('code')).toEqual({ result: 'EvalError', violations: ['script-src'] });
  });

  test('every operation, good and bad, gets the bytes of the server', async () => {
    const want = await answersOfServer(requests);
    const { result: got } = await visit('replay');
    expect(got).toEqual(want);
  });
});
