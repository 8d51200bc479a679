import { type Effect, type OperationId, operations, type Scenario } from '../contract/index.js';
import {
  type CallbackDelivery,
  changedHints,
  createSandboxAt,
  type EntryScenario,
  type Fetch,
  fetchBy,
  type Handle,
  type HostHints,
  type JournalEntry,
  type Placement,
  type QueryableSandbox,
  rawPathOf,
  readText,
  type Sandbox,
  type SandboxOptions,
  signatureOf,
  withDatabase,
  type WorldSandbox,
} from '../engine/index.js';
import type { Disguise, TrafficSink } from './recording.js';
import { type ClientCall, type ClientDelivery, placed, testOf } from './obligations/traffic.js';

/** Posts a search result. */
type CallbackPost = NonNullable<SandboxOptions['fetch']>;

/** Errors of a connection that the receiver has taken, and closed without an answer. */
const CLOSED: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

function whyOf(error: unknown): 'cut' | 'refused' {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return CLOSED.includes(cause?.code) ? 'cut' : 'refused';
}

/** Records each attempt to post a search result. */
class DeliveryRecorder {
  /** Set when the sandbox that posts exists. */
  sandbox: Sandbox | undefined;
  /** Set when the recording is over: what is under way then says nothing about the client. */
  stopped = false;
  readonly #attempts = new Map<string, number>();

  constructor(
    readonly sink: TrafficSink,
    readonly idPrefix: string,
    readonly send: CallbackPost,
    readonly disguise: Disguise,
  ) {}

  readonly post: CallbackPost = async (url, init) => {
    const { clock } = this.sandbox!;
    const at = clock.now();
    const sent = init.body as string;
    const body = this.disguise.result?.(sent) ?? sent;
    try {
      const response = await this.send(url, body === sent ? init : await this.#withBody(init, body));
      this.#tell({ url, at, answeredAt: clock.now(), body, status: response.status }, init);
      return response;
    } catch (error) {
      this.#tell({ url, at, body, status: 0, why: init.signal?.aborted ? 'timeout' : whyOf(error) }, init);
      throw error;
    }
  };

  /** A post with another body, which is signed anew if the dialect signs. */
  async #withBody(init: RequestInit, body: string): Promise<RequestInit> {
    const headers = new Headers(init.headers);
    const { channels } = this.sandbox!;
    const channel = channels.find(({ name }) => name === this.#deliveryOf(init)?.channel);
    if (headers.has('x-signature') && channel) headers.set('x-signature', await signatureOf(body, channel.password));
    return { ...init, headers, body };
  }

  #deliveryOf({ headers }: RequestInit): CallbackDelivery | undefined {
    const name = new Headers(headers).get('teebox-callback');
    return this.sandbox!.callbacks.deliveries.find(({ id }) => id === name);
  }

  #tell(attempt: Omit<ClientDelivery, 'id' | 'world' | 'search' | 'struck'>, init: RequestInit): void {
    if (this.stopped) return;
    const delivery = this.#deliveryOf(init);
    const name = delivery?.id ?? 'callback';
    const count = (this.#attempts.get(name) ?? 0) + 1;
    this.#attempts.set(name, count);
    const id = this.idPrefix + (count === 1 ? name : `${name}-${count}`);
    const search = delivery && this.idPrefix + delivery.requestId;
    const triggered = this.#triggeredBy(delivery);
    this.sink.delivery({ id, world: this.idPrefix, search, ...attempt, ...(triggered ? { struck: triggered } : {}) });
  }

  #triggeredBy(delivery: CallbackDelivery | undefined): ClientDelivery['struck'] {
    const fault = delivery?.fault;
    if (fault === undefined) return undefined;
    const all = this.sandbox!.scenarios.all;
    const scenario = all.find(({ effect }) => effect.kind === 'callback' && effect.fault === fault);
    return scenario && { scenario: scenario.id };
  }
}

/** How a recorded sandbox is reached and shown. */
export interface RecordingOptions {
  /** Comes before the ids of its calls and deliveries. Default: nothing. */
  readonly idPrefix?: string;
  readonly position?: Placement;
  readonly disguise?: Disguise;
}

/** A sandbox whose traffic is recorded as long as it goes through `handle` or `fetch`. */
export interface RecordedSandbox {
  readonly sandbox: QueryableSandbox;
  readonly handle: Handle;
  readonly fetch: Fetch;
  /** Ends the recording. Calls without an answer count as lost. */
  stop(): void;
}

/** The most bytes of a body that any dialect takes; a longer one is refused unread. */
const LONGEST_BODY = 16_777_216;

/**
 * Makes a sandbox and records its traffic with whole bodies: calls of the service, not those of the admin API.
 *
 * @throws {Error} for an option of the sandbox that does not fit.
 */
