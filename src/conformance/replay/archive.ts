import { isObject, JsonMeter } from '../../common/index.js';
import { type KeptBody, keptBody } from '../client/kept-body.js';
import { type RuleId, rules } from '../../contract/index.js';
import type { Caller } from '../client/exchange.js';
import { bytesOf, EvidenceBudget, type Overload } from '../client/wire/evidence-budget.js';
import { MAX_EVIDENCE } from '../run/check-options.js';

/** The parts of an exchange of an HTTP Archive that are evaluated. */
export interface ArchivedExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly requestBody?: string | undefined;
  /** Whether that is only the beginning of the body. */
  readonly isCut?: boolean;
  /** Whose credentials it carried, if the recorder says so. */
  readonly caller?: Caller;
  /** The rule that it broke on purpose, if it was sent by a run. */
  readonly breaking?: RuleId;
  /** The status; 0 if there was no answer. */
  readonly status: number;
  readonly headers: Headers;
  /** The body; undefined if the recorder did not keep it. */
  readonly text: string | undefined;
  /** The body that was read already, and has its room. */
  readonly body?: KeptBody;
  /** Why nothing was kept but its address. */
  readonly refusal?: Overload;
  /** The original length of the body, if the recorder kept it. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/**
 * Reads an HTTP Archive from parsed JSON. Entries may be taken one by one before the whole is there: what is kept of each is
 * what a run keeps of an answer, so that nothing needs the memory of the archive.
 */
export class ArchiveReader {
  readonly #read = new WeakSet<object>();
  readonly #room: EvidenceBudget;
  /** The latest body by status and address: most answers to one request are the same. */
  readonly #latest = new Map<string, KeptBody>();

  readonly #headers = new SharedHeaders();
  /** The run of `check` that the archive is the recording of, if it is one. It is known at the end. */
  runId: string | undefined;

  /** @param maxEvidence The room of the replay. Of an entry that does not fit into it only the address is kept. */
  constructor(maxEvidence = MAX_EVIDENCE) {
    this.#room = new EvidenceBudget(maxEvidence);
  }

  /** Reads an element of a list of the archive, of which nothing else is kept. */
  readonly take = (element: unknown): ArchivedExchange | EntryFault => {
    try {
      const exchange = this.#kept(readEntry(element, '', this.#headers));
      this.#read.add(exchange);
      return exchange;
    } catch (error) {
      // The end of the archive tells which entry it is, and whether this is an archive at all.
      return new EntryFault((error as Error).message);
    }
  };

  /**
   * The exchanges of the whole archive, some of which may have been taken before.
   *
   * @throws {Error} that names the missing part.
   */
  end(value: unknown): ArchivedExchange[] {
    const log = isObject(value) ? value['log'] : undefined;
    const entries = isObject(log) ? log['entries'] : undefined;
    if (isObject(value) && 'capsule' in value) throw new Error('it is a capsule; `teebox replay` plays it.');
    if (!Array.isArray(entries)) throw new Error('an HTTP Archive is a JSON object `{"log": {"entries": [...]}}`.');
    const { _command: command, _runId: runId } = log as Record<string, unknown>;
    if (command === 'check' && typeof runId === 'string' && /^[\da-z]{1,6}$/.test(runId)) this.runId = runId;
    return entries.map((entry: unknown, index) => {
      const at = `entry ${index + 1}`;
      if (entry instanceof EntryFault) throw new Error(at + entry.why);
      return this.#read.has(entry as object)
        ? (entry as ArchivedExchange)
        : this.#kept(readEntry(entry, at, this.#headers));
    });
  }

  #kept(exchange: ArchivedExchange): ArchivedExchange {
    const { url, requestHeaders, requestBody = '', headers, status, text } = exchange;
    const size = new JsonMeter().addBytes(bytesOf(requestHeaders) + requestBody.length);
    // Of others only the request matters, which may be the result of a search: no operation has another path.
    const isCall = url.includes('/api/');
    const key = `${status} ${url}`;
    const latest = isCall && text !== undefined ? this.#latest.get(key) : undefined;
    const again = latest?.length === text?.length && latest?.text() === text ? latest : undefined;
    if (isCall) size.addBytes(bytesOf(headers)).addText(again ? '' : (text ?? ''));
    const refusal = this.#room.take(size);
    if (refusal) return { ...withoutAnswer(exchange), requestHeaders: new Headers(), requestBody: undefined, refusal };
    if (!isCall) return withoutAnswer(exchange);
    if (text === undefined) return exchange;
    const body = again ?? keptBody(status, text);
    if (!again && body.isRemade) this.#room.freeText(size);
    this.#latest.set(key, body);
    return withBody(exchange, body);
  }
}

