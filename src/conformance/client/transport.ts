import { type OperationId, operationOf } from '../../contract/index.js';
import { OwnBookings, RequestBudget } from './own-bookings.js';
import { itemsOf, WriteBudget } from './write-budget.js';
import { Credentials, type Scheme, ScoutCredentials } from './credentials.js';
import type { Caller, Encoding, Exchange, Reply } from './exchange.js';
import { Inconclusive, NotAllowed, SuiteError, unlessOver, withoutPermission } from './outcome.js';
import { dayAt, LONG_AGO } from './day.js';
import { type Effect, effectOf } from './permission.js';
import { PersonalData } from './personal-data.js';
import { keyOf, type OperationCall, prepare, type PreparedCall, type RequestCall } from './request.js';
import type { FaultKind, Host, Permission } from './types.js';
import { operationIn, type VersionOf, versions } from './operations.js';
import { Deadline } from './wire/deadline.js';
import { bytesOf, EvidenceBudget, type EvidenceMark, inMiB, type Overload } from './wire/evidence-budget.js';
import { faultOf, HealthMonitor } from './wire/health.js';
import { backoffOf, LONGEST_PAUSE, Pace, type Slowdown } from './wire/pace.js';
import { limited, Quotas } from './wire/quotas.js';
import { type Arrival, ReadAhead, unforeseen } from './wire/read-ahead.js';
import { Scope } from './wire/scope.js';
import type { TransportOptions } from './wire/transport-options.js';
import { type KeptBody, keptBody, plainText, wholeBody } from './kept-body.js';
import { beginningOf, exchangeOf, replyOf, responseOf, type Sent } from './recording.js';
import { connectionFault, JsonMeter, Masker } from '../../common/index.js';

/** What one request may cost. */
interface WireLimits {
  /** Milliseconds until the body has been read to its end. */
  readonly timeout: number;
  /** Bytes of a body, after decompression. */
  readonly maxBody: number;
  /** The room for what is read. */
  readonly evidence: EvidenceBudget;
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined;
}

/** A response that has been read: to its end, or until it was too large. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly encoding: Encoding;
  /** The room that it has taken; absent where it has taken none. */
  readonly size?: JsonMeter;
  /** Why the body was not read to its end; then `text` is only its beginning. */
  readonly refusal?: Overload | undefined;
  /** The body, if it was read before. */
  readonly body?: KeptBody;
}

/** No whole answer came within the time limit. */
class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/** Characters that are kept of a body that is too large. */
const HEAD = 2000;

/** Sends requests, each within a time limit and a size limit. */
class Wire {
  /**
   * Requests under way. A `Request` follows the signal that it is made with only as long as it is referenced: without
   * this set it could be collected, and would never hear of its time limit.
   */
  readonly #open = new Set<Request>();

  constructor(readonly host: Pick<Host, 'fetch' | 'schedule'>) {}

  /**
   * Sends a request and reads the answer. The time limit holds for the headers and the body. A body beyond the size
   * limit is given up, and so is its connection.
   *
   * @throws {TimedOut} at the time limit; whatever `fetch` throws.
   */
  async exchange(url: string, init: RequestInit, { timeout, signal, ...limits }: WireLimits): Promise<Received> {
    const stop = new AbortController();
    const request = new Request(url, { ...init, signal: stop.signal });
    this.#open.add(request);
    let cancel = (): void => {};
    let interrupt = (): void => {};
    // The race ends the wait even if the host's `fetch` ignores the signal.
    const late = new Promise<never>((_, reject) => {
      const end = (why: string): void => {
        const error = new TimedOut(why);
        stop.abort(error);
        reject(error);
      };
      cancel = this.host.schedule(() => end(`none within ${timeout} ms`), timeout);
      interrupt = () => end('the run was interrupted');
    });
    signal?.addEventListener('abort', interrupt);
    try {
      return await Promise.race([this.#receive(request, stop, limits), late]);
    } finally {
      cancel();
      signal?.removeEventListener('abort', interrupt);
      this.#open.delete(request);
    }
  }

  async #receive(request: Request, stop: AbortController, limits: BodyLimits): Promise<Received> {
    const response = await this.host.fetch(request);
    const { status, headers } = response;
    const body = await read(response, stop.signal, limits);
    if (body.refusal) stop.abort();
    return { status, headers, ...body };
  }
}

type BodyLimits = Pick<WireLimits, 'maxBody' | 'evidence'>;

const BYTE_ORDER_MARK = '\uFEFF';

/** A body that is decoded as it comes, since its bytes would take as much memory again. */
class BodyText {
  readonly #parts: string[] = [];
  #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #isInvalid = false;

