import type { RemoteCaller } from '../api/routes/call.js';
import type { CallbackFault } from './delivery.js';

/** A result of at least so many characters is streamed where the host can do that. */
const STREAMED = 1_000_000;
/** Maximum number of characters of a streamed result that is kept, and what a longer one takes meanwhile. */
const KEPT = 16_000_000;
const OF_A_STREAM = 1_000_000;
/** Pieces that are made in one turn of the event loop; each takes one or two milliseconds. */
const SLICE = 8;

interface ResultSource {
  /** Makes the text in pieces, from the state of now, for an instant. */
  readonly pieces: (at: number) => Iterable<string>;
  /** The estimated number of characters. */
  readonly size: number;
  /** The fault that a scenario injects. */
  readonly fault: CallbackFault | undefined;
  /** Makes a stream of the text, if the host can send what is not made yet. */
  readonly stream: RemoteCaller['stream'] | undefined;
}

/** A body in the making. */
interface Making {
  /** The estimated number of characters in memory. */
  readonly held: number;
  /** `keep` is called with the whole text as soon as it is known, `read` when more of a stream is read. */
  body(keep: (text: string) => void, signal: AbortSignal, read: () => void): Promise<string | ReadableStream>;
}

/** The body of a search result, which is made when it is posted. */
export class ResultBody {
  constructor(
    readonly source: ResultSource,
    /** The instant of the result, from the first post on. */
    public at?: number,
  ) {}

  get size(): number {
    return this.source.size;
  }

  /**
   * Begins a post. The first one decides the instant of the result, also where its text is made again.
   *
   * @param whole Whether the text is needed before it is sent. A fault always needs it.
   */
  begin(at: number, whole: boolean): Making {
    this.at ??= at;
    const instant = this.at;
    const { pieces, size, fault, stream } = this.source;
    if (whole || fault !== undefined || !stream || size < STREAMED) {
      const body: Making['body'] = async (keep, signal) => {
        const text = changedBody(await wholeText(pieces(instant), signal), fault);
        keep(text);
        return text;
      };
      return { held: size, body };
    }
    const isKept = size <= KEPT;
    const body: Making['body'] = async (keep, _signal, read) =>
      stream(told(pieces(instant), read), isKept ? keep : undefined);
    return { held: isKept ? size : OF_A_STREAM, body };
  }
}

function* told(pieces: Iterable<string>, read: () => void): Generator<string> {
  for (const piece of pieces) {
    read();
    yield piece;
  }
}

/** Lets other requests be answered. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

async function wholeText(pieces: Iterable<string>, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  for (const piece of pieces) {
    signal.throwIfAborted();
    if (parts.push(piece) % SLICE === 0) await turn();
  }
  return parts.join('');
}

/** The body of a result, changed by the scenario that applies to it. */
function changedBody(body: string, fault: CallbackFault | undefined): string {
  if (fault === 'malformed') return body.slice(0, Math.ceil((body.length * 2) / 3));
  if (fault !== 'partial') return body;
  const result = JSON.parse(body) as { data: unknown };
  return Array.isArray(result.data) ? JSON.stringify({ ...result, data: result.data.slice(0, -1) }) : body;
}
