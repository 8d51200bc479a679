import type { Report } from '../client/types.js';
import { coverageTable } from './coverage-table.js';
import { latencyTable, slowOf } from './findings.js';
import { html, type Markup } from './formats/markup.js';

/** The share of the document that was judged, and what it is made of. */
export function coverageHtml(report: Report): Markup {
  const { statements, observable, written, selected, judged, conclusive } = report.coverage;
  const rows: readonly [string, number][] = [
    ['Statements of the document', statements],
    ['that can be seen from outside', observable],
    ['that the suite has a rule for', written],
    ['selected for this run', selected],
    ['judged', judged],
  ];
  const cells = rows.map(
    ([what, count]) =>
      html`<tr>
        <td class="number">${count}</td>
        <td>${what}</td>
      </tr>`,
  );
  return html`<meter min="0" max="100" value="${conclusive}">${conclusive}%</meter>
    <p>${conclusive}% of the ${observable} observable rules were judged.</p>
    <table>
      ${cells}
    </table>
    ${byOperation(report)}`;
}

function byOperation(report: Report): Markup | undefined {
  const { head, rows } = coverageTable(report);
  const titles = head.map((title) => html`<th scope="col">${title}</th>`);
  const lines = rows.map(
    ([operation, ...cells]) =>
      html`<tr>
        <th scope="row">${operation}</th>
        ${cells.map((cell) => html`<td class="number ${extentOf(cell)}">${cell}</td>`)}
      </tr>`,
  );
  if (rows.length === 0) return undefined;
  return html`<h3 class="table">Rules judged, by operation and version</h3>
    <table class="matrix">
      <thead>
        <tr>
          ${titles}
        </tr>
      </thead>
      ${lines}
    </table>`;
}

/** How long the answers of each operation took. */
export function latencyHtml(report: Report): Markup | undefined {
  const { head, rows } = latencyTable(report);
  if (rows.length === 0) return undefined;
  const lines = rows.map(
    ([operation = '', ...cells]) =>
      html`<tr>
        <th scope="row">${operation}</th>
        ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
      </tr>`,
  );
  return html`<section>
    <h2>Latency in ms</h2>
    ${slowOf(report).map((text) => html`<p><span class="badge warn">slow</span> ${text}</p>`)}
    <table class="matrix">
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      ${lines}
    </table>
  </section>`;
}

/** The class of a cell: all, some or none of its rules were judged. */
function extentOf(cell: string): string {
  if (cell === '') return 'absent';
  return cell === 'all' || cell === 'none' ? cell : 'some';
}
