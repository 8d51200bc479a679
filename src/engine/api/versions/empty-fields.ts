type How = 'present' | 'absent' | 'null';

/**
 * Writes a field without a value as the dialect does: empty, missing or null. The type is that of the contract,
 * which the default dialect follows.
 */
export function withEmptyFields<T extends Record<string, unknown>>(record: T, how: How): T {
  if (how === 'present') return record;
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (value === '') return how === 'null' ? [[name, null]] : [];
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, nested ? withEmptyFields(value as Record<string, unknown>, how) : value]];
  });
  return Object.fromEntries(entries) as T;
}
