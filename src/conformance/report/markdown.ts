import { visible } from '../../common/index.js';
import {
  type Cause,
  type ReportItem,
  isTexts,
  type ReportModel,
  rowsOf,
  type Section,
  type ReportSide,
  type Text,
  wordsOf,
} from './model.js';

/** Findings shown in full: a step summary may hold a megabyte. */
const FULL = 50;

/** A summary for the page of a pipeline's step: the verdict, counts, findings first. */
export function markdownReport(report: ReportModel): string {
  const { counts, before, judged, beside } = report;
  const numbers = table(
    counts.map(([verdict]) => verdict),
    [counts.map(([, count]) => count)],
  );
  const middle = [
    counts.length === 0 ? '' : numbers,
    ...before.map(sectionText),
    report.causes.length === 0 ? '' : `### ${judged === 'rule' ? 'Findings' : 'Violated obligations'}`,
  ];
  return [sideText(report, middle), ...(beside ? [sideText(beside, [])] : [])].join('\n');
}

/** @param middle What comes between the summary and the findings. */
function sideText(side: ReportSide, middle: readonly string[]): string {
  const { verdict, message, exitCode, heading, summary, causes, judged, sections } = side;
  const { isGood, text } = heading ?? { isGood: exitCode === 0, text: [{ own: `${verdict}: ` }, message] };
  const further = causes.slice(FULL).map((cause) => {
    const ids = [cause.first, ...cause.others].map(({ id }) => code(id));
    return `${cause.verdict} ${ids.join(', ')}`;
  });
  const parts = [
    `## ${isGood ? '✅' : '❌'} ${marked(text)}`,
    marked(summary),
    ...middle,
    ...causes.slice(0, FULL).map((cause) => causeText(cause, judged)),
    further.length === 0 ? '' : `### Further findings\n\n${bullets(further)}`,
    ...sections.markdown.map(sectionText),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function sectionText({ title, rows = [], table: cells }: Section): string {
  const content = cells && cells.rows.length > 0 ? table(cells.head, cells.rows) : bullets(rows.map(marked));
  return content === '' ? '' : `### ${title}\n\n${content}`;
}

function causeText({ first, others, shared }: Cause, judged: ReportSide['judged']): string {
  const { id, verdict, known, headline } = first;
  const rows = rowsOf(first, 'statement', 'fact', 'document', 'exchanges');
  const requests = rowsOf(first, 'request', 'passed');
  const other = (one: ReportItem): string => `${one.verdict}: ${code(one.id)} ${prose(one.headline)}`;
  return [
    `#### ${judged === 'rule' ? `${verdict}: ` : ''}${code(id)}${known ? ' (known)' : ''}`,
    prose(headline),
    bullets([
      ...rows.map(({ label, text }) => `${label}: ${marked(text)}`),
      ...requests.map(({ label, text }) => `${label}: ${code(wordsOf(text))}`),
    ]),
    ...rowsOf(first, 'command').map(({ text }) => fenced(wordsOf(text))),
    ...(shared === undefined ? [] : [`One cause of ${plain(shared)}`, bullets(others.map(other))]),
  ].join('\n\n');
}

function bullets(rows: readonly string[]): string {
  return rows.map((row) => `- ${row}`).join('\n');
}

function table(head: readonly string[], rows: readonly (readonly Text[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(marked))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A text with its marks as Markdown. */
function marked(text: Text): string {
  if (typeof text === 'string') return plain(text);
  if (typeof text === 'object' && isTexts(text)) {
    return text.map((part) => (typeof part === 'string' ? spaced(part) : marked(part))).join('');
  }
  if (typeof text === 'object' && 'code' in text) return code(text.code);
  if (typeof text === 'object' && 'prose' in text) return prose(text.prose);
  return wordsOf(text);
}

/** Words that renderers turn into links or mentions by themselves: addresses, `@name`, `#1`, `GH-1`, the id of a commit. */
const linked = /[@#]|:\/|\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]|^\W*[\da-f]{7,40}\W*$|GH-\d/iu;
/** A number with decimals is no address: `(5.1%;`. */
const decimal = /^\(*\d+\.\d+[%,;:.!?)]*$/;
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
  if (!linked.test(word) || decimal.test(word)) return word.replace(signs, '\\$&');
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

/** A block of shell commands. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}sh\n${visible(text)}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}
