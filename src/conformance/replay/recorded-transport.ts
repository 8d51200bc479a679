import { JsonMeter, type Masker } from '../../common/index.js';
import type { Reply } from '../client/exchange.js';
import { Inconclusive, NotAllowed } from '../client/outcome.js';
import { keptBody } from '../client/kept-body.js';
import { exchangeOf, replyOf, responseOf, type Sent } from '../client/recording.js';
import { prepare, type RequestCall } from '../client/request.js';
import { type Run, Session } from '../client/session.js';
import { Transport } from '../client/transport.js';
import { bytesOf, type Overload } from '../client/wire/evidence-budget.js';
import type { TransportOptions } from '../client/wire/transport-options.js';
import { type Host, permissions, type RuleResult } from '../client/types.js';
import { ruleOf, type RuleSpec } from '../rules/rule.js';
import { MAX_EVIDENCE } from '../run/check-options.js';
import type { Evidence } from '../run/evidence.js';
import { evaluateRule, relate, type VerdictSettings } from '../run/evaluate.js';
import type { ArchivedExchange } from './archive.js';
import type { RecordedCall, Unevaluated } from './recorded-calls.js';

const RUN_ID = 'replay';
/** What a rule would need that sends requests. */
const A_RUN = 'a run against the deployment, since the rule sends requests of its own';

/** What rules share over a recording. */
export function recordedRun(transport: RecordedTransport): Run {
  const { host, onExchange } = transport.options;
  const shared = { results: [], memo: new Map() };
  return {
    transport,
    host,
    runId: RUN_ID,
    receiver: undefined,
    callbackTimeout: 0,
    patience: 0,
    settle: 0,
    recorded: true,
    onExchange,
    ...shared,
  };
}

/** Why an exchange is not evaluated with those before it. */
export const NO_ROOM = 'there is no room for it (max-evidence)';

/** Adds the result of a search to the evidence; says why where there is no room for it. */
export function takeDelivery(
  run: Run,
  { method, url, requestHeaders, requestBody = '', startedAt }: ArchivedExchange,
  id?: string,
): string | undefined {
  try {
    new Session(run).received({ method, url, headers: requestHeaders, text: requestBody, at: startedAt }, id);
    return undefined;
  } catch (error) {
    if (error instanceof NotAllowed) return NO_ROOM;
    throw error;
  }
}

/** Evaluates a rule as far as recorded answers alone say something. */
export async function evaluateRecorded(
  spec: RuleSpec,
  run: Run,
  transport: RecordedTransport,
  evidence: Evidence,
  how: VerdictSettings,
): Promise<RuleResult> {
  const before = transport.denied;
  const evaluated = spec.phase === 'evidence' ? await evaluateRule(spec, run, evidence, how) : undefined;
  const sends = !evaluated || evaluated.reason === 'replayed' || transport.denied > before;
  return relate(spec, sends ? notRun(spec) : evaluated, run, evidence, how);
}

/** The result of a rule that sends requests of its own. */
export function notRun({ id }: RuleSpec): RuleResult {
  const { basis, severity, source, statement } = ruleOf(id);
  const said = { verdict: 'not-run', reason: 'replayed', missing: A_RUN } as const;
  return { id, ...said, basis, severity, source, statement, assertions: 0, exchanges: [] };
}

/** Answers from a recording. Requests that were not recorded are not answered. */
export class RecordedTransport extends Transport {
  readonly #byRequest = new Map<string, Reply>();
  readonly #sizes = new Map<Reply, number>();
  #denied = 0;

  constructor(
    {
      baseUrl,
      maxEvidence = MAX_EVIDENCE,
      masker,
    }: { readonly baseUrl: string; readonly maxEvidence: number | undefined; readonly masker?: Masker },
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
    super({ baseUrl, first: {}, ...limits, ...reach, runId: RUN_ID, host, onExchange, ...(masker ? { masker } : {}) });
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

  /** Adds an exchange to the evidence; says why where there is no room for it. One that was shown before is not shown again. */
  take(
    { exchange, path, call }: RecordedCall,
    id = `x${this.requests + 1}`,
    isShown = false,
  ): readonly (Unevaluated & Overload)[] {
    const { method, url, requestHeaders, requestBody, status, headers, text = '', startedAt, durationMs } = exchange;
    const size = new JsonMeter();
    const refusal = exchange.body ? undefined : this.evidence.take(size.addBytes(bytesOf(headers)).addText(text));
    if (refusal) return [{ exchange, ...refusal }];
    const sent: Sent = { id, call, startedAt, method, path, url, headers: requestHeaders, body: requestBody };
    const at = startedAt + durationMs;
    this.masker.learnRequest(requestHeaders, url, requestBody);
    this.masker.learnResponse(headers, text);
    const body = exchange.body ?? keptBody(status, text);
    const reply = replyOf(this.masker, sent, { status, headers }, at, body);
    this.replies.push(reply);
    this.#sizes.set(reply, !exchange.body && body.isRemade ? this.evidence.freeText(size) : size.bytes);
    const key = keyOf(method, prepare(call).path);
    if (!this.#byRequest.has(key)) this.#byRequest.set(key, reply);
    if (!isShown)
      this.options.onExchange(exchangeOf(this.masker, sent, at, { response: responseOf(this.masker, reply, body) }));
    return [];
  }

  /** Lets go of the oldest exchanges. */
  forget(count: number): void {
    for (const reply of this.replies.splice(0, count)) {
      this.evidence.free({ bytes: this.#sizes.get(reply) ?? 0 });
      this.#sizes.delete(reply);
    }
    for (const [key, reply] of this.#byRequest) if (!this.#sizes.has(reply)) this.#byRequest.delete(key);
  }
}

/** A key that is equal for two spellings of one request. */
function keyOf(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://recorded.invalid');
  searchParams.sort();
  return `${method} ${pathname}?${searchParams}`;
}
