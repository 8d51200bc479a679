import type { Report } from '../client/types.js';

/** A table as texts. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How many rules about each operation were judged in each version; `*` is an operation whose version is a parameter. */
export function coverageTable({ coverage: { cells, selected } }: Report): TextTable {
  if (selected === 0) return { head: [], rows: [] };
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];
  const versions = [...distinct(cells.map(({ version }) => version))].sort();
  const rows = distinct(cells.map(({ operation }) => operation)).map((operation) => {
    const own = cells.filter((cell) => cell.operation === operation);
    return [operation, ...versions.map((version) => textOf(own.find((cell) => cell.version === version)))];
  });
  return { head: ['operation', ...versions], rows };
}

function textOf(cell: Report['coverage']['cells'][number] | undefined): string {
  if (!cell) return '';
  return cell.extent === 'some' ? `${cell.judged}/${cell.observable}` : cell.extent;
}
