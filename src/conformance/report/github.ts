import { visibleLines } from '../../common/index.js';
import { type Cause, linesOf, type ReportModel, rowsOf } from './model.js';

/** The maximum number of annotations of each kind that GitHub shows for one step. */
const MOST = 10;

type Level = 'error' | 'warning';

/** Annotations of a GitHub Actions run, one workflow command per line: failures as errors, warnings as warnings. */
export function annotations({
  tool,
  causes,
  exitCode,
  verdict,
  message,
  warnings,
  hints = [],
  judged,
}: ReportModel): string[] {
  const noun = judged === 'rule' ? 'findings' : 'violated obligations';
  const some = (level: Level, isWarning: boolean, most: number): string[] => {
    const own = causes.filter((one) => !one.isKnown && (one.verdict === 'warn') === isWarning);
    if (own.length <= most) return own.map((cause) => annotationOf(level, cause));
    const kept = own.slice(0, most - 1).map((cause) => annotationOf(level, cause));
    return [...kept, command(level, tool, `${own.length - kept.length} more ${noun}; see the report.`)];
  };
  const whole = exitCode === 0 ? [] : [command('error', tool, `${verdict}: ${message}`)];
  const slow = [...hints, ...warnings.slice(0, 1)].map((text) => command('warning', tool, text));
  return [
    ...whole,
    ...some('error', false, MOST - whole.length),
    ...slow,
    ...some('warning', true, MOST - slow.length),
  ];
}

function annotationOf(level: Level, { first, others, shared }: Cause): string {
  const saysMessage = rowsOf(first, 'message').length > 0;
  const lines = [
    ...(saysMessage ? [] : [first.headline]),
    ...linesOf(rowsOf(first, 'statement', 'fact', 'message', 'command', 'request')),
    ...(shared === undefined ? [] : [`One cause of ${shared}`, `Also: ${others.map(({ id }) => id).join(', ')}`]),
  ];
  return command(level, first.id, lines.join('\n'));
}

/** A workflow command. Line ends and the characters of its syntax are escaped, so that no response can add a command. */
function command(level: Level, title: string, message: string): string {
  const data = (text: string): string =>
    visibleLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}`;
}
