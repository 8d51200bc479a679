import type { Exchange } from '../client/exchange.js';
import type { RuleResult } from '../client/types.js';
import { exchangesOf } from './findings.js';
import { html, type Markup } from './markup.js';
import type { RecordedRun } from './reporter.js';
import { MOST_BODY, shownExchanges, shownFor } from './shown-exchanges.js';

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
  const shown = shownExchanges(run);
  if (shown.length === 0) return undefined;
  return html`<section>
    <h2>Exchanges <span class="count">${shown.length}</span></h2>
    ${shown.map(exchangeHtml)}
  </section>`;
}

function exchangeHtml({ id, caller, durationMs, request, response, failure }: Exchange): Markup {
  const outcome = response ? `${response.status}` : 'no answer';
  return html`<details class="exchange">
    <summary>
      <b>${id}</b> ${request.method} ${pathOf(request.url)} <span class="status">${outcome}, ${durationMs} ms</span>
    </summary>
    <h4 id="${id}">Request <span>${callers[caller]}</span></h4>
    <pre>${request.method} ${request.url}${headerLines(request.headers)}</pre>
    ${body(request.body)}
    <h4>Answer</h4>
    ${response ? html`<pre>${response.status}${headerLines(response.headers)}</pre>` : html`<p>${failure ?? 'None.'}</p>`}
    ${body(response?.body, response?.length)}
  </details>`;
}

const callers: Readonly<Record<Exchange['caller'], string>> = {
  first: 'by the channel',
  second: 'by the second channel',
  nobody: 'without credentials',
  deployment: 'by the deployment, to the callback address',
};

function pathOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/?#]*/, '');
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `\n${name}: ${value}`)
    .join('');
}

/** A readable body: indented JSON, truncated if it is long. */
function body(text: string | undefined, length = text?.length ?? 0): Markup | undefined {
  if (text === undefined || text === '') return undefined;
  const spread = indented(text);
  const cut = spread.length > MOST_BODY || length > text.length;
  return html`<pre>${spread.slice(0, MOST_BODY)}${cut ? `\n... (${length} characters in all)` : ''}</pre>`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
