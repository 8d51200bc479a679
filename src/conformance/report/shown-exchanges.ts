import type { Exchange } from '../client/exchange.js';
import type { RuleResult } from '../client/types.js';
import { decisiveOf, exchangesOf, findingsOf } from './findings.js';
import type { RecordedRun } from './reporter.js';

/** The maximum number of exchanges of a finding, the last ones. */
const MOST_EXCHANGES = 6;

/** The exchanges of a finding that a report shows: the one that shows it first, then the last ones. */
export function shownFor(result: RuleResult, run: RecordedRun): readonly Exchange[] {
  const decisive = decisiveOf(result, run);
  const last = exchangesOf(result, run).slice(-MOST_EXCHANGES);
  return [...new Set([...(decisive ? [decisive] : []), ...last])];
}

/** The exchanges that the findings of a run show, each one time, in the order of sending. */
export function shownExchanges(run: RecordedRun): readonly Exchange[] {
  const shown = new Set(findingsOf(run.report).flatMap((result) => shownFor(result, run)));
  return [...run.exchanges.values()].filter((exchange) => shown.has(exchange));
}
