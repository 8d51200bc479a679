import { visible, withoutCommand } from '../../common/index.js';
import type { Exchange } from '../client/exchange.js';
import type { CheckEvent, Report } from '../client/types.js';
import { withTexts } from '../run/summary/values.js';
import { checkReport } from './check-report.js';
import { type Cause, type ReportModel, rowsOf, type Section, staleText, type Table, wordsOf } from './model.js';
import type { StreamReporter } from './recorder.js';

/** Where a summary goes. */
export interface TerminalOptions {
  /** Writes a line of the summary. */
  readonly line: (text: string) => void;
  /** Shows the progress of the run, replacing what it showed before; absent without a terminal. */
  readonly progress?: (text: string) => void;
  readonly colour: boolean;
  /** Only findings and verdict. */
  readonly quiet?: boolean;
}

/** Progress during a run of `check`, and a summary for people: findings and verdict last, where they are seen. */
export class TerminalReporter implements StreamReporter {
  /** The requests: only these are shown. */
  readonly #exchanges = new Map<string, Exchange>();
  #rules = 0;
  #done = 0;

  constructor(readonly options: TerminalOptions) {}

  onEvent(event: CheckEvent): void {
    if (event.type === 'start') this.#rules = event.rules;
    if (event.type === 'exchange') {
      const { response: _, ...sent } = event.exchange;
      this.#exchanges.set(sent.id, sent);
    }
    if (event.type === 'rule') {
      this.#done += 1;
      this.options.progress?.(`${this.#done}/${this.#rules} rules, ${this.#exchanges.size} requests`);
    }
    if (event.type !== 'end') return;
    const report = withTexts(event.report, visible) as Report;
    summarize(checkReport({ report, exchanges: this.#exchanges, version: '' }), this.options);
  }
}

/** The numbers of the colours of verdicts. */
const colours: Readonly<Record<string, number>> = {
  fail: 31,
  warn: 33,
  error: 35,
  inconclusive: 36,
  'not-seen': 36,
  'not-run': 90,
  observed: 34,
  pass: 32,
};

/** A text in a colour of the terminal, by its number. */
export function paintedText(text: string, colour: number): string {
  return `\u001B[${colour}m${text}\u001B[0m`;
}

/** Paints texts in the colours of their verdicts, unless the terminal has none. */
export function painter({ colour }: Pick<TerminalOptions, 'colour'>): (verdict: string, text: string) => string {
  return (verdict, text) => (colour ? paintedText(text, colours[verdict]!) : text);
}

/** Writes the summary of a run for people. The texts of the report must be visible: only colours are left as controls. */
export function summarize(report: ReportModel, options: TerminalOptions): void {
  options.progress?.('');
  for (const text of summaryOf(report, options)) options.line(withoutCommand(text));
}

function summaryOf(report: ReportModel, { quiet = false, ...options }: TerminalOptions): string[] {
  const paint = painter(options);
  const { before, causes, sections, counts, exitCode, verdict, message, opening, closing, next = [] } = report;
  const { mostInFull = causes.length } = report;
  const numbers = counts.filter(([, count]) => count > 0);
  return [
    ...opening.map((text) => (text === '' ? '' : paint('fail', text))),
    ...before.flatMap(sectionLines),
    ...(quiet ? report.stale.map(staleText) : sections.terminal.flatMap(sectionLines)),
    ...causes.slice(0, mostInFull).flatMap((cause) => causeLines(cause, paint)),
    ...shortLines(causes.slice(mostInFull), paint),
    ...(numbers.length === 0 ? [] : [numbers.map(([name, count]) => paint(name, `${count} ${name}`)).join(', ')]),
    closing,
    ...(quiet ? [] : next.map((text) => `next: ${visible(wordsOf(text))}`)),
    paint(exitCode === 0 ? 'pass' : 'fail', `${verdict}: ${message}`),
  ];
}

/** Requests and ids that a finding shows. Reports in files have more. */
const [MOST_REQUESTS, MOST_IDS, MOST_SAID] = [6, 8, 3];

function causeLines({ first, others, shared }: Cause, paint: ReturnType<typeof painter>): string[] {
  const { id, verdict, known, statement, message } = first;
  const rows = rowsOf(first, 'fact', 'message', 'document', 'command');
  const requests = rowsOf(first, 'request');
  const isBare = rowsOf(first, 'statement').length > 0;
  const width = Math.max(...[...rows, ...requests].map(({ label }) => label.length + 1));
  const lineOf = ({ label, text }: (typeof rows)[number]): string =>
    `  ${`${label.toLowerCase()}:`.padEnd(width)} ${visible(wordsOf(text))}`;
  const more = requests.length - MOST_REQUESTS;
  const said = new Set([message]);
  // What says the same needs no line of its own.
  const further = others.filter((one) => !said.has(one.message) && said.add(one.message)).slice(0, MOST_SAID);
  const rest = others.filter((one) => !further.includes(one)).map((one) => one.id);
  const ids = [...rest.slice(0, MOST_IDS), ...(rest.length > MOST_IDS ? [`${rest.length - MOST_IDS} more`] : [])];
  return [
    `${paint(verdict, verdict.toUpperCase())} ${id}${known ? ' (known)' : ''}`,
    ...(isBare ? [`  ${statement}`] : []),
    ...(isBare && message !== undefined ? [`  ${message}`] : []),
    ...rows.map(lineOf),
    ...requests.slice(0, MOST_REQUESTS).map(lineOf),
    ...(more > 0 ? [`  and ${more} more requests; see --report html=FILE`] : []),
    ...(shared === undefined ? [] : [`  one cause of ${shared}`, ...also(further, ids)]),
    '',
  ];
}

/** Causes with a line each. */
const MOST_SHORT = 10;

function shortLines(causes: ReportModel['causes'], paint: ReturnType<typeof painter>): string[] {
  if (causes.length === 0) return [];
  const lines = causes.slice(0, MOST_SHORT).map(({ first: { id, verdict, known, severity, headline } }) => {
    return `${paint(verdict, verdict.toUpperCase())} ${id}${known ? ' (known)' : ''}, ${severity}: ${visible(headline)}`;
  });
  const more = causes.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more; see --report html=FILE`] : []), ''];
}

/** The other rules of a cause: what some of them say, and the ids of the rest. */
function also(further: Cause['others'], ids: readonly string[]): string[] {
  const lines = further.map(({ id, headline }) => `${id}: ${visible(headline)}`);
  return [...lines, ...(ids.length === 0 ? [] : [ids.join(', ')])].map((line) => `  also:     ${line}`);
}

/** A heading with its rows, as far as there are any. */
function sectionLines({ title, rows = [], table, most = 20 }: Section): string[] {
  const lines = table ? columns(table, most) : rows.map(wordsOf);
  if (lines.length === 0) return [];
  const more = !table && lines.length > most ? [`  and ${lines.length - most} more`] : [];
  return [`${title}:`, ...(table ? lines : lines.slice(0, most)).map((row) => `  ${row}`), ...more, ''];
}

/** The first rows of a table in columns: the first column to the left, numbers to the right. */
function columns({ head, rows }: Table, most: number): string[] {
  if (rows.length === 0) return [];
  const cells = [head, ...rows.slice(0, most).map((row) => row.map(wordsOf))];
  const [title = 0, ...widths] = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map(([name = '', ...others]) =>
    [name.padEnd(title), ...others.map((cell, index) => cell.padStart(widths[index]!))].join('  ').trimEnd(),
  );
}
