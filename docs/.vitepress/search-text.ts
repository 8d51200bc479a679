/**
 * A page as the search sees it: without the rows of tables that are generated. They have every word of the service many
 * times, so that they hide the pages that explain it.
 */
export function withoutGeneratedTables(text: string): string {
  return text.replaceAll(/<!-- ([\w-]+): generated -->\n[^]*?<!-- \/\1 -->/g, (part) =>
    part
      .split('\n')
      .filter((line) => !line.startsWith('|'))
      .join('\n'),
  );
}
