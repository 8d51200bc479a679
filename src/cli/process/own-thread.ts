import { getAsset, isSea } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Asked, Terminal } from '../terminal.js';

/**
 * Megabytes for new objects in the thread. Where nothing says it, Node 24 lets them grow until a run takes a third more
 * memory than with this, and no time is won.
 */
const MOST_YOUNG = 16;

/**
 * Starts a thread.
 *
 * @param asset The program as an asset of a single executable, which has no module that a thread could load.
 */
export function startThread(program: URL, asset: string, options: WorkerOptions): Worker {
  return isSea() ? new Worker(getAsset(asset, 'utf8'), { ...options, eval: true }) : new Worker(program, options);
}

/**
 * Runs a program in a thread of this process, and returns its exit code.
 *
 * @param program A module that asks for what `Asked` lists.
 */
export function runInThread(program: URL, argv: readonly string[], terminal: Terminal): Promise<number> {
  const resourceLimits = { maxYoungGenerationSizeMb: MOST_YOUNG };
  const worker = startThread(program, 'dist/cli.cjs', { argv: [...argv], resourceLimits });
  worker.on('message', ({ to, text }: Asked) => {
    if (to !== 'stop') return terminal[to]?.(text);
    terminal.untilStopped().addEventListener('abort', () => worker.postMessage(to, []));
  });
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', resolve);
  });
}
