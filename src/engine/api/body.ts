/**
 * Reads the body of a request to the API: its size, its type, its JSON. `answer.ts` calls it first, so that the journal
 * has the body.
 */
import { invalid, Refusal, UNREADABLE } from '../model/refusal.js';
import type { Answers } from '../../contract/index.js';
import { extentOf, isSmall, jsonFault, jsonFaultWords, MOST_LEVELS } from '../../common/index.js';
import type { HeaderReader } from './authenticate.js';
import { bodyBudget, SMALL_BODY } from './body-budget.js';
import type { HostHints } from './host-hints.js';
import type { RequestContext, RequestServices } from './request-context.js';

const jsonType = /^application\/json *(;|$)/i;

const NOT_JSON =
  'The request body must be sent with `Content-Type: application/json`. ' +
  'With curl, add the header: -H "Content-Type: application/json".';

/** RFC 9110, 12.5.3: `Accept-Encoding` in a response with the status 415 says which encodings are read. */
function encoded(encoding: string): Refusal {
  const [named] = /^[\w, *-]{1,40}/.exec(encoding) ?? ['an unknown one'];
  return new Refusal('unsupported-media-type', UNREADABLE, {
    words: `The service does not decode request bodies: \`Content-Encoding\` is ${named}. Send the body as it is, without this header.`,
    headers: { 'accept-encoding': 'identity' },
  });
}

function tooLarge(limit: number): Refusal {
  // Without `connection: close`: the rest is still read then, and who is in the middle of sending gets this answer.
  return new Refusal('body-too-large', 'limits.body-size', {
    words: `The request body is larger than ${limit} bytes.`,
  });
}

/** Too many others are being read. By RFC 9110, 15.5.14, `Retry-After` says that this is temporary. */
function noRoom(): Refusal {
  return new Refusal('body-too-large', 'limits.body-size', {
    words: 'The requests that are being read fill the memory for their bodies. Send the request again.',
    headers: { 'retry-after': '1' },
  });
}

/** Maximum number of values in a body. */
const MOST_VALUES = 50_000;

/** Bytes that are read of a body after its refusal. */
const PATIENCE = 64 * 1024 * 1024;

/** Reads on and keeps nothing: a sender that is cut off in the middle of its body may never see why. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let size = 0; size < PATIENCE;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
  }
  await reader.cancel();
}

/** Bytes of one piece of a text. */
const PIECE = 65_536;

/**
 * The text of a stream in pieces, to its end or to the first byte over the limit.
 *
 * @throws {Refusal} for more bytes than the limit, or than there is room for.
 */
export async function* textPieces(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  take: (size: number) => boolean = () => true,
): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return yield decoder.decode();
      size += value.byteLength;
      if (size > limit) throw tooLarge(limit);
      if (!take(value.byteLength)) throw noRoom();
      for (let at = 0; at < value.byteLength; at += PIECE) {
        yield decoder.decode(value.subarray(at, at + PIECE), { stream: true });
      }
    }
  } finally {
    // The caller may stop before the end, too, at what is no JSON.
    void discard(reader).catch(() => {});
  }
}

/** Counts what has come, not what was declared: a sender that never sends its body fills no memory. */
async function readLimited(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  let taken = 0;
  const take = (bytes: number): boolean => {
    if (!bodyBudget.take(bytes, taken + bytes)) return false;
    taken += bytes;
    return true;
  };
  let text = '';
  try {
    for await (const piece of textPieces(stream, limit, take)) text += piece;
  } finally {
    bodyBudget.free(taken);
  }
  return text;
}

/** The text of a body that is small by its length, which takes less time than a stream. */
async function readSmall(request: Request, length: number): Promise<string> {
  if (!bodyBudget.take(length, length)) throw noRoom();
  try {
    return await request.text();
  } finally {
    bodyBudget.free(length);
  }
}

/**
 * The body of a request as text; a host bounds it by its declared length, without one the stream is counted.
 *
 * @throws {Refusal} for more bytes than the limit, and for a body that does not arrive whole.
 */
export async function readText(request: Request, header: HeaderReader, limit: number): Promise<string> {
  const length = header('content-length');
  if (length !== undefined && Number(length) > limit) throw tooLarge(limit);
  const isSmall = Number(length) <= SMALL_BODY;
  const reading = isSmall ? readSmall(request, Number(length)) : request.body ? readLimited(request.body, limit) : '';
  const text = await Promise.resolve(reading).catch((error: unknown) => {
    throw error instanceof Refusal ? error : notWhole(length);
  });
  if (text.length > limit) throw tooLarge(limit);
  return text;
}

/** A client that goes away in the middle is no failure of ours. */
function notWhole(length: string | undefined): Refusal {
  const announced = length === undefined ? 'its end' : `the ${length} bytes that \`Content-Length\` announces`;
  return unreadable(`must arrive whole; the connection ended before ${announced}`);
}

/** A refusal of a body of which nothing is known but that it cannot be read. */
function unreadable(due: string): Refusal {
  return new Refusal('invalid', UNREADABLE, { words: `\`body\` ${due}` });
}

