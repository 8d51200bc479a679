import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { end, type Server } from '../children.js';
import { onServerCore } from '../processor.js';
import { LIST_PATH } from '../table/cases.js';
import type { Contender } from '../table/contest.js';
import type { Documents } from './documents.js';
import type { Peers } from './install.js';

const POLL = 10;
const PATIENCE = 60_000;

/** Serves a document with Scalar's mock server as its documentation does. */
const scalarProgram = `
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const [file, port] = process.argv.slice(2);
const app = await createMockServer({ document: readFileSync(file, 'utf8') });
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
`;

/** A mock server and the command that starts it on a port of this machine. */
interface Peer {
  readonly name: string;
  readonly slower: number;
  readonly command: (port: string) => readonly string[];
}

/** The mock servers in the order of the page; WireMock only where Java is. */
export function peerContenders(peers: Peers, documents: Documents): Contender[] {
  const found = [
    prism(peers, documents),
    ...wireMock(peers, documents),
    mockoon(peers, documents),
    scalar(peers, documents),
  ];
  return found.map(({ name, slower, command }) => ({
    name,
    slower,
    stateful: false,
    start: (pinned) => startPeer(command, peers.directory, pinned),
  }));
}

function prism(peers: Peers, { openapi }: Documents): Peer {
  const program = peers.file('@stoplight/prism-cli', 'dist/index.js');
  const flags = ['-h', '127.0.0.1', '--multiprocess', 'false', '-v', 'silent'];
  return {
    name: `Prism ${peers.version('@stoplight/prism-cli')}, silent`,
    slower: 5,
    command: (port) => [peers.node, program, 'mock', openapi, '-p', port, ...flags],
  };
}

function wireMock(peers: Peers, documents: Documents): Peer[] {
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) return [];
  const build = peers.file('wiremock', 'build');
  const jar = join(
    build,
    readdirSync(build).find((name) => name.endsWith('.jar'))!,
  );
  const quiet = ['--no-request-journal', '--disable-request-logging', '--disable-banner'];
  const flags = ['--bind-address', '127.0.0.1', '--root-dir', documents.wiremock, ...quiet];
  return [
    {
      name: `WireMock ${peers.version('wiremock')}, no journal, no log`,
      slower: 3,
      command: (port) => ['java', '-jar', jar, '--port', port, ...flags],
    },
  ];
}

function mockoon(peers: Peers, { openapi }: Documents): Peer {
  const program = peers.file('@mockoon/cli', 'bin/run.js');
  const flags = ['-l', '127.0.0.1', '--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '1'];
  return {
    name: `Mockoon ${peers.version('@mockoon/cli')}`,
    slower: 15,
    command: (port) => [peers.node, program, 'start', '-d', openapi, '-p', port, ...flags],
  };
}

function scalar(peers: Peers, { openapi }: Documents): Peer {
  const program = join(peers.directory, 'scalar.mjs');
  writeFileSync(program, scalarProgram);
  return {
    name: `Scalar ${peers.version('@scalar/mock-server')}`,
    slower: 3,
    command: (port) => [peers.node, program, openapi, port],
  };
}

/** Starts a mock server and waits until it answers. */
async function startPeer(command: Peer['command'], directory: string, pinned: boolean): Promise<Server> {
  const port = await freePort();
  const words = command(String(port));
  const [program, ...args] = pinned ? onServerCore(words) : words;
  const child = spawn(program!, args, { cwd: directory, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const from = performance.now();
  while (!(await answers(url + LIST_PATH))) {
    if (child.exitCode !== null) throw new Error(`\`${words.join(' ')}\` ended before it was ready.`);
    if (performance.now() - from > PATIENCE) throw new Error(`\`${words.join(' ')}\` did not answer within a minute.`);
    await pause(POLL);
  }
  return { url, pid: child.pid!, stop: () => end(child) };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => (await response.text(), response.status === 200),
    () => false,
  );
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
