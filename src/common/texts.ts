/** A text with its percent codes decoded, or as it is where they are wrong. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a value is a date that exists, `yyyy-mm-dd`. */
export function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(value);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** A test whether an id matches one of some globs: `*` matches any part of an id. No globs match nothing. */
export function anyGlob(globs: readonly string[]): (id: string) => boolean {
  const patterns = globs.map((glob) => {
    const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`);
  });
  return (id) => patterns.some((pattern) => pattern.test(id));
}
