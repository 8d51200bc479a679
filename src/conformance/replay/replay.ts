import { JsonMeter } from '../../evidence/json-size.js';
import { type ArchivedExchange, readArchive } from './archive.js';
import { selectRules } from '../run/check.js';
import { type CheckOptions, MAX_EVIDENCE } from '../run/check-options.js';
import { Evidence } from '../run/evidence.js';
import type { Reply } from '../client/exchange.js';
import { judge, judgementOf } from '../run/judge.js';
import { Inconclusive } from '../client/outcome.js';
import { type RecordedCall, readRecording, type Unjudged } from './recorded-calls.js';
import { exchangeOf, replyOf, responseOf, type Sent } from '../client/recording.js';
import { reportOf } from '../run/report.js';
import { keptWords } from '../run/summary/values.js';
import { type RequestCall, prepare } from '../client/request.js';
import { ruleOf, type RuleSpec } from '../rules/rule.js';
import { type Run, Session } from '../client/session.js';
import { Transport } from '../client/transport.js';
import type { TransportOptions } from '../client/wire/transport-options.js';
import { type Host, permissions, type Report, type RuleResult } from '../client/types.js';

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
  | 'strict'
  | 'minConclusive'
  | 'card'
  | 'rules'
  | 'onEvent'
> {
  /** The HTTP Archive, as parsed JSON. */
  readonly archive: unknown;
  /** The base URL of the deployment; default: the one under which most requests of the archive are operations. */
  readonly baseUrl?: string;
  readonly host: Pick<Host, 'now'>;
}

/**
 * Judges recorded traffic. Nothing is sent, so rules that send requests are not run.
 *
 * @throws {Error} if the input is not an HTTP Archive.
 */
export async function replay(options: ReplayOptions): Promise<Report> {
  const { archive, host, maxEvidence, onEvent = () => {} } = options;
  const { baseUrl, calls, deliveries, unjudged } = readRecording(readArchive(archive), options.baseUrl);
  const startedAt = host.now();
  const transport = new RecordedTransport({ baseUrl, maxEvidence }, host, (exchange) =>
    onEvent({ type: 'exchange', exchange }),
  );
  if (options.showPersonalData) transport.masker.personal = undefined;
  const run = runOf(transport);
  const evidence = new Evidence(run);
  const { selected, written } = selectRules(options, () => evidence);
  onEvent({ type: 'start', baseUrl, runId: run.runId, rules: selected.length });
  const refused = calls.flatMap((recorded) => transport.take(recorded));
  for (const delivery of deliveries) takeDelivery(run, delivery);
  const results: RuleResult[] = [];
  for (const spec of selected) {
    const before = transport.denied;
    const judged = spec.phase === 'evidence' ? await judge(spec, run, evidence, judgementOf(options)) : undefined;
    const sends = !judged || judged.reason === 'replayed' || transport.denied > before;
    const result = sends ? notRun(spec) : judged;
    results.push(result);
    onEvent({ type: 'rule', result });
  }
  const stopped = undefined;
  const report: Report = {
    ...reportOf({ options, run, evidence, results, stopped, startedAt, written, baseUrl }),
    unjudged: [...unjudged, ...refused].map(({ exchange: { method, url }, why }) => ({
      method,
      url: transport.masker.cut(keptWords(url)),
      why,
    })),
  };
  onEvent({ type: 'end', report });
  return report;
}

const RUN_ID = 'replay';
const A_RUN = 'a run against the deployment, since the rule sends requests of its own';

function runOf(transport: RecordedTransport): Run {
  const { host, onExchange } = transport.options;
  const shared = { results: [], memo: new Map(), found: [] };
  return {
    transport,
    host,
    runId: RUN_ID,
    receiver: undefined,
    callbackTimeout: 0,
    patience: 0,
    recorded: true,
    onExchange,
    ...shared,
  };
}

function takeDelivery(run: Run, { method, url, requestHeaders, requestBody = '', startedAt }: ArchivedExchange): void {
  new Session(run).received({ method, url, headers: requestHeaders, text: requestBody, at: startedAt });
}

function notRun({ id }: RuleSpec): RuleResult {
  const { basis, severity, source, statement } = ruleOf(id);
  const said = { verdict: 'not-run', reason: 'replayed', missing: A_RUN } as const;
  return { id, ...said, basis, severity, source, statement, assertions: 0, exchanges: [] };
}

/** Answers from a recording. Requests that were not recorded are not answered. */
class RecordedTransport extends Transport {
  readonly #byRequest = new Map<string, Reply>();
  #denied = 0;

  constructor(
    { baseUrl, maxEvidence = MAX_EVIDENCE }: { readonly baseUrl: string; readonly maxEvidence: number | undefined },
    { now }: Pick<Host, 'now'>,
    onExchange: TransportOptions['onExchange'],
  ) {
    const fetch: Host['fetch'] = () => Promise.reject(new Error('A replay sends nothing.'));
    const host: Host = { fetch, now, sleep: async () => {}, schedule: () => () => {}, random: () => 0 };
    const limits = {
      allow: new Set(permissions),
      maxBookings: 0,
      timeout: 0,
      maxBody: Infinity,
      maxEvidence,
      deadline: 0,
      maxErrors: 100,
      rps: 0,
    };
    const reach = { bearerHeader: 'Authorization', headers: {}, userAgent: 'teebox' };
    super({ baseUrl, first: {}, ...limits, ...reach, runId: RUN_ID, host, onExchange });
  }

  /** The number of exchanges. */
  override get requests(): number {
    return this.replies.length;
  }

  /** The number of requests that the recording cannot answer. */
  get denied(): number {
    return this.#denied;
  }

  /** The first recorded answer to the same read. Probes and requests with their own credentials have none. */
  override async send(call: RequestCall): Promise<Reply> {
    if (!('operation' in call) || call.breaking || call.scheme || call.headers || (call.as ?? 'first') !== 'first') {
      this.#denied += 1;
      throw new Inconclusive('replayed', A_RUN);
    }
    const { method, path } = prepare(call);
    const reply = this.#byRequest.get(keyOf(method, path));
    if (!reply) throw new Inconclusive('no-data', `a recorded answer to ${method} ${path}`);
    return reply;
  }

  /** Adds an exchange to the evidence; says why where there is no room for it. */
  take({ exchange, path, call }: RecordedCall): readonly Unjudged[] {
    const { method, url, requestHeaders, requestBody, status, headers, text = '', startedAt, durationMs } = exchange;
    const refusal = this.evidence.take(new JsonMeter().addText(text));
    if (refusal) return [{ exchange, why: refusal.why }];
    const id = `x${this.requests + 1}`;
    const sent: Sent = { id, call, startedAt, method, path, url, headers: requestHeaders, body: requestBody };
    const at = startedAt + durationMs;
    const reply = replyOf(this.masker, sent, { status, headers, text }, at);
    this.replies.push(reply);
    const key = keyOf(method, prepare(call).path);
    if (!this.#byRequest.has(key)) this.#byRequest.set(key, reply);
    this.options.onExchange(exchangeOf(this.masker, sent, at, { response: responseOf(this.masker, reply) }));
    return [];
  }
}

/** A key that is equal for two spellings of one request. */
function keyOf(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://recorded.invalid');
  searchParams.sort();
  return `${method} ${pathname}?${searchParams}`;
}
