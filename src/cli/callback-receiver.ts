import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallbackReceiver, type Delivery, inMiB, MemoryReceiver } from '../conformance/index.js';
import { ownFetch } from './network/own-fetch.js';
import { nodeHost } from './node-host.js';
import { UsageError } from './usage-error.js';

export interface ReceiverOptions {
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** The URL at which the deployment reaches the receiver. Default: this machine's loopback address. */
  readonly publicUrl?: string;
  /** Whether the deployment runs on this machine and can therefore use loopback. */
  readonly deploymentIsLocal: boolean;
  /** Maximum bytes of one delivery. */
  readonly maxBody: number;
}

export interface RunningReceiver {
  readonly receiver: CallbackReceiver;
  close(): void;
}

/** Maximum bytes of all deliveries together. */
const MOST_IN_ALL = 32 * 1024 * 1024;
/** What a delivery that is too large is answered with. */
const TOO_LARGE = 413;
const MOST_CONNECTIONS = 100;
/** Milliseconds for a delivery to arrive: its headers, and all of it. */
const [HEADERS_TIMEOUT, DELIVERY_TIMEOUT] = [15_000, 60_000];
/** Timeout in milliseconds of the trial request to the public URL. */
const TRIAL = 3000;

/**
 * Starts a web server that receives the results of searches.
 *
 * @throws {UsageError} if it cannot listen on the port.
 */
export async function startReceiver({
  port,
  publicUrl,
  deploymentIsLocal,
  maxBody,
}: ReceiverOptions): Promise<RunningReceiver> {
  let inbox: MemoryReceiver | undefined;
  let reached = false;
  const bodies = new Bodies(maxBody);
  const limits = { headersTimeout: HEADERS_TIMEOUT, requestTimeout: DELIVERY_TIMEOUT };
  const server = http.createServer(limits, (request, response) => {
    if (inbox) return void take(inbox, bodies, request, response);
    // Before the run only the trial request below knows the address.
    reached = true;
    response.writeHead(404).end();
  });
  server.maxConnections = MOST_CONNECTIONS;
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

/** Takes a delivery. */
async function take(
  inbox: MemoryReceiver,
  bodies: Bodies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await bodies.read(request).catch(() => undefined);
  if (!body) return void response.destroy();
  const rows = Object.entries(request.headersDistinct).map(([name, all = []]): [string, string] => [
    name,
    all.join(', '),
  ]);
  const delivery = { method: request.method ?? 'GET', headers: new Headers(rows), ...body };
  const status = await inbox.accept(request.url ?? '/', delivery, gone.signal);
  if (body.failure === undefined) return void response.writeHead(status).end();
  response.writeHead(TOO_LARGE, { connection: 'close' }).end(() => request.destroy());
}

/** Sends a request to the public URL. If it does not arrive, a missing callback is not the deployment's fault. */
async function tried(url: string): Promise<void> {
  const response = await ownFetch(url, { signal: AbortSignal.timeout(TRIAL) }).catch(() => undefined);
  await response?.body?.cancel();
}

type DeliveredBody = Pick<Delivery, 'text' | 'failure'>;

/** Reads the bodies of deliveries, as long as there is room for them. */
class Bodies {
  #size = 0;

  /** @param max Bytes of one of them. */
  constructor(readonly max: number) {}

  /** A body, or its absence with a reason. It rejects where the deployment hangs up. */
  async read(request: IncomingMessage): Promise<DeliveredBody> {
    const chunks: Buffer[] = [];
    let size = 0;
    let isKept = false;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length;
        this.#size += chunk.length;
        if (size > this.max) return { text: '', failure: `its body is longer than ${inMiB(this.max)} MiB (max-body)` };
        if (this.#size > MOST_IN_ALL) {
          return { text: '', failure: `all deliveries together are longer than ${inMiB(MOST_IN_ALL)} MiB` };
        }
        chunks.push(chunk);
      }
      isKept = true;
      return { text: Buffer.concat(chunks).toString('utf8') };
    } finally {
      if (!isKept) this.#size -= size;
    }
  }
}
