import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallbackReceiver, MemoryReceiver } from '../conformance/client/receiver.js';
import { nodeHost } from './node-host.js';
import { UsageError } from './usage-error.js';

export interface ReceiverOptions {
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** The URL at which the deployment reaches the receiver. Default: this machine's loopback address. */
  readonly publicUrl?: string;
  /** Whether the deployment runs on this machine and can therefore use loopback. */
  readonly deploymentIsLocal: boolean;
}

export interface RunningReceiver {
  readonly receiver: CallbackReceiver;
  close(): void;
}

/** Maximum bytes of one delivery: the result of a search over many facilities and days is large. */
const MOST = 64 * 1024 * 1024;
/** Timeout in milliseconds of the trial request to the public URL. */
const TRIAL = 3000;

/**
 * Starts a web server that receives the results of searches.
 *
 * @throws {UsageError} if it cannot listen on the port.
 */
export async function startReceiver({ port, publicUrl, deploymentIsLocal }: ReceiverOptions): Promise<RunningReceiver> {
  let inbox: MemoryReceiver | undefined;
  let reached = false;
  const server = createServer((request, response) => {
    // Before the run only the trial request below knows the address.
    if (!inbox) {
      reached = true;
      return void response.writeHead(404).end();
    }
    const taker = inbox;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    void textOf(request).then(
      async (text) => {
        const rows = Object.entries(request.headersDistinct).map(([name, all = []]): [string, string] => [
          name,
          all.join(', '),
        ]);
        const headers = new Headers(rows);
        const delivery = { method: request.method ?? 'GET', headers, text };
        const status = await taker.accept(request.url ?? '/', delivery, gone.signal);
        response.writeHead(status).end();
      },
      () => response.destroy(),
    );
  });
  // A deployment on this machine needs only loopback. A public URL may forward to any interface.
  server.listen(port, publicUrl === undefined ? '127.0.0.1' : undefined);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(`Failed to listen for callbacks on port ${port}: ${(error as Error).message}`);
  }
  server.unref();
  const base = publicUrl?.replace(/\/+$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (publicUrl !== undefined) await tried(base);
  inbox = new MemoryReceiver(`${base}/results`, nodeHost, publicUrl === undefined ? deploymentIsLocal : reached);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { receiver: inbox, close };
}

/** Sends a request to the public URL. If it does not arrive, a missing callback is not the deployment's fault. */
async function tried(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TRIAL) }).catch(() => undefined);
  await response?.body?.cancel();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST) throw new Error('The delivery is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
