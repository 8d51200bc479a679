import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { basic } from '../../support/credentials.js';
import { Client, NOW } from '../../support/client.js';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { startChromium } from './chromium.js';

const firefox = process.env['TEEBOX_FIREFOX'] ?? '/usr/bin/firefox-esr';

/** Each browser opens a page and leaves it open until the test has what the page reports. */
const browsers: readonly [name: string, isThere: boolean, open: (url: string) => Promise<() => Promise<void>>][] = [
  [
    'Chromium',
    true,
    async (url) => {
      const browser = await startChromium();
      await (await browser.newPage()).goto(url);
      return () => browser.close();
    },
  ],
  [
    'Firefox',
    existsSync(firefox),
    async (url) => {
      const profile = mkdtempSync(join(tmpdir(), 'teebox-firefox-'));
      const process = spawn(firefox, ['--headless', '--no-remote', '--profile', profile, url], { stdio: 'ignore' });
      return async () => {
        const ended = new Promise((resolve) => process.once('exit', resolve));
        process.kill();
        await ended;
        rmSync(profile, { recursive: true, force: true });
      };
    },
  ],
];

/** A booking page: it looks at a list first, so that it has a connection to use again, and books. */
const PAGE = `<!doctype html><title>Shop</title><script type="module">
for (;;) {
  const { api, headers, body, more } = await (await fetch('/next', { method: 'POST' })).json();
  if (!api) break;
  for (let turn = 0; turn < 3; turn += 1) await (await fetch(api + '/api/v3/countries', { headers })).text();
  const init = { method: 'POST', headers: { ...headers, ...more, 'content-type': 'application/json' }, body };
  const outcome = await fetch(api + '/api/v5/bookings', init).then(({ status }) => status, ({ name }) => name);
  await fetch('/outcome', { method: 'POST', body: String(outcome) });
}
</script>`;

interface Row {
  readonly scenario: 'connection-reset' | 'empty-response';
  readonly phase: 'before-commit' | 'after-commit';
  readonly by: 'plan' | 'header' | 'comment';
}

const rows = (['connection-reset', 'empty-response'] as const).flatMap((scenario) =>
  (['before-commit', 'after-commit'] as const).flatMap((phase) =>
    (['plan', 'header', 'comment'] as const).map((by): Row => ({ scenario, phase, by })),
  ),
);

test.each(browsers.filter(([, isThere]) => isThere))(
  'a page in %s sees a lost connection, and its request arrives once',
  async (_, __, open) => {
    const sandbox = await createSandbox({ now: NOW });
    const { url, close } = await serve(sandbox, { port: 0 });
    const direct = new Client(sandbox, 'fairway');
    const todo = [...rows];
    const seen: unknown[] = [];
    let ended = (): void => {};
    const over = new Promise<void>((resolve) => (ended = resolve));

    /** Prepares a row; gives back what the page is to send. */
    const prepare = async ({ scenario, phase, by }: Row) => {
      await sandbox.reset();
      const text = `${scenario}; phase=${phase}`;
      if (by === 'plan') sandbox.scenarios.arm(scenario, { phase, operation: 'createBooking' });
      return {
        api: url,
        headers: basic('fairway', 'not-a-secret-fairway'),
        more: by === 'header' ? { 'teebox-scenario': text } : {},
        body: JSON.stringify(
          bookingFor(await findTeeTime(direct), by === 'comment' ? { comments: `#teebox ${text}` } : {}),
        ),
      };
    };
    const site = createServer(async (request, response) => {
      if (request.url === '/next') {
        if (todo.length === 0) ended();
        return response.end(JSON.stringify(todo.length === 0 ? {} : await prepare(todo[0]!)));
      }
      if (request.url !== '/outcome') {
        return response.setHeader('content-type', 'text/html').end(PAGE);
      }
      let outcome = '';
      for await (const chunk of request) outcome += String(chunk);
      const booked = sandbox.db.bookings.findMany((q) => q.where({ contactLastName: 'Lovelace' })).length;
      const arrived = sandbox.journal.entries.filter(({ operation }) => operation === 'v5.createBooking').length;
      seen.push({ ...todo.shift(), outcome, booked, arrived });
      return response.end();
    });
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
    const shut = await open(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    try {
      await over;
    } finally {
      await shut();
      site.closeAllConnections();
      site.close();
      await close();
    }
    const booked = { 'before-commit': 0, 'after-commit': 1 };
    expect(seen).toEqual(rows.map((row) => ({ ...row, outcome: 'TypeError', booked: booked[row.phase], arrived: 1 })));
  },
);
