import { dirname } from 'node:path';

/** Files of one folder that are named one by one; of more, only their number is told. */
const MOST_NAMED = 10;

/** What a run of the generators tells: how many files changed, and which. */
export function changedSummary(paths: readonly string[]): string {
  if (paths.length === 0) return 'No generated file changed.';
  const folders = new Map<string, string[]>();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  const lines = [...folders].flatMap(([folder, files]) =>
    files.length > MOST_NAMED ? [`${folder}/ (${files.length} files)`] : files,
  );
  const count = paths.length === 1 ? '1 generated file changed' : `${paths.length} generated files changed`;
  return [`${count}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
