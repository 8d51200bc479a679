import { finish, mix } from '../../engine/index.js';

/**
 * The way to the oldest entry of a map. A new iterator would pass all entries that were deleted before it, so that each
 * entry that goes costs as much as those that are kept.
 */
const fromOldest = new WeakMap<object, Iterator<unknown>>();

/** Keeps the newest entries of a map, at most so many. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): boolean {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return false;
  let keys = fromOldest.get(map) as Iterator<K, undefined> | undefined;
  if (!keys) fromOldest.set(map, (keys = map.keys()));
  map.delete(keys.next().value!);
  return true;
}

const LONGEST_KEY = 500;

/**
 * A key of a few characters for a text of any length. It is no part of the text, which would keep the whole in memory.
 */
export function shortKey(text: string): string {
  if (text.length <= LONGEST_KEY) return text;
  let one = 1;
  let other = 2;
  for (let at = 0; at < text.length; at += 1) {
    one = mix(one, text.charCodeAt(at));
    other = mix(other, text.charCodeAt(at));
  }
  return `${finish(one)}/${finish(other)}/${text.length}`;
}
