/** Figures of hosted worlds for docs/hosting.md, run by hand: `npx tsx test/hosted/measure.ts [PART]...`. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NOW } from '../support/client.js';
import { basic, bearer } from '../support/credentials.js';
import { manyBookings } from '../support/many-bookings.js';
import { bookingFor, type Json, teeTimesPath } from '../support/scenes.js';
import { Workerd } from './support/workerd.js';
import { type MadeWorld, makeWorld } from './support/world.js';

const headers = { ...basic('fairway', 'not-a-secret-fairway'), 'content-type': 'application/json' };
const CLOCK_TICK_MS = 10;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Processor time of the process in milliseconds. */
function cpuOf({ pid }: Workerd): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS;
}

/** Resident memory of the process in kB. */
function rssOf({ pid }: Workerd): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}

/** Bytes of the files of all worlds. */
function bytesOf({ folder }: Workerd): number {
  const worlds = join(folder, 'teebox-worlds');
  return readdirSync(worlds).reduce((sum, name) => sum + statSync(join(worlds, name)).size, 0);
}

async function call({ baseUrl }: MadeWorld, path: string, body?: unknown): Promise<string> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(baseUrl + path, { headers, ...init });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** The least wall and processor time of some runs. */
async function best(workerd: Workerd, runs: number, work: (run: number) => Promise<unknown>): Promise<string> {
  const [walls, cpus]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    const [start, cpu] = [performance.now(), cpuOf(workerd)];
    await work(run);
    walls.push(performance.now() - start);
    cpus.push(cpuOf(workerd) - cpu);
  }
  return `best ${Math.min(...walls).toFixed(1)} ms of wall, ${Math.min(...cpus)} ms of processor, of ${runs} runs`;
}

async function measureStarts(workerd: Workerd): Promise<void> {
  const warm = await makeWorld(workerd, { name: 'warm', now: NOW });
  print(`new world: ${await best(workerd, 10, (run) => makeWorld(workerd, { name: `new-${run}`, now: NOW }))}`);
  for (const count of [0, 100, 1000, 10_000]) {
    const world = await makeWorld(workerd, { name: `cold-${count}`, now: NOW });
    if (count > 0) {
      const state = JSON.stringify(await manyBookings(count));
      const own = { ...bearer(world.token), 'content-type': 'application/json' };
      const response = await fetch(`${world.baseUrl}/__admin/state`, { method: 'PUT', headers: own, body: state });
      if (response.status >= 300) throw new Error(await response.text());
    }
    const [walls, cpus]: [number[], number[]] = [[], []];
    for (let run = 0; run < 5; run += 1) {
      await workerd.restart();
      await call(warm, '/api/v3/countries');
      const [start, cpu] = [performance.now(), cpuOf(workerd)];
      await call(world, '/api/v3/countries');
      walls.push(performance.now() - start);
      cpus.push(cpuOf(workerd) - cpu);
    }
    print(
      `cold start, ${count === 0 ? 'seeded' : count} bookings: best ${Math.min(...walls).toFixed(1)} ms of wall, ${Math.min(...cpus)} ms of processor`,
    );
  }
}

async function measureRequests(workerd: Workerd): Promise<void> {
  const world = await makeWorld(workerd, { name: 'asked', now: NOW });
  const load = async (name: string, work: (() => Promise<string>)[]): Promise<void> => {
    const bytes = (await work[0]!()).length;
    const rest = work.slice(1);
    const count = rest.length;
    const [start, cpu] = [performance.now(), cpuOf(workerd)];
    const next = async (): Promise<void> => {
      for (let one = rest.pop(); one; one = rest.pop()) await one();
    };
    await Promise.all(Array.from({ length: 8 }, next));
    const each = (cpuOf(workerd) - cpu) / count;
    const second = (count / (performance.now() - start)) * 1000;
    print(
      `${name} (${bytes} characters): ${each.toFixed(3)} ms of processor, ${(1000 / each).toFixed(0)} a second of a core, ${second.toFixed(0)} a second of wall here`,
    );
  };
  const reads = (path: string, count: number) => Array.from({ length: count }, () => () => call(world, path));
  for (const round of [1, 2, 3]) {
    await load(`small list, round ${round}`, reads('/api/v3/countries', 2000));
    await load(`tee sheet, round ${round}`, reads(teeTimesPath('v4'), 1000));
    const bookings: (() => Promise<string>)[] = [];
    for (let days = 20 + round * 5; days < 25 + round * 5; days += 1) {
      const { data }: Json = JSON.parse(await call(world, teeTimesPath('v4', { days })));
      for (const teeTime of data.teeTimeV3) bookings.push(() => call(world, '/api/v5/bookings', bookingFor(teeTime)));
    }
    await load(`${bookings.length} bookings, round ${round}`, bookings);
  }
}

async function measureMemory(workerd: Workerd): Promise<void> {
  const before = bytesOf(workerd);
  const first = rssOf(workerd);
  print(`RSS without a world: ${first} kB`);
  for (let made = 0; made < 200; made += 1) {
    const world = await makeWorld(workerd, { name: `kept-${made}`, now: NOW });
    const { data }: Json = JSON.parse(await call(world, teeTimesPath('v4')));
    await call(world, '/api/v5/bookings', bookingFor(data.teeTimeV3[0]));
    if ([0, 49, 99, 199].includes(made)) {
      const [rss, bytes] = [rssOf(workerd) - first, bytesOf(workerd) - before];
      print(
        `${made + 1} worlds: ${rss} kB more (${(rss / (made + 1)).toFixed(0)} each), files ${bytes} bytes (${Math.round(bytes / (made + 1))} each)`,
      );
    }
  }
}

async function measureStorage(workerd: Workerd): Promise<void> {
  const world = await makeWorld(workerd, { name: 'stored', now: NOW });
  const own = { ...bearer('the-operator-token-of-tests') };
  const stored = async (): Promise<number> => {
    const response = await fetch(`${workerd.url}/worlds/stored`, { headers: own });
    const { usage } = (await response.json()) as { usage: { storageBytes: number } };
    return usage.storageBytes;
  };
  const fresh = await stored();
  let booked = 0;
  for (let days = 11; booked < 1000; days += 1) {
    const { data }: Json = JSON.parse(await call(world, teeTimesPath('v4', { days })));
    for (const teeTime of data.teeTimeV3) {
      await call(world, '/api/v5/bookings', bookingFor(teeTime));
      booked += 1;
    }
  }
  print(`storage: fresh ${fresh} bytes; ${booked} bookings: ${((await stored()) - fresh) / booked} bytes each`);
}

const parts = { memory: measureMemory, requests: measureRequests, starts: measureStarts, storage: measureStorage };
const named = process.argv.slice(2);
for (const [name, part] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const workerd = await Workerd.start();
  try {
    await part(workerd);
  } finally {
    await workerd.close();
  }
}
