import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basic } from '../../support/credentials.js';
import { startReceiver } from '../../support/network/receiver.js';
import { type Started, startCli } from '../../support/network/process.js';
import { ask, folders, until } from '../../support/network/state-server.js';
import { searchQuery } from '../../support/views.js';

const newFolder = folders();
const headers = basic('fairway', 'not-a-secret-fairway');

async function search({ baseUrl }: Started, callbackUrl: string): Promise<void> {
  const query = new URLSearchParams(searchQuery({ callbackUrl }));
  expect((await fetch(`${baseUrl}/api/v5/teetimes?${query}`, { headers })).status).toBe(200);
}

const quiet = ['--log-level', 'silent', '--state'];

const LATE = ['--scenario', 'callback-late; delay=60000ms'];

test('a server that ends between the acknowledgement and the callback posts it after the restart', async () => {
  const receiver = await startReceiver();
  const file = join(newFolder(), 'state.json');
  const args = [...quiet, file];
  // The results are late, so that the end comes before them, and the clock decides when they are posted.
  const first = await startCli([...args, '--now', '2026-06-01T08:00:00Z', ...LATE]);
  await search(first, `${receiver.url}?n=1`);
  await search(first, `${first.baseUrl}/__admin/inbox/own`);
  await first.stop('SIGKILL');
  expect(receiver.posted).toEqual([]);

  const second = await startCli([...args, ...LATE]);
  await search(second, `${receiver.url}?n=2`);
  await ask(second, '/__admin/clock', { advance: 'PT50S' });
  await second.stop('SIGTERM');
  expect(receiver.posted).toEqual([]);

  const third = await startCli(args);
  await ask(third, '/__admin/clock', { advance: 'PT11S' });
  await until(() => receiver.posted.length === 2);
  const got = receiver.posted.map(({ path, headers: { 'teebox-callback': id } }) => [path, id]);
  expect(got.sort()).toEqual([
    ['/results?n=1', 'callback-1'],
    ['/results?n=2', 'callback-3'],
  ]);
  expect(JSON.parse(receiver.posted[0]!.body)).toMatchObject({ success: true, data: [{ facilityId: 1001 }] });
  // The inbox of before is gone with its server; that of now gets what it was to get, whatever its port.
  expect(await ask(third, '/__admin/inbox/own')).toMatchObject({ count: 1 });
  const { callbacks } = await ask(third, '/__admin/callbacks');
  expect(callbacks.map(({ state }: Record<string, unknown>) => state)).toEqual(Array(3).fill('delivered'));
  // Nothing is pending, so a clean stop leaves a plain state.
  await third.stop();
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1);
});

test('a server that is killed between two attempts makes the next one, with the body of the first', async () => {
  const receiver = await startReceiver((response, count) => response.writeHead(count === 1 ? 500 : 204).end());
  const folder = newFolder();
  const args = [...quiet, join(folder, 'state.json'), '--now', '2026-06-01T08:00:00Z'];
  const first = await startCli(args);
  await put(first, { name: 'retries', answers: { 'callback.retries': 3 } });
  await search(first, receiver.url);
  await until(() => receiver.posted.length > 0);
  for (;;) {
    const { callbacks } = await ask(first, '/__admin/callbacks');
    if (callbacks[0].attempts.length > 0) break;
  }
  await first.stop('SIGKILL');

  const second = await startCli(args.slice(0, -2));
  expect(receiver.posted).toHaveLength(1);
  await ask(second, '/__admin/clock', { advance: 'PT1S' });
  expect(receiver.posted.map(({ body }) => body)).toEqual([receiver.posted[0]!.body, receiver.posted[0]!.body]);
  expect(await ask(second, '/__admin/callbacks/callback-1')).toMatchObject({
    state: 'delivered',
    attempts: [
      { at: '2026-06-01T08:00:00.000Z', status: 500 },
      { at: '2026-06-01T08:00:01.000Z', status: 204 },
    ],
  });
  await second.stop();
});

async function put({ baseUrl }: Started, card: object): Promise<void> {
  const init = { method: 'PUT', headers, body: JSON.stringify(card) };
  expect((await fetch(`${baseUrl}/__admin/dialect`, init)).status).toBe(200);
}
