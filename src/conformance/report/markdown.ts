import { count } from '../run/report.js';
import { verdicts, type Report, type RuleResult } from '../client/types.js';
import { coverageTable } from './coverage-table.js';
import {
  answersOf,
  type Caused,
  causesOf,
  decisiveOf,
  faultsOf,
  headlineOf,
  latencyTable,
  litterOf,
  litterTitle,
  sharedBy,
  slowOf,
  unjudgedOf,
  valuesOf,
  wantsOf,
} from './findings.js';
import { curlOf } from './formats/curl.js';
import { code, fenced, list, markdownText, plain, prose, table } from './formats/markdown-text.js';
import type { FileReporter, RecordedRun } from './reporter.js';

/** Findings shown in full: a step summary may hold a megabyte. */
const FULL = 50;

/** A summary for the page of a pipeline's step: the verdict, counts, findings first. */
export const markdownReporter: FileReporter = (run) => {
  const { report } = run;
  const { verdict, message, target, coverage, counts, requests, durationMs } = report;
  const findings = causesOf(report);
  const shown = verdicts.filter((name) => counts[name] > 0);
  const parts = [
    `## ${report.exitCode === 0 ? '✅' : '❌'} ${verdict}: ${plain(message)}`,
    `${code(target.baseUrl)}: ${coverage.judged} rules judged ` +
      `(${coverage.conclusive}% of the ${coverage.observable} observable rules) with ${count(requests, 'request', 'requests')} in ${durationMs} ms.`,
    shown.length === 0 ? '' : table(shown, [shown.map((name) => String(counts[name]))]),
    list('Requests that failed', faultsOf(report).map(plain)),
    findings.length === 0 ? '' : '### Findings',
    ...findings.slice(0, FULL).map((caused) => findingOf(caused, run)),
    list(
      'Further findings',
      findings.slice(FULL).map(({ group }) => `${group.verdict} ${group.rules.map(code).join(', ')}`),
    ),
    list('In the baseline, but no longer failing', report.stale.map(code)),
    ...rest(report),
  ];
  return markdownText(parts);
};

function rest(report: Report): string[] {
  const answers = answersOf(report).map(([question, answer]) => [code(question), code(answer)]);
  const unknown = report.unknownProperties.map(({ place, operation }) => `${code(place)} (${operation})`);
  const { head, rows } = coverageTable(report);
  const latency = latencyTable(report);
  return [
    answers.length === 0 ? '' : `### Open questions answered\n\n${table(['Question', 'Answer'], answers)}`,
    list(litterTitle(report), litterOf(report).map(plain)),
    list(
      'Not judged, missing',
      wantsOf(report).map(([missing, rules]) => `${plain(missing)}: ${rules} ${rules === 1 ? 'rule' : 'rules'}`),
    ),
    rows.length === 0
      ? ''
      : `### Rules judged, by operation and version\n\n${table(
          head,
          rows.map(([name = '', ...cells]) => [code(name), ...cells]),
        )}`,
    list('Slower than --max-p95', slowOf(report).map(plain)),
    latency.rows.length === 0
      ? ''
      : `### Latency in ms\n\n${table(
          latency.head,
          latency.rows.map(([name = '', ...cells]) => [code(name), ...cells]),
        )}`,
    list('Properties that are not in the contract', unknown),
    list('Recorded, and not judged', unjudgedOf(report).map(plain)),
  ];
}

function findingOf(caused: Caused, run: RecordedRun): string {
  const { first: result, others } = caused;
  const { id, verdict, known, statement, source, exchanges } = result;
  const shared = sharedBy(caused);
  const again = decisiveOf(result, run);
  return [
    `#### ${verdict}: ${code(id)}${known ? ' (known)' : ''}`,
    prose(headlineOf(result)),
    [
      `- Rule: ${prose(statement)}`,
      ...valuesOf(result).map(([label, text]) => `- ${label}: ${code(text)}`),
      `- Document: ${plain(`${source.section}, ${source.item}`)}`,
      ...(exchanges.length === 0 ? [] : [`- Exchanges: ${exchanges.join(', ')}`]),
    ].join('\n'),
    ...(again ? [fenced(curlOf(again))] : []),
    ...(shared === undefined ? [] : [`One cause of ${plain(shared)}`, others.map(otherOf).join('\n')]),
  ].join('\n\n');
}

function otherOf(result: RuleResult): string {
  return `- ${result.verdict}: ${code(result.id)} ${prose(headlineOf(result))}`;
}
