import type { OperationSpec } from './generated/operations.js';

/** Whether an operation is among some, by names and versions; `*` stands for any. */
export function isAmong(
  { name, version }: Pick<OperationSpec, 'name' | 'version'>,
  {
    operations: names,
    versions: some,
  }: { readonly operations: readonly string[]; readonly versions: readonly string[] },
): boolean {
  const has = (list: readonly string[], word: string): boolean => list.includes('*') || list.includes(word);
  return has(names, name) && (version === '*' || has(some, version));
}
