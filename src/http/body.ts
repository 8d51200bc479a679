import { invalid, Refusal } from '../domain/refusal.js';
import type { Answers } from '../generated/questions.js';
import { extentOf, MOST_LEVELS } from '../input/nesting.js';
import type { HeaderReader } from './authenticate.js';

const jsonType = /^application\/json *(;|$)/i;

function tooLarge(limit: number): Refusal {
  // Without `connection: close`: the rest is still read then, and who is in the middle of sending gets this answer.
  return new Refusal('body-too-large', 'limits.body-size', {
    words: `The request body is larger than ${limit} bytes.`,
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
 * @throws {Refusal} for more bytes than the limit.
 */
export async function* textPieces(stream: ReadableStream<Uint8Array>, limit: number): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return yield decoder.decode();
    size += value.byteLength;
    if (size > limit) {
      void discard(reader).catch(() => {});
      throw tooLarge(limit);
    }
    for (let at = 0; at < value.byteLength; at += PIECE) {
      yield decoder.decode(value.subarray(at, at + PIECE), { stream: true });
    }
  }
}

async function readLimited(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  let text = '';
  for await (const piece of textPieces(stream, limit)) text += piece;
  return text;
}

/**
 * The body of a request as text; a host bounds it by its declared length, without one the stream is counted.
 *
 * @throws {Refusal} for more bytes than the limit, and for a body that does not arrive whole.
 */
export async function readText(request: Request, header: HeaderReader, limit: number): Promise<string> {
  const length = header('content-length');
  if (length !== undefined && Number(length) > limit) throw tooLarge(limit);
  const reading = length !== undefined ? request.text() : request.body ? readLimited(request.body, limit) : '';
  const text = await Promise.resolve(reading).catch((error: unknown) => {
    // A client that goes away in the middle is no failure of ours.
    throw error instanceof Refusal ? error : invalid('envelope.json-body', 'body', 'must arrive whole');
  });
  if (text.length > limit) throw tooLarge(limit);
  return text;
}

/**
 * The JSON body of a request, with its text ("What the service does", list 2).
 *
 * @param took Called with the text, whatever is wrong with it.
 * @throws {Refusal} for another content type if the dialect refuses it, for more bytes than the limit, and for text that is not JSON.
 */
export async function readJsonBody(
  request: Request,
  header: HeaderReader,
  answers: Pick<Answers, 'body.content-type' | 'body.max-bytes'>,
  given: string | undefined,
  took: (text: string) => void,
): Promise<{ readonly text: string; readonly body: unknown }> {
  const limit = answers['body.max-bytes'];
  const isRead = answers['body.content-type'] === 'read';
  if (!isRead && !jsonType.test(header('content-type') ?? ''))
    throw new Refusal('unsupported-media-type', 'envelope.json-body');
  const text = given ?? (await readText(request, header, limit));
  took(text);
  const { levels, values } = extentOf(text);
  if (levels > MOST_LEVELS) {
    throw invalid(
      'envelope.json-body',
      'body',
      `must have at most ${MOST_LEVELS} levels of arrays and objects`,
      levels,
    );
  }
  // A value of two characters takes many times the memory that it takes on the wire.
  if (values > MOST_VALUES) {
    throw new Refusal('body-too-large', 'limits.body-size', {
      words: `The request body has more than ${MOST_VALUES} values.`,
    });
  }
  try {
    return { text, body: JSON.parse(text) as unknown };
  } catch {
    throw invalid('envelope.json-body', 'body', 'must be well-formed JSON', text === '' ? undefined : text);
  }
}
