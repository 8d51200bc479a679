import type { Server } from '../children.js';
import { alternate, type Measured, type Side } from '../compare.js';
import { Load } from '../load.js';
import { residentMegabytes } from '../processor.js';
import { type TableCase, tableCases } from './cases.js';

/** A row of a table. The first of several is the reference. */
export interface Contender {
  readonly name: string;
  readonly stateful: boolean;
  /** How much less it is asked than the others, so that its rounds take no longer. Default: 1. */
  readonly slower?: number;
  /** On the core of servers, or on all, as users start it. */
  start(pinned: boolean): Promise<Server>;
}

/** What was measured of each contender, in their order. */
export interface Contest {
  readonly contenders: readonly Contender[];
  readonly cases: ReadonlyMap<TableCase, readonly Measured[]>;
  /** Milliseconds until ready, start by start. */
  readonly ready: readonly (readonly number[])[];
  /** Megabytes after the load. */
  readonly memory: readonly (number | undefined)[];
}

/** Until then the compilers are at work. */
const WARM_UP_ROUNDS = 12;
/** How many times a server is started, and how many requests of each case it then gets for its memory. */
const STARTS = 7;
const LOADED: Readonly<Record<string, number>> = { list: 20_000, sheet: 5000, booking: 5000 };

/** Measures all contenders in turns. */
export async function contest(contenders: readonly Contender[], rounds: number): Promise<Contest> {
  const cases = new Map<TableCase, readonly Measured[]>();
  for (const one of tableCases) {
    process.stderr.write(`  ${one.name} ...\n`);
    cases.set(one, await measureCase(one, contenders, rounds));
  }
  process.stderr.write('  start and memory ...\n');
  const ready = await measureReady(contenders, Math.min(rounds, STARTS));
  return { contenders, cases, ready, memory: await measureMemory(contenders) };
}

/** Runs work with a server of each contender, and stops them. */
async function withServers<Result>(
  contenders: readonly Contender[],
  work: (servers: readonly Server[]) => Promise<Result>,
): Promise<Result> {
  const servers: Server[] = [];
  try {
    for (const { start } of contenders) servers.push(await start(true));
    return await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The sides of a case, each asked for at most so much. */
async function sidesOf(
  one: TableCase,
  contenders: readonly Contender[],
  servers: readonly Server[],
  count: number,
): Promise<Side[]> {
  const asked = servers.map((server, index) => ({ server, stateful: contenders[index]!.stateful }));
  const next = await one.prepare(asked, count);
  return servers.map((server, index) => {
    const requests = Math.ceil(one.requests / (contenders[index]!.slower ?? 1));
    return { server, next: next[index]!, requests };
  });
}

function measureCase(one: TableCase, contenders: readonly Contender[], rounds: number): Promise<Measured[]> {
  return withServers(contenders, async (servers) => {
    const sides = await sidesOf(one, contenders, servers, one.requests * (rounds + WARM_UP_ROUNDS));
    return alternate(sides, rounds, one.requests, WARM_UP_ROUNDS);
  });
}

/** Milliseconds until each is ready; the first start only fills the caches of the system. */
async function measureReady(contenders: readonly Contender[], count: number): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let turn = -1; turn < count; turn += 1) {
    for (const [index, { start }] of contenders.entries()) {
      const began = performance.now();
      const server = await start(false);
      if (turn >= 0) times[index]!.push(performance.now() - began);
      await server.stop();
    }
  }
  return times;
}

/** Megabytes that each holds after the load of all cases. */
function measureMemory(contenders: readonly Contender[]): Promise<(number | undefined)[]> {
  return withServers(contenders, async (servers) => {
    for (const one of tableCases) {
      const count = LOADED[one.name]!;
      const sides = await sidesOf(one, contenders, servers, count);
      for (const [index, { server, next }] of sides.entries()) {
        const load = new Load(server.url);
        await load.run(next, Math.ceil(count / (contenders[index]!.slower ?? 1))).finally(() => load.close());
      }
    }
    return servers.map(({ pid }) => residentMegabytes(pid));
  });
}
