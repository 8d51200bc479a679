import { visibleLines } from '../../../common/index.js';

/** The maximum number of annotations of each kind that GitHub shows for one step. */
export const MOST_ANNOTATIONS = 10;

/** As many lines as are shown; the last one says how many more there are. */
export function withinLimit(lines: readonly string[], most: number, more: (left: number) => string): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(0, most - 1);
  return [...kept, more(lines.length - kept.length)];
}

/** A workflow command. Line ends and the characters of its syntax are escaped, so that no answer can add a command. */
export function workflowCommand(level: 'error' | 'warning', title: string, message: string): string {
  const data = (text: string): string =>
    visibleLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}`;
}