export async function recordedSandbox(
  options: SandboxOptions,
  sink: TrafficSink,
  { idPrefix = '', position = {}, disguise = {} }: RecordingOptions = {},
): Promise<RecordedSandbox> {
  const post: CallbackPost = options.fetch ?? ((url, init) => fetch(url, init));
  const deliveries = new DeliveryRecorder(sink, idPrefix, post, disguise);
  const sandbox = withDatabase(await createSandboxAt(position, { ...options, fetch: deliveries.post }));
  deliveries.sandbox = sandbox;
  const recorder = new CallRecorder(sandbox, sink, { idPrefix, disguise, prefix: position.prefix });
  const handle: Handle = (request, hints) => recorder.handle(request, hints);
  const stop = (): void => {
    deliveries.stopped = true;
    recorder.stop();
  };
  return { sandbox, handle, fetch: fetchBy(handle), stop };
}

/** Records calls from their arrival to the last byte of their answer. */
class CallRecorder {
  #turn = 0;
  /** The calls without an end, by the headers that their journal entries share. */
  readonly #open = new Map<unknown, HeardCall>();
  readonly #unlisten: () => void;

  constructor(
    readonly sandbox: WorldSandbox,
    readonly sink: TrafficSink,
    readonly options: Required<Pick<RecordingOptions, 'idPrefix' | 'disguise'>> & Pick<CallContext, 'prefix'>,
  ) {
    this.#unlisten = sandbox.journal.listen((entry) => this.#hear(entry));
  }

  handle(request: Request, hints: HostHints = {}): Response | Promise<Response> {
    return isOfService(request) ? this.#record(request, hints) : this.sandbox.handle(request, hints);
  }

  stop(): void {
    this.#unlisten();
    for (const call of this.#open.values()) this.#end(call, {});
  }

  async #record(request: Request, hints: HostHints): Promise<Response> {
    const call: HeardCall = {
      turn: this.#turn++,
      at: this.sandbox.clock.now(),
      request,
      headers: new Headers(request.headers),
      url: request.url,
    };
    const forwarded = await withBody(call, hints, this.options.disguise);
    this.#open.set(call.headers, call);
    try {
      const own = changedHints(hints, { headers: call.headers });
      const response = await this.sandbox.handle(forwarded, own);
      return await this.#answer(call, response);
    } catch (error) {
      this.#end(call, {});
      throw error;
    }
  }

  /** Reads an answer to its end before the client gets it, unless it is one that arrives in pieces. */
  async #answer(call: HeardCall, response: Response): Promise<Response> {
    const { entry } = call;
    if (!entry || entry.state === 'cut' || response.type === 'error') {
      this.#end(call, {});
      return response;
    }
    if (entry.state === 'open') return this.#listenIn(call, response);
    const { disguise } = this.options;
    const own = { operation: entry.operation, status: response.status, headers: response.headers };
    const plain = { ...own, text: await response.text() };
    const { status, headers, text } = isBroken(entry) ? plain : (disguise.answer?.(plain) ?? plain);
    this.#end(call, { status, headers, text });
    return new Response(text === '' ? null : text, { status, headers });
  }

  /** Lets an answer through in the pieces in which it comes. */
  #listenIn(call: HeardCall, response: Response): Response {
    const { status, headers, body } = response;
    if (!body) return response;
    const [mine, theirs] = body.tee();
    call.pieces = { status, headers, reader: mine.getReader(), text: '' };
    void this.#readPieces(call, call.pieces);
    return new Response(theirs, { status, headers });
  }

  async #readPieces(call: HeardCall, pieces: NonNullable<HeardCall['pieces']>): Promise<void> {
    const decoder = new TextDecoder();
    const { reader, status, headers } = pieces;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        pieces.text += decoder.decode(value, { stream: true });
      }
      this.#end(call, { status, headers, text: pieces.text + decoder.decode() });
    } catch {
      this.#end(call, { status, headers });
    }
  }

  #hear(entry: JournalEntry): void {
    const call = this.#open.get(entry.requestHeaders);
    if (!call) return;
    call.entry = entry;
    const { pieces } = call;
    if (!pieces || (entry.state !== 'cut' && entry.scenario?.id !== 'truncated-body')) return;
    // The rest of this answer never comes.
    this.#end(call, { status: pieces.status, headers: pieces.headers });
    void pieces.reader.cancel().catch(() => {});
  }

  #end(call: HeardCall, answer: { status?: number; headers?: Headers; text?: string }): void {
    if (!this.#open.delete(call.headers) || !call.entry) return;
    const { sandbox, options } = this;
    const { clock, scenarios } = sandbox;
    const { idPrefix, prefix } = options;
    const context = { now: clock.now(), idPrefix, prefix, scenarios: scenarios.all, arrived: this.#turn };
    this.sink.call(callOf(call, answer, context));
  }
}

/** Whether an answer is one that nobody can read, which is its point. */
function isBroken({ scenario }: JournalEntry): boolean {
  return scenario?.struck === true && [scenario.id, ...(scenario.also ?? [])].includes('malformed-json');
}

