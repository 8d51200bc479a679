import { JsonMeter, MASK, Masker } from '../../common/index.js';
import { drawsOf } from '../client/chance.js';
import { type ChannelOptions, Credentials, type Scheme } from '../client/credentials.js';
import type { CallbackAddress, CallbackReceiver } from '../client/receiver.js';
import type { Reply } from '../client/exchange.js';
import { Inconclusive, NotAllowed } from '../client/outcome.js';
import { keptBody } from '../client/kept-body.js';
import { exchangeOf, replyOf, responseOf, type Sent } from '../client/recording.js';
import { onlyReads, type OperationCall, prepare, type RequestCall } from '../client/request.js';
import { nothingYet, type ReceivedResult, type Run, Session } from '../client/session.js';
import { Transport } from '../client/transport.js';
import { bytesOf, type Overload } from '../client/wire/evidence-budget.js';
import type { TransportOptions } from '../client/wire/transport-options.js';
import { type Host, permissions, type RuleResult } from '../client/types.js';
import { ruleOf, type RuleSpec } from '../rules/rule.js';
import { MAX_EVIDENCE, SETTLE } from '../run/check-options.js';
import type { Evidence } from '../run/evidence.js';
import { evaluateRule, relate, type VerdictSettings } from '../run/evaluate.js';
import { isMasked } from '../facts/relation.js';
import type { ArchivedExchange } from './archive.js';
import { NOT_WHOLE, type RecordedCall, type Unevaluated } from './recorded-calls.js';
import { addressIn, type Recorded, RecordedRequests } from './recorded-requests.js';

/** Stands for the id of a run where the recording is none of one. */
const NO_RUN = 'replay';
/** What a rule would need that sends requests. */
const A_RUN = 'a run against the deployment, since the rule sends requests of its own';
const TOKENS = 'the tokens themselves, which a recording does not have';

/** What rules share over a recording. */
export function recordedRun(transport: RecordedTransport): Run {
  const { onExchange } = transport.options;
  const shared = nothingYet();
  const receiver = new RecordedReceiver(shared.results);
  transport.receiver = receiver;
  const { runId = NO_RUN } = transport;
  return {
    transport,
    // A run has drawn what follows from its id, so the requests are found that contain it.
    host: { ...transport.options.host, now: () => transport.moment, random: drawsOf(runId) },
    runId,
    receiver,
    callbackTimeout: 0,
    patience: 0,
    settle: SETTLE,
    recorded: true,
    ofRun: transport.runId !== undefined,
    onExchange,
    ...shared,
  };
}

/** Why an exchange is not evaluated with those before it. */
export const NO_ROOM = 'there is no room for it (max-evidence)';

/** Adds the result of a search to the evidence; says why where there is no room for it. */
export function takeDelivery(
  run: Run,
  { method, url, requestHeaders, requestBody = '', isCut, startedAt }: ArchivedExchange,
  id?: string,
): string | undefined {
  if (isCut) return NOT_WHOLE;
  try {
    new Session(run).received({ method, url, headers: requestHeaders, text: requestBody, at: startedAt }, id);
    return undefined;
  } catch (error) {
    if (error instanceof NotAllowed) return NO_ROOM;
    throw error;
  }
}

/**
 * Evaluates a rule as far as recorded answers say something. A rule that sends requests finds its answers in the recording.
 * What it finds stands only where nothing but the deployment explains it: nothing can be asked again.
 */
export async function evaluateRecorded(
  spec: RuleSpec,
  run: Run,
  transport: RecordedTransport,
  evidence: Evidence,
  how: VerdictSettings,
): Promise<RuleResult> {
  const before = transport.denied;
  transport.recording.begin();
  const evaluated = await evaluateRule(spec, run, evidence, how);
  const sent =
    spec.phase === 'evidence'
      ? withAll(spec, evaluated, transport.denied > before)
      : asFound(spec, evaluated, transport);
  return relate(spec, sent, run, evidence, how);
}

/** A rule about the evidence says nothing where the recording lacks a request of it that is no plain read. */
function withAll(spec: RuleSpec, evaluated: RuleResult, isDenied: boolean): RuleResult {
  return isDenied || evaluated.reason === 'replayed' ? notRun(spec) : evaluated;
}

/** What a rule says of answers that it found in the recording. */
function asFound(spec: RuleSpec, evaluated: RuleResult, transport: RecordedTransport): RuleResult {
  const { verdict, message, missing = A_RUN } = evaluated;
  // Half of what a rule expects may be there, so an error of its own is no fault either.
  if (verdict === 'inconclusive' || verdict === 'error') return { ...notRun(spec), missing };
  if ((verdict !== 'fail' && verdict !== 'warn') || transport.isCertain(evaluated)) return evaluated;
  return { ...notRun(spec), missing: `a second look, which a recording does not give: ${message}` };
}

/** The result of a rule that sends requests of its own. */
export function notRun({ id }: RuleSpec): RuleResult {
  const { basis, severity, source, statement } = ruleOf(id);
  const said = { verdict: 'not-run', reason: 'replayed', missing: A_RUN } as const;
  return { id, ...said, basis, severity, source, statement, assertions: 0, exchanges: [] };
}

/** The credentials of a recording: which schemes a channel has used, and nothing of what they were. */
class RecordedCredentials extends Credentials {
  readonly #schemes = new Set<Scheme>();
  declare readonly options: { basic?: NonNullable<ChannelOptions['basic']> };

