import type { RuleResult } from '../client/types.js';
import { exchangesOf } from './findings.js';
import { exchangeSection } from './formats/html-exchange.js';
import { html, type Markup } from './formats/markup.js';
import type { RecordedRun } from './reporter.js';
import { shownExchanges, shownFor } from './shown-exchanges.js';

/** Links from a finding to its exchanges. */
export function exchangeLinks(result: RuleResult, run: RecordedRun): Markup | undefined {
  const shown = shownFor(result, run);
  if (shown.length === 0) return undefined;
  const all = exchangesOf(result, run).length;
  const more = all > shown.length ? ` of ${all}` : '';
  return html`${shown.map(({ id }) => html`<a href="#${id}">${id}</a> `)}${more}`;
}

/** The exchanges that findings link to, each one time, in the order of sending. */
export function exchangesHtml(run: RecordedRun): Markup | undefined {
  return exchangeSection(shownExchanges(run));
}
