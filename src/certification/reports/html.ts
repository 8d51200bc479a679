import {
  exchangeSection,
  html,
  htmlPage,
  lines,
  type Markup,
  prose,
  secondsText,
  section,
  STYLE,
} from '../../conformance/index.js';
import type { Certification, CertifiedObligation } from '../certification.js';
import { asExchange } from './exchange.js';
import {
  bannerOf,
  clientFailures,
  detailsOf,
  durationOf,
  evidenceOf,
  exchangeLine,
  failuresOf,
  figuresOf,
  obligationsWith,
} from './findings.js';

/** The report of a certification as one page: no network, no script. */
export function certifyHtml(certification: Certification): string {
  const { exchanges, teebox, seed, digest, stale } = certification;
  const failures = failuresOf(certification);
  const about = new Map(exchanges.map((one) => [one.id, exchangeLine(one)]));
  return htmlPage({
    title: `${bannerOf(certification)}: ${certification.client?.name ?? 'a client'}`,
    style: STYLE,
    header: banner(certification),
    main: html`${
      failures.length === 0
        ? html``
        : section(
            'Broken obligations',
            failures.length,
            failures.map((one) => failureHtml(one, certification)),
          )
    }
    ${notSeen(certification)} ${lines("The client's own tests failed", clientFailures(certification))}
    ${lines('In the baseline, but no longer failing', stale)} ${examTable(certification)} ${every(certification)}
    ${exchangeSection(exchanges.map(asExchange), (one) => about.get(one.id)?.replace(/^.*?: /, '') ?? '')}`,
    footer: html`teebox ${teebox}, seed ${seed}, digest <code>${digest}</code>. Secrets are masked.`,
  });
}

function banner(certification: Certification): Markup {
  const { exitCode, message, at, client, counts } = certification;
  const chips = Object.entries(counts).filter(([, number]) => number > 0);
  return html`<header class="${exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure'}">
    <h1>${bannerOf(certification)}</h1>
    <p class="lead">${message}</p>
    <p class="target">${client?.name ?? ''} <code>${client?.command ?? ''}</code></p>
    <p class="facts">
      ${at.slice(0, 16).replace('T', ' ')} UTC, ${figuresOf(certification)} in
      ${secondsText(durationOf(certification))}, exit code ${exitCode}
    </p>
    <ul class="chips">
      ${chips.map(([name, number]) => html`<li>${badge(name, number)}</li>`)}
    </ul>
  </header>`;
}

/** A verdict as a word. The style of `inconclusive` is that of something to do. */
function badge(verdict: string, number?: number): Markup {
  const tone = verdict === 'not-seen' ? 'inconclusive' : verdict;
  return html`<span class="badge ${tone}">${number === undefined ? '' : html`<b>${number}</b> `}${verdict}</span>`;
}

function failureHtml(result: CertifiedObligation, certification: Certification): Markup {
  const { id, known, message = '' } = result;
  const rows = detailsOf(result, certification).filter(([label]) => label !== 'Happened');
  const links = evidenceOf(result, certification).map(
    (one) => html`<li><a href="#${one.id}">${exchangeLine(one)}</a></li>`,
  );
  return html`<article class="fail">
    <h3>${badge('fail')} <code>${id}</code>${known ? html` <span class="known">known</span>` : ''}</h3>
    <p class="headline">${prose(message)}</p>
    <dl>
      ${rows.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${prose(text)}</dd>`,
      )}
      <dt>Requests</dt>
      <dd>
        <ul class="rows">
          ${links}
        </ul>
      </dd>
    </dl>
  </article>`;
}

function notSeen(certification: Certification): Markup {
  const rows = obligationsWith(certification, 'not-seen');
  if (rows.length === 0) return html``;
  const items = rows.map(({ id, toSee = '' }) => html`<li><code>${id}</code> ${prose(toSee)}</li>`);
  return section('Not seen, and what the client would have to do', rows.length, [
    html`<ul class="rows">
      ${items}
    </ul>`,
  ]);
}

/** The exams with what the client met, and what came of them. */
function examTable({ exams, skipped }: Certification): Markup {
  const rows = exams.map(
    ({ title, does, verdict, calls, client }) =>
      html`<tr>
        <td>${badge(verdict)}</td>
        <th scope="row">${title}</th>
        <td>${does}${client.ok !== false ? '' : html` <em>The client's own tests failed.</em>`}</td>
        <td class="number">${calls}</td>
      </tr>`,
  );
  return section('Exams', exams.length, [
    html`<table>
      <thead>
        <tr>
          <th scope="col">Verdict</th>
          <th scope="col">Exam</th>
          <th scope="col">What the client meets</th>
          <th scope="col" class="number">Calls</th>
        </tr>
      </thead>
      ${rows}
    </table>`,
    ...(skipped.length === 0
      ? []
      : [html`<p class="facts">Not taken: ${skipped.map(({ id, why }) => html`<code>${id}</code> (${why}) `)}</p>`]),
  ]);
}

function every(certification: Certification): Markup {
  const items = certification.obligations.map(
    ({ id, verdict, statement }) => html`<li>${badge(verdict)} <code>${id}</code> ${prose(statement)}</li>`,
  );
  return section('Every obligation', items.length, [
    html`<ul class="rows">
      ${items}
    </ul>`,
  ]);
}