  add(bytes?: Uint8Array): void {
    try {
      this.#parts.push(this.#decoder.decode(bytes, { stream: bytes !== undefined }));
    } catch {
      // What is no UTF-8 is a finding; a character of it may be lost where two parts meet.
      this.#isInvalid = true;
      this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      this.#parts.push(this.#decoder.decode(bytes, { stream: bytes !== undefined }));
    }
  }

  /** The whole text, or its beginning: of a text that is refused, megabytes are not put together. */
  end(most: number): Pick<Received, 'text' | 'encoding'> {
    this.add();
    let count = 0;
    for (let length = 0; count < this.#parts.length && length < most; count += 1) length += this.#parts[count]!.length;
    const text = beginningOf(this.#parts.slice(0, count).join(''), most);
    const hasMark = text.startsWith(BYTE_ORDER_MARK);
    const encoding = hasMark ? 'byte-order-mark' : 'utf-8';
    return { text: hasMark ? text.slice(1) : text, encoding: this.#isInvalid ? 'invalid' : encoding };
  }
}

interface Body extends Pick<Received, 'text' | 'encoding'> {
  readonly size: JsonMeter;
  readonly refusal: Overload | undefined;
}

async function read(response: Response, gone: AbortSignal, { maxBody, evidence }: BodyLimits): Promise<Body> {
  const reader = response.body?.getReader();
  const body = new BodyText();
  const size = new JsonMeter().addBytes(bytesOf(response.headers));
  let length = 0;
  let refusal: Overload | undefined;
  const leave = (): void => void reader?.cancel().catch(() => {});
  gone.addEventListener('abort', leave);
  try {
    while (!refusal) {
      const part = await reader?.read();
      if (!part || part.done) break;
      body.add(part.value);
      length += part.value.byteLength;
      refusal = length > maxBody ? tooLong(maxBody) : evidence.refusalOf(size.add(part.value));
    }
  } finally {
    gone.removeEventListener('abort', leave);
  }
  if (refusal) leave();
  refusal = refusal?.reason === 'too-large' ? refusal : evidence.take(size);
  return { ...body.end(refusal ? HEAD : Infinity), size, refusal };
}

function tooLong(maxBody: number): Overload {
  return { reason: 'too-large', why: `its body is longer than ${inMiB(maxBody)} MiB (max-body)` };
}

/** What a dispatcher shares with the transport that it works for. */
interface Shared {
  readonly masker: Masker;
  readonly replies: Reply[];
  readonly deadline: Deadline;
  readonly health: HealthMonitor;
  readonly budget: WriteBudget;
  readonly requests: RequestBudget;
  readonly evidence: EvidenceBudget;
  /** Throws where no further request may be sent. */
  readonly ready: () => void;
  /** Absent where one request is sent after another. */
  ahead?: ReadAhead;
}

/** A request as it goes over the wire, the whole of it. */
type WireRequest = Pick<Sent, 'call' | 'method' | 'path' | 'url' | 'headers' | 'body'>;

/** Why a request has no answer that a rule could look at. */
interface Lost {
  readonly reason: 'network' | Overload['reason'];
  /** Absent where the deployment is not to blame. */
  readonly fault?: FaultKind;
  readonly why: string;
  /** What to try. */
  readonly hint?: string;
  /** Whether another attempt would end the same way. */
  readonly isFinal: boolean;
}

const LATE = 'Raise --timeout if the deployment is slow; a firewall that drops packets looks the same.';
const LIMITED = 429;
const MOST_ATTEMPTS = 5;
/** How often a read is sent that is refused for its pace, where the deployment does not say when to come again: a minute long. */
const MOST_WITHOUT_WORD = 9;
/** How often a read is sent at most that ends in an error of the server. */
const MOST_REREADS = 3;

/** Sends what the transport has permitted: keeps the pace, counts bookings, retries reads, and records every exchange. */
class Dispatcher {
  readonly #wire: Wire;
  readonly #pace: Pace;
  readonly #quotas: Quotas;
  /** The latest answer to each address. Most are the same when they come again, and are then parsed and kept once. */
  readonly #latest = new Map<string, Pick<Reply, 'status'> & { readonly body: KeptBody }>();
  /** Whether answers are let go soon: then it is not worth the time to make their texts again. */
  #letsGo = false;

  constructor(
    readonly options: TransportOptions,
    readonly shared: Shared,
  ) {
    this.#wire = new Wire(options.host);
    this.#pace = new Pace(options.rps, options.host, shared.deadline);
    this.#quotas = new Quotas(options.host);
  }

  /** How the deployment has slowed the run down. */
  get slowdown(): Slowdown {
    return this.#pace.slowdown;
  }

  /** Throws where the deployment refuses every request for its pace. */
  readonly ready = (): void => this.#quotas.ready();

  /** Lets the answers go that were kept to be compared with the next ones. */
  forget(): void {
    this.#latest.clear();
    this.#letsGo = true;
  }

  /** Sends a request. While it may change something, nothing else is under way. */
  deliver(
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const send = (): Promise<Reply> => this.#deliver(call, prepared, effect, credentials);
    const { ahead } = this.shared;
    // A login changes nothing that is read.
    return ahead && effect !== 'read' ? ahead.alone(effect !== 'tokens', send) : send();
  }

  /** The answer to a read that the run has not asked for yet. */
  foresee(call: RequestCall, prepared: PreparedCall, credentials: Readonly<Record<string, string>>): Promise<Arrival> {
    const { ahead } = this.shared;
    if (!ahead) throw unforeseen();
    const request = this.#requestOf(call, prepared, credentials);
    return ahead.foresee(keyOfRequest(request), () => this.#early(request, ahead));
  }

  /** Sends a read early. If it is not answered as it should be, the run sends it again in its own time. */
  async #early(request: WireRequest, ahead: ReadAhead): Promise<Arrival | undefined> {
    const { host } = this.options;
    await this.#pace.turn();
    const startedAt = host.now();
    const isPlain = request.call.breaking === undefined;
    let received: Received;
    try {
      received = await this.#receive(request, 'read', ahead.room, ahead.signal);
    } catch (error) {
      // What the end of the run cuts off is no fault of the deployment.
      const isCut = ahead.signal.aborted || this.shared.deadline.isOver;
      if (isPlain && !isCut) this.#noteEarly(request, ahead, error instanceof TimedOut ? 'timeout' : 'network');
      return undefined;
    }
    const { status, headers, encoding, size, text } = received;
    const at = host.now();
    if (status === LIMITED) {
      this.#pace.slower();
      this.#pace.pause(retryAfter({ headers, at }) ?? backoffOf(1), 'limited');
      ahead.end('limited');
    }
    const fault = faultOf(status);
    if (fault && isPlain) this.#noteEarly(request, ahead, fault);
    if (received.refusal || status === LIMITED || fault) return undefined;
    return { status, headers, encoding, size, body: keptBody(status, text), startedAt, at };
  }

  /** Counts a failed read that the run had not asked for yet, and ends the reading ahead. */
  #noteEarly({ call }: WireRequest, ahead: ReadAhead, fault: FaultKind): void {
    ahead.end('network');
    this.shared.health.note(call, fault, this.options.host.now());
  }

  /** Counts bookings, and retries requests that may be sent twice. */
  async #deliver(
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const { budget, deadline, evidence, requests } = this.shared;
    const counts = effect === 'bookings' && prepared.body !== undefined;
    // A probe may be refused for what is wrong with it, such as a password.
    const quota = call.breaking === undefined ? this.#quotas.of(call) : undefined;
    quota?.guard();
    const reserved = counts ? budget.reserve(call) : [];
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) this.shared.ready();
      const id = `x${requests.take()}`;
      const outcome = await this.#attempt(id, call, prepared, effect, credentials);
      const lost = 'why' in outcome ? outcome : undefined;
      const reply = 'why' in outcome ? undefined : outcome;
      if (counts && this.options.rehearse && !reply?.ok) budget.release(reserved);
      else if (counts) budget.note(reserved, reply, id, this.options.host.now());
      if (lost && deadline.isOver) throw deadline.error;
      if (lost?.reason === 'evidence') throw evidence.error;
      this.#note(call, lost?.fault, reply);
      const isUnsteady = this.options.rereads === true && call.breaking === undefined && reply && isBroken(reply);
      const most = isUnsteady ? MOST_REREADS : quota?.isSpent ? 1 : attemptsFor(lost?.fault, reply);
      const again = effect === 'read' && !lost?.isFinal && attempt < most;
      // After a 429 the next request waits too, whichever it is.
      const rests = (again || reply?.status === LIMITED) && this.#rest(attempt, reply);
      if (again && rests) continue;
      if (lost) {
        throw new Inconclusive(
          lost.reason as 'network' | 'too-large',
          `an answer to ${prepared.method} ${prepared.path} (${lost.why})`,
          lost.hint,
        );
      }
      if (reply!.status === LIMITED) {
        this.shared.health.noteLimited(call);
        quota?.refused(retryAfter(reply!) ?? 0);
        throw limited();
      }
      quota?.accepted();
      return reply!;
    }
  }

