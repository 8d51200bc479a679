import { curlOf } from './curl.js';
import { decisiveOf, findingsOf, headlineOf, resultsWith } from './findings.js';
import type { RecordedRun } from './reporter.js';
import type { RuleResult } from '../types.js';

/** GitHub shows no more annotations of a kind for one step. */
const MOST = 10;

/** Annotations of a GitHub Actions run, one workflow command a line: what fails as an error, what warns as a warning. */
export function githubAnnotations(run: RecordedRun): readonly string[] {
  const { report } = run;
  const findings = findingsOf(report).filter(({ known }) => !known);
  const failed = [...resultsWith(findings, 'fail'), ...resultsWith(findings, 'error')];
  const verdict =
    report.exitCode === 0 ? [] : [command('error', 'teebox check', `${report.verdict}: ${report.message}`)];
  return [
    ...verdict,
    ...some('error', failed, MOST - verdict.length, run),
    ...some('warning', resultsWith(findings, 'warn'), MOST, run),
  ];
}

function some(level: 'error' | 'warning', results: readonly RuleResult[], most: number, run: RecordedRun): string[] {
  const kept = results.length <= most ? results : results.slice(0, most - 1);
  const lines = kept.map((result) => annotationOf(level, result, run));
  const left = results.length - kept.length;
  return left === 0 ? lines : [...lines, command(level, 'teebox check', `${left} more findings; see the report.`)];
}

function annotationOf(level: 'error' | 'warning', result: RuleResult, run: RecordedRun): string {
  const { id, statement, expected, actual } = result;
  const again = decisiveOf(result, run);
  const lines = [
    headlineOf(result),
    `Rule: ${statement}`,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(actual === undefined ? [] : [`Actual: ${actual}`]),
    ...(again ? [`Again: ${curlOf(again)}`] : []),
  ];
  return command(level, id, lines.join('\n'));
}

/** A workflow command. Line ends and the signs of its own syntax are escaped, so that no answer can add a command. */
function command(level: 'error' | 'warning', title: string, message: string): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} title=${data(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(message)}`;
}
