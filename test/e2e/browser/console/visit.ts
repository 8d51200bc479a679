import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { serve, type ServeOptions } from '../../../../src/cli/server.js';
import type { Sandbox } from '../../../../src/engine/options.js';
import { createWorlds, type Worlds } from '../../../../src/engine/create.js';
import type { WorldsOptions } from '../../../../src/engine/worlds.js';
import { startChromium } from '../chromium.js';

/** A page of the console, and what it complained of. */
export interface Visit {
  readonly page: Page;
  /** Messages of errors and warnings, violations of the policy included. Empty at the end of a good visit. */
  readonly noise: string[];
}

export interface ConsoleSite {
  /** The base URL of the main world. */
  readonly url: string;
  readonly worlds: Worlds;
  readonly browser: Browser;
  /** Opens the console at an address such as `#/requests`, in a browser context of its own. */
  open(hash?: string, options?: BrowserContextOptions & { readonly world?: string }): Promise<Visit>;
  /** Calls the service as a partner does: with the Basic credentials of a channel. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Ends the server, and leaves the browser. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server and a browser. Tests close it. */
export async function startConsole(
  options: WorldsOptions = {},
  served: Pick<ServeOptions, 'adminToken' | 'admin' | 'hostname'> = {},
): Promise<ConsoleSite> {
  const clock = options.now === undefined ? { clock: () => Date.now() } : {};
  const worlds = await createWorlds({ ...clock, version: '1.2.3', ...options });
  const site = await startSite(worlds, served);
  const { username, password } = worlds.main.channels[0]!;
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  return {
    ...site,
    worlds,
    ask: (path, init = {}) => fetch(`${site.url}${path}`, { ...init, headers: { authorization, ...init.headers } }),
  };
}

/** Serves a sandbox, and starts a browser. */
export async function startSite(
  sandbox: Pick<Sandbox, 'handle'>,
  served: Pick<ServeOptions, 'adminToken' | 'admin' | 'hostname'> = {},
): Promise<Omit<ConsoleSite, 'worlds' | 'ask'>> {
  const [server, browser] = await Promise.all([serve(sandbox, { port: 0, ...served }), startChromium()]);
  return {
    url: server.url,
    browser,
    open: (hash = '', { world, ...rest } = {}) =>
      visit(browser, `${server.url}${world === undefined ? '' : `/w/${world}`}/__admin/${hash}`, rest),
    stop: () => server.close(),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function visit(browser: Browser, url: string, options: BrowserContextOptions): Promise<Visit> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ permissions, reducedMotion: 'reduce', ...options });
  // A busy machine makes a test slow, and never red.
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noise.push(message.text());
  });
  await page.goto(url);
  await page.locator('h1').first().waitFor();
  return { page, noise };
}

/** What axe finds on a page, or on a part of it: rules with the elements that break them. */
export async function axeFindings(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (selector) => {
    const { violations } = await (window as any).axe.run(selector);
    return violations.flatMap(({ id, nodes }: any) => nodes.map(({ html }: any) => `${id}: ${html}`));
  }, part);
}

/** What a copy button put into the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Copies a call by the menu of a page, or of a dialog: the one whose title, method and path begin so. */
export async function copiedCurl(page: Page, name: string, part: Page | Locator = page): Promise<string> {
  await part.getByRole('button', { name: 'as curl', exact: true }).click();
  await part.locator('.menu-list').getByRole('button', { name }).click();
  await page.getByText('Copied as curl:').last().waitFor();
  return clipboard(page);
}
