import { visible } from '../../evidence/visible.js';
import { count } from '../run/report.js';
import { verdicts, type Report, type RuleResult } from '../client/types.js';
import { coverageTable } from './coverage-table.js';
import { curlOf } from './curl.js';
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
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
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

function list(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `### ${title}\n\n${rows.map((row) => `- ${row}`).join('\n')}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Words that renderers turn into links or mentions by themselves: addresses, `@name`, `#1`, `GH-1`, the id of a commit. */
const linked = /[@#]|:\/|\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\W*[\da-f]{7,40}\W*$|GH-\d/iu;
const signs = /[\\`*_{}[\]#!|~<>&=^$]/g;
/** What may end a word of a sentence. */
const PUNCTUATION = ':;,.!?)';
/** What begins a list. */
const bullet = /^(?:[-+]|\d{1,9}[.)])(?=\s|$)/;

/** Text without any markup: on one line, each sign that could mean something escaped. */
function plain(text: string): string {
  const line = oneLine(text).split(' ').map(wordOf).join(' ');
  return line.replace(bullet, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

function wordOf(word: string): string {
  if (!linked.test(word)) return word.replace(signs, '\\$&');
  let end = word.length;
  while (end > 0 && PUNCTUATION.includes(word[end - 1]!)) end -= 1;
  return `${code(word.slice(0, end))}${word.slice(end).replace(signs, '\\$&')}`;
}

/** A sentence in which backticks mark code. */
function prose(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return plain(text);
  return parts.map((part, index) => (index % 2 === 0 ? spaced(part) : code(part))).join('');
}

/** Like {@link plain}, with the spaces at both ends, which separate it from code. */
function spaced(text: string): string {
  const inner = plain(text);
  if (inner === '') return text === '' ? '' : ' ';
  return `${/^\s/.test(text) ? ' ' : ''}${inner}${/\s$/.test(text) ? ' ' : ''}`;
}

/** Text as code on one line, in a fence that is longer than any in it. A bar would end the cell of a table. */
function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\\u{7c}');
  const fence = '`'.repeat(longestRun(line) + 1);
  const needsSpace = line === '' || fence.length > 1;
  return needsSpace ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim());
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}sh\n${visible(text)}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
