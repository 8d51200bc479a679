import type { RunOptions } from '../../src/conformance/run/check-options.js';
import type { Report } from '../../src/conformance/client/types.js';
import { type RecordedRun, Recorder } from '../../src/conformance/report/recorder.js';
import { deploy } from './deployment.js';

/** A run against a correct deployment, and the requests that reached it. */
export interface Reading {
  readonly report: Report;
  readonly recorded: RecordedRun;
  readonly sent: readonly string[];
}

/** Reads a correct deployment with every rule. */
export async function read(changes: Partial<RunOptions> = {}): Promise<Reading> {
  const { sent, check } = await deploy();
  const recorder = new Recorder('1.2.3');
  const report = await check({ ...changes, onEvent: (event) => recorder.onEvent(event) });
  return { report, recorded: recorder.run, sent };
}

let reading: Promise<Reading> | undefined;

/** One reading at quick depth for all tests of a worker, as each takes about a second. */
export const quickReading = (): Promise<Reading> => (reading ??= read({ depth: 'quick' }));
