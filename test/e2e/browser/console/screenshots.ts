/**
 * Writes screenshots of the console: every page at three widths in both colour schemes.
 *
 * `npx tsx test/e2e/browser/console/screenshots.ts FOLDER [HASH...]`, after `node build.mjs`.
 *
 * @module
 */
import { mkdirSync } from 'node:fs';
import { pages } from './pages.js';
import { makeCallbacks, makeTraffic } from './traffic.js';
import { startConsole } from './visit.js';

const [folder = 'screenshots', ...chosen] = process.argv.slice(2);
const sizes = [
  [360, 740],
  [1280, 800],
  [2560, 1300],
] as const;

mkdirSync(folder, { recursive: true });
const site = await startConsole();
await makeTraffic(site);
await makeCallbacks(site);
for (const hash of chosen.length > 0 ? chosen : pages) {
  for (const [width, height] of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, noise } = await site.open(hash, { colorScheme, viewport: { width, height } });
      await page.waitForTimeout(600);
      const name = `${hash.replace(/^#\/?/, '').replaceAll(/\W+/g, '-') || 'start'}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: `${folder}/${name}`, fullPage: width < 2000 });
      for (const text of noise) console.error(`${name}: ${text}`);
      await page.context().close();
    }
  }
}
await site.close();