/**
 * The text of a JSON body ("What the service does", list 2).
 *
 * @throws {Refusal} for another content type if the dialect refuses it, for more bytes than the limit, and for a body
 *   that does not arrive whole. It rejects where it waits for the body, and throws before that.
 */
function readJsonText(
  request: Request,
  header: HeaderReader,
  answers: Pick<Answers, 'body.content-type' | 'body.max-bytes'>,
  { body }: Pick<HostHints, 'body'>,
): string | Promise<string> {
  const limit = answers['body.max-bytes'];
  const isRead = answers['body.content-type'] === 'read';
  if (!isRead && !jsonType.test(header('content-type') ?? ''))
    throw new Refusal('unsupported-media-type', UNREADABLE, { words: NOT_JSON });
  const encoding = header('content-encoding')?.trim() ?? '';
  if (encoding !== '' && !/^identity$/i.test(encoding)) throw encoded(encoding);
  if (body !== undefined) {
    if (body.length > limit || Number(header('content-length')) > limit) throw tooLarge(limit);
    return body;
  }
  return readText(request, header, limit);
}

/**
 * The value of a JSON body.
 *
 * @throws {Refusal} for text that is not JSON, or that is nested too deeply or has too many values.
 */
function parseJsonBody(text: string, header: HeaderReader): unknown {
  if (!isSmall(text, MOST_VALUES)) refuseLarge(extentOf(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw text === ''
      ? invalid(UNREADABLE, 'body', 'must be well-formed JSON')
      : unreadable(`must be well-formed JSON; ${whyNoJson(text, header)}`);
  }
}

/** How gzip, Zstandard and zlib begin, read as UTF-8. */
const compressed = ['\u001f\ufffd', '(\ufffd', 'x\ufffd'];

/** The charset that a request declares, if it is not UTF-8. */
export function otherCharset(header: HeaderReader): string | undefined {
  const charset = /charset *= *"?([\w.:-]{1,40})/i.exec(header('content-type') ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : charset;
}

/** What a text is that is no JSON: another encoding or format, or JSON with a fault at a position. */
function whyNoJson(text: string, header: HeaderReader): string {
  const charset = otherCharset(header);
  const declared = charset === undefined ? '' : `, and \`Content-Type\` says ${charset}`;
  if (compressed.some((start) => text.startsWith(start)))
    return 'its bytes look compressed, and the service does not decode them';
  const start = text.slice(0, 64);
  if (start.includes('\0')) {
    const bits = start.includes('\0\0') ? 32 : 16;
    return `JSON is sent in UTF-8, and these bytes look like UTF-${bits}${declared}`;
  }
  const fault = jsonFault(text)!;
  const where = jsonFaultWords(fault);
  if (text.includes('\ufffd')) return `${where}. Some of its bytes are not UTF-8${declared}`;
  if (/^\s*</.test(text)) return `${where}. It looks like XML or HTML`;
  if (/^\s*%(7b|5b|22)/i.test(text)) return `${where}. It looks percent-encoded, as in a URL`;
  // Base64 may end in `=`, too.
  if (/^[\w.%-]+=(?!=?\s*$)/.test(text)) return `${where}. It looks like a form (name=value)`;
  const length = header('content-length');
  // Who counts characters announces too little as soon as one of them takes several bytes.
  const bytes = new TextEncoder().encode(text).length;
  if (fault.early && bytes > text.length && bytes === Number(length)) {
    return `${where}. It has the ${length} bytes that \`Content-Length\` announces, which counts bytes, not characters`;
  }
  return where;
}

function refuseLarge({ levels, values }: ReturnType<typeof extentOf>): void {
  if (levels > MOST_LEVELS) {
    throw invalid(UNREADABLE, 'body', `must have at most ${MOST_LEVELS} levels of arrays and objects`, levels);
  }
  // A value of two characters takes many times the memory that it takes on the wire.
  if (values > MOST_VALUES) {
    throw new Refusal('body-too-large', 'limits.body-size', {
      words: `The request body has more than ${MOST_VALUES} values.`,
    });
  }
}

/**
 * Reads the body before any scenario is triggered, so that the journal has it and plans can compare it. What is wrong with it
 * is reported after authentication. Waits for nothing if the host has the body.
 */
export function readBody(
  { engine: { answers }, journal }: RequestServices,
  context: RequestContext,
): Promise<void> | void {
  const { request, header, entry, hints, recorded } = context;
  const flawed = (error: unknown): void => void (context.flaw = { error });
  const take = (text: string): void => {
    if (recorded) recorded.text = text;
    try {
      context.body = parseJsonBody(text, header);
    } catch (error) {
      return flawed(error);
    }
    journal.keepRequest(entry, text);
    context.text = text;
  };
  let text: string | Promise<string>;
  try {
    text = readJsonText(request, header, answers, hints);
  } catch (error) {
    return flawed(error);
  }
  return typeof text === 'string' ? take(text) : text.then(take, flawed);
}
