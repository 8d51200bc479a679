import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackage, type Project } from './project.js';

const guide = readFileSync(new URL('../../../docs/end-to-end.md', import.meta.url), 'utf8');
const section = guide.slice(guide.indexOf('## Playwright\n'), guide.indexOf('## Cypress\n'));
const [spec = ''] = [...section.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);

/** A front end that shows the countries of its service, or the status of a failure. */
const page = `<!doctype html><title>Shop</title><main></main><script type="module">
const api = new URLSearchParams(location.search).get('api');
const headers = { authorization: 'Basic ' + btoa('fairway:not-a-secret-fairway') };
const response = await fetch(api + '/api/v3/countries', { headers });
const text = response.ok ? (await response.json()).data.join() : '<p role="alert">' + response.status + '</p>';
document.querySelector('main').innerHTML = text;
</script>`;

/** Two tests at once that would meet in one world: each arms what the other must not see. */
const apart = `${spec.slice(0, spec.indexOf('test('))}
for (const [scenario, status] of [['rate-limited', '429'], ['server-error', '500']]) {
  test(scenario, async ({ page, world }) => {
    await world.admin.arm(scenario, { times: 'always' });
    await page.goto('/?api=' + encodeURIComponent(world.baseUrl));
    await expect(page.getByRole('alert')).toHaveText(status);
    expect(await world.admin.plans()).toHaveLength(1);
  });
}
test('nothing is armed', async ({ page, world }) => {
  await page.goto('/?api=' + encodeURIComponent(world.baseUrl));
  await expect(page.getByRole('main')).toContainText('Spain');
});
`;

let project: Project;
let site: Server;
beforeAll(async () => {
  project = await installPackage('@playwright/test', 'typescript', '@types/node');
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
  await once(site.listen(0, '127.0.0.1'), 'listening');
}, 300_000);
afterAll(() => {
  site?.close();
  project?.remove();
});

test('the guide: tests of a page in Chromium, each with a world of its own', async () => {
  const executablePath = process.env['TEEBOX_CHROMIUM'] ?? '/usr/bin/chromium';
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const baseURL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const more = { baseURL, launchOptions: { executablePath, args } };
  project.write({
    'playwright.config.ts': `export default ${JSON.stringify({ fullyParallel: true, workers: 2, use: more })};`,
    'booking.spec.ts': spec,
    'apart.spec.ts': apart,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        skipLibCheck: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: 'ES2022',
        lib: ['ES2023', 'DOM'],
        types: ['node'],
        module: 'nodenext',
      },
      include: ['*.ts'],
    }),
  });
  expect(await project.run('tsc', '-p', '.')).toEqual({ code: 0, output: '' });
  const { code, output } = await project.run('teebox', 'exec', '--', 'npx', 'playwright', 'test', '--reporter=line');
  expect(output).toContain('4 passed');
  expect(code).toBe(0);
}, 300_000);
