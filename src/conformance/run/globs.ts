/** A test whether an id matches one of some globs: `*` matches any part of an id. No globs match nothing. */
export function anyGlob(globs: readonly string[]): (id: string) => boolean {
  const patterns = globs.map((glob) => {
    const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`);
  });
  return (id) => patterns.some((pattern) => pattern.test(id));
}