  override get schemes(): readonly Scheme[] {
    return [...this.#schemes].sort();
  }

  use(scheme: Scheme): void {
    this.#schemes.add(scheme);
    if (scheme === 'basic') this.options.basic = { username: this.name, password: MASK };
  }

  override async headers(scheme: Scheme): Promise<Record<string, string>> {
    return { authorization: `${scheme} ${MASK}` };
  }

  override async accessToken(): Promise<string> {
    return MASK;
  }

  override rotate(): never {
    throw new Inconclusive('replayed', TOKENS);
  }
}

/** Gives a search of a rule the results of the recorded one. */
class RecordedReceiver implements CallbackReceiver {
  readonly reachable = true;
  readonly #recorded = new Map<string, string>();
  #count = 0;

  constructor(readonly results: readonly ReceivedResult[]) {}

  async address(): Promise<CallbackAddress> {
    const url = `https://callback.invalid/${(this.#count += 1)}`;
    const own = (): readonly ReceivedResult[] => {
      const recorded = this.#recorded.get(url);
      return this.results
        .filter((one) => recorded !== undefined && withoutQuery(one.url) === recorded)
        .map((one) => ({ ...one, url: url + new URL(one.url, url).search }));
    };
    return {
      url,
      get deliveries() {
        return own();
      },
      wait: async (count) => own().length >= count,
      hungUp: async () => undefined,
    };
  }

  /** The search with an address of this receiver is one that was recorded with another address. */
  bind(address: string, recorded: string): void {
    this.#recorded.set(withoutQuery(address), withoutQuery(recorded));
  }
}

const withoutQuery = (url: string): string => url.replace(/[?#].*/s, '');

/** Answers from a recording. Requests that were not recorded are not answered. */
export class RecordedTransport extends Transport {
  readonly recording = new RecordedRequests();
  /** Where the results of searches are, for the run. */
  receiver: RecordedReceiver | undefined;
  readonly #sizes = new Map<Reply, number>();
  override readonly channels: { readonly first: RecordedCredentials; second?: RecordedCredentials };
  /** The run of `check` that was recorded, if it was one. */
  readonly runId: string | undefined;
  #denied = 0;
  #moment: number | undefined;

  constructor(
    {
      baseUrl,
      maxEvidence = MAX_EVIDENCE,
      masker,
      runId,
    }: {
      readonly baseUrl: string;
      readonly maxEvidence: number | undefined;
      readonly masker?: Masker;
      readonly runId?: string | undefined;
    },
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
    super({
      baseUrl,
      first: {},
      ...limits,
      ...reach,
      runId: runId ?? NO_RUN,
      host,
      onExchange,
      ...(masker ? { masker } : {}),
    });
    this.runId = runId;
    this.channels = { first: this.#credentials('first') };
  }

  #credentials(name: 'first' | 'second'): RecordedCredentials {
    const unused = (): never => {
      throw new Inconclusive('replayed', TOKENS);
    };
    const { now } = this.options.host;
    const needs = { refresh: unused, ready: () => {}, now, latest: () => '', masker: new Masker() };
    return new RecordedCredentials(name, {}, { ...needs, bearerHeader: 'Authorization' });
  }

  /** The time at which a rule goes on after what it has looked at last. */
  get moment(): number {
    return this.#moment ?? this.options.host.now();
  }

  override async hasRoom(): Promise<boolean> {
    return true;
  }

  /** The number of exchanges. */
  override get requests(): number {
    return this.replies.length;
  }

  /** The number of requests that the recording cannot answer, besides plain reads. */
  get denied(): number {
    return this.#denied;
  }

  override async sendFirst(call: OperationCall): Promise<Reply> {
    return this.#answer(call, this.recording.find(call) ?? this.recording.findFirst(call));
  }

  override async latest(call: OperationCall, since: Pick<Reply, 'id'>): Promise<Reply> {
    return this.#answer(call, this.recording.find(call, since));
  }

  /** The recorded answer to the same request. */
  override async send(call: RequestCall): Promise<Reply> {
    return this.#answer(call, this.recording.find(call));
  }

  #answer(call: RequestCall, found: Recorded | undefined): Reply {
    const { method, path } = prepare(call);
    if (!found) {
      const isPlain =
        'operation' in call && onlyReads(call.operation) && !call.breaking && !call.scheme && call.as !== 'second';
      if (!isPlain) this.#denied += 1;
      throw new Inconclusive('no-data', `a recorded answer to ${method} ${path}`);
    }
    const { reply, address } = found;
    const given = addressIn(path);
    if (address !== undefined && given !== undefined) this.receiver?.bind(given, address);
    this.#moment = Math.max(this.#moment ?? 0, this.recording.nextAfter(found));
    return reply;
  }

  /**
   * Whether nothing but the deployment explains what a rule has found: the recording is that of a run, which looked at the
   * same answers in the same order, by the clock of the deployment.
   */
  isCertain(found: RuleResult): boolean {
    return this.runId !== undefined && !isMasked(found);
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
    this.#moment ??= startedAt;
    this.#learnChannel(call, requestHeaders);
    this.recording.add(reply, { exchange, path, call });
    if (!isShown)
      this.options.onExchange(exchangeOf(this.masker, sent, at, { response: responseOf(this.masker, reply, body) }));
    return [];
  }

  #learnChannel({ as = 'first' }: RequestCall, headers: Headers): void {
    if (as === 'nobody') return;
    const scheme = /^(basic|bearer)\b/i.exec(headers.get('authorization') ?? '')?.[1]?.toLowerCase();
    const channel = as === 'first' ? this.channels.first : (this.channels.second ??= this.#credentials('second'));
    if (scheme) channel.use(scheme as Scheme);
  }

  /** Lets go of the oldest exchanges. */
  forget(count: number): void {
    const old = new Set(this.replies.splice(0, count));
    for (const reply of old) {
      this.evidence.free({ bytes: this.#sizes.get(reply) ?? 0 });
      this.#sizes.delete(reply);
    }
    this.recording.forget(old);
  }
}
