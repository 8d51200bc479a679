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
  const text = JSON.stringify(value([mark as Item]));
  const at = text.indexOf(markText);
  return `${text.slice(0, at)}${items.join(',')}${text.slice(at + markText.length)}`;
}
