import type { TextTable } from '../coverage-table.js';

/** Where a summary goes. */
export interface TerminalOptions {
  /** Writes a line of the summary. */
  readonly line: (text: string) => void;
  /** Shows the progress of the run, replacing what it showed before; absent without a terminal. */
  readonly progress?: (text: string) => void;
  readonly colour: boolean;
}

/** A text in a colour of the terminal, by its number. */
export function paintedText(text: string, colour: number): string {
  return `\u001B[${colour}m${text}\u001B[0m`;
}

/** The first rows of a table in columns: the first one to the left, numbers to the right. */
export function columns(heading: string, table: TextTable, most = Infinity): string[] {
  const { head } = table;
  const rows = table.rows.slice(0, most);
  const [title = 0, ...widths] = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]!.length)),
  );
  const lineOf = ([name = '', ...cells]: readonly string[]): string =>
    [name.padEnd(title), ...cells.map((cell, index) => cell.padStart(widths[index]!))].join('  ').trimEnd();
  return section(heading, rows.length === 0 ? [] : [head, ...rows].map(lineOf));
}

const MOST = 20;

/** A heading with its rows, as far as there are any. */
export function section(title: string, rows: readonly string[], most = MOST): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > most ? [`  and ${rows.length - most} more`] : [];
  return [`${title}:`, ...rows.slice(0, most).map((row) => `  ${row}`), ...more, ''];
}
