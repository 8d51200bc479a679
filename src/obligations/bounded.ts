/** Keeps the newest entries of a map, at most so many. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): boolean {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return false;
  map.delete(map.keys().next().value!);
  return true;
}
