import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type ConsoleSite, startConsole, type Visit } from './visit.js';

export const DATE = '2030-06-11';
export const SHEET = `#/tee-sheet/1001?date=${DATE}`;

/** A site for the tests of a file, reset before each, and one page on which a person acts. */
export function siteOfFile(ready = 'main .card'): {
  readonly site: () => ConsoleSite;
  readonly at: (hash: string, act: (page: Page, noise: string[]) => Promise<void>) => Promise<void>;
} {
  let site: ConsoleSite;
  let visit: Visit;
  beforeAll(async () => {
    site = await startConsole({ now: '2030-06-03T08:00:00Z' });
    visit = await site.open();
  });
  beforeEach(() => site.worlds.main.reset());
  afterAll(() => site?.close());
  return {
    site: () => site,
    at: async (hash, act) => {
      const { page, noise } = visit;
      await page.evaluate((to) => (location.hash = to), hash);
      await page.reload();
      await page.locator(ready).first().waitFor();
      noise.length = 0;
      await act(page, noise);
    },
  };
}

/** The line of a tee time. */
export function line(page: Page, hour: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${hour}`) }) });
}

export const free = (page: Page, hour: string): Locator => line(page, hour).getByRole('button', { name: /^Free/ });

/** The tee times of the day that channels see, with their free slots. */
export async function seenBy({ ask }: ConsoleSite): Promise<any[]> {
  const day = DATE.split('-').reverse().join('-');
  const reply = await ask(`/api/v4/teetimes/1001?bookingDate=${day}&players=1&holes=18`);
  return ((await reply.json()) as any).data.teeTimeV3;
}
