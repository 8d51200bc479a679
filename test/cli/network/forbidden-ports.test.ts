import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { ownFetch } from '../../../src/cli/network/own-fetch.js';
import { startWorlds } from '../../../src/cli/commands/serve.js';
import { createAdmin } from '../../../src/bindings/admin-client/library.js';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on the first of these ports that is free: the `fetch` of Node refuses all of them. */
async function receiver(status = 200): Promise<{ readonly url: string; readonly received: Promise<Received> }> {
  let tell: (received: Received) => void;
  const received = new Promise<Received>((resolve) => (tell = resolve));
  for (const port of [10080, 6000, 5060, 5061, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 4190, 4045, 3659, 2049]) {
    const server: Server = createServer(async (request, response) => {
      tell({ headers: request.headers, body: await text(request) });
      response.writeHead(status, { location: '/elsewhere' }).end('{}');
    });
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => undefined);
    if (!isFree) continue;
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${port}`, received };
  }
  throw new Error('None of the ports is free.');
}

test('the fetch of Node refuses the ports, which the clients of a library are told', async () => {
  const { url } = await receiver();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  await expect(createAdmin(url).channels()).rejects.toThrow(
    /bad port\. `fetch` refuses this port: start the sandbox on another one\.$/,
  );
});

test('a callback reaches a receiver on a port that fetch refuses', async () => {
  const { url, received } = await receiver();
  const { main } = await startWorlds({
    now: '2026-06-01T08:00:00Z',
    'allow-callback': [new URL(url).host],
  });
  const { username, password } = main.credentials()[0]!;
  const query = new URLSearchParams({
    facilityIds: '1001',
    fromDate: '2026-06-03',
    toDate: '2026-06-03',
    players: '2',
    holes: '18',
    callbackUrl: `${url}/results`,
  });
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const asked = await main.fetch(new Request(`http://sandbox.test/api/v5/teetimes?${query}`, { headers }));
  expect(asked.ok).toBe(true);
  const { headers: sent, body } = await received;
  expect(sent['content-type']).toBe('application/json');
  expect(JSON.parse(body)).toMatchObject({ success: true });
});

test('a body is sent whole, with its length, or as it arrives', async () => {
  for (const [body, headers] of [
    ['whole', { 'content-length': '5' }],
    [new Blob(['as it', ' arrives']).stream(), { 'transfer-encoding': 'chunked' }],
  ] as const) {
    const { url, received } = await receiver(302);
    const init = { method: 'POST', body, duplex: 'half', redirect: 'manual' };
    expect((await ownFetch(url, init as RequestInit)).status).toBe(302);
    expect(await received).toMatchObject({ headers, body: typeof body === 'string' ? body : 'as it arrives' });
  }
});

test('a failure has the form of those of fetch', async () => {
  const failed = ownFetch('http://127.0.0.1:2');
  await expect(failed).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  const { url } = await receiver();
  await expect(ownFetch(url, { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow();
});
