import { type Verdict, verdicts } from '../client/types.js';
import type { Exchange } from '../client/exchange.js';
import { STYLE } from './html-style.js';
import { html, htmlPage, Markup, prose, secondsText, section } from './markup.js';
import {
  type Cause,
  type ReportItem,
  isTexts,
  type ReportModel,
  rowsOf,
  type Section,
  type ReportSide,
  type Table,
  type Text,
  wordsOf,
} from './model.js';
import { MOST_BODY } from './recorder.js';

/** One page that needs nothing else: no network, no script. Findings first; on a phone, on paper, in the dark. */
export function htmlReport(report: ReportModel): string {
  const { title, footer, items, before, sections, beside, shown, outcomeOf = outcomeText } = report;
  return htmlPage({
    title,
    style: `${STYLE} ${filterStyle(items)}`,
    header: bannerHtml(report),
    main: html`${beside && besideHtml(beside)} ${before.map((one) => sectionHtml(one))} ${findingsHtml(report)}
    ${sections.page.map((one) => sectionHtml(one))} ${everyItem(items)} ${exchangesHtml(shown, outcomeOf)}`,
    footer: marked(footer),
  });
}

function bannerHtml(report: ReportModel): Markup {
  const { banner, subject, figures, exitCode, message, startedAt, durationMs, counts } = report;
  const chips = counts.filter(([, number]) => number > 0).map(([verdict, number]) => ({ verdict, count: number }));
  return html`<header class="${exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure'}">
    <h1>${banner}</h1>
    <p class="lead">${message}</p>
    <p class="target">${marked(subject)}</p>
    <p class="facts">
      ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${figures} in ${secondsText(durationMs)}, exit code ${exitCode}
    </p>
    <ul class="chips">
      ${chips.map((chip) => html`<li>${marked(chip)}</li>`)}
    </ul>
  </header>`;
}

function marked(text: Text): Markup {
  if (typeof text !== 'object') return html`${text}`;
  if (isTexts(text)) return html`${text.map(marked)}`;
  if ('code' in text) return html`<code>${text.code}</code>`;
  if ('prose' in text) return prose(text.prose);
  if ('strong' in text) return html`<b>${text.strong}</b>`;
  if ('emphasis' in text) return new Markup(`<em>${text.emphasis}</em>`);
  if ('own' in text) return html`${text.own}`;
  // The style of `inconclusive` is that of something to do.
  const { verdict, count: number, word = verdict } = text;
  const tone = verdict === 'not-seen' ? 'inconclusive' : verdict;
  return html`<span class="badge ${tone}">${number === undefined ? '' : html`<b>${number}</b> `}${word}</span>`;
}

/* Findings */

function findingsHtml({ judged, causes, items, exitCode }: ReportModel): Markup | undefined {
  const found = causes.map((cause) => causeHtml(cause));
  if (judged === 'obligation')
    return found.length === 0 ? undefined : section('Violated obligations', found.length, found);
  if (found.length === 0) {
    if (exitCode === 3) return undefined;
    return section('Findings', undefined, [html`<p>None: no rule that was evaluated is broken.</p>`]);
  }
  const tally = html`<p class="tally">of ${found.length} findings shown</p>`;
  return section('Findings', found.length, [filters(items), ...found, tally]);
}

/** The other side of the run, which has no page of its own. */
function besideHtml({ causes, figures }: ReportSide): Markup {
  return section('Client: violated obligations', causes.length, [
    html`<p>${figures}</p>`,
    ...causes.map(({ first }) => findingHtml({ ...first, known: undefined })),
  ]);
}

/** Findings of one cause: the first in full, the others folded. */
function causeHtml({ first, others, shared, verdict }: Cause): Markup {
  if (!first.concerns) return findingHtml(first);
  if (shared === undefined) return item('div', [first], findingHtml(first));
  return item(
    'div',
    [first, ...others],
    html`<div class="cause ${verdict}">
      <p class="shared">One cause of ${shared}</p>
      ${findingHtml(first)}
      <details class="others">
        <summary>The other rules (${others.length})</summary>
        ${others.map(findingHtml)}
      </details>
    </div>`,
  );
}

