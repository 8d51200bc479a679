import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from './chromium.js';

const root = new URL('../../..', import.meta.url).pathname;
const viteCli = join(root, 'node_modules/vite/bin/vite.js');
const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');

/** The project of docs/front-ends.md, as a partner has it: with the packages installed and the worker in `public`. */
function makeProject(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'teebox-vite-')));
  cpSync(join(root, 'test/examples/vite'), folder, { recursive: true });
  cpSync(worker, join(folder, 'public/mockServiceWorker.js'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/teebox'));
  symlinkSync(join(root, 'node_modules/msw'), join(folder, 'node_modules/msw'));
  return folder;
}

let folder: string;
let server: ViteDevServer;
let browser: Browser;
beforeAll(async () => {
  folder = makeProject();
  const served = { host: '127.0.0.1', port: 0, fs: { allow: [folder, root] } };
  server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: served });
  await server.listen();
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

describe('a page on its own origin, with Vite', () => {
  test('the sandbox answers its calls, and Vite its files', async () => {
    const page = await browser.newPage();
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(server.resolvedUrls!.local[0]!);
    await page.waitForSelector('li');
    expect(await page.locator('li').allTextContents()).toContain('the Netherlands');
    const shown = await page.evaluate(async () => {
      const own = await fetch('/images/hero.svg');
      const drawn = await fetch('/images/1001/logo.svg');
      const health = await fetch('/__admin/health');
      return { own: await own.text(), drawn: await drawn.text(), health: (await health.json()) as unknown };
    });
    expect(shown.own).toBe(readFileSync(join(folder, 'public/images/hero.svg'), 'utf8'));
    expect(shown.drawn).toMatch(/^<svg /);
    expect(shown.health).toMatchObject({ status: 'ok' });
    expect(await page.locator('#hero').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(16);
    expect(failed).toEqual([]);
    await page.close();
  });

  test('its production build contains no sandbox', async () => {
    // In a process of its own, since the test runner sets NODE_ENV.
    const env = { ...process.env, NODE_ENV: undefined };
    await promisify(execFile)(process.execPath, [viteCli, 'build'], { cwd: folder, env });
    const assets = readdirSync(join(folder, 'dist/assets'));
    const scripts = assets.filter((name) => name.endsWith('.js'));
    expect(scripts).toHaveLength(1);
    const code = readFileSync(join(folder, 'dist/assets', scripts[0]!), 'utf8');
    expect(code).toContain('/api/v3/countries');
    expect(code.length).toBeLessThan(5000);
  });
});
