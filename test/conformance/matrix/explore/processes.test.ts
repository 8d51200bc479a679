import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { explore } from '../../../../src/conformance/explore/explore.js';
import type { Exploration } from '../../../../src/conformance/explore/options.js';
import { storiesOf } from '../../explore/deployments.js';
import { type Channel, channels as plain, type Surroundings } from '../../independent/desk.js';
import { everything } from '../../independent/run.js';
import { Service } from '../../independent/service.js';
import * as arrays from '../../yardstick/arrays/index.js';
import * as structs from '../../yardstick/structs/index.js';

type Deployed = { handle(request: Request): Promise<Response> };

const FRONT = new URL('../../explore/front.mjs', import.meta.url).pathname;

const deployments: Readonly<
  Record<string, { readonly channels: readonly Channel[]; readonly deploy: (around: Surroundings) => Deployed }>
> = {
  plain: { channels: plain, deploy: (around) => new Service(around) },
  'with arrays': { channels: arrays.channels, deploy: (around) => arrays.deploy(around) },
  'with structs': { channels: structs.channels, deploy: (around) => structs.deploy(around) },
};

const surroundings: Surroundings = {
  now: Date.now,
  schedule: (work, milliseconds) => void setTimeout(work, milliseconds),
  post: async (url, message) => (await fetch(url, message)).status,
};

let service: Server | undefined;
let front: ChildProcess | undefined;

afterEach(async () => {
  front?.kill();
  service?.closeAllConnections();
  service?.close();
  await Promise.all([front, service].map((one) => one && once(one, 'close')));
});

/** The service in this process, which has its state. */
async function serve(deployed: Deployed): Promise<string> {
  service = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = 'GET', url, headers } = incoming;
    const body = parts.length > 0 ? { body: Buffer.concat(parts) } : {};
    const given = Object.entries(headers).filter(([name]) => /^(authorization|accept|content-type)$/.test(name));
    const init = { method, headers: Object.fromEntries(given) as Record<string, string>, ...body };
    const response = await deployed.handle(new Request(`http://127.0.0.1${url}`, init));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

/** Walks through processes before a deployment, each of which may keep some answers until it sees a write. */
async function explored(name: string, processes: number, cached?: string): Promise<Exploration> {
  const { channels, deploy } = deployments[name]!;
  const args = [await serve(deploy(surroundings)), String(processes), ...(cached === undefined ? [] : [cached])];
  front = fork(FRONT, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(front.stdout!, 'data')) as [Buffer];
  const { first, second, allow } = everything(channels);
  return explore((request) => fetch(request), {
    baseUrl: String(line).trim(),
    first: first!,
    second: second!,
    allow: allow!,
    now: Date.now,
    seed: 1,
    // A stale answer is a matter of luck: which process answers.
    walks: cached === undefined ? 4 : 12,
    settle: 100,
    maxFindings: 1,
  });
}

test.each(Object.keys(deployments))('nothing is wrong with four processes before the deployment %s', async (name) => {
  const result = await explored(name, 4);
  expect(storiesOf(result)).toEqual([]);
  expect(result).toMatchObject({ verdict: 'no-finding', walks: 4 });
});

const caches = [
  ['the booking lists', 'plain', '^GET /api/v./bookings', 'explore.missing'],
  ['the tee sheets', 'with arrays', '^GET /api/v./teetimes/', 'explore.slots'],
] as const;

test.each(caches)('the cache of one process is right: %s', async (_, name, cached) => {
  expect(storiesOf(await explored(name, 1, cached))).toEqual([]);
});

test.each(caches)('a cache of each of four processes is found: %s', async (_, name, cached, id) => {
  expect(storiesOf(await explored(name, 4, cached))).toEqual([expect.stringContaining(id)]);
});