  /** Counts what became of a request. */
  #note(call: RequestCall, lost: FaultKind | undefined, reply: Pick<Reply, 'status' | 'at'> | undefined): void {
    const { status = 0, at = this.options.host.now() } = reply ?? {};
    const fault = lost ?? faultOf(status);
    this.shared.health.note(call, fault, at);
    if (!fault && status !== LIMITED) this.#pace.faster();
    if (call.breaking === undefined && status === LIMITED) this.shared.ahead?.end('limited');
    else if (call.breaking === undefined && fault) this.shared.ahead?.end('network');
  }

  /** Lets the deployment rest before the next attempt. False where that would take too long. */
  #rest(attempt: number, reply: Reply | undefined): boolean {
    const backoff = backoffOf(attempt);
    const pause = reply ? (retryAfter(reply) ?? backoff) : backoff;
    const { host, restsUntil = Infinity } = this.options;
    if (reply?.status === LIMITED && host.now() + pause > restsUntil) throw tooLongPause(pause);
    if (pause > LONGEST_PAUSE || pause >= this.shared.deadline.left) return false;
    if (reply?.status === LIMITED) this.#pace.slower();
    this.#pace.pause(pause, reply?.status === LIMITED ? 'limited' : 'failed');
    return true;
  }

  /** One request on the wire: its reply, or why there is none. */
  async #attempt(
    id: string,
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Reply | Lost> {
    const { baseUrl, host, mostBody } = this.options;
    const { masker, replies, ahead } = this.shared;
    const request = this.#requestOf(call, prepared, credentials);
    const turn = effect === 'read' ? ahead?.next(keyOfRequest(request)) : undefined;
    const early = await (this.options.foresee?.(call, prepared, credentials) ?? turn?.early);
    if (!early) await this.#pace.turn();
    const sent: Sent = { id, ...request, startedAt: early?.startedAt ?? host.now() };
    masker.learnRequest(sent.headers, sent.url, sent.body);
    const record = (answer: Pick<Exchange, 'response' | 'failure'>): void =>
      this.options.onExchange(exchangeOf(masker, sent, early?.at ?? host.now(), answer));
    const { evidence } = this.shared;
    const live = (): Promise<Received> => this.#receive(sent, effect, evidence, this.options.signal);
    let received: Received;
    try {
      received = early ? this.#received(early) : await (turn && ahead ? ahead.among(live) : live());
    } catch (error) {
      turn?.settle();
      const isLate = error instanceof TimedOut;
      const lost = isLate
        ? { why: error.message, hint: LATE, isFinal: false }
        : connectionFault(error, baseUrl.startsWith('https:'));
      record({ failure: lost.why });
      return { reason: 'network', fault: isLate ? 'timeout' : 'network', ...lost };
    }
    const { refusal } = received;
    if (refusal) {
      turn?.settle();
      record({ response: responseOf(masker, received, plainText(received.text), mostBody), failure: refusal.why });
      return { ...refusal, isFinal: false, ...(refusal.reason === 'too-large' ? { fault: 'too-large' } : {}) };
    }
    const kept = this.#bodyOf(sent, received);
    const { status, headers, encoding, size } = received;
    const at = early?.at ?? host.now();
    const reply = replyOf(masker, sent, received, at, kept);
    turn?.settle({ status, headers, encoding, size, body: kept, startedAt: sent.startedAt, at });
    if (effect === 'read') this.#latest.set(sent.url, { status: reply.status, body: kept });
    // The answer is that of the address with the slash.
    if (!wantsSlash(call, reply, sent)) replies.push(reply);
    record({ response: responseOf(masker, reply, kept, mostBody) });
    return reply;
  }

  /** A request with all its headers. */
  #requestOf(
    call: RequestCall,
    { method, path, body }: PreparedCall,
    credentials: Readonly<Record<string, string>>,
  ): WireRequest {
    const headers = this.#headers(credentials);
    if (body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(call.headers ?? {})) setHeader(headers, name, value);
    return { call, method, path, url: this.options.baseUrl + path, headers, body };
  }

  /** An answer that came early, as if it came now: if there is room for it. */
  #received({ status, headers, encoding, size, body }: Arrival): Received {
    const refusal = size && this.shared.evidence.take(size);
    const text = refusal ? beginningOf(body.text(), HEAD) : body.text();
    return { status, headers, text, encoding: encoding ?? 'utf-8', body, refusal, ...(size ? { size } : {}) };
  }

  /** The body of an answer: that of the latest one to the address if it is the same. Only what is kept takes room then. */
  #bodyOf({ url }: Sent, { status, headers, text, size, body: known }: Received): KeptBody {
    const { evidence } = this.shared;
    const latest = this.#latest.get(url);
    if (latest?.status === status && latest.body.length === text.length && latest.body.text() === text) {
      if (size) {
        evidence.free(size);
        evidence.take(new JsonMeter().addBytes(bytesOf(headers)));
      }
      return latest.body;
    }
    const body = known ?? (this.#letsGo ? wholeBody(status, text) : keptBody(status, text));
    if (size && body.isRemade) evidence.freeText(size);
    return body;
  }

  /** The headers of every request, and the credentials. */
  #headers(credentials: Readonly<Record<string, string>>): Headers {
    const { headers: given, userAgent, runId } = this.options;
    const headers = new Headers({ accept: 'application/json', 'user-agent': `${userAgent} (check ${runId})` });
    for (const [name, value] of Object.entries({ ...given, ...credentials })) setHeader(headers, name, value);
    return headers;
  }

  /** The answer, in time. A read ends with the run; what changes something is not cut short for that. */
  async #receive(
    { call, method, url, headers, body }: WireRequest,
    effect: Effect,
    evidence: EvidenceBudget,
    stop: AbortSignal | undefined,
  ): Promise<Received> {
    const { maxBody, rehearse, timeout: usual } = this.options;
    if (rehearse) {
      const { response, weight = 1 } = rehearse(call);
      const { status, headers } = response;
      const text = await response.text();
      const size = new JsonMeter();
      for (let times = 0; times < weight; times += 1) size.addText(text);
      return { status, headers, text, encoding: 'utf-8', size, refusal: evidence.take(size) };
    }
    const { left, leftInAll } = this.shared.deadline;
    const timeout = Math.min(usual, effect === 'read' ? left : leftInAll);
    // A redirect is not followed: it could lead to an operation that needs permission.
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) };
    const signal = effect === 'read' ? stop : undefined;
    return this.#wire.exchange(url, init, { timeout, maxBody, evidence, signal });
  }
}

