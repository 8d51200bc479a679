import { type ArchivedExchange, ArchiveReader } from './archive.js';
import { selectRules, slowWorkOf } from '../run/check.js';
import type { CheckOptions } from '../run/check-options.js';
import { Evidence } from '../run/evidence.js';
import { verdictSettingsOf } from '../run/evaluate.js';
import { drained, readRecording, unjudgedOf } from './recorded-calls.js';
import { evaluateRecorded, RecordedTransport, recordedRun, takeDelivery } from './recorded-transport.js';
import { reportOf } from '../run/report.js';
import { keptWords } from '../run/summary/values.js';
import { learnClock } from '../journeys/deployment-clock.js';
import { unlessInconclusive } from '../client/outcome.js';
import { Session } from '../client/session.js';
import type { Host, Report, RuleResult, UnjudgedExchange } from '../client/types.js';

/** The options of a replay. */
export interface ReplayOptions extends Pick<
  CheckOptions,
  | 'only'
  | 'skip'
  | 'known'
  | 'failOn'
  | 'severities'
  | 'maxP95'
  | 'maxEvidence'
  | 'showPersonalData'
  | 'minConclusive'
  | 'card'
  | 'explain'
  | 'onEvent'
> {
  /** The HTTP Archive, as parsed JSON. */
  readonly archive: unknown;
  /** The base URL of the deployment; default: the one under which most requests of the archive are operations. */
  readonly baseUrl?: string;
  readonly host: Pick<Host, 'now'>;
}

/**
 * Checks recorded traffic. Nothing is sent: a rule that sends requests finds their answers in the recording, or is not run.
 *
 * @throws {Error} if the input is not an HTTP Archive.
 */
export async function replay({ archive, ...options }: ReplayOptions): Promise<Report> {
  const reader = new ArchiveReader(options.maxEvidence);
  const exchanges = reader.end(archive);
  return replayExchanges(exchanges, { ...options, runId: reader.runId });
}

/** Checks recorded exchanges, those of a run with its id, and takes each out of their list. */
export async function replayExchanges(
  exchanges: ArchivedExchange[],
  options: Omit<ReplayOptions, 'archive'> & { readonly runId?: string | undefined },
): Promise<Report> {
  const { host, maxEvidence, runId, onEvent = () => {} } = options;
  const { baseUrl, calls, deliveries, unjudged } = readRecording(exchanges, options.baseUrl);
  const startedAt = host.now();
  const transport = new RecordedTransport({ baseUrl, maxEvidence, runId }, host, (exchange) =>
    onEvent({ type: 'exchange', exchange }),
  );
  if (options.showPersonalData) transport.masker.personal = undefined;
  const run = recordedRun(transport);
  const evidence = new Evidence(run);
  const { selected, written } = selectRules(options, () => evidence);
  onEvent({ type: 'start', baseUrl, runId: run.runId, rules: selected.length });
  const refused: UnjudgedExchange[] = [];
  for (const recorded of drained(calls)) refused.push(...transport.take(recorded).map(unjudgedOf));
  for (const delivery of drained(deliveries)) {
    const why = takeDelivery(run, delivery);
    if (why !== undefined) refused.push(unjudgedOf({ exchange: delivery, why }));
  }
  const results: RuleResult[] = [];
  if (run.ofRun) await learnClock(new Session(run)).catch(unlessInconclusive);
  const beginBefore = slowWorkOf(selected, run);
  for (const spec of selected) {
    await beginBefore(spec);
    const result = await evaluateRecorded(spec, run, transport, evidence, verdictSettingsOf(options));
    results.push(result);
    onEvent({ type: 'rule', result });
  }
  const stopped = undefined;
  const report: Report = {
    ...reportOf({ options, run, evidence, results, stopped, startedAt, written, baseUrl }),
    unjudged: [...unjudged, ...refused].map(({ method, url, why }) => ({
      method,
      url: transport.masker.cut(keptWords(url)),
      why,
    })),
  };
  onEvent({ type: 'end', report, mask: (text) => transport.masker.text(text) });
  return report;
}
