/**
 * Writes the film strip of docs/console: every view of the console at 1440 pixels, light and dark, and at 390.
 *
 * `npx tsx test/e2e/browser/console/film-strip.ts [VIEW...]`, after `node build.mjs`. Please look at every picture.
 *
 * @module
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { type Certifying, logIn, startCertification } from './certifying.js';
import { makeCallbacks, makeTraffic } from './traffic.js';
import { startConsole } from './visit.js';

const FOLDER = 'docs/console';

/** The height of a strip in pixels, its quality, and the space between its pictures. */
const [HEIGHT, QUALITY, GAP] = [640, 60, 12];

const shots = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 900, colorScheme: 'light' },
] as const;

interface View {
  readonly hash: string;
  readonly title: string;
  /** The console, if it is not the usual one. */
  readonly of?: Certifying['site'];
  /** What is done before the picture. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const site = await startConsole({ now: '2030-06-03T08:00:00Z' });
const certifying = await startCertification([
  'happy-day',
  'token-expired',
  'booking-answer-lost',
  'rate-limited',
  'callback-late',
]);
const capsule = async () => ({
  name: 'capsule.json',
  mimeType: 'application/json',
  buffer: Buffer.from(await (await fetch(`${site.url}/__admin/capsule`)).arrayBuffer()),
});

const views: Readonly<Record<string, View>> = {
  start: { hash: '#/start', title: 'Start' },
  'tee-sheet': { hash: '#/tee-sheet/1001?date=2030-06-11', title: 'A day of a course' },
  book: {
    hash: '#/tee-sheet/1001?date=2030-06-11',
    title: 'Book as a channel, with a failure',
    act: (page) => page.getByRole('button', { name: /^Free/ }).nth(20).click(),
  },
  'find-a-tee-time': {
    hash: '#/tee-sheet/found?date=2030-06-08&players=4',
    title: 'Four free slots on Saturday, anywhere',
    act: (page) => page.getByText(/like that\.$/).waitFor(),
  },
  bookings: { hash: '#/bookings', title: 'Bookings' },
  scenarios: { hash: '#/scenarios/payment-pi-failed', title: 'The way of a booking, and where a scenario ends it' },
  chaos: { hash: '#/scenarios?view=chaos', title: 'Chaos' },
  requests: { hash: '#/requests', title: 'Requests, and why' },
  request: { hash: '#/requests/req-6', title: 'A request and the rules that decided it' },
  compare: { hash: '#/requests/req-4/req-7', title: 'Two requests compared' },
  replay: {
    hash: '#/requests',
    title: 'A capsule, step by step',
    async act(page) {
      await page.getByLabel('Open a file').setInputFiles(await capsule());
      await page.locator('#step-4').click();
      await page.getByText('This step changed 1 tee time.').waitFor();
    },
  },
  callbacks: { hash: '#/callbacks/callback-2', title: 'Callbacks' },
  clock: { hash: '#/clock', title: 'Clock' },
  dialect: { hash: '#/dialect/payment.method', title: 'Dialect' },
  state: { hash: '#/state', title: 'State' },
  reference: { hash: '#/reference/api/v4.listTeeTimes', title: 'API reference' },
  certification: { hash: '#/certification', title: 'Certification' },
  certifying: {
    hash: '#/certification/requests.documented-parameters',
    title: 'A certification in progress',
    of: certifying.site,
    act: (page) => page.getByText('Expected').waitFor(),
  },
  'go-to': {
    hash: '#/start',
    title: 'Go to anything',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('payment');
      await page.getByRole('option').nth(5).waitFor();
    },
  },
  documentation: { hash: '#/docs/failures', title: 'Documentation' },
  explore: {
    hash: '#/conformance',
    title: 'Walks through this world, as they run',
    async act(page) {
      await page.getByRole('button', { name: 'Explore' }).click();
      await page.getByRole('heading', { name: 'The last walk' }).waitFor();
    },
  },
  report: {
    hash: '#/conformance',
    title: 'The report of the walks',
    async act(page) {
      await page.getByLabel('Walks').fill('2');
      await page.getByRole('button', { name: 'Explore' }).click();
      await page.getByRole('heading', { name: 'No finding' }).waitFor();
    },
  },
};

/** A view at each size, one beside the other. */
async function stripOf(browser: Browser, { hash, act, of = site }: View): Promise<Buffer> {
  const pictures: string[] = [];
  for (const { width, height, colorScheme } of shots) {
    const { page } = await of.open(hash, { colorScheme, viewport: { width, height } });
    await page.locator('.loading').waitFor({ state: 'detached' });
    await act?.(page);
    await page.waitForTimeout(500);
    pictures.push((await page.screenshot()).toString('base64'));
    await page.context().close();
  }
  const page = await browser.newPage({ viewport: { width: 3000, height: HEIGHT } });
  const images = pictures.map((one) => `<img height="${HEIGHT}" src="data:image/png;base64,${one}">`).join('');
  await page.setContent(`<body style="margin:0"><div style="display:inline-flex;gap:${GAP}px">${images}</div></body>`);
  const { width } = (await page.locator('div').boundingBox())!;
  const devTools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height: HEIGHT, scale: 1 };
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  await page.context().close();
  return Buffer.from(data, 'base64');
}

const chosen = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
await makeTraffic(site, "O'Hara");
await makeCallbacks(site);
for (const one of certifying.environments.slice(0, 2)) {
  const read = await logIn(one);
  await read('/api/v3/countries');
  if (one === certifying.environments[0]) await read('/api/v3/countries?sort=name');
}
for (const [name, view] of Object.entries(views)) {
  if (chosen.length === 0 || chosen.includes(name))
    writeFileSync(`${FOLDER}/${name}.webp`, await stripOf(site.browser, view));
}
for (const file of readdirSync(FOLDER))
  if (file.endsWith('.webp') && !(file.slice(0, -'.webp'.length) in views)) rmSync(`${FOLDER}/${file}`);
const strips = Object.entries(views).map(([name, { title }]) => `## ${title}\n\n![${title}](${name}.webp)\n`);
writeFileSync(
  `${FOLDER}/README.md`,
  `# The console in pictures

The views of the web console: light, dark, and on a phone. \`npx tsx test/e2e/browser/console/film-strip.ts\` takes these
pictures.

${strips.join('\n')}`,
);
await certifying.end();
await Promise.all([site.close(), certifying.site.close()]);
