/** A test for ids by globs: `*` stands for any part of one. No globs match nothing. */
export function anyGlob(globs: readonly string[]): (id: string) => boolean {
  const patterns = globs.map((glob) => {
    const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`);
  });
  return (id) => patterns.some((pattern) => pattern.test(id));
}
