import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallbackReceiver, Inbox } from '../conformance/receiver.js';
import { nodeHost } from './node-host.js';
import { UsageError } from './usage-error.js';

export interface ReceiverOptions {
  /** Where to listen; 0 for a free port. */
  readonly port: number;
  /** The URL under which the deployment reaches it; default: this machine's loopback. */
  readonly publicUrl?: string;
  /** Whether the deployment runs on this machine, so that loopback reaches it. */
  readonly deploymentIsLocal: boolean;
}

export interface RunningReceiver {
  readonly receiver: CallbackReceiver;
  close(): void;
}

/** Bytes of one delivery that are kept: a search over many facilities and days is large. */
const MOST = 64 * 1024 * 1024;
/** Milliseconds for the way to the public URL and back. */
const TRIAL = 3000;

/**
 * A web server that receives the results of searches.
 *
 * @throws {UsageError} when the port cannot be listened on.
 */
export async function startReceiver({ port, publicUrl, deploymentIsLocal }: ReceiverOptions): Promise<RunningReceiver> {
  let inbox: Inbox | undefined;
  let reached = false;
  const server = createServer((request, response) => {
    // Before the run nobody but the trial below knows the address.
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
  // Loopback is enough for a deployment on this machine; behind a public URL anything may stand.
  server.listen(port, publicUrl === undefined ? '127.0.0.1' : undefined);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(`Failed to listen for callbacks on port ${port}: ${(error as Error).message}`);
  }
  server.unref();
  const base = publicUrl?.replace(/\/+$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (publicUrl !== undefined) await tried(base);
  inbox = new Inbox(`${base}/results`, nodeHost, publicUrl === undefined ? deploymentIsLocal : reached);
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { receiver: inbox, close };
}

/** Sends a request to the public URL: where none comes through, silence is no fault of the deployment. */
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
