import { type ArchivedExchange, readArchive } from './archive.js';
import { selectRules } from './check.js';
import type { CheckOptions } from './check-options.js';
import { Evidence } from './evidence.js';
import type { Reply } from './exchange.js';
import { judge } from './judge.js';
import { Inconclusive } from './outcome.js';
import { type RecordedCall, readRecording } from './recorded-calls.js';
import { exchangeOf, replyOf, responseOf, type Sent } from './recording.js';
import { reportOf } from './report.js';
import { type Call, prepare } from './request.js';
import { ruleOf, type RuleSpec } from './rule.js';
import { type Run, Session } from './session.js';
import { Transport } from './transport.js';
import { type Host, permissions, type Report, type RuleResult } from './types.js';

/** What a replay is told. */
export interface ReplayOptions extends Pick<
  CheckOptions,
  'only' | 'skip' | 'known' | 'strict' | 'minConclusive' | 'card' | 'rules' | 'onEvent'
> {
  /** An HTTP Archive, as parsed JSON. */
  readonly archive: unknown;
  /** Of the deployment in the archive; default: that under which most of its requests are operations. */
  readonly baseUrl?: string;
  readonly host: Pick<Host, 'now'>;
}

/**
 * Judges recorded traffic by the rules that need nothing else. Nothing is sent; rules that send requests are not run.
 *
 * @throws {Error} for what is no HTTP Archive.
 */
export async function replay(options: ReplayOptions): Promise<Report> {
  const { archive, host, onEvent = () => {}, strict = false, card = {} } = options;
  const { baseUrl, calls, deliveries, unjudged } = readRecording(readArchive(archive), options.baseUrl);
  const startedAt = host.now();
  const transport = new RecordedTransport(baseUrl, host, (exchange) => onEvent({ type: 'exchange', exchange }));
  const run = runOf(transport);
  const evidence = new Evidence(run);
  const { selected, written } = selectRules(options, () => evidence);
  onEvent({ type: 'start', baseUrl, runId: run.runId, rules: selected.length });
  for (const recorded of calls) await transport.take(recorded);
  for (const delivery of deliveries) takeDelivery(run, delivery);
  const results: RuleResult[] = [];
  for (const spec of selected) {
    const before = transport.denied;
    const judged = spec.phase === 'evidence' ? await judge(spec, run, evidence, { strict, card }) : undefined;
    const sends = !judged || judged.reason === 'replayed' || transport.denied > before;
    const result = sends ? notRun(spec) : judged;
    results.push(result);
    onEvent({ type: 'rule', result });
  }
  const stopped = undefined;
  const report: Report = {
    ...reportOf({ options, run, evidence, results, stopped, startedAt, written, baseUrl }),
    unjudged: unjudged.map(({ exchange: { method, url }, why }) => ({ method, url: transport.masker.text(url), why })),
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
  const { basis, source, statement } = ruleOf(id);
  const said = { verdict: 'not-run', reason: 'replayed', missing: A_RUN } as const;
  return { id, ...said, basis, source, statement, assertions: 0, exchanges: [] };
}

/** Answers from a recording; what was not recorded is not answered. */
class RecordedTransport extends Transport {
  readonly #byRequest = new Map<string, Reply>();
  #denied = 0;

  constructor(baseUrl: string, { now }: Pick<Host, 'now'>, onExchange: Transport['options']['onExchange']) {
    const fetch: Host['fetch'] = () => Promise.reject(new Error('A replay sends nothing.'));
    const host: Host = { fetch, now, sleep: async () => {}, random: () => 0 };
    const limits = { allow: new Set(permissions), maxBookings: 0, timeout: 0, rps: 0 };
    super({ baseUrl, first: {}, ...limits, bearerHeader: 'Authorization', runId: RUN_ID, host, onExchange });
  }

  /** How many exchanges there are. */
  override get requests(): number {
    return this.replies.length;
  }

  /** How many requests were asked for that no recording can stand in for. */
  get denied(): number {
    return this.#denied;
  }

  /** The first recorded answer to the same read; a probe, or one with credentials of its own, has none. */
  override async send(call: Call): Promise<Reply> {
    if (!('operation' in call) || call.breaking || call.scheme || call.headers || (call.as ?? 'first') !== 'first') {
      this.#denied += 1;
      throw new Inconclusive('replayed', A_RUN);
    }
    const { method, path } = prepare(call);
    const reply = this.#byRequest.get(keyOf(method, path));
    if (!reply) throw new Inconclusive('no-data', `a recorded answer to ${method} ${path}`);
    return reply;
  }

  /** Takes an exchange into the evidence. */
  async take({ exchange, path, call }: RecordedCall): Promise<void> {
    const { method, url, requestHeaders, requestBody, status, headers, text = '', startedAt, durationMs } = exchange;
    const id = `x${this.requests + 1}`;
    const sent: Sent = { id, call, startedAt, method, path, url, headers: requestHeaders, body: requestBody };
    const at = startedAt + durationMs;
    const reply = await replyOf(this.masker, sent, { status, headers, text: async () => text }, () => at);
    this.replies.push(reply);
    const key = keyOf(method, prepare(call).path);
    if (!this.#byRequest.has(key)) this.#byRequest.set(key, reply);
    this.options.onExchange(exchangeOf(this.masker, sent, at, { response: responseOf(this.masker, reply) }));
  }
}

/** The same for two spellings of one request. */
function keyOf(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://recorded.invalid');
  searchParams.sort();
  return `${method} ${pathname}?${searchParams}`;
}
