/** Characters that a piece has at least, except the last one. */
const LEAST = 65_536;

/**
 * The text that `JSON.stringify` makes of plain JSON, in pieces. An array is written element by element, even inside
 * objects, so that a piece has a bounded length if each element has one.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of parts(value)) {
    piece += part;
    if (piece.length < LEAST) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function* parts(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* ofArray(value);
  else if (typeof value === 'object' && value !== null) yield* ofObject(value);
  else yield JSON.stringify(value);
}

function* ofArray(list: readonly unknown[]): Generator<string> {
  let text = '[';
  for (const [index, element] of list.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(element) ?? 'null'}`;
    if (text.length < LEAST) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

function* ofObject(value: object): Generator<string> {
  let before = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* parts(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
