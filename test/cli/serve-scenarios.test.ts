import { expect, test } from 'vitest';
import { runCli, startCli } from '../support/network/process.js';
import { bookingFor, teeTimesPath } from '../support/scenes.js';

const fairway = { authorization: `Basic ${btoa('fairway:not-a-secret-fairway')}`, 'content-type': 'application/json' };

async function bookingAt(base: string, changes: Record<string, unknown> = {}): Promise<string> {
  const list = await fetch(base + teeTimesPath('v4'), { headers: fairway });
  const [teeTime] = (await list.json()).data.teeTimeV3;
  return JSON.stringify(bookingFor(teeTime, changes));
}

const post = (url: string, body: string, headers: Record<string, string> = fairway) =>
  fetch(url, { method: 'POST', headers, body });

test('--scenario strikes every booking, and a late answer is late', async () => {
  const server = await startCli(['--now', '2026-06-01T08:00:00Z', '--scenario', 'transfer-failed; delay=120ms']);
  const body = await bookingAt(server.baseUrl);
  for (const _ of [1, 2]) {
    const start = performance.now();
    const reply = await post(`${server.baseUrl}/api/v5/bookings`, body);
    expect(performance.now() - start).toBeGreaterThan(115);
    expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([400, 'transfer-failed; source=plan']);
    expect((await reply.json()).message).toContain(reply.headers.get('teebox-request-id'));
  }
  await server.stop();
});

test('--no-magic takes a name for a name, and a plan over HTTP strikes once', async () => {
  const server = await startCli(['--now', '2026-06-01T08:00:00Z', '--no-magic']);
  const url = `${server.baseUrl}/api/v5/bookings`;
  const body = await bookingAt(server.baseUrl, { contactLastName: 'BOOKING-FAILED' });
  expect((await post(url, body)).status).toBe(200);
  expect((await post(`${server.baseUrl}/__admin/plans`, '{"scenario":"booking-failed"}', {})).status).toBe(200);
  expect((await post(url, body)).status).toBe(400);
  expect((await post(url, body)).status).toBe(200);
  await server.stop();
});

test('--no-admin leaves health alone, in every world', async () => {
  const server = await startCli(['--no-admin']);
  expect(server.ready.adminUrl).toBeNull();
  for (const base of [server.baseUrl, `${server.baseUrl}/w/a`]) {
    expect((await fetch(`${base}/__admin/health`)).status).toBe(200);
    for (const path of ['plans', 'reset', 'clock', 'nothing', '%63lock']) {
      const reply = await fetch(`${base}/__admin/${path}`, { method: path === 'reset' ? 'POST' : 'GET' });
      expect([path, reply.status, await reply.json()]).toMatchObject([
        path,
        404,
        { detail: expect.stringContaining('--no-admin') },
      ]);
    }
  }
  await server.stop();
});

test('--chaos strikes a share of the requests of every world, and is refused where it does not fit', async () => {
  const server = await startCli(['--chaos', 'rate=100%; seed=7; only=maintenance']);
  for (const base of [server.baseUrl, `${server.baseUrl}/w/a`]) {
    const reply = await fetch(`${base}/api/v3/countries`, { headers: fairway });
    expect([reply.status, reply.headers.get('teebox-scenario')]).toEqual([503, 'maintenance; source=chaos']);
  }
  await server.stop();
  const wrong = await runCli(['serve', '--chaos', 'rate=5%; only=nothing']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/--chaos: There is no scenario `nothing`/)]);
});
