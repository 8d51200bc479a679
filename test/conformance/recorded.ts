import type { RunOptions } from '../../src/conformance/run/check-options.js';
import type { Report } from '../../src/conformance/client/types.js';
import { type RecordedRun, Recorder } from '../../src/conformance/report/recorder.js';
import { deploy, type Layer } from './deployment.js';

/** A run with what the reports are written from, and the requests that reached the deployment. */
export interface Recorded {
  readonly report: Report;
  readonly run: RecordedRun;
  readonly sent: readonly string[];
}

/** Checks a deployment, which is correct without a layer, and records the run. Without permissions, it only reads. */
export async function recorded(changes: Partial<RunOptions> = {}, layer?: Layer): Promise<Recorded> {
  const { sent, check } = await deploy({}, layer);
  const recorder = new Recorder('1.2.3');
  const report = await check({ ...changes, onEvent: (event) => recorder.onEvent(event) });
  return { report, run: recorder.run, sent };
}

let reading: Promise<Recorded> | undefined;

/** Every rule that only reads, at quick depth: one run for all tests of a worker, as it takes about a second. */
export const quickReading = (): Promise<Recorded> => (reading ??= recorded({ depth: 'quick' }));
