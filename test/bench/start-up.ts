import { once } from 'node:events';
import { barePrograms, bareRoutes, end, serveArguments, startNode, startTeebox } from './children.js';
import { CLI } from '../support/network/process.js';
import { median, type Section } from './report.js';

const TARGET = 300;
/** A rule that one request of the suite judges. */
const RULE = 'countries.list';
const route = { method: 'GET', path: '/', contentType: 'application/json', body: '{}' } as const;

interface Command {
  readonly args: readonly string[];
  /** Whether it is timed to its end, and not to its first line. */
  readonly ends?: boolean;
  readonly target?: number;
}

/** Milliseconds from the start of a process to its first line, or to its end. */
async function timeStart({ args, ends }: Command): Promise<number> {
  const start = performance.now();
  const { child } = await startNode(args);
  if (ends && child.exitCode === null) await once(child, 'exit');
  const took = performance.now() - start;
  if (ends && child.exitCode !== 0) throw new Error(`\`${args.join(' ')}\` ended with ${child.exitCode}.`);
  await end(child);
  return took;
}

/** From the start of a process until it is ready, the compared ones in turns. */
export async function measureStartUp(rounds: number): Promise<Section> {
  const target = await startTeebox();
  try {
    return await measureBeside(target.url, rounds);
  } finally {
    await target.stop();
  }
}

function commandsFor(url: string): Readonly<Record<string, Command>> {
  const routes = bareRoutes([route]);
  const { bundled, installed } = barePrograms();
  const check = [CLI, 'check', url, '--basic', 'fairway:not-a-secret-fairway', '--only', RULE];
  return {
    'node alone': { args: ['-e', 'console.log()'] },
    'bare Hono, bundled': { args: [bundled, routes] },
    'bare Hono, as installed': { args: [installed, routes] },
    'teebox serve': { args: [CLI, ...serveArguments], target: TARGET },
    'teebox serve --facilities 10000': { args: [CLI, ...serveArguments, '--facilities', '10000'], target: TARGET },
    'teebox check --only RULE, until it exits': { args: check, ends: true, target: TARGET },
  };
}

async function measureBeside(url: string, rounds: number): Promise<Section> {
  const commands = commandsFor(url);
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, command] of Object.entries(commands)) {
      const took = await timeStart(command);
      if (round >= 0) times.get(name)!.push(took);
    }
  }
  const served = times.get('teebox serve')!;
  const rows = [...times].map(([name, taken]) => ({
    case: name,
    'median ms': median(taken).toFixed(0),
    'min ms': Math.min(...taken).toFixed(0),
    'max ms': Math.max(...taken).toFixed(0),
    ratio: median(taken.map((time, round) => time / served[round]!)).toFixed(2),
    target: commands[name]!.target === undefined ? '' : `< ${commands[name]!.target}`,
    reached: commands[name]!.target === undefined ? '' : median(taken) < commands[name]!.target ? 'yes' : 'no',
  }));
  return { title: `Start-up: from the start of the process to its first line`, rows };
}
