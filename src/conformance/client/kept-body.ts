// A run keeps thousands of answers. Most deployments write JSON in one of a few ways, so that the text of an answer can be
// made again from what was parsed from it, and need not be kept beside it.
import { readBody } from '../../contract/index.js';
import { jsonEscape } from '../../common/index.js';
import type { Reply } from './exchange.js';

/** A body that was read, with its text. */
export interface KeptBody extends Pick<Reply, 'json' | 'data' | 'ok'> {
  readonly text: () => string;
  /** Characters of the text. */
  readonly length: number;
  /** Whether the text is made again from the JSON, and takes no room of its own. */
  readonly isRemade: boolean;
}

/** Characters of a text that is made again: a longer one would be thrown away for each comparison. */
const MOST = 512 * 1024;

/** Reads a body, and keeps its text as it is. */
export function wholeBody(status: number, text: string): KeptBody {
  return { ...readBody(status, text), ...plainText(text), isRemade: false };
}

/** Reads a body, and keeps its text only where the JSON does not give the same again. */
export function keptBody(status: number, text: string): KeptBody {
  const whole = wholeBody(status, text);
  const { json } = whole;
  const remake = json === undefined || text.length > MOST ? undefined : writerOf(text);
  return remake?.(json) === text ? { ...whole, text: remade(remake, json), isRemade: true } : whole;
}

/** A text that is kept as it is. */
export function plainText(text: string): Pick<KeptBody, 'text' | 'length'> {
  return { text: () => text, length: text.length };
}

// A function of its own: two closures of one function keep all that either of them uses.
const remade = (remake: (json: unknown) => string, json: unknown) => (): string => remake(json);

const ESCAPED = /[\u0080-\uffff]/g;

/** How a text of JSON seems to be written, by its first signs: the indentation, spaces, escapes and the end. */
function writerOf(text: string): (json: unknown) => string {
  const [, indent] = /^[[{]\n( +)/.exec(text) ?? [];
  const isSpaced = !indent && /^[^:]*": /.test(text);
  const end = text.slice(text.trimEnd().length);
  const [escapes, escapesSlash] = [text.includes('\\u'), text.includes('\\/')];
  return (json) => {
    let written = JSON.stringify(json, null, indent ?? (isSpaced ? 1 : 0));
    // With an indentation each line ends with a comma or a bracket; no text has a line of its own in it.
    if (isSpaced) written = written.replace(/(,?)\n */g, (_, comma: string) => (comma ? ', ' : ''));
    if (escapes) written = written.replace(ESCAPED, jsonEscape);
    if (escapesSlash) written = written.replaceAll('/', '\\/');
    return written + end;
  };
}