/** What requests share that get the same answer. */
function keyOfRequest({ method, url, headers, body }: WireRequest): string {
  return JSON.stringify([method, url, [...headers], body]);
}

/** @throws {Inconclusive} if the value has signs that no header can have: a deployment may issue such a token. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Inconclusive('precondition', `a value that the header ${name} can have`);
  }
}

/** How often a read is sent at most, by what became of it. */
function attemptsFor(fault: FaultKind | undefined, reply?: Reply): number {
  const { status = 0 } = reply ?? {};
  if (fault === 'timeout') return 2;
  if (reply && status === LIMITED && retryAfter(reply) === undefined) return MOST_WITHOUT_WORD;
  return fault === 'network' || faultOf(status) || status === LIMITED ? MOST_ATTEMPTS : 1;
}

/** Whether an answer says nothing: an error of the server, or a success without JSON. */
function isBroken({ status, json }: Reply): boolean {
  return (status >= 500 && !isOfPath(status) && faultOf(status) === undefined) || (status < 300 && json === undefined);
}

/** Statuses of a redirect that keeps the method; others may turn it into GET. */
const KEEPING = [307, 308];

/** Whether an answer only leads to the same address with a slash at the end of its path, as many frameworks do. */
function wantsSlash(
  call: RequestCall,
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  { method, url }: Pick<Sent, 'method' | 'url'>,
): boolean {
  const location = headers.get('location');
  if (location === null || call.breaking !== undefined || !('operation' in call)) return false;
  if (!KEEPING.includes(status) && !(method === 'GET' && (status === 301 || status === 302))) return false;
  const [own, other] = [new URL(url), URL.canParse(location, url) ? new URL(location, url) : undefined];
  return other?.host === own.host && other.pathname === `${own.pathname}/` && other.search === own.search;
}

