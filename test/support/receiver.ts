import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request that arrived. */
export interface Posted {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly port: number;
  /** Where results are to be posted. */
  readonly url: string;
  /** What arrived, oldest first. */
  readonly posted: readonly Posted[];
}

type Answering = (response: ServerResponse, count: number) => void;

/** A partner's web server on a free port, for the length of one test; by default it answers 204. */
export async function startReceiver(answer: Answering = (response) => response.writeHead(204).end()): Promise<Receiver> {
  const posted: Posted[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url: path, headers } = request;
    posted.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
    answer(response, posted.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}/results`, posted };
}
