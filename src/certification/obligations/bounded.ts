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