/** Neither the admin API, nor an image, nor what a browser asks before a request. */
function isOfService({ url, method }: Request): boolean {
  return method !== 'OPTIONS' && !/^[a-z]+:\/\/[^/]+(\/w\/[^/]+)?\/(__admin|images)(\/|$)/i.test(url);
}

/** Reads the body of a call, and makes the request again with it. */
async function withBody(call: HeardCall, { body: given }: HostHints, disguise: Disguise): Promise<Request> {
  const { request } = call;
  const { method, signal } = request;
  if (given !== undefined) call.body = given;
  const isRead = given === undefined && method !== 'GET' && method !== 'HEAD';
  if (!isRead) return request;
  call.isBodyUnknown = true;
  if (Number(call.headers.get('content-length') ?? 0) > LONGEST_BODY) return request;
  const init = { method, headers: call.headers, signal };
  try {
    const text = await readText(request, (name) => call.headers.get(name) ?? undefined, LONGEST_BODY);
    delete call.isBodyUnknown;
    if (text !== '') call.body = text;
    const body = text === '' ? {} : { body: disguise.request?.(text) ?? text };
    return new Request(request.url, { ...init, ...body });
  } catch (error) {
    // It is too long, or the client left in the middle of it. The sandbox meets the same error, and says so.
    const body = new ReadableStream({ start: (stream) => stream.error(error) });
    return new Request(request.url, { ...init, body, duplex: 'half' } as RequestInit);
  }
}

/** A call on its way through the recorder. */
interface HeardCall {
  readonly turn: number;
  readonly at: number;
  readonly request: Request;
  readonly headers: Headers;
  readonly url: string;
  body?: string;
  isBodyUnknown?: true;
  /** What the journal says of it. */
  entry?: JournalEntry;
  /** An answer that arrives in pieces. */
  pieces?: {
    readonly status: number;
    readonly headers: Headers;
    readonly reader: ReadableStreamDefaultReader<Uint8Array>;
    text: string;
  };
}

interface Heard {
  readonly status?: number;
  readonly headers?: Headers;
  readonly text?: string;
}

interface CallContext {
  readonly now: number;
  readonly idPrefix: string;
  /** The prefix of every path of the sandbox. */
  readonly prefix: string | undefined;
  readonly scenarios: readonly Scenario[];
  /** The number of calls that have arrived. */
  readonly arrived: number;
}

/** A call with what the client got of its answer. */
function callOf(
  { turn, at, request, headers, url, body, isBodyUnknown, entry }: HeardCall,
  answer: Heard,
  { now, idPrefix, prefix, scenarios, arrived }: CallContext,
): ClientCall {
  const { requestId, scenario, channel } = entry!;
  const triggered = scenario?.struck ? triggeredOf(entry!, scenario, scenarios) : undefined;
  const path = rawPathOf(url, prefix);
  return {
    id: idPrefix + requestId,
    world: idPrefix,
    turn,
    at,
    ...(answer.status === undefined ? {} : { answeredAt: now }),
    endedAt: now,
    method: request.method,
    path,
    headers,
    body,
    ...(isBodyUnknown ? { isBodyUnknown } : {}),
    ...placeOf(entry!, path),
    status: answer.status ?? 0,
    responseHeaders: answer.headers ?? new Headers(),
    responseBody: answer.text,
    arrived,
    ...testOf(headers),
    ...(triggered ? { struck: triggered } : {}),
    ...(channel === undefined ? {} : { channel }),
  };
}

/** Operations that change nothing. */
const READS = /\.(list|find)|Details$|Countries$/;

/** Whether the change was made although the client was not told so. */
function isCommitted(
  { state, operation, responseBody }: JournalEntry,
  { phase }: EntryScenario,
  effect?: Effect,
): boolean {
  if (phase !== 'after-commit' || READS.test(operation ?? '')) return false;
  if (effect?.kind === 'refusal') return true;
  const isLate = effect?.kind !== 'network' || effect.fault === 'slow' || effect.fault === 'slow-body';
  if (isLate && state !== 'cut') return false;
  return typeof responseBody === 'string' && responseBody.startsWith('{"success":true');
}

function triggeredOf(entry: JournalEntry, scenario: EntryScenario, all: readonly Scenario[]): ClientCall['struck'] {
  const effect = all.find(({ id }) => id === scenario.id)?.effect;
  return { scenario: scenario.id, committed: isCommitted(entry, scenario, effect) };
}

const documented = new Set<string>(operations.map(({ id }) => id));

/** The operation that answered, which may have another path in a dialect, and the parameters of the request. */
function placeOf(
  { method, operation }: JournalEntry,
  path: string,
): Pick<ClientCall, 'operation' | 'undocumented' | 'params'> {
  const place = placed(method, path);
  if (operation === undefined) return place;
  return documented.has(operation)
    ? { ...place, operation: operation as OperationId }
    : { ...place, undocumented: operation };
}