/** What is wrong with an entry, after its name. */
class EntryFault {
  constructor(readonly why: string) {}
}

function withoutAnswer(exchange: ArchivedExchange): ArchivedExchange {
  return { ...exchange, headers: new Headers(), text: undefined };
}

/** An exchange with the body instead of its text. A function of its own: a closure beside the text would keep it. */
function withBody(exchange: ArchivedExchange, body: KeptBody): ArchivedExchange {
  return {
    ...exchange,
    body,
    get text() {
      return body.text();
    },
  };
}

const callers: readonly Caller[] = ['first', 'second', 'nobody'];

function readEntry(entry: unknown, at: string, shared: SharedHeaders): ArchivedExchange {
  const part = (of: unknown, name: string): Record<string, unknown> => {
    const found = isObject(of) ? of[name] : undefined;
    if (!isObject(found)) throw new Error(`${at} has no \`${name}\`.`);
    return found;
  };
  const [request, response] = [part(entry, 'request'), part(entry, 'response')];
  const { method, url } = request;
  const { status } = response;
  if (typeof method !== 'string') throw new Error(`${at} has no \`request.method\`.`);
  if (typeof url !== 'string' || !URL.canParse(url)) throw new Error(`${at}: \`request.url\` is no URL.`);
  if (typeof status !== 'number') throw new Error(`${at} has no \`response.status\`.`);
  const { startedDateTime, time, _caller: by, _breaks: rule, _isCut: isCut = false } = entry as Record<string, unknown>;
  const caller = callers.find((one) => one === by);
  const breaking = rules.find(({ id }) => id === rule)?.id as RuleId | undefined;
  const content = isObject(response['content']) ? response['content'] : {};
  const sent = isObject(request['postData']) ? request['postData']['text'] : undefined;
  const startedAt = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : NaN;
  return {
    method: method.toUpperCase(),
    url,
    requestHeaders: shared.of('request', request['headers']),
    ...(typeof sent === 'string' ? { requestBody: sent } : {}),
    ...(isCut === true ? { isCut } : {}),
    ...(caller ? { caller } : {}),
    ...(breaking ? { breaking } : {}),
    status,
    headers: shared.of('response', response['headers']),
    text: textOf(content),
    size: typeof content['size'] === 'number' ? content['size'] : 0,
    startedAt: Number.isNaN(startedAt) ? 0 : startedAt,
    durationMs: typeof time === 'number' && time >= 0 ? time : 0,
  };
}

/** Most requests of a client have the same headers, which are kept once. */
class SharedHeaders {
  readonly #latest = new Map<string, { readonly key: string; readonly headers: Headers }>();

  of(kind: 'request' | 'response', list: unknown): Headers {
    const key = JSON.stringify(list) ?? '';
    const latest = this.#latest.get(kind);
    if (latest?.key === key) return latest.headers;
    const headers = headersOf(list);
    this.#latest.set(kind, { key, headers });
    return headers;
  }
}

/** The headers, without the pseudo-headers of HTTP/2, which begin with a colon. */
function headersOf(list: unknown): Headers {
  const headers = new Headers();
  for (const item of Array.isArray(list) ? list : []) {
    const { name, value } = isObject(item) ? item : {};
    try {
      headers.append(String(name), String(value));
    } catch {
      continue;
    }
  }
  return headers;
}

function textOf({ text, encoding, size }: Record<string, unknown>): string | undefined {
  if (typeof text !== 'string') return size === 0 ? '' : undefined;
  if (encoding === undefined) return text;
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return encoding === 'base64' ? new TextDecoder().decode(bytes) : undefined;
  } catch {
    return undefined;
  }
}
