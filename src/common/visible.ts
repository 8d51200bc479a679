/**
 * Characters that a terminal or an editor does not show as they are: controls, bidirectional marks, separators of lines,
 * whatever has no width, and halves of characters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const hiddenOnLines = /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** What makes a line a command to GitHub Actions or Azure Pipelines: two colons at its beginning, the others anywhere. */
const colons = /^(\s*):(?=:)/;
const hashes = /#(?=#(?:vso)?\[)/g;

/** Text in which nothing can be hidden: found out in a tenth of the time. */
const plain = /^[ -~]*$/;

function escaped(sign: string): string {
  return `\\u{${sign.codePointAt(0)!.toString(16)}}`;
}

/** A text on one line in which every hidden character is an escape such as `\u{1b}`. */
export function visible(text: string): string {
  return plain.test(text) ? text : text.replace(hidden, escaped);
}

/** The same for a text of several lines: its tabs and line feeds stay. */
export function visibleLines(text: string): string {
  return text.replace(hiddenOnLines, escaped);
}

/** A line for a console: nothing hidden in it, and no command to the service that runs a pipeline. */
export function consoleLine(text: string): string {
  return withoutCommand(visible(text));
}

/** A line of this program, perhaps with colours, that is no command. */
export function withoutCommand(line: string): string {
  // Almost no line has these marks, and to look for them takes less time than a pattern.
  const text = line.includes('::') ? line.replace(colons, `$1${escaped(':')}`) : line;
  return text.includes('##') ? text.replace(hashes, escaped('#')) : text;
}

/** JSON in which hidden characters and commands are escapes of JSON. */
export function visibleJson(value: unknown, indent?: number): string {
  const units = (text: string): string => text.replace(/[^]/g, jsonEscape);
  const text = JSON.stringify(value, null, indent);
  return (plain.test(text) ? text : text.replace(hiddenOnLines, units)).replace(hashes, units);
}

/** The escape of JSON for one unit of UTF-16, such as `\u00e9`. */
export function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
