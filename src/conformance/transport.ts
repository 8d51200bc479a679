import { RequestBudget, WriteBudget } from './budget.js';
import { type ChannelOptions, Credentials, type Scheme } from './credentials.js';
import type { Caller, Exchange, Reply } from './exchange.js';
import { Masker } from './mask.js';
import { Inconclusive, SuiteError, withoutLeave } from './outcome.js';
import { type Effect, effectOf } from './permission.js';
import { exchangeOf, replyOf, responseOf, type Sent } from './recording.js';
import { type Call, operationOf, prepare, type Prepared } from './request.js';
import type { Host, Permission } from './types.js';

export interface TransportOptions {
  /** The origin of the deployment, with a path if it has one, without a slash at its end. */
  readonly baseUrl: string;
  readonly first: ChannelOptions;
  readonly second?: ChannelOptions;
  readonly allow: ReadonlySet<Permission>;
  readonly maxBookings: number;
  /** The most requests, those included that log in; default: any. */
  readonly maxRequests?: number;
  /** Milliseconds until a request is given up. */
  readonly timeout: number;
  /** The most requests a second; 0 for as fast as answers come. */
  readonly rps: number;
  readonly bearerHeader: string;
  readonly runId: string;
  readonly host: Host;
  readonly onExchange: (exchange: Exchange) => void;
  /** Answers in place of the deployment; nothing is sent then. For plans. */
  readonly rehearse?: (call: Call) => Response;
}

const LONGEST_RETRY_AFTER = 5;
/** What may answer a call without valid credentials; the document does not say. */
const REFUSALS = new Set([200, 400, 401, 403]);

/**
 * The only way to the deployment. It sends nothing that the run has no leave for, counts bookings before they leave,
 * keeps to the pace, records every exchange without secrets, and refuses requests of the suite that break the
 * contract unless they say which rule they break on purpose.
 */
export class Transport {
  readonly masker = new Masker();
  /** Every answer so far: the evidence that the rules of forms judge. */
  readonly replies: Reply[] = [];
  readonly budget: WriteBudget;
  readonly channels: { readonly first: Credentials; readonly second?: Credentials };
  readonly #schemes = new Map<string, Scheme>();
  readonly #requests: RequestBudget;
  #free = 0;
  #refreshVersion: string | undefined;

  constructor(readonly options: TransportOptions) {
    this.budget = new WriteBudget(options.maxBookings);
    this.#requests = new RequestBudget(options.maxRequests);
    const { host, bearerHeader, first, second } = options;
    const refresh = (token: string): Promise<Reply> => this.refresh(token);
    const needs = { refresh, ready: this.#requests.ready, now: host.now, masker: this.masker, bearerHeader };
    this.channels = {
      first: new Credentials('first', first, needs),
      ...(second ? { second: new Credentials('second', second, needs) } : {}),
    };
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests.used;
  }

  /** Whether requests are few, so that each should tell as much as it can. */
  get limited(): boolean {
    return this.options.maxRequests !== undefined;
  }

  allows(permission: Permission): boolean {
    return this.options.allow.has(permission);
  }

  /**
   * Sends a request and gives back its answer, whatever that is.
   *
   * @throws {NotAllowed} without leave for it, or when it is one too many, {@link SuiteError} when it breaks the
   * contract without meaning to, {@link Inconclusive} when there is no answer, no budget or no such channel.
   */
  async send(call: Call): Promise<Reply> {
    const prepared = prepare(call);
    if (prepared.faults.length > 0 && call.breaking === undefined) {
      throw new SuiteError(`${prepared.method} ${prepared.path}: ${prepared.faults.join('; ')}`);
    }
    const effect = effectOf(prepared.method, prepared.path);
    if (effect !== 'read' && !this.allows(effect)) throw withoutLeave(effect);
    return this.#sendAs(call, prepared, effect);
  }

  /** Spends a refresh token; always allowed, as it is how a channel logs in. Only {@link Credentials} calls it. */
  async refresh(token: string): Promise<Reply> {
    const versions = this.#refreshVersion === undefined ? ['v5', 'v4', 'v3', 'v2', 'v1'] : [this.#refreshVersion];
    let reply: Reply | undefined;
    for (const version of versions) {
      const call: Call = {
        operation: 'refreshToken',
        params: { version },
        body: { refresh_token: token },
        as: 'nobody',
      };
      reply = await this.#deliver(call, prepare(call), 'tokens', {});
      if (reply.ok) this.#refreshVersion = version;
      // Which versions serve it is an open question; a path that is not there has spent nothing.
      if (reply.status !== 404 || this.#requests.isSpent) break;
    }
    return reply!;
  }

  /** A scheme that the version takes; where that is not known yet, reads find it out. */
  async #sendAs(call: Call, prepared: Prepared, effect: Effect): Promise<Reply> {
    const channel = this.#channel(call.as ?? 'first');
    if (!channel) return this.#within(call, prepared, effect, async () => ({}));
    const version = versionOf(call, prepared);
    const known = call.scheme ?? this.#schemes.get(version);
    const [usual, other] = channel.schemes;
    const scheme = known && (call.scheme || channel.schemes.includes(known)) ? known : usual;
    if (!scheme) throw new Inconclusive('not-given', 'credentials (--basic or --refresh-token)');
    const reply = await this.#identified(channel, scheme, call, prepared, effect);
    if (known || effect !== 'read' || call.breaking) return reply;
    if (reply.ok) this.#schemes.set(version, scheme);
    if (reply.ok || !other) return reply;
    const again = await this.#identified(channel, other, call, prepared, effect);
    if (again.ok) this.#schemes.set(version, other);
    return again.ok ? again : reply;
  }

  /** Sends as a channel. An access token of an earlier run may be no good any more; a read finds out. */
  async #identified(
    channel: Credentials,
    scheme: Scheme,
    call: Call,
    prepared: Prepared,
    effect: Effect,
  ): Promise<Reply> {
    const send = () => this.#within(call, prepared, effect, () => channel.headers(scheme));
    const reply = await send();
    if (scheme !== 'bearer' || effect !== 'read' || call.breaking !== undefined) return reply;
    const refused = !reply.ok && REFUSALS.has(reply.status);
    return (reply.ok || refused) && channel.forgets(refused) ? send() : reply;
  }

