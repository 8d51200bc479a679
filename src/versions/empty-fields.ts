type How = 'present' | 'absent' | 'null';

/** Whether a field without a value is sent, left out, or null: open, so a question of the dialect. */
export function withEmptyFields<T extends Record<string, unknown>>(record: T, how: How): unknown {
  if (how === 'present') return record;
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    if (value === '') return how === 'null' ? [[name, null]] : [];
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[name, nested ? withEmptyFields(value as Record<string, unknown>, how) : value]];
  });
  return Object.fromEntries(entries);
}
