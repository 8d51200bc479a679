import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bookingFor, findTeeTime } from '../../support/scenes.js';
import { operate } from '../support/operator.js';
import { WorldClient } from '../support/world-client.js';
import { Wrangler } from '../support/wrangler.js';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-wrangler-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('`wrangler deploy` accepts the configuration and the bundle', async () => {
  const wrangler = new Wrangler(['deploy', '--dry-run', '--outdir', temporaryFolder()]);
  const code = await wrangler.ended();
  expect([code, wrangler.output]).toEqual([0, expect.stringContaining('env.WORLDS (World)')]);
  expect(wrangler.output).not.toMatch(/warn|error/i);
});

test('a world that is made in `wrangler dev` keeps its bookings over a restart', async () => {
  const data = temporaryFolder();
  const first = await Wrangler.dev(data);
  onTestFinished(() => first.wrangler.stop());
  const made = await operate(first, 'POST', '/worlds', { name: 'partner', now: '2026-06-01T08:00:00Z' });
  expect(made.status).toBe(201);
  const { baseUrl, channels, token } = made.body;
  const client = new WorldClient(baseUrl, channels);
  const { status, body } = await client.post('/api/v5/bookings', bookingFor(await findTeeTime(client)));
  expect(status).toBe(200);
  await first.wrangler.stop();

  const second = await Wrangler.dev(data);
  onTestFinished(() => second.wrangler.stop());
  const again = new WorldClient(`${second.url}/w/partner`, channels);
  const listed = await again.get('/api/v4/bookings');
  expect(listed.text).toContain(body.data.bookingId);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${second.url}/w/partner/__admin/clock`, { headers })).status).toBe(200);
  expect((await operate(second, 'GET', '/worlds')).body.count).toBe(1);
});
