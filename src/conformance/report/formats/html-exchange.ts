import type { Exchange } from '../../client/exchange.js';
import { MOST_BODY } from './bodies.js';
import { html, type Markup } from './markup.js';

/**
 * Exchanges that others link to by their ids.
 *
 * @param outcomeOf How each ended, in short.
 */
export function exchangeSection(
  shown: readonly Exchange[],
  outcomeOf: (exchange: Exchange) => string = outcomeText,
): Markup | undefined {
  if (shown.length === 0) return undefined;
  return html`<section>
    <h2>Exchanges <span class="count">${shown.length}</span></h2>
    ${shown.map((exchange) => exchangeHtml(exchange, outcomeOf(exchange)))}
  </section>`;
}

function outcomeText({ response, durationMs }: Exchange): string {
  return `${response ? response.status : 'no answer'}, ${durationMs} ms`;
}

function exchangeHtml({ id, caller, request, response, failure }: Exchange, outcome: string): Markup {
  return html`<details class="exchange">
    <summary><b>${id}</b> ${request.method} ${pathOf(request.url)} <span class="status">${outcome}</span></summary>
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
