import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, startTeebox } from './children.js';
import { Load } from './load.js';
import { processorTime } from './processor.js';
import { median, type Section } from './report.js';
import { ask, bookAll, bookingRequest, CREATE_PATH, inTurn, manyBookings } from './requests.js';

/** Bookings in the world before the first one that is measured. */
const SIZES = [100, 100_000];
/** Ways to keep the state, by the flags of the server; the first is the reference. */
const ways: Readonly<Record<string, (file: string) => readonly string[]>> = {
  'no --state': () => [],
  '--state, interval': (file) => ['--state', file],
  '--state, always': (file) => ['--state', file, '--config', inAlways(file)],
};

/** A file of settings beside that of the state. */
function inAlways(file: string): string {
  const path = `${file}.yaml`;
  writeFileSync(path, 'serve: { state-sync: always }');
  return path;
}

const PACED = 300;
const PACE = 10;
const A_ROUND = 2500;
const WARM_UP_ROUNDS = 2;
/** Milliseconds in which a server that has nothing left to do uses no more than a tick of its timers. */
const QUIET = 1200;

interface Cost {
  /** Microseconds of processor time, over all threads. */
  readonly cpu: number;
  /** Bytes handed to the system, among them those to clients. */
  readonly written: number;
}

function costOf(pid: number): Cost {
  const written = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'));
  return { cpu: (processorTime(pid) ?? Number.NaN) * 1e6, written: Number(written![1]) };
}

/** What work costs a server, with what it does when the answers are sent. */
async function spent(server: Server, requests: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = costOf(server.pid);
  await work();
  let [last, now] = [before, costOf(server.pid)];
  do {
    await sleep(QUIET);
    [last, now] = [now, costOf(server.pid)];
  } while (now.written > last.written);
  return { cpu: (now.cpu - before.cpu) / requests, written: (now.written - before.written) / requests };
}

interface Run {
  readonly way: string;
  readonly server: Server;
  readonly next: ReturnType<typeof inTurn>;
  readonly rates: number[];
  readonly costs: Cost[];
  paced: Cost | undefined;
}

/** The cost of a booking by the way the state is kept, in a small world and in a large one. */
export async function measureState(rounds: number): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'teebox-bench-'));
  try {
    const rows: Section['rows'][number][] = [];
    for (const size of SIZES) rows.push(...(await measureSize(folder, size, rounds)));
    return { title: 'State: a booking, by the bookings that there are and the way they are kept', rows, note };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const note =
  `\`paced\` is one booking every ${PACE} ms, \`cpu us\` and \`ratio\` (of bookings a second, to no --state) are of a full load. ` +
  'Bytes are those beyond what a server without --state hands to its clients.';

async function measureSize(folder: string, size: number, rounds: number): Promise<Section['rows']> {
  const seed = await startTeebox();
  const bodies = await manyBookings(seed, size + PACED + A_ROUND * (rounds + WARM_UP_ROUNDS), 12);
  await bookAll(seed, bodies.splice(0, size));
  const { body: state } = await ask(seed, '/__admin/state');
  await seed.stop();
  const paced = bodies.splice(0, PACED);
  const requests = bodies.map(bookingRequest);
  const runs: Run[] = [];
  try {
    for (const [index, [way, flags]] of Object.entries(ways).entries()) {
      const file = join(folder, `${size}-${index}.json`);
      writeFileSync(file, `${state}\n`);
      const server = await startTeebox(flags(file));
      if (index === 0) await fetch(`${server.url}/__admin/state`, { method: 'PUT', body: state });
      runs.push({ way, server, next: inTurn(requests), rates: [], costs: [], paced: undefined });
    }
    for (const run of runs) run.paced = await spent(run.server, PACED, () => bookPaced(run.server, paced));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
      for (const run of runs) {
        // A server closes connections that rest for a few seconds, so each round has its own.
        const load = new Load(run.server.url);
        const cost = await spent(run.server, A_ROUND, async () => {
          const seconds = await load.run(run.next, A_ROUND);
          if (round >= 0) run.rates.push(A_ROUND / seconds);
        });
        load.close();
        if (round >= 0) run.costs.push(cost);
      }
    }
    return runs.map((run, index) => rowOf(run, runs[0]!, size, join(folder, `${size}-${index}.json`)));
  } finally {
    await Promise.all(runs.map(({ server }) => server.stop()));
  }
}

async function bookPaced(server: Server, bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    await ask(server, CREATE_PATH, JSON.stringify(body));
    await sleep(PACE);
  }
}

function rowOf({ way, rates, costs, paced }: Run, reference: Run, size: number, file: string) {
  const cpu = (of: readonly Cost[]) => median(of.map((cost) => cost.cpu));
  const written = (of: readonly Cost[]) => of.reduce((sum, cost) => sum + cost.written, 0) / of.length;
  const ratios = rates.map((rate, round) => rate / reference.rates[round]!);
  return {
    case: `${size} bookings, ${way}`,
    'paced cpu us': paced!.cpu.toFixed(0),
    'paced bytes': (paced!.written - reference.paced!.written).toFixed(0),
    'cpu us': cpu(costs).toFixed(0),
    bytes: (written(costs) - written(reference.costs)).toFixed(0),
    'bookings/s': Math.round(median(rates)),
    ratio: median(ratios).toFixed(2),
    'file MB': (statSync(file).size / 1e6).toFixed(1),
  };
}
