import type { Exchange } from '../exchange.js';
import type { RuleResult } from '../types.js';
import { curlOf } from './curl.js';
import { decisiveOf, exchangesOf, headlineOf } from './findings.js';
import { html, type Markup, prose } from './markup.js';
import type { RecordedRun } from './reporter.js';

/** Exchanges that a finding shows, the last ones, and characters of each body. */
const MOST_EXCHANGES = 6;
const MOST_BODY = 4000;

/** One finding: what is wrong, the rule in words, expected and actual, how to see it again, and its exchanges. */
export function findingHtml(result: RuleResult, run: RecordedRun): Markup {
  const { id, verdict, known, basis, statement, expected, actual, source } = result;
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
      ${row('Rule', prose(statement))} ${row('Expected', coded(expected))} ${row('Actual', coded(actual))}
      ${row('Document', html`${source.section}, ${source.item} <span class="basis">(${basis})</span>`)}
      ${row('Again', again && html`<pre class="curl">${curlOf(again)}</pre>`)}
    </dl>
    ${evidence(result, run)}
  </article> `;
}

function coded(text: string | undefined): Markup | undefined {
  return text === undefined ? undefined : html`<code>${text}</code>`;
}

function evidence(result: RuleResult, run: RecordedRun): Markup | undefined {
  const all = exchangesOf(result, run);
  if (all.length === 0) return undefined;
  const shown = all.slice(-MOST_EXCHANGES);
  const count = shown.length === all.length ? `${all.length}` : `the last ${shown.length} of ${all.length}`;
  const title = all.length === 1 ? 'The exchange' : `Exchanges (${count})`;
  return html`<details class="evidence">
    <summary>${title}</summary>
    ${shown.map(exchangeHtml)}
  </details>`;
}

function exchangeHtml({ id, caller, durationMs, request, response, failure }: Exchange): Markup {
  const outcome = response ? `${response.status}` : 'no answer';
  return html`<details class="exchange">
    <summary>
      <b>${id}</b> ${request.method} ${pathOf(request.url)} <span class="status">${outcome}, ${durationMs} ms</span>
    </summary>
    <h4>Request <span>${callers[caller]}</span></h4>
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

/** A body for people: JSON with indents, cut where it gets long. */
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
