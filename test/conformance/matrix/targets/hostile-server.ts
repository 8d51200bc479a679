import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, constants } from 'node:zlib';
import { exploreDeployment } from '../../../../src/conformance/explore/explore.js';
import type { Exploration, ExploreOptions } from '../../../../src/conformance/explore/options.js';
import { check } from '../../../../src/conformance/run/check.js';
import type { CheckOptions } from '../../../../src/conformance/run/check-options.js';
import type { Host, Report } from '../../../../src/conformance/client/types.js';
import { createSandbox } from '../../../../src/engine/library.js';
import { nodeHost } from '../../../../src/cli/node-host.js';

/** Answers a request of the suite in its own way. `turn` counts the requests from 1. */
export type Hostility = (response: ServerResponse, turn: number, request: IncomingMessage) => void;

/** A server that does its worst, and the way of the suite to it. */
export interface HostileServer {
  readonly baseUrl: string;
  /** `user:password` of the first channel. */
  readonly basic: string;
  /** Requests so far. */
  readonly requests: () => number;
  check(changes?: Partial<CheckOptions>): Promise<Report>;
  explore(changes?: Partial<ExploreOptions>): Promise<Exploration>;
  close(): Promise<void>;
}

/** The most memory of a command against a hostile deployment, in KiB. Later versions of Node need more for themselves. */
export const MOST_MEMORY = Number(process.versions.node.split('.', 1)[0]) > 20 ? 320_000 : 300_000;

const JSON_TYPE = { 'content-type': 'application/json' };

/** A host whose time passes faster, for tests of waits that nobody would wait for. */
function hastyHost(hurry: number): Host {
  const start = nodeHost.now();
  return {
    ...nodeHost,
    now: () => Math.floor(start + (nodeHost.now() - start) * hurry),
    sleep: (wait, signal) => nodeHost.sleep(wait / hurry, signal),
    schedule: (work, wait) => nodeHost.schedule(work, wait / hurry),
  };
}

/**
 * A server on loopback: a sandbox whose answers `hostility` replaces, unless it returns without touching the response.
 *
 * @param hurry How many times faster the time of the suite passes.
 * @param change Makes another text of a good answer.
 */
export async function hostileServer(hostility: Hostility, hurry = 1, change = asItIs): Promise<HostileServer> {
  const sandbox = await createSandbox({ pure: true });
  let turn = 0;
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    hostility(response, (turn += 1), request);
    if (response.headersSent || response.destroyed || held.has(response)) return;
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const body = request.method === 'GET' ? {} : { body: await text(request) };
    const init = { method: request.method!, headers: { authorization, 'content-type': type }, ...body };
    const answer = await sandbox.fetch(new Request(`http://127.0.0.1${request.url}`, init));
    response.writeHead(answer.status, JSON_TYPE).end(change(await answer.text(), turn));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { username, password } = sandbox.channels[0]!;
  const options = { baseUrl, first: { basic: { username, password } }, host: hastyHost(hurry) };
  return {
    baseUrl,
    basic: `${username}:${password}`,
    requests: () => turn,
    check: (changes) => check({ ...options, ...changes }),
    explore: (changes) => exploreDeployment({ ...options, ...changes }),
    async close() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

const asItIs = (text: string, _turn: number): string => text;

/** Makes the first texts of an answer longer by so many characters, from some request on. */
export const grown =
  (turns: number, { texts, by }: { readonly texts: number; readonly by: number }) =>
  (text: string, turn: number): string => {
    let left = turn > turns ? texts : 0;
    const longer = (value: unknown): unknown =>
      typeof value === 'string' && /[a-z]/i.test(value) && left-- > 0 ? value + 'w'.repeat(by) : value;
    return JSON.stringify(JSON.parse(text, (_, value: unknown) => longer(value)));
  };

const held = new WeakSet<ServerResponse>();
const MIB = Buffer.alloc(1024 * 1024, 'x');
const json = (data: string): string => `{"success":true,"data":${data}}`;
/** Less than a kilobyte on the wire. */
const bomb = brotliCompressSync(json(`[${' '.repeat(64 * MIB.length)}]`), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
});

/** Ways to answer. */
export const hostilities = {
  endlessBody(response) {
    response.writeHead(200, JSON_TYPE);
    const pour = (): void => {
      while (!response.destroyed && response.write(MIB));
    };
    response.on('drain', pour);
    pour();
  },
  largeBody(response) {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': 100 * MIB.length });
    for (let count = 0; count < 100; count += 1) response.write(MIB);
    response.end();
  },
  bomb(response) {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br' }).end(bomb);
  },
  nested(response) {
    response.writeHead(200, JSON_TYPE).end(json('['.repeat(5_000_000) + ']'.repeat(5_000_000)));
  },
  wide(response) {
    response.writeHead(200, JSON_TYPE).end(json(`[${'{},'.repeat(4_000_000)}{}]`));
  },
  emptyObjects(response) {
    response.writeHead(200, JSON_TYPE).end(json(`[${'{},'.repeat(7999)}{}]`));
  },
  longText(response) {
    response.writeHead(200, JSON_TYPE).end(json(`["${'w'.repeat(5_000_000)}"]`));
  },
  hangBeforeHeaders(response) {
    held.add(response);
  },
  hangInBody(response) {
    response.writeHead(200, JSON_TYPE);
    response.write('{"success":true,');
  },
  slowDrip(response) {
    response.writeHead(200, JSON_TYPE);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  },
  reset(response) {
    response.socket!.resetAndDestroy();
  },
  /** This connection is reset, and every later one is refused. */
  leave(response) {
    const { server } = response.socket as unknown as { readonly server: Server };
    server.close();
    server.closeAllConnections();
  },
  resetInBody(response) {
    response.writeHead(200, JSON_TYPE);
    response.write('{"success":true,', () => response.socket!.resetAndDestroy());
  },
} satisfies Record<string, Hostility>;

/** The same only after so many requests. */
export const after =
  (turns: number, hostility: Hostility): Hostility =>
  (response, turn, request) => {
    if (turn > turns) hostility(response, turn, request);
  };

/** Collects garbage again and again, since a request must not depend on when that happens. */
export async function collectingGarbage<T>(work: Promise<T>): Promise<T> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const timer = setInterval(collect, 50);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
