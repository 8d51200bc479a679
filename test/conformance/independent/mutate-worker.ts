// The thread in which `mutate.ts` runs the suite against one mutation.
import { parentPort, workerData } from 'node:worker_threads';
import { all, deployMade } from './run.js';

const { Service } = (await import(workerData as string)) as typeof import('./service.js');

/** What came of the first run that finds something, or of the last one. */
async function judge(): Promise<string> {
  const reading = await deployMade((around) => new Service(around)).check();
  if (reading.exitCode === 1) return 'killed';
  const { exitCode, counts } = await deployMade((around) => new Service(around)).check(all);
  return exitCode === 1 ? 'killed' : `exit ${exitCode}, ${counts.warn} warnings, ${counts.inconclusive} inconclusive`;
}

// It is no window that gets the message.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(await judge());
