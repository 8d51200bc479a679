declare const content: unique symbol;

/** The JSON text of a value of this type. */
export type JsonText<T> = string & { readonly [content]?: T };

const mark = '\u0000items';
const markText = JSON.stringify(mark);

/**
 * The JSON text of a value with a list whose items are cached as text. No string before the list may equal the mark.
 *
 * @param value Returns the whole value around the given list.
 */
export function jsonAround<Item, T>(items: readonly string[], value: (items: Item[]) => T): JsonText<T> {
  const [before, after] = jsonHalves(value);
  return `${before}${items.join(',')}${after}`;
}

/** The JSON text of a value before and after the items of its list. */
export function jsonHalves<Item, T>(value: (items: Item[]) => T): readonly [before: string, after: string] {
  const text = JSON.stringify(value([mark as Item]));
  const at = text.indexOf(markText);
  return [text.slice(0, at), text.slice(at + markText.length)];
}
