import { describe, expect, test } from 'vitest';
import { createSandbox, createWorlds, type Sandbox } from '../../../src/engine/library.js';
import { serve } from '../../../src/cli/server.js';
import { asDescribed } from '../../support/admin.js';
import { NOW, readReply } from '../../support/client.js';
import { basic } from '../../support/credentials.js';
import { raw } from '../../support/network/raw.js';
import { queryText } from '../../support/scenes.js';
import { searchQuery } from '../../support/views.js';

/** A search whose result is posted to an address, and what the inbox has once the delivery is over. */
async function searched(sandbox: Sandbox, base: string, world: string, query = '') {
  const callbackUrl = `${base}${world}/__admin/inbox/tests${query}`;
  const headers = basic('fairway', 'not-a-secret-fairway');
  await fetch(`${base}${world}/api/v5/teetimes?${queryText(searchQuery({ callbackUrl }))}`, { headers });
  await sandbox.callbacks.settled();
  const arrived = async () =>
    asDescribed('GET', 'inbox/tests', await readReply(await fetch(`${base}${world}/__admin/inbox/tests`)));
  while ((await arrived()).body.count === 0);
  return arrived();
}

describe('as the receiver of a search, over a socket', () => {
  test.each([
    ['', [204], 'delivered', 1],
    ['?status=503', [503, 503], 'failed', 2],
  ])('%s', async (query, statuses, state, count) => {
    // Retries come soon; the patience of the poster stays what it is, however busy the machine.
    const schedule = (work: () => void, delay: number) => {
      const timer = setTimeout(work, delay < 10_000 ? delay / 100 : delay);
      return () => clearTimeout(timer);
    };
    const clock = () => Date.parse(NOW);
    const sandbox = await createSandbox({ clock, schedule, dialect: { answers: { 'callback.retries': 1 } } });
    const server = await serve(sandbox, { port: 0 });
    const { body } = await searched(sandbox, server.url, '', query);
    await server.close();
    const [delivery] = sandbox.callbacks.deliveries;
    expect({ state: delivery!.state, statuses: delivery!.attempts.map((one) => one.status) }).toEqual({
      state,
      statuses,
    });
    expect(body.count).toBe(count);
    expect(body.messages[0]).toMatchObject({ method: 'POST', contentType: 'application/json' });
    expect(JSON.stringify(body.messages[0].body)).toBe(delivery!.body);
  });

  test('one that answers too late is recorded as late, with the result', async () => {
    const schedule = (work: () => void, delay: number) => {
      // The patience of the poster ends at once, the receiver never answers.
      const timer = delay === 1000 ? setTimeout(work, 50) : delay === 2000 ? undefined : setTimeout(work, delay);
      return () => clearTimeout(timer);
    };
    const sandbox = await createSandbox({
      now: NOW,
      schedule,
      dialect: { answers: { 'callback.timeout-seconds': 1 } },
    });
    const server = await serve(sandbox, { port: 0 });
    const { body } = await searched(sandbox, server.url, '', '?delay=2s');
    await server.close();
    expect(sandbox.callbacks.deliveries[0]!.attempts).toMatchObject([{ status: null, error: 'no answer within 1 s' }]);
    expect(body.count).toBe(1);
  });

  test('worlds are apart', async () => {
    const worlds = await createWorlds({ now: NOW });
    const server = await serve(worlds, { port: 0 });
    const { body } = await searched(worlds.main, server.url, '/w/run-7');
    const other = await readReply(await fetch(`${server.url}/__admin/inbox`));
    await server.close();
    expect([body.count, other.body.count]).toEqual([1, 0]);
  });

  test('off loopback a poster needs no token and a reader does; other sites may do neither', async () => {
    const adminToken = 'correct-horse-battery';
    const worlds = await createWorlds({ now: NOW });
    const server = await serve(worlds, { port: 0, hostname: '0.0.0.0', adminToken });
    const base = `http://127.0.0.1:${server.port}`;
    const ask = async (method: string, path: string, more = '') => {
      const end = `Connection: close\r\nContent-Length: 0\r\n${more}\r\n`;
      return Number((await raw(base, `${method} ${path} HTTP/1.1\r\nHost: teebox.example\r\n${end}`)).slice(9, 12));
    };
    const rows: [method: string, path: string, more: string, status: number][] = [
      ['POST', '/__admin/inbox/a', '', 204],
      ['PUT', '/w/run-7/__admin/inbox/a', '', 404],
      ['POST', '/w/run-7/__admin/reset', `Authorization: Bearer ${adminToken}\r\n`, 200],
      ['PUT', '/w/run-7/__admin/inbox/a', '', 204],
      ['PATCH', '/__admin/inbox/a/', '', 204],
      ['POST', '/__admin/inbox/a', 'Origin: http://elsewhere.example\r\n', 403],
      ['GET', '/__admin/inbox/a', '', 401],
      ['GET', '/__admin/inbox', '', 401],
      ['DELETE', '/__admin/inbox/a', '', 401],
      ['DELETE', '/__admin/inbox/a', `Authorization: Bearer ${adminToken}\r\n`, 200],
      ['POST', '/__admin/inbox/../reset', '', 401],
      ['POST', '/__admin/inbox/%2e%2e/reset', '', 401],
      ['POST', '/__admin/reset/__admin/inbox/a', '', 401],
    ];
    for (const [method, path, more, status] of rows) {
      expect([method, path, more, await ask(method, path, more)]).toEqual([method, path, more, status]);
    }
    await server.close();
  });
});
