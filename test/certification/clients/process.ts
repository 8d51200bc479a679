/**
 * The client as a process: its tests are a day at the shop, with a receiver of its own.
 *
 *   teebox certify -- tsx test/certification/clients/process.ts
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Partner } from './partner/partner.js';
import type { Receiver } from './partner/receiver.js';
import { ShopDay } from './partner/shop-day.js';

const host = {
  fetch: (request: Request) => fetch(request),
  now: () => Date.now(),
  sleep: (milliseconds: number, signal?: AbortSignal) =>
    sleep(milliseconds, undefined, signal ? { signal } : {}).catch(() => {}),
  deadline(milliseconds: number) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
    return { signal: controller.signal, off: () => clearTimeout(timer) };
  },
  newId: () => crypto.randomUUID(),
};

async function answer(receiver: Receiver, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const init = { method: incoming.method!, ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}) };
  const { status } = await receiver.handle(new Request(new URL(incoming.url!, 'http://127.0.0.1'), init));
  outgoing.writeHead(status).end();
}

const server = createServer((incoming, outgoing) => void answer(partner.search.receiver, incoming, outgoing));
await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address() as AddressInfo;
const partner = new Partner(host, {
  baseUrl: process.env['TEEBOX_BASE_URL']!,
  refreshToken: process.env['TEEBOX_REFRESH_TOKEN']!,
  receiver: `http://127.0.0.1:${port}/results`,
});

try {
  const outcomes = await new ShopDay(partner, 'Türkiye').run();
  for (const { step, told = 'done' } of outcomes) console.log(`${step}: ${told}`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  server.closeAllConnections();
  server.close();
}
