/** Elements of an array that are written in one go. */
const GROUP = 200;
/** Characters that a piece has at least, except the last one. */
const LEAST = 65_536;

/**
 * The text that `JSON.stringify` makes of plain JSON, in pieces: a long array is written in groups of its elements, also
 * inside objects. Each piece takes a bounded time if the elements of long arrays are small.
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
  for (let start = 0; start < list.length; start += GROUP) {
    const text = JSON.stringify(list.slice(start, start + GROUP));
    yield `${start === 0 ? '[' : ','}${text.slice(1, -1)}`;
  }
  yield list.length === 0 ? '[]' : ']';
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
