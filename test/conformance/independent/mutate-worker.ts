// The thread in which `mutate.ts` runs the suite against one mutation.
import { parentPort, workerData } from 'node:worker_threads';
import type { Report } from '../../../src/conformance/client/types.js';
import { all, deployMade } from './run.js';

const { Service } = (await import(workerData as string)) as typeof import('./service.js');

/** What came of the first run that finds something, or of the last one; with the finding that leads the report. */
async function judge(): Promise<string> {
  const reading = await deployMade((around) => new Service(around)).check();
  if (reading.exitCode === 1) return killedBy(reading);
  const full = await deployMade((around) => new Service(around)).check(all);
  const { exitCode, counts } = full;
  if (exitCode === 1) return killedBy(full);
  return `exit ${exitCode}, ${counts.warn} warnings, ${counts.inconclusive} inconclusive`;
}

function killedBy({ findings, rules }: Report): string {
  const [id] = findings[0]!.rules;
  return `killed by ${id}: ${rules.find((rule) => rule.id === id)?.message ?? ''}`;
}

// It is no window that gets the message.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(await judge());
