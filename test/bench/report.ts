/** One line of a table by its columns. */
export type Row = Readonly<Record<string, string | number>>;

/** What one part of the benchmark found. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** What the figures mean, in a sentence. */
  readonly note?: string;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between which values the middle half lies. */
export function quartiles(values: readonly number[]): [number, number] {
  return [quantile(values, 0.25), quantile(values, 0.75)];
}

/** The value of the rounds that nothing disturbed: a tenth of all are below it. */
export function undisturbed(values: readonly number[]): number {
  return quantile(values, 0.1);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at - Math.floor(at));
}

/** Columns and cells, the header first. */
function cellsOf(rows: readonly Row[]): string[][] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
}

/** A section as text in columns. */
export function sectionText({ title, rows, note }: Section): string {
  const cells = cellsOf(rows);
  const widths = cells[0]!.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)));
  const lines = cells.map((line) =>
    line.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!))).join('  '),
  );
  return [`\n${title}`, ...lines.map((line) => `  ${line}`), ...(note ? [`  ${note}`] : [])].join('\n');
}

/** What concerns those alone who change Teebox. */
const ownColumns = new Set(['target', 'reached']);

/** The table of a section as it stands in a page of the documentation. */
export function sectionTable({ rows }: Section): string {
  const shown = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !ownColumns.has(name))));
  const [columns, ...lines] = cellsOf(shown);
  const table = [columns!, columns!.map((_, index) => (index === 0 ? '---' : '---:')), ...lines];
  return table.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
