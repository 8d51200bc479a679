/** A line of a table. A bar in a cell is escaped. */
function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** A table of Markdown. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');
}

/** A value as code; a list with commas. */
export function code(value: unknown): string {
  return `\`${Array.isArray(value) ? value.join(', ') : String(value)}\``;
}
