import type { RequestBudget, WriteBudget } from '../budget.js';
import type { Exchange, Reply } from '../exchange.js';
import type { Masker } from '../mask.js';
import { Inconclusive } from '../outcome.js';
import type { Effect } from '../permission.js';
import { exchangeOf, replyOf, responseOf, type Sent } from '../recording.js';
import type { PreparedCall, RequestCall } from '../request.js';
import type { FaultKind } from '../types.js';
import type { Deadline } from './deadline.js';
import type { EvidenceBudget, Overload } from './evidence-budget.js';
import { faultOf, type HealthMonitor } from './health.js';
import { reasonOf } from './network-errors.js';
import { Pace } from './pace.js';
import type { TransportOptions } from './transport-options.js';
import { type Received, TimedOut, Wire } from './wire.js';

/** What a dispatcher shares with the transport that it works for. */
export interface Shared {
  readonly masker: Masker;
  readonly replies: Reply[];
  readonly deadline: Deadline;
  readonly health: HealthMonitor;
  readonly budget: WriteBudget;
  readonly requests: RequestBudget;
  readonly evidence: EvidenceBudget;
}

/** Why a request has no answer that a rule could look at. */
interface Lost {
  readonly reason: 'network' | Overload['reason'];
  /** Absent where the deployment is not to blame. */
  readonly fault?: FaultKind;
  readonly why: string;
  /** Whether another attempt would end the same way. */
  readonly isFinal: boolean;
}

const LIMITED = 429;
const MOST_ATTEMPTS = 5;
/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_BACKOFF = 250;
/** The longest pause that the run makes for a deployment that asks for one, in milliseconds. */
const LONGEST_PAUSE = 60_000;

/** Sends what the transport has permitted: keeps the pace, counts bookings, retries reads, and records every exchange. */
export class Dispatcher {
  readonly #wire: Wire;
  readonly #pace: Pace;

  constructor(
    readonly options: TransportOptions,
    readonly shared: Shared,
  ) {
    this.#wire = new Wire(options.host);
    this.#pace = new Pace(options.rps, options.host, shared.deadline);
  }

  /** Counts bookings, and retries requests that may be sent twice. */
  async deliver(
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const { budget, deadline, evidence, requests } = this.shared;
    const counts = effect === 'bookings' && prepared.body !== undefined;
    const reserved = counts ? budget.reserve(call.body) : 0;
    const settle = (reply: Reply | undefined, id: string): void => {
      if (counts) budget.settle(reserved, call.body, call.as ?? 'first', reply, id);
    };
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) this.#ready();
      const id = `x${requests.take()}`;
      const outcome = await this.#attempt(id, call, prepared, effect, credentials);
      const lost = 'why' in outcome ? outcome : undefined;
      const reply = 'why' in outcome ? undefined : outcome;
      settle(reply, id);
      if (lost && deadline.isOver) throw deadline.error;
      if (lost?.reason === 'evidence') throw evidence.error;
      this.#note(call, lost?.fault, reply?.status);
      const again = effect === 'read' && !lost?.isFinal && attempt < attemptsFor(lost?.fault, reply?.status);
      // After a 429 the next request waits too, whichever it is.
      const rests = (again || reply?.status === LIMITED) && this.#rest(attempt, reply);
      if (again && rests) continue;
      if (lost) {
        throw new Inconclusive(
          lost.reason as 'network' | 'too-large',
          `an answer to ${prepared.method} ${prepared.path} (${lost.why})`,
        );
      }
      if (reply!.status === 429) throw new Inconclusive('rate-limited', 'a slower pace (--rps)');
      return reply!;
    }
  }

  /** Counts what became of a request. */
  #note(call: RequestCall, lost: FaultKind | undefined, status = 0): void {
    const fault = lost ?? faultOf(status);
    this.shared.health.note(call, fault);
    if (!fault && status !== LIMITED) this.#pace.faster();
  }

  /** Lets the deployment rest before the next attempt. False where that would take too long. */
  #rest(attempt: number, reply: Reply | undefined): boolean {
    const backoff = FIRST_BACKOFF * 2 ** (attempt - 1);
    const pause = reply ? (retryAfter(reply) ?? backoff) : backoff;
    if (pause > LONGEST_PAUSE || pause >= this.shared.deadline.left) return false;
    if (reply?.status === LIMITED) this.#pace.slower();
    this.#pace.pause(pause);
    return true;
  }

  /** One request on the wire: its reply, or why there is none. */
  async #attempt(
    id: string,
    call: RequestCall,
    { method, path, body }: PreparedCall,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply | Lost> {
    const { baseUrl, host } = this.options;
    const { masker, replies } = this.shared;
    await this.#pace.turn();
    const headers = this.#headers(credentials);
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    const startedAt = host.now();
    const sent: Sent = { id, call, startedAt, method, path, url: baseUrl + path, headers, body };
    const record = (answer: Pick<Exchange, 'response' | 'failure'>): void =>
      this.options.onExchange(exchangeOf(masker, sent, host.now(), answer));
    let received: Received;
    try {
      received = await this.#receive(sent, effect);
    } catch (error) {
      const isLate = error instanceof TimedOut;
      const { why, isFinal } = isLate ? { why: error.message, isFinal: false } : reasonOf(error);
      record({ failure: why });
      return { reason: 'network', fault: isLate ? 'timeout' : 'network', why, isFinal };
    }
    const { refusal } = received;
    if (refusal) {
      record({ response: responseOf(masker, received), failure: refusal.why });
      return { ...refusal, isFinal: false, ...(refusal.reason === 'too-large' ? { fault: 'too-large' } : {}) };
    }
    const reply = replyOf(masker, sent, received, host.now());
    replies.push(reply);
    record({ response: responseOf(masker, reply) });
    return reply;
  }

  /** The headers of every request, and the credentials. */
  #headers(credentials: Readonly<Record<string, string>>): Headers {
    const { headers: given, userAgent, runId } = this.options;
    const headers = new Headers({ accept: 'application/json', 'user-agent': `${userAgent} (check ${runId})` });
    for (const [name, value] of Object.entries({ ...given, ...credentials })) headers.set(name, value);
    return headers;
  }

  /** The answer, in time. A read ends with the run; what changes something is not cut short for that. */
  async #receive({ call, method, url, headers, body }: Sent, effect: Effect): Promise<Received> {
    const { maxBody, rehearse, timeout: usual } = this.options;
    if (rehearse) {
      const rehearsed = rehearse(call);
      return {
        status: rehearsed.status,
        headers: rehearsed.headers,
        text: await rehearsed.text(),
        encoding: 'utf-8',
      };
    }
    const timeout = effect === 'read' ? Math.min(usual, this.shared.deadline.left) : usual;
    // A redirect is not followed: it could lead to an operation that needs permission.
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) };
    const signal = effect === 'read' ? this.options.signal : undefined;
    return this.#wire.exchange(url, init, { timeout, maxBody, evidence: this.shared.evidence, signal });
  }

  #ready(): void {
    this.shared.deadline.ready();
    this.shared.health.ready();
    this.shared.requests.ready();
    this.shared.evidence.ready();
  }
}

/** How often a read is sent at most, by what became of it. */
function attemptsFor(fault: FaultKind | undefined, status = 0): number {
  if (fault === 'timeout') return 2;
  return fault === 'network' || faultOf(status) || status === LIMITED ? MOST_ATTEMPTS : 1;
}

/** Milliseconds that an answer asks to wait for, in seconds or until a date. */
function retryAfter({ headers, at }: Reply): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, until - at);
}
