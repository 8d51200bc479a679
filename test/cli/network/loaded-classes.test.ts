import { expect, test } from 'vitest';
import { basicCredentials } from '../../../src/engine/model/basic-credentials.js';
import { startCli } from '../../support/network/process.js';
import { bookingFor, dayIn } from '../../support/scenes.js';

const headers = {
  authorization: basicCredentials({ username: 'fairway', password: 'not-a-secret-fairway' }),
  'content-type': 'application/json',
};

/** Tells at its end what the process has loaded of Node. */
const PROBE = `process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))`;

/** What a server has loaded after these requests. */
async function loadedAfter(ask: (call: (path: string, body?: unknown) => Promise<any>) => Promise<unknown>) {
  const preload = `--import=data:text/javascript,${encodeURIComponent(PROBE)}`;
  const server = await startCli(['--now', '2026-06-01T08:00:00Z'], { NODE_OPTIONS: preload });
  await ask(async (path, body) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(server.baseUrl + path, { ...sent, headers });
    expect(response.status).toBe(200);
    return response.json();
  });
  expect(await server.stop()).toBe(0);
  const { stderr } = server.output();
  expect(stderr).toContain('NativeModule http');
  return stderr.includes('NativeModule internal/deps/undici/undici');
}

test('lists, tee sheets and bookings do without the classes of the web, which take 9 MB', async () => {
  const loaded = await loadedAfter(async (call) => {
    await call('/api/v3/countries');
    const day = dayIn(30);
    const { data } = await call(`/api/v4/teetimes/1002?bookingDate=${day.query}&players=1&holes=18`);
    const booked = await call('/api/v5/bookings', [bookingFor(data.teeTimeV3[0], { facilityId: 1002 })]);
    expect(booked.success).toBe(true);
    await call(`/api/v4/bookings?fromDate=${day.query}&toDate=${day.query}`);
  });
  expect(loaded).toBe(false);
});

test('they come with a request that is not plain', async () => {
  expect(await loadedAfter((call) => call('/__admin/health'))).toBe(true);
});
