import { visible, withoutCommand } from '../../common/index.js';
import { count } from '../run/report.js';
import { withTexts } from '../run/summary/values.js';
import type { Exchange } from '../client/exchange.js';
import type { CheckEvent, Report, RuleResult, Verdict } from '../client/types.js';
import { coverageTable } from './coverage-table.js';
import {
  type Caused,
  causesOf,
  decisiveOf,
  faultsOf,
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
import { columns, paintedText, section, type TerminalOptions } from './formats/terminal-text.js';
import type { StreamReporter } from './reporter.js';

const colours: Readonly<Record<Verdict, number>> = {
  fail: 31,
  warn: 33,
  error: 35,
  inconclusive: 36,
  'not-run': 90,
  observed: 34,
  pass: 32,
};

/** Progress during a run, and a summary for people: findings first. */
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
    this.options.progress?.('');
    // Only the colours of this reporter are left as controls.
    const report = withTexts(event.report, visible) as Report;
    for (const text of this.#summary(report)) this.options.line(withoutCommand(text));
  }

  #summary(report: Report): string[] {
    const { target, message, counts, coverage } = report;
    const numbers = Object.entries(counts).filter(([, count]) => count > 0);
    // If nothing was judged, there is little between the first line and the last, which says the same.
    const isFirst = !report.health.healthy && coverage.judged > 0;
    return [
      ...(isFirst ? [this.#paint('fail', `UNHEALTHY ${message}`), ''] : []),
      ...section('Requests that failed', faultsOf(report)),
      ...causesOf(report).flatMap((caused) => this.#finding(caused)),
      ...this.#missing(report),
      ...section(litterTitle(report), litterOf(report, false), Infinity),
      ...section(
        'Properties that are not in the contract',
        report.unknownProperties.map(({ place }) => place),
      ),
      ...section('In the baseline, but no longer failing', report.stale),
      ...section('Not judged', unjudgedOf(report)),
      ...section('Slower than --max-p95', slowOf(report)),
      ...columns('Latency in ms, the slowest operations', latencyTable(report), SLOWEST),
      ...columns('Rules judged, by operation and version', coverageTable(report)),
      ...(numbers.length === 0
        ? []
        : [numbers.map(([verdict, count]) => this.#paint(verdict as Verdict, `${count} ${verdict}`)).join(', ')]),
      `${target.baseUrl}: ${coverage.judged} of ${coverage.observable} observable rules judged (${coverage.conclusive}%) with ${count(report.requests, 'request', 'requests')} in ${report.durationMs} ms`,
      this.#paint(report.exitCode === 0 ? 'pass' : 'fail', `${report.verdict}: ${message}`),
    ];
  }

  #finding(caused: Caused): string[] {
    const { first: result, others } = caused;
    const { id, verdict, statement, message, source, known } = result;
    const shared = sharedBy(caused);
    const exchange = decisiveOf(result, { exchanges: this.#exchanges });
    return [
      `${this.#paint(verdict, verdict.toUpperCase())} ${id}${known ? ' (known)' : ''}`,
      `  ${statement}`,
      ...(message === undefined ? [] : [`  ${message}`]),
      ...valuesOf(result).map(([label, text]) => `  ${`${label.toLowerCase()}:`.padEnd(9)} ${text}`),
      `  document: ${source.section}, ${source.item}`,
      ...(exchange ? [`  again:    ${visible(curlOf(exchange))}`] : []),
      ...(shared === undefined ? [] : [`  one cause of ${shared}`, `  also:     ${idsOf(others)}`]),
      '',
    ];
  }

  /** What would let more rules be judged, the one that most rules need first. */
  #missing(report: Report): string[] {
    return section(
      'Not judged, missing',
      wantsOf(report).map(([missing, count]) => `${missing}: ${count} ${count === 1 ? 'rule' : 'rules'}`),
    );
  }

  #paint(verdict: Verdict, text: string): string {
    return this.options.colour ? paintedText(text, colours[verdict]) : text;
  }
}

const MOST_IDS = 8;

function idsOf(results: readonly RuleResult[]): string {
  const shown = results.slice(0, MOST_IDS).map(({ id }) => id);
  return [...shown, ...(results.length > MOST_IDS ? [`${results.length - MOST_IDS} more`] : [])].join(', ');
}

const SLOWEST = 5;
