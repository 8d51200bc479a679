import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Schedule } from '../../../src/engine/model/clock.js';

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

const noContent: Answering = (response) => response.writeHead(204).end();

/** A partner's web server on a free port, for the length of one test; by default it answers 204. */
export async function startReceiver(answer: Answering = noContent): Promise<Receiver> {
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

/** Timers that run a hundred times as fast as they are set, and what they were set to, in milliseconds. */
export function hurriedTimers(): { readonly schedule: Schedule; readonly delays: number[] } {
  const delays: number[] = [];
  const schedule: Schedule = (work, delay) => {
    delays.push(delay);
    const timer = setTimeout(work, delay / 100);
    return () => clearTimeout(timer);
  };
  return { schedule, delays };
}
