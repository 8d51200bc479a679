import { count } from '../run/report.js';
import { type Report, type RuleResult, type Verdict, verdicts } from '../client/types.js';
import {
  answersOf,
  causesOf,
  faultsOf,
  headlineOf,
  litterOf,
  litterTitle,
  resourceOf,
  resultsWith,
  unjudgedOf,
  wantsOf,
} from './findings.js';
import { coverageHtml, latencyHtml } from './html-coverage.js';
import { causeHtml } from './html-finding.js';
import { exchangesHtml } from './html-exchanges.js';
import { filters, filterStyle, item } from './html-filters.js';
import { STYLE } from './formats/html-style.js';
import { htmlPage, lines, secondsText, section } from './formats/html-page.js';
import { html, type Markup, prose } from './formats/markup.js';
import type { FileReporter, RecordedRun } from './reporter.js';

const banners: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'Conformant',
  'not-conformant': 'Not conformant',
  'too-little-judged': 'Too little judged',
  unhealthy: 'Unhealthy',
  unreachable: 'Unreachable',
  refused: 'Refused',
};

/** One page that needs nothing else: no network, no script. Findings first; on a phone, on paper, in the dark. */
export const htmlReporter: FileReporter = (run) => htmlWith(run, html``);

/** The page of a run, with a part above the findings. */
export function htmlWith(run: RecordedRun, above: Markup): string {
  const { report } = run;
  const causes = causesOf(report);
  const { target } = report;
  return htmlPage({
    title: `${banners[report.verdict]}: ${target.baseUrl.replace(/^\w+:\/\//, '')}`,
    style: `${STYLE} ${filterStyle(report.rules)}`,
    header: banner(report),
    main: html`${above} ${lines('Requests that failed', faultsOf(report))}
    ${
      causes.length === 0
        ? nothingFound(report)
        : section('Findings', causes.length, [
            filters(report.rules),
            ...causes.map((one) => causeHtml(one, run)),
            html`<p class="tally">of ${causes.length} findings shown</p>`,
          ])
    }
    ${lines('In the baseline, but no longer failing', report.stale)} ${lines(litterTitle(report), litterOf(report))}
    ${answers(report)} ${wants(report)} ${section('Coverage', undefined, [coverageHtml(report), byResource(report)])}
    ${latencyHtml(report)} ${unknown(report)} ${lines('Recorded, and not judged', unjudgedOf(report))}
    ${everyRule(report)} ${exchangesHtml(run)}`,
    footer: html`teebox ${run.version}, run ${target.runId}. Secrets are masked. Bodies are cut; the
      <code>har</code> report has more of them.`,
  });
}

function banner({ verdict, exitCode, message, target, requests, durationMs, counts }: Report): Markup {
  const chips = verdicts.map((name) => (counts[name] === 0 ? undefined : html`<li>${badge(name, counts[name])}</li>`));
  return html`<header class="${exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure'}">
    <h1>${banners[verdict]}</h1>
    <p class="lead">${message}</p>
    <p class="target"><code>${target.baseUrl}</code></p>
    <p class="facts">
      ${target.startedAt.slice(0, 16).replace('T', ' ')} UTC, ${count(requests, 'request', 'requests')} in
      ${secondsText(durationMs)}, exit code ${exitCode}
    </p>
    <ul class="chips">
      ${chips}
    </ul>
  </header>`;
}

/** A verdict as a word, with a colour beside it. */
function badge(verdict: Verdict, count?: number): Markup {
  return html`<span class="badge ${verdict}">${count === undefined ? '' : html`<b>${count}</b> `}${verdict}</span>`;
}

function nothingFound({ exitCode }: Report): Markup {
  if (exitCode === 3) return html``;
  return html`<section>
    <h2>Findings</h2>
    <p>None: no rule that was judged is broken.</p>
  </section>`;
}

function answers(report: Report): Markup {
  const rows = answersOf(report);
  if (rows.length === 0) return html``;
  const cells = rows.map(
    ([question, answer]) =>
      html`<tr>
        <th scope="row">${question}</th>
        <td><code>${answer}</code></td>
      </tr>`,
  );
  return section('Open questions answered', rows.length, [
    html`<table class="pairs">
      ${cells}
    </table>`,
  ]);
}

function wants(report: Report): Markup {
  const rows = wantsOf(report);
  if (rows.length === 0) return html``;
  const items = rows.map(
    ([missing, rules]) =>
      html`<tr>
        <td class="number">${rules}</td>
        <td>${missing}</td>
      </tr>`,
  );
  const head = html`<thead>
    <tr>
      <th scope="col" class="number">Rules</th>
      <th scope="col">What they lack</th>
    </tr>
  </thead>`;
  return section('Not judged', undefined, [
    html`<table>
      ${head}${items}
    </table>`,
  ]);
}

function byResource({ rules }: Report): Markup {
  const resources = [...new Set(rules.map(resourceOf))].sort();
  const rows = resources.map((resource) => {
    const own = rules.filter((rule) => resourceOf(rule) === resource);
    const counts = verdicts.map((verdict) => [verdict, resultsWith(own, verdict).length] as const);
    const shown = counts.filter(([, count]) => count > 0).map(([verdict, count]) => badge(verdict, count));
    return html`<li><b>${resource}</b> ${shown}</li>`;
  });
  return html`<ul class="rows resources">
    ${rows}
  </ul>`;
}

function unknown({ unknownProperties }: Report): Markup {
  const rows = unknownProperties.map(({ place, operation, exchange }) => `${place} in ${operation} (${exchange})`);
  return lines('Properties that are not in the contract', rows);
}

function everyRule({ rules }: Report): Markup {
  if (rules.length === 0) return html``;
  const ordered = verdicts.flatMap((verdict) => resultsWith(rules, verdict));
  const items = ordered.map((rule) =>
    item('li', [rule], html`${badge(rule.verdict)} <code>${rule.id}</code> ${said(rule)}`),
  );
  return section('Every rule', rules.length, [
    html`<details class="all">
      <summary>Verdict, id and what was said</summary>
      <ul class="rows">
        ${items}
      </ul>
    </details>`,
  ]);
}

function said(rule: RuleResult): Markup {
  return html`<span class="said">${prose(headlineOf(rule))}</span>`;
}
