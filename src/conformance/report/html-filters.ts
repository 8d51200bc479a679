import { rules as catalogue, operations } from '../../contract/index.js';
import type { RuleResult } from '../client/types.js';
import { html, type Markup } from './formats/markup.js';

/** What a reader may filter by. */
const facets = ['verdict', 'severity', 'operation', 'version'] as const;
type Facet = (typeof facets)[number];
type FacetValues = Readonly<Record<Facet, readonly string[]>>;

const byId = new Map<string, (typeof catalogue)[number]>(catalogue.map((rule) => [rule.id, rule]));

/** What some results are about. A finding is about the operations in which it is, any other result about those of its rule. */
function valuesAmong(results: readonly RuleResult[]): FacetValues {
  const concerned = results.flatMap((result) => {
    const own = operations.filter(({ id }) => result.operations?.includes(id));
    return own.length > 0 ? own : operationsOf(result);
  });
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
  return {
    verdict: distinct(results.map(({ verdict }) => verdict)),
    severity: distinct(results.map(({ severity }) => severity)),
    operation: distinct(concerned.map(({ name }) => name)),
    version: distinct(concerned.map(({ version }) => version).filter((version) => version !== '*')),
  };
}

function operationsOf({ id }: RuleResult): readonly (typeof operations)[number][] {
  const { operations: names, versions } = byId.get(id)!;
  const has = (list: readonly string[], word: string): boolean => list.includes('*') || list.includes(word);
  return operations.filter(({ name, version }) => has(names, name) && (version === '*' || has(versions, version)));
}

/** The start tag of an item that the filters show and hide. */
export function item(tag: 'div' | 'li', results: readonly RuleResult[], content: Markup): Markup {
  const { verdict, severity, operation, version } = valuesAmong(results);
  const [verdicts, severities, names, versions] = [verdict, severity, operation, version].map((all) => all.join(' '));
  const data = html`data-verdict="${verdicts}" data-severity="${severities}" data-operation="${names}"
  data-version="${versions}"`;
  return tag === 'li'
    ? html`<li class="item" ${data}>${content}</li>`
    : html`<div class="item" ${data}>${content}</div>`;
}

/** A list to choose from for each facet. What is chosen hides the other items, by style alone: the page runs no script. */
export function filters(results: readonly RuleResult[]): Markup {
  const values = valuesAmong(results);
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

/** The style that makes the filters work. */
export function filterStyle(results: readonly RuleResult[]): string {
  const values = valuesAmong(results);
  const rows = facets.flatMap((facet) =>
    values[facet].map(
      (value) =>
        `main:has(#filter-${facet} option[value="${value}"]:checked) .item:not([data-${facet}~="${value}"]) { display: none; }`,
    ),
  );
  return rows.join('\n');
}
