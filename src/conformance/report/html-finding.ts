import type { RuleResult } from '../client/types.js';
import { curlOf } from './formats/curl.js';
import { type Caused, decisiveOf, headlineOf, sharedBy, valuesOf } from './findings.js';
import { exchangeLinks } from './html-exchanges.js';
import { item } from './html-filters.js';
import { html, type Markup, prose } from './formats/markup.js';
import type { RecordedRun } from './reporter.js';

/** Findings of one cause: the first in full, the others folded. */
export function causeHtml(caused: Caused, run: RecordedRun): Markup {
  const shared = sharedBy(caused);
  const all = [caused.first, ...caused.others];
  if (shared === undefined) return item('div', all, findingHtml(caused.first, run));
  return item(
    'div',
    all,
    html`<div class="cause ${caused.group.verdict}">
      <p class="shared">One cause of ${shared}</p>
      ${findingHtml(caused.first, run)}
      <details class="others">
        <summary>The other rules (${caused.others.length})</summary>
        ${caused.others.map((other) => findingHtml(other, run))}
      </details>
    </div>`,
  );
}

/** One finding: its message, the rule, expected and actual values, how to reproduce it, and its exchanges. */
function findingHtml(result: RuleResult, run: RecordedRun): Markup {
  const { id, verdict, known, basis, severity, statement, source } = result;
  const again = decisiveOf(result, run);
  const row = (label: string, value: Markup | undefined): Markup | undefined =>
    value &&
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  return html`<article class="${verdict}">
    <h3>
      <span class="badge ${verdict}">${verdict}</span>
      <code>${id}</code>${known ? html` <span class="known">known</span>` : ''}
    </h3>
    <p class="headline">${prose(headlineOf(result))}</p>
    <dl>
      ${row('Rule', prose(statement))}
      ${valuesOf(result).map(([label, text]) => row(label, html`<code>${text}</code>`))}
      ${row('Document', html`${source.section}, ${source.item} <span class="basis">(${basis}, ${severity})</span>`)}
      ${row('Exchanges', exchangeLinks(result, run))}
      ${row('Again', again && html`<pre class="curl">${curlOf(again)}</pre>`)}
    </dl>
  </article> `;
}
