import { type Caused, causesOf, decisiveOf, headlineOf, sharedBy, slowOf, valuesOf } from './findings.js';
import { curlOf } from './formats/curl.js';
import { MOST_ANNOTATIONS as MOST, workflowCommand as command, withinLimit } from './formats/github-command.js';
import type { RecordedRun } from './reporter.js';

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
  const lines = results.map((result) => annotationOf(level, result, run));
  return withinLimit(lines, most, (left) => command(level, 'teebox check', `${left} more findings; see the report.`));
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
