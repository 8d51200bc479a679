import type { RunOptions } from '../../src/conformance/run/check-options.js';
import type { Report } from '../../src/conformance/client/types.js';
import { type RecordedRun, Recorder } from '../../src/conformance/report/recorder.js';
import { harEntry } from '../../src/conformance/report/har.js';
import type { Exchange } from '../../src/conformance/client/exchange.js';
import type { CheckEvent } from '../../src/conformance/client/types.js';
import type { SandboxOptions } from '../../src/engine/library.js';
import { type Delivery, deploy, type Layer } from './deployment.js';
import { everything } from './full-run.js';

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

/** The recording that a run with all permissions writes by `--report har=FILE`. */
export async function archivedRun(
  changes: Partial<RunOptions> = {},
  layer?: Layer,
  { settings, post }: { settings?: SandboxOptions | undefined; post?: Delivery } = {},
): Promise<{ readonly report: Report; readonly archive: object }> {
  const entries: Exchange[] = [];
  let runId = '';
  const { sandbox, check } = await deploy(settings, layer, post);
  const { first, second, allow } = everything(sandbox);
  const onEvent = (event: CheckEvent): void => {
    if (event.type === 'start') ({ runId } = event);
    if (event.type === 'exchange') entries.push(event.exchange);
  };
  const report = await check({ first: first!, second: second!, allow: allow!, ...changes, onEvent });
  const log = { _command: 'check', _runId: runId, entries: entries.map(harEntry) };
  // What follows does not see later what is masked by then.
  return { report, archive: JSON.parse(JSON.stringify({ log })) as object };
}
