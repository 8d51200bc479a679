import { count } from '../report.js';
import type { Exchange } from '../exchange.js';
import type { CheckEvent, Report, RuleResult, Verdict } from '../types.js';
import { curlOf } from './curl.js';
import { decisiveOf, findingsOf, unjudgedOf, wantsOf } from './findings.js';
import type { StreamReporter } from './reporter.js';

export interface TerminalOptions {
  /** Writes a line of the summary. */
  readonly line: (text: string) => void;
  /** Shows how far the run is, in place of what it showed before; absent where nobody looks. */
  readonly progress?: (text: string) => void;
  readonly colour: boolean;
}

const colours: Readonly<Record<Verdict, number>> = {
  fail: 31,
  warn: 33,
  error: 35,
  inconclusive: 36,
  'not-run': 90,
  observed: 34,
  pass: 32,
};

/** Progress while a run goes on, and a summary for people: findings first. */
export class TerminalReporter implements StreamReporter {
  readonly #exchanges = new Map<string, Exchange>();
  #rules = 0;
  #done = 0;

  constructor(readonly options: TerminalOptions) {}

  onEvent(event: CheckEvent): void {
    if (event.type === 'start') this.#rules = event.rules;
    if (event.type === 'exchange') this.#exchanges.set(event.exchange.id, event.exchange);
    if (event.type === 'rule') {
      this.#done += 1;
      this.options.progress?.(`${this.#done}/${this.#rules} rules, ${this.#exchanges.size} requests`);
    }
    if (event.type !== 'end') return;
    this.options.progress?.('');
    for (const text of this.#summary(event.report)) this.options.line(text);
  }

  #summary(report: Report): string[] {
    const { target, message, counts, coverage } = report;
    const findings = findingsOf(report);
    const numbers = Object.entries(counts).filter(([, count]) => count > 0);
    return [
      ...findings.flatMap((result) => this.#finding(result)),
      ...this.#missing(report),
      ...section(
        'Left behind, since the service cannot take it back',
        report.litter.map(({ kind, bookingId, what }) =>
          kind === 'booking' ? `${bookingId}: ${what}` : `perhaps a booking: ${what}`,
        ),
        Infinity,
      ),
      ...section(
        'Properties that the contract does not know',
        report.unknownProperties.map(({ place }) => place),
      ),
      ...section('No longer failing, though the baseline has them', report.stale),
      ...section('Not judged', unjudgedOf(report)),
      numbers.map(([verdict, count]) => this.#paint(verdict as Verdict, `${count} ${verdict}`)).join(', '),
      `${target.baseUrl}: ${coverage.judged} of ${coverage.selected} rules judged with ${count(report.requests, 'request', 'requests')} in ${report.durationMs} ms`,
      this.#paint(report.exitCode === 0 ? 'pass' : 'fail', `${report.verdict}: ${message}`),
    ];
  }

  #finding(result: RuleResult): string[] {
    const { id, verdict, statement, message, expected, actual, source, known } = result;
    const exchange = decisiveOf(result, { exchanges: this.#exchanges });
    return [
      `${this.#paint(verdict, verdict.toUpperCase())} ${id}${known ? ' (known)' : ''}`,
      `  ${statement}`,
      ...(message === undefined ? [] : [`  ${message}`]),
      ...(expected === undefined ? [] : [`  expected: ${expected}`]),
      ...(actual === undefined ? [] : [`  actual:   ${actual}`]),
      `  document: ${source.section}, ${source.item}`,
      ...(exchange ? [`  again:    ${curlOf(exchange)}`] : []),
      '',
    ];
  }

  /** What would decide more rules, the cheapest ingredient first: the one that most of them lack. */
  #missing(report: Report): string[] {
    return section(
      'Not judged, for want of',
      wantsOf(report).map(([missing, count]) => `${missing}: ${count} ${count === 1 ? 'rule' : 'rules'}`),
    );
  }

  #paint(verdict: Verdict, text: string): string {
    return this.options.colour ? `\u001B[${colours[verdict]}m${text}\u001B[0m` : text;
  }
}

const MOST = 20;

function section(title: string, rows: readonly string[], most = MOST): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > most ? [`  and ${rows.length - most} more`] : [];
  return [`${title}:`, ...rows.slice(0, most).map((row) => `  ${row}`), ...more, ''];
}