/** One finding: its message, the rule, expected and actual values, how to reproduce it, and its exchanges. */
function findingHtml(finding: ReportItem): Markup {
  const { id, verdict, known, headline, basis, severity, links } = finding;
  const row = (label: string, value: Markup | undefined): Markup | undefined =>
    value &&
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  const more = links && links.all > links.ids.length ? ` of ${links.all}` : '';
  const linked = links?.ids.map((one) => html`<a href="#${one}">${one}</a> `);
  const requests = rowsOf(finding, 'request').map((one) => html`<li><a href="#${one.id}">${marked(one.text)}</a></li>`);
  const passed = rowsOf(finding, 'passed').map((one) => html`<li>${marked(one.text)}</li>`);
  return html`<article class="${verdict}">
    <h3>
      ${marked({ verdict })}
      <code>${id}</code>${known ? html` <span class="known">known</span>` : ''}
    </h3>
    <p class="headline">${prose(headline)}</p>
    <dl>
      ${rowsOf(finding, 'statement', 'fact').map(({ label, text }) => row(label, marked(text)))}
      ${rowsOf(finding, 'document').map(({ label, text }) => row(label, html`${marked(text)} <span class="basis">(${basis}, ${severity})</span>`))}
      ${row('Exchanges', linked && linked.length > 0 ? html`${linked}${more}` : undefined)}
      ${rowsOf(finding, 'command').map(({ label, text }) => row(label, html`<pre class="curl">${marked(text)}</pre>`))}
      ${row('Requests', listHtml(requests))}
    </dl>
    ${listHtml(passed)}
  </article> `;
}

/* What a reader may filter by. What is chosen hides the other items, by style alone: the page runs no script. */

const facets = ['verdict', 'severity', 'operation', 'version'] as const;

function valuesAmong(all: readonly ReportItem[]): Readonly<Record<(typeof facets)[number], readonly string[]>> {
  const concerned = all.flatMap(({ concerns = [] }) => concerns);
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
  return {
    verdict: distinct(all.map(({ verdict }) => verdict)),
    severity: distinct(all.map(({ severity }) => severity)),
    operation: distinct(concerned.map(({ name }) => name)),
    version: distinct(concerned.map(({ version }) => version).filter((version) => version !== '*')),
  };
}

/** An item that the filters show and hide. */
function item(tag: 'div' | 'li', all: readonly ReportItem[], content: Markup): Markup {
  const values = valuesAmong(all);
  const [verdict, severity, operation, version] = facets.map((facet) => values[facet].join(' '));
  const data = html`data-verdict="${verdict}" data-severity="${severity}" data-operation="${operation}"
  data-version="${version}"`;
  return tag === 'li'
    ? html`<li class="item" ${data}>${content}</li>`
    : html`<div class="item" ${data}>${content}</div>`;
}

function filters(items: readonly ReportItem[]): Markup {
  const values = valuesAmong(items);
  const selects = facets.map(
    (facet) =>
      html`<label
        >${facet}
        <select id="filter-${facet}">
          <option value="">all</option>
          ${values[facet].map((value) => html`<option value="${value}">${value}</option>`)}
        </select>
      </label>`,
  );
  return html`<div class="filters" role="group" aria-label="Filters">${selects}</div>`;
}

function filterStyle(items: readonly ReportItem[]): string {
  if (!items[0]?.concerns) return '';
  const values = valuesAmong(items);
  const rows = facets.flatMap((facet) =>
    values[facet].map(
      (value) =>
        `main:has(#filter-${facet} option[value="${value}"]:checked) .item:not([data-${facet}~="${value}"]) { display: none; }`,
    ),
  );
  return rows.join('\n');
}

/** Every rule, where a reader may filter them. */
function everyItem(items: readonly ReportItem[]): Markup | undefined {
  if (!items[0]?.concerns) return undefined;
  const ordered = verdicts.flatMap((verdict: Verdict) => items.filter((one) => one.verdict === verdict));
  const rows = ordered.map((one) => {
    const { verdict, id, headline } = one;
    return item(
      'li',
      [one],
      html`${marked({ verdict })} <code>${id}</code> <span class="said">${prose(headline)}</span>`,
    );
  });
  return section('Every rule', items.length, [
    html`<details class="all">
      <summary>Verdict, id and what was said</summary>
      ${listHtml(rows)}
    </details>`,
  ]);
}

/* Sections */