/** A path with a slash at its end, before the query. */
const slashed = (path: string): string => path.replace(/\/?(?=\?|$)/, '/');

/** The deployment asks for a pause that is longer than the rest of the run. */
function tooLongPause(milliseconds: number): NotAllowed {
  return new NotAllowed(
    'deadline',
    `time for a pause of ${milliseconds / 1000} s that the deployment asks for (--for)`,
  );
}

/** Milliseconds that an answer asks to wait for, in seconds or until a date. */
function retryAfter({ headers, at }: Pick<Reply, 'headers' | 'at'>): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? undefined : Math.max(0, until - at);
}

/** How a clock differs from that of the run, and what shows it. */
interface DeploymentClock {
  /** Milliseconds; of a clock that is behind, below 0. */
  readonly ahead: number;
  readonly shownBy: 'date' | 'bookings';
}

/** How much a run had kept at a moment. */
interface TransportMark {
  readonly replies: number;
  readonly evidence: EvidenceMark;
}

/** Statuses that may refuse invalid credentials; the API specification does not say which. */
const REFUSALS = new Set([200, 400, 401, 403]);

/** Requests before the limit of a run from which none is sent early. */
const RESERVE = 100;

/** Characters of a path with its query. Many servers refuse longer ones. */
const MOST_PATH = 4000;

