/** JSON with the keys of objects sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) as string;
}

/** The same, with the items of lists sorted, too: to compare what may come in another order each time. */
export function canonicalInAnyOrder(value: unknown): string {
  return canonicalJson(inOrder(value));
}

/** Whether two values are equal as JSON, whatever the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => canonicalJson(inOrder(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inOrder(inner)]));
}