function sectionHtml({
  title,
  count: number,
  meter,
  paragraphs = [],
  table,
  rows,
  look,
  note,
  inner,
}: Section): Markup | undefined {
  if ((table?.rows ?? rows ?? []).length === 0) return undefined;
  return section(title, number, [
    ...(meter === undefined ? [] : [html`<meter min="0" max="100" value="${meter}">${meter}%</meter>`]),
    ...paragraphs.map((text) => html`<p>${marked(text)}</p>`),
    ...(table ? [tableHtml(table)] : []),
    ...(inner?.table && inner.table.rows.length > 0
      ? [html`<h3 class="table">${inner.title}</h3>`, tableHtml(inner.table)]
      : []),
    ...(rows
      ? [
          listHtml(
            rows.map((row) => html`<li>${marked(row)}</li>`),
            look,
          ) ?? html``,
        ]
      : []),
    ...(note === undefined ? [] : [html`<p class="facts">${marked(note)}</p>`]),
  ]);
}

function listHtml(rows: readonly Markup[], look?: string): Markup | undefined {
  if (rows.length === 0 && look === undefined) return undefined;
  return html`<ul class="${look === undefined ? 'rows' : `rows ${look}`}">
    ${rows}
  </ul>`;
}

function tableHtml({ head, rows, look, naming = look === undefined ? -1 : 0 }: Table): Markup {
  const isMatrix = look === 'matrix' || look === 'coverage';
  const titles = head.map((title, column) =>
    !isMatrix && typeof rows[0]?.[column] === 'number'
      ? html`<th scope="col" class="number">${title}</th>`
      : html`<th scope="col">${title}</th>`,
  );
  const cellOf = (cell: Text, column: number): Markup => {
    if (column === naming) return html`<th scope="row">${wordsOf(cell)}</th>`;
    if (look === 'coverage') return html`<td class="number ${extentOf(wordsOf(cell))}">${marked(cell)}</td>`;
    return typeof cell === 'number' ? html`<td class="number">${cell}</td>` : html`<td>${marked(cell)}</td>`;
  };
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${row.map(cellOf)}
      </tr>`,
  );
  const heading =
    head.length === 0
      ? undefined
      : html`<thead>
          <tr>
            ${titles}
          </tr>
        </thead>`;
  const name = isMatrix ? 'matrix' : look;
  return html`<table${name === undefined ? '' : html` class="${name}"`}>${heading}${lines}</table>`;
}

/** The class of a cell: all, some or none of its rules were evaluated. */
function extentOf(cell: string): string {
  if (cell === '') return 'absent';
  return cell === 'all' || cell === 'none' ? cell : 'some';
}

/* Exchanges that findings link to by their ids */

function exchangesHtml(shown: readonly Exchange[], outcomeOf: (exchange: Exchange) => string): Markup | undefined {
  if (shown.length === 0) return undefined;
  return section(
    'Exchanges',
    shown.length,
    shown.map((exchange) => exchangeHtml(exchange, outcomeOf(exchange))),
  );
}

function outcomeText({ response, durationMs }: Exchange): string {
  return `${response ? response.status : 'no answer'}, ${durationMs} ms`;
}

function exchangeHtml({ id, caller, request, response, failure }: Exchange, outcome: string): Markup {
  return html`<details class="exchange">
    <summary><b>${id}</b> ${request.method} ${pathOf(request.url)} <span class="status">${outcome}</span></summary>
    <h4 id="${id}">Request <span>${callers[caller]}</span></h4>
    <pre>${request.method} ${request.url}${headerLines(request.headers)}</pre>
    ${body(request)}
    <h4>Answer</h4>
    ${response ? html`<pre>${response.status}${headerLines(response.headers)}</pre>` : html`<p>${failure ?? 'None.'}</p>`}
    ${body(response)}
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
function body(side: Exchange['request'] | Exchange['response']): Markup | undefined {
  const { body: text, isCut, length }: Partial<NonNullable<Exchange['response']>> = side ?? {};
  if (text === undefined || text === '') return undefined;
  const spread = indented(text);
  // How long a request was is not kept where its body is cut.
  const all = length ?? (isCut ? undefined : text.length);
  const end = all === undefined ? '\n...' : `\n... (${all} characters in all)`;
  return html`<pre>${spread.slice(0, MOST_BODY)}${isCut || spread.length > MOST_BODY ? end : ''}</pre>`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
