import { count } from '../report.js';
import { verdicts, type Report, type RuleResult } from '../types.js';
import { curlOf } from './curl.js';
import { answersOf, decisiveOf, findingsOf, headlineOf, litterOf, unjudgedOf, wantsOf } from './findings.js';
import type { FileReporter, RecordedRun } from './reporter.js';

/** Findings that are told in full: a step summary may hold a megabyte. */
const FULL = 50;

/** A summary for the page of a pipeline's step: the verdict, counts, findings first. */
export const markdownReporter: FileReporter = (run) => {
  const { report } = run;
  const { verdict, message, target, coverage, counts, requests, durationMs } = report;
  const findings = findingsOf(report);
  const shown = verdicts.filter((name) => counts[name] > 0);
  const parts = [
    `## ${report.exitCode === 0 ? '✅' : '❌'} ${verdict}: ${plain(message)}`,
    `${code(target.baseUrl)}: ${coverage.judged} of ${coverage.selected} rules judged ` +
      `(${coverage.conclusive}% of those allowed) with ${count(requests, 'request', 'requests')} in ${durationMs} ms.`,
    shown.length === 0 ? '' : table(shown, [shown.map((name) => String(counts[name]))]),
    findings.length === 0 ? '' : '### Findings',
    ...findings.slice(0, FULL).map((result) => findingOf(result, run)),
    list(
      'Further findings',
      findings.slice(FULL).map(({ id, verdict: what }) => `${what} ${code(id)}`),
    ),
    list('No longer failing, though the baseline has them', report.stale.map(code)),
    ...rest(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
};

function rest(report: Report): string[] {
  const answers = answersOf(report).map(([question, answer]) => [code(question), code(answer)]);
  const unknown = report.unknownProperties.map(({ place, operation }) => `${code(place)} (${operation})`);
  return [
    answers.length === 0 ? '' : `### Open questions answered\n\n${table(['Question', 'Answer'], answers)}`,
    list('Left behind, since the service cannot take it back', litterOf(report).map(plain)),
    list(
      'Not judged, for want of',
      wantsOf(report).map(([missing, rules]) => `${plain(missing)}: ${rules} ${rules === 1 ? 'rule' : 'rules'}`),
    ),
    list('Properties that the contract does not know', unknown),
    list('Recorded, and not judged', unjudgedOf(report).map(plain)),
  ];
}

function findingOf(result: RuleResult, run: RecordedRun): string {
  const { id, verdict, known, statement, expected, actual, source, exchanges } = result;
  const again = decisiveOf(result, run);
  return [
    `#### ${verdict}: ${code(id)}${known ? ' (known)' : ''}`,
    prose(headlineOf(result)),
    [
      `- Rule: ${prose(statement)}`,
      ...(expected === undefined ? [] : [`- Expected: ${code(expected)}`]),
      ...(actual === undefined ? [] : [`- Actual: ${code(actual)}`]),
      `- Document: ${plain(`${source.section}, ${source.item}`)}`,
      ...(exchanges.length === 0 ? [] : [`- Exchanges: ${exchanges.join(', ')}`]),
    ].join('\n'),
    ...(again ? [fenced(curlOf(again))] : []),
  ].join('\n\n');
}

function list(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `### ${title}\n\n${rows.map((row) => `- ${row}`).join('\n')}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

/** Text without any markup: on one line, each sign that could mean something escaped. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line
    .replace(/[\\`*_[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('@', '&#64;');
}

/** A sentence in which backticks mark code. */
function prose(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return plain(text);
  return parts.map((part, index) => (index % 2 === 0 ? plain(part) : code(part))).join('');
}

/** Text as code on one line, in a fence that is longer than any in it. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length === 1 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}sh\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
