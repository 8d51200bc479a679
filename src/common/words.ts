/** A number of things: `1 rule`, `2 rules`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What to do about entries of a baseline that are out of date. */
export function staleEntries(count: number): string {
  return count === 1
    ? '1 entry of the baseline no longer fails: remove it'
    : `${count} entries of the baseline no longer fail: remove them`;
}
