import type { ComponentChild } from 'preact';
import { parsedJson } from '../../common/index.js';
import { CopyButton } from './copy.js';

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;
/** Longer texts are shown in one colour: a page of spans for each word would be slow. */
const LONGEST_COLOURED = 60_000;

/** JSON in colours. Every piece is text; nothing in it is read as markup. */
function coloured(json: string): ComponentChild[] {
  if (json.length > LONGEST_COLOURED) return [json];
  const parts: ComponentChild[] = [];
  let at = 0;
  for (const match of json.matchAll(token)) {
    const [whole, text, colon, word] = match;
    if (match.index > at) parts.push(json.slice(at, match.index));
    const kind = text ? (colon ? 'key' : 'string') : word ? 'word' : 'number';
    parts.push(<span class={`json-${kind}`}>{text ?? whole}</span>);
    if (text && colon) parts.push(colon);
    at = match.index + whole.length;
  }
  parts.push(json.slice(at));
  return parts;
}

/** What a text says as JSON; the text itself if it is none. */
export const parsed = (text: string): unknown => parsedJson(text, text);

/** A body: JSON in colours, other text as it is. */
export function JsonView({ value, name }: { readonly value: unknown; readonly name: string }) {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value, null, 2);
  return (
    <div class="code-block">
      <pre tabIndex={0} aria-label={name}>
        <code>{isText ? text : coloured(text)}</code>
      </pre>
      <CopyButton text={text} name={name} />
    </div>
  );
}
