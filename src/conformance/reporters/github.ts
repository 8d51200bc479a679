import { visibleLines } from '../../evidence/visible.js';
import { curlOf } from './curl.js';
import { type Caused, causesOf, decisiveOf, headlineOf, sharedBy, slowOf, valuesOf } from './findings.js';
import type { RecordedRun } from './reporter.js';

/** The maximum number of annotations of each kind that GitHub shows for one step. */
const MOST = 10;

/** Annotations of a GitHub Actions run, one workflow command per line: failures as errors, warnings as warnings. */
export function githubAnnotations(run: RecordedRun): readonly string[] {
  const { report } = run;
  const causes = causesOf(report).filter(({ group }) => !group.known);
  const [failed, warned] = [['fail', 'error'], ['warn']].map((verdicts) =>
    causes.filter(({ group }) => verdicts.includes(group.verdict)),
  ) as [Caused[], Caused[]];
  const slow = slowOf(report)
    .slice(0, 1)
    .map((text) => command('warning', 'teebox check', `Slower than --max-p95: ${text}.`));
  const verdict =
    report.exitCode === 0 ? [] : [command('error', 'teebox check', `${report.verdict}: ${report.message}`)];
  return [
    ...verdict,
    ...some('error', failed, MOST - verdict.length, run),
    ...slow,
    ...some('warning', warned, MOST - slow.length, run),
  ];
}

function some(level: 'error' | 'warning', results: readonly Caused[], most: number, run: RecordedRun): string[] {
  const kept = results.length <= most ? results : results.slice(0, most - 1);
  const lines = kept.map((result) => annotationOf(level, result, run));
  const left = results.length - kept.length;
  return left === 0 ? lines : [...lines, command(level, 'teebox check', `${left} more findings; see the report.`)];
}

function annotationOf(level: 'error' | 'warning', caused: Caused, run: RecordedRun): string {
  const { first: result } = caused;
  const { id, statement } = result;
  const shared = sharedBy(caused);
  const again = decisiveOf(result, run);
  const lines = [
    headlineOf(result),
    `Rule: ${statement}`,
    ...valuesOf(result).map(([label, text]) => `${label}: ${text}`),
    ...(again ? [`Again: ${curlOf(again)}`] : []),
    ...(shared === undefined
      ? []
      : [`One cause of ${shared}`, `Also: ${caused.others.map((one) => one.id).join(', ')}`]),
  ];
  return command(level, id, lines.join('\n'));
}

/** A workflow command. Line ends and the characters of its syntax are escaped, so that no answer can add a command. */
function command(level: 'error' | 'warning', title: string, message: string): string {
  const data = (text: string): string =>
    visibleLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}`;
}
