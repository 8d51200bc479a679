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
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A section as text in columns. */
export function sectionText({ title, rows, note }: Section): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)));
  const lines = cells.map((line) =>
    line.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!))).join('  '),
  );
  return [`\n${title}`, ...lines.map((line) => `  ${line}`), ...(note ? [`  ${note}`] : [])].join('\n');
}
