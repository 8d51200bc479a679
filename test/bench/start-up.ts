import { once } from 'node:events';
import { barePrograms, bareRoutes, startNode, teeboxArguments } from './children.js';
import { median, type Section } from './report.js';

const TARGET = 300;
const route = { method: 'GET', path: '/', contentType: 'application/json', body: '{}' } as const;

/** Milliseconds from the start of a process to its first line. */
async function timeStart(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const { child } = await startNode(args);
  const took = performance.now() - start;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  return took;
}

/** From the start of a process until it is ready, the compared ones in turns. */
export async function measureStartUp(rounds: number): Promise<Section> {
  const routes = bareRoutes([route]);
  const { bundled, installed } = barePrograms();
  const commands: Record<string, readonly string[]> = {
    'node alone': ['-e', 'console.log()'],
    'bare Hono, bundled': [bundled, routes],
    'bare Hono, as installed': [installed, routes],
    'teebox serve': teeboxArguments,
    'teebox serve --facilities 10000': [...teeboxArguments, '--facilities', '10000'],
  };
  const times = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const took = await timeStart(args);
      if (round >= 0) times.get(name)!.push(took);
    }
  }
  const rows = [...times].map(([name, taken]) => ({
    case: name,
    'median ms': median(taken).toFixed(0),
    'least ms': Math.min(...taken).toFixed(0),
    'most ms': Math.max(...taken).toFixed(0),
    target: name.startsWith('teebox') ? `< ${TARGET}` : '',
    reached: name.startsWith('teebox') ? (median(taken) < TARGET ? 'yes' : 'no') : '',
  }));
  return { title: 'Start-up: from the start of the process to its first line', rows };
}