  #channel(caller: Caller): Credentials | undefined {
    if (caller === 'nobody') return undefined;
    const channel = this.channels[caller];
    if (!channel) throw new Inconclusive('not-given', 'a second channel (--second-basic or --second-refresh-token)');
    return channel;
  }

  /** Sends if that is not one too many, after a login where the credentials need one. */
  async #within(
    call: Call,
    prepared: Prepared,
    effect: Effect,
    credentials: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Reply> {
    this.#requests.ready();
    const headers = await credentials();
    this.#requests.ready();
    return this.#deliver(call, prepared, effect, headers);
  }

  /** Counts bookings, and retries what may be sent twice. */
  async #deliver(
    call: Call,
    prepared: Prepared,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const counts = effect === 'bookings' && prepared.body !== undefined;
    const reserved = counts ? this.budget.reserve(call.body) : 0;
    const retries = effect === 'read' ? 1 : 0;
    for (let attempt = 0; ; attempt += 1) {
      if (attempt > 0) this.#requests.ready();
      const id = `x${this.#requests.take()}`;
      const outcome = await this.#attempt(id, call, prepared, credentials);
      const last = attempt >= retries;
      if (typeof outcome === 'string') {
        if (!last) continue;
        if (counts) this.budget.settle(reserved, call.body, call.as ?? 'first', undefined, id);
        throw new Inconclusive('network', `an answer to ${prepared.method} ${prepared.path} (${outcome})`);
      }
      if (counts) this.budget.settle(reserved, call.body, call.as ?? 'first', outcome, id);
      if (outcome.status >= 500 && !last) continue;
      if (outcome.status !== 429) return outcome;
      const wait = Number(outcome.headers.get('retry-after') ?? 1);
      if (last || !(wait <= LONGEST_RETRY_AFTER)) throw new Inconclusive('rate-limited', 'a slower pace (--rps)');
      await this.options.host.sleep(wait * 1000);
    }
  }

  /** One request on the wire: its reply, or why there is none. */
  async #attempt(
    id: string,
    call: Call,
    { method, path, body }: Prepared,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply | string> {
    const { baseUrl, timeout, host, runId, rehearse } = this.options;
    await this.#pace();
    const headers = new Headers({ accept: 'application/json', 'user-agent': `teebox-check/${runId}`, ...credentials });
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    const signal = AbortSignal.timeout(timeout);
    // A redirect is not followed: it could lead to an operation that there is no leave for.
    const init: RequestInit = { method, headers, signal, redirect: 'manual', ...(body === undefined ? {} : { body }) };
    const startedAt = host.now();
    const sent: Sent = { id, call, startedAt, method, path, url: baseUrl + path, headers, body };
    const record = (answer: Pick<Exchange, 'response' | 'failure'>): void =>
      this.options.onExchange(exchangeOf(this.masker, sent, host.now(), answer));
    try {
      const response = rehearse ? rehearse(call) : await host.fetch(new Request(sent.url, init));
      const reply = await replyOf(this.masker, sent, response, host.now);
      this.replies.push(reply);
      record({ response: responseOf(this.masker, reply) });
      return reply;
    } catch (error) {
      const why = signal.aborted ? `none within ${timeout} ms` : reasonOf(error);
      record({ failure: why });
      return why;
    }
  }

  async #pace(): Promise<void> {
    const { rps, host } = this.options;
    if (rps <= 0) return;
    const at = Math.max(host.now(), this.#free);
    this.#free = at + 1000 / rps;
    const wait = at - host.now();
    if (wait > 0) await host.sleep(wait);
  }
}

function versionOf(call: Call, { path }: Prepared): string {
  if ('operation' in call) return operationOf(call.operation).version;
  return /^\/api\/(v\d+)/.exec(path)?.[1] ?? '*';
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & {
    readonly cause?: { readonly code?: string; readonly message?: string };
  };
  return cause?.code ?? cause?.message ?? message;
}