/** Statuses of a path, or of a method, that is not there. */
const isOfPath = (status: number): boolean => [404, 405, 410, 501].includes(status);

/**
 * The only way to the deployment. It sends nothing that the run has no permission for, touches no booking that the run
 * has not made, counts bookings before it sends
 * them, keeps the pace, records every exchange without secrets, and refuses requests of the suite that break the
 * contract unless they name the rule that they break on purpose.
 */
export class Transport {
  readonly masker: Masker;
  /** Every answer so far: the evidence for the rules about forms. */
  readonly replies: Reply[] = [];
  readonly budget: WriteBudget;
  readonly scope: Scope;
  /** The bookings that the run has made: it touches no others. */
  readonly own = new OwnBookings();
  readonly deadline: Deadline;
  readonly health: HealthMonitor;
  readonly evidence: EvidenceBudget;
  readonly channels: { readonly first: Credentials; readonly second?: Credentials };
  /** The clock of the deployment, where it is days from that of the run. */
  clock: DeploymentClock | undefined;
  readonly #schemes = new Map<string, Scheme>();
  readonly #requests: RequestBudget;
  readonly #dispatcher: Dispatcher;
  readonly #shared: Shared;
  #refreshVersion: string | undefined;
  /** The operations whose paths the deployment redirects to those with a slash at the end. */
  readonly #slashed = new Set<OperationId>();
  /** The version whose list shows the bookings of a channel: none where no version does. */
  readonly #listVersions = new Map<string, readonly VersionOf<'listBookings'>[]>();
  /** The answers that were known when a look at the lists settled nothing more. */
  #lookedAt = 0;

  constructor(readonly options: TransportOptions) {
    this.masker = options.masker ?? new Masker(options.bearerHeader);
    this.budget = new WriteBudget(options.maxBookings, options.settle);
    this.#requests = new RequestBudget(options.maxRequests);
    const { host, bearerHeader, first, second } = options;
    const { scoutOf } = options;
    this.deadline = scoutOf?.deadline ?? new Deadline(options.deadline, host, options.signal);
    this.health = new HealthMonitor(options.maxErrors);
    this.evidence = new EvidenceBudget(options.maxEvidence);
    this.scope = options.scope ?? new Scope();
    this.masker.learnHeaders(options.headers);
    if (!options.showPersonalData) this.masker.personal = new PersonalData((id) => this.own.isOfOthers(id));
    const { masker, replies, deadline, health, budget, evidence } = this;
    this.#shared = {
      masker,
      replies,
      deadline,
      health,
      budget,
      evidence,
      requests: this.#requests,
      ready: this.#ready,
    };
    this.#dispatcher = new Dispatcher(options, this.#shared);
    const refresh = (token: string): Promise<Reply> => this.refresh(token);
    const needs = {
      refresh,
      ready: this.#ready,
      now: host.now,
      latest: () => `x${this.#requests.used}`,
      masker: this.masker,
      bearerHeader,
    };
    const { first: own, second: other } = scoutOf?.channels ?? {};
    this.channels = {
      first: own ? new ScoutCredentials(own, needs) : new Credentials('first', first, needs),
      ...(second
        ? { second: other ? new ScoutCredentials(other, needs) : new Credentials('second', second, needs) }
        : {}),
    };
  }

  /**
   * Starts to send reads before the run asks for them, as far as a scout foresees them.
   *
   * @param width The most requests at a time.
   */
  readAhead(width: number): ReadAhead {
    const { maxRequests = Infinity, maxEvidence = Infinity } = this.options;
    // Near the limit the run needs what is left itself.
    const mayMore = (unneeded: number): boolean => this.#requests.used + unneeded + RESERVE < maxRequests;
    return (this.#shared.ahead ??= new ReadAhead(width, maxEvidence, mayMore));
  }

  /** How the deployment has slowed the run down. */
  get slowdown(): Slowdown {
    return this.#dispatcher.slowdown;
  }

  /** Why reads are no longer sent before the run asks for them. */
  get setback(): ReadAhead['setback'] {
    return this.#shared.ahead?.setback;
  }

  /** The way to the deployment for a scout: it reads alone, by the credentials of the run, and leaves no trace. */
  scout(): Transport {
    const { masker: _, maxRequests: __, signal: ___, ...options } = this.options;
    return new Transport({
      ...options,
      allow: new Set(),
      rps: 0,
      showPersonalData: true,
      onExchange: () => {},
      scoutOf: this,
      foresee: (call, prepared, credentials) => this.#dispatcher.foresee(call, prepared, credentials),
    });
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#requests.used + this.#unneeded;
  }

  get #unneeded(): number {
    return this.#shared.ahead?.unneeded ?? 0;
  }

  /** Throws where no further request may be sent. */
  readonly #ready = (): void => {
    this.deadline.ready();
    this.health.ready();
    this.#dispatcher.ready();
    this.#requests.ready(this.#unneeded);
    this.evidence.ready();
  };

  /** A moment of the run, for {@link forgetSince}. */
  mark(): TransportMark {
    return { replies: this.replies.length, evidence: this.evidence.mark };
  }

  /** Lets all answers go that came since a moment, for runs that need no answer for long. */
  forgetSince({ replies, evidence }: TransportMark): void {
    this.replies.length = Math.min(this.replies.length, replies);
    this.evidence.freeSince(evidence);
    this.#dispatcher.forget();
  }

  allows(permission: Permission): boolean {
    return this.options.allow.has(permission) || (permission === 'lockout' && !this.tokenOwner.keepsTokens);
  }

  /** The channel whose tokens are used up: the second one if it has tokens, since other rules need the first one. */
  get tokenOwner(): Credentials {
    const { first, second } = this.channels;
    return second?.schemes.includes('bearer') ? second : first;
  }

  /**
   * Sends a request and gives back its answer, whatever that is.
   *
   * @throws {NotAllowed} without permission for it, or when the request limit or the deadline is reached, {@link SuiteError} when it breaks the
   * contract without meaning to, {@link Inconclusive} when there is no answer, no budget or no such channel.
   */
  async send(call: RequestCall): Promise<Reply> {
    const prepared = prepare(call);
    this.scope.guard(call, prepared.path);
    if (prepared.faults.length > 0 && call.breaking === undefined) {
      throw new SuiteError(`${prepared.method} ${prepared.path}: ${prepared.faults.join('; ')}`);
    }
    if (prepared.path.length > MOST_PATH) {
      throw new Inconclusive(
        'too-large',
        `values of the deployment that fit into an address of ${MOST_PATH} characters`,
      );
    }
    const effect = effectOf(prepared.method, prepared.path);
    if (effect !== 'read' && !this.allows(effect)) throw withoutPermission(effect);
    // A rehearsal gets the same example for a booking of the run and for one of somebody else.
    if (!this.options.rehearse) this.own.guard(prepared);
    this.masker.personal?.learnOwn(call.body);
    if (effect === 'bookings' && prepared.body !== undefined) {
      const hasRoom = await this.hasRoom(itemsOf(call.body).length);
      if (hasRoom) await this.#watchBookings(call.as === 'second' ? 'second' : 'first');
    }
    try {
      const reply = await this.#sendAs(call, prepared, effect);
      this.own.note(call, prepared, reply, reply.id);
      return reply;
    } catch (error) {
      const isLost =
        (error instanceof Inconclusive && (error.reason === 'network' || error.reason === 'too-large')) ||
        (error instanceof NotAllowed && error.reason === 'evidence');
      if (isLost) this.own.note(call, prepared, undefined, `x${this.#requests.used}`);
      throw error;
    }
  }

  /** Sends a read whose answer stands for the whole run: a recording has it wherever it was read. */
  sendFirst(call: OperationCall): Promise<Reply> {
    return this.send(call);
  }

  /**
   * The newest answer to a read that came after another answer; a new one if there is none, or if something was written after
   * it. So a read whose answer is known is not sent again.
   *
   * @param since The answer to what was written last, or to what is to be seen in the read.
   */
  latest(call: OperationCall, since: Pick<Reply, 'id'>): Promise<Reply> {
    const { replies } = this;
    const key = keyOf(call);
    for (let at = replies.length - 1; at >= 0; at -= 1) {
      const reply = replies[at]!;
      const { id, operation, asked, probe, ok } = reply;
      if (id === since.id || !operation || !asked || writes(operation)) break;
      const params = asked.params as OperationCall['params'] & object;
      if (ok && !probe && keyOf({ operation, params, as: asked.caller }) === key) return Promise.resolve(reply);
    }
    return this.send(call);
  }

  /** Whether so many more bookings may be made. If doubts are all that is in the way, the lists are looked at. */
  async hasRoom(count: number): Promise<boolean> {
    if (this.budget.left < count) await this.lookAtBookings(count);
    return this.budget.left >= count;
  }

  /** Looks for bookings that nobody knows about in the lists of their channels, until there is room for some. */
  async lookAtBookings(count = Infinity): Promise<void> {
    const { budget, deadline } = this;
    for (const mayWait of [true, false]) {
      if (budget.doubtful.length === 0 || this.#lookedAt === budget.answers) return;
      for (const channel of budget.doubtful) {
        const at = this.options.host.now();
        const list = await this.#listOf(channel, this.#listVersions.get(channel) ?? []);
        if (list) budget.look(channel, list, at, this.options.host.now());
      }
      const wait = (budget.visibleAt ?? -Infinity) - this.options.host.now();
      if (budget.left >= count) return;
      if (!mayWait || wait <= 0) this.#lookedAt = budget.answers;
      else await deadline.sleep(wait);
    }
  }

  /** Notes what a channel has booked before its first booking in the run. */
  async #watchBookings(channel: 'first' | 'second'): Promise<void> {
    if (this.#listVersions.has(channel)) return;
    this.#listVersions.set(channel, []);
    for (const version of this.scope.versionsOf('listBookings')) {
      const list = await this.#listOf(channel, [version]);
      if (!list) continue;
      this.#listVersions.set(channel, [version]);
      return this.budget.watch(channel, list);
    }
  }

  /** The bookings of a channel as a version lists them; undefined if it does not. */
  async #listOf(
    channel: 'first' | 'second',
    [version]: readonly VersionOf<'listBookings'>[],
  ): Promise<readonly unknown[] | undefined> {
    if (version === undefined) return undefined;
    const { query: fromDate } = dayAt(this.options.host.now() + Math.min(0, this.clock?.ahead ?? 0), LONG_AGO);
    const call = { operation: operationIn('listBookings', version), params: { fromDate }, as: channel };
    const reply = await this.send(call).catch(unlessOver);
    return reply?.ok && Array.isArray(reply.data) ? (reply.data as readonly unknown[]) : undefined;
  }

  /** Spends a refresh token; always allowed, as it is how a channel logs in. Only {@link Credentials} calls it. */
  async refresh(token: string): Promise<Reply> {
    if (this.options.scoutOf) throw unforeseen();
    const served = versions.filter((version) => this.scope.hasVersion(version)).toReversed();
    const replies: Reply[] = [];
    for (const version of this.#refreshVersion === undefined ? served : [this.#refreshVersion]) {
      const call: RequestCall = {
        operation: 'refreshToken',
        params: { version },
        body: { refresh_token: token },
        as: 'nobody',
      };
      const reply = await this.#dispatcher.deliver(call, prepare(call), 'tokens', {});
      replies.push(reply);
      // Which versions serve it is an open question, and how the others refuse it; a refusal has spent nothing.
      const isFault = reply.status >= 500 && !isOfPath(reply.status);
      if (reply.ok || isFault || this.#requests.isSpent) break;
    }
    const found = replies.find(({ ok }) => ok) ?? replies.find(({ status }) => !isOfPath(status)) ?? replies.at(-1)!;
    // A token that every version refuses is not sent to all of them again.
    if (found.ok || replies.length > 1) this.#refreshVersion = /\/api\/(v\d+)\//.exec(found.what)?.[1];
    return found;
  }

  /** Sends by a scheme that the version accepts; reads find out which. */
  async #sendAs(call: RequestCall, prepared: PreparedCall, effect: Effect): Promise<Reply> {
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

  /** Sends as a channel. A read finds out whether an access token of an earlier run is still valid. */
  async #identified(
    channel: Credentials,
    scheme: Scheme,
    call: RequestCall,
    prepared: PreparedCall,
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

  /** Sends within the request limit, after a login where the credentials need one. */
  async #within(
    call: RequestCall,
    prepared: PreparedCall,
    effect: Effect,
    credentials: () => Promise<Readonly<Record<string, string>>>,
  ): Promise<Reply> {
    this.#ready();
    const headers = await credentials();
    this.#ready();
    const send = ({ path }: Pick<PreparedCall, 'path'>): Promise<Reply> =>
      this.#dispatcher.deliver(call, { ...prepared, path }, effect, headers);
    const operation = 'operation' in call && call.breaking === undefined ? call.operation : undefined;
    const there = { ...prepared, path: slashed(prepared.path) };
    if (operation !== undefined && this.#slashed.has(operation)) return send(there);
    const reply = await send(prepared);
    const url = this.options.baseUrl + prepared.path;
    if (operation === undefined || !wantsSlash(call, reply, { method: prepared.method, url })) return reply;
    this.#slashed.add(operation);
    return send(there);
  }
}

/** Whether an operation may change what reads show. */
function writes(operation: OperationId): boolean {
  const { method, path } = operationOf(operation);
  return ['bookings', 'payments'].includes(effectOf(method, path));
}

function versionOf(call: RequestCall, { path }: PreparedCall): string {
  if ('operation' in call) return operationOf(call.operation).version;
  return /^\/api\/(v\d+)/.exec(path)?.[1] ?? '*';
}
