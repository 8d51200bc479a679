import { html, htmlPage, Markup, prose, secondsText, section } from '../conformance/index.js';
import type { Certification, CertifiedObligation, ObligationVerdict } from './certification.js';
import { isUnseen } from './obligations/client-checker.js';
import { bannerOf, durationOf, topicOf } from './report.js';

/** A tick, a cross, or a dash, in the middle of a seal. */
const signs: Readonly<Record<Certification['verdict'], string>> = {
  ready: 'M33 49l11 11 23-24',
  'not-ready': 'M37 37l26 26M63 37l-26 26',
  'too-little-seen': 'M34 50h32',
  undecided: 'M34 50h32',
};

/** The certificate as one page to keep, to send or to print. It runs no script and loads nothing. */
export function certificateHtml(certification: Certification): string {
  const { client, digest } = certification;
  return htmlPage({
    title: `Certificate: ${client?.name ?? client?.command ?? 'a client'}, ${bannerOf(certification).toLowerCase()}`,
    style: CERTIFICATE_STYLE,
    header: head(certification),
    main: html`${facts(certification)} ${exams(certification)} ${obligations(certification)} ${verification(digest)}`,
    footer: html`<p>
      Issued by Teebox, a sandbox of a golf tee time distribution API. It says what Teebox saw in the exams above, and
      no more. It is no certificate of the operator of the service.
    </p>`,
  });
}

function head(certification: Certification): Markup {
  const { verdict, exitCode, message, client, counts, at, obligations: all } = certification;
  const doubtful = all.filter((one) => one.doubtful).length;
  const figures: readonly (readonly [string, string | number])[] = [
    ['satisfied', `${counts.pass} of ${all.length}`],
    ['violated', counts.fail],
    ['not seen', all.filter(isUnseen).length],
    ...(doubtful > 0 ? [['in doubt', doubtful] as const] : []),
    ['exams', certification.exams.length],
  ];
  return html`<header class="${exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure'}">
    <p class="kind">Certificate</p>
    <h1>${client?.name ?? 'A client of the tee time service'}</h1>
    <p class="client">${client?.command === undefined ? '' : html`<code>${client.command}</code>`}</p>
    ${seal(verdict)}
    <p class="verdict">${bannerOf(certification)}</p>
    <p class="lead">${message}</p>
    <p class="client">${longDate(at)}</p>
    <ul class="figures">
      ${figures.map(([what, figure]) => html`<li><b>${figure}</b> ${what}</li>`)}
    </ul>
  </header>`;
}

function seal(verdict: Certification['verdict']): Markup {
  const teeth = Array.from({ length: 24 }, (_, index) => {
    const angle = (index * Math.PI) / 12;
    return `${(50 + 46 * Math.cos(angle)).toFixed(1)},${(50 + 46 * Math.sin(angle)).toFixed(1)}`;
  });
  return new Markup(
    `<svg class="seal" viewBox="0 0 100 100" fill="none" stroke="currentColor" aria-hidden="true">` +
      `<polygon points="${teeth.join(' ')}" stroke-width="3" stroke-linejoin="round"/>` +
      `<circle cx="50" cy="50" r="36" stroke-width="2"/>` +
      `<path d="${signs[verdict]}" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  );
}

function longDate(at: string): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));
  return `${day}, ${at.slice(11, 16)} UTC`;
}

/** What another run needs in order to give the same. */
function facts(certification: Certification): Markup {
  const { teebox, seed, facilities, now, dialect, versions, digest } = certification;
  const given = Object.entries(dialect.answers).map(([question, answer]) => `${question}: ${JSON.stringify(answer)}`);
  const rows: readonly (readonly [string, string])[] = [
    ['Teebox', teebox],
    ['Versions used', versions.length === 0 ? 'none' : versions.join(', ')],
    ['Dialect', given.length === 0 ? 'default' : `${dialect.name ?? 'card'} (${given.join('; ')})`],
    ['Seed', `${seed}, with ${facilities} facilities`],
    ['Clock', `begins at ${now}`],
    ['Duration', secondsText(durationOf(certification))],
    ['Digest', digest],
  ];
  return section('Facts', undefined, [
    html`<dl>
      ${rows.map(
        ([label, text]) =>
          html`<dt>${label}</dt>
            <dd>${label === 'Digest' ? html`<code>${text}</code>` : text}</dd>`,
      )}
    </dl>`,
  ]);
}

const marks: Readonly<Record<ObligationVerdict, string>> = {
  pass: 'satisfied',
  fail: 'violated',
  'not-seen': 'not seen',
};

function row(verdict: ObligationVerdict, word: string, text: Markup): Markup {
  return html`<li>
    <span class="mark ${verdict}">${word}</span>
    <span>${text}</span>
  </li>`;
}

function exams({ exams: taken, skipped }: Certification): Markup {
  const words: Readonly<Record<ObligationVerdict, string>> = { pass: 'passed', fail: 'failed', 'not-seen': 'not seen' };
  const rows = taken.map(({ title, does, verdict, client: { ok } }) => {
    const own = ok !== false ? '' : " The client's own tests failed.";
    return row(verdict, words[verdict], html`${title}<small>${does}${own}</small>`);
  });
  const left = skipped.map(({ id, why }) => row('not-seen', 'not taken', html`${id}<small>${why}</small>`));
  return section('Exams', taken.length, [
    html`<ul class="rows">
      ${rows} ${left}
    </ul>`,
  ]);
}

function obligations({ obligations: all }: Certification): Markup {
  const topics = [...new Set(all.map(topicOf))];
  const parts = topics.map(
    (topic) =>
      html`<h3>${topic[0]!.toUpperCase()}${topic.slice(1)}</h3>
        <ul class="rows">
          ${all.filter((one) => topicOf(one) === topic).map(obligationRow)}
        </ul>`,
  );
  return section('Obligations', all.length, parts);
}

function obligationRow(result: CertifiedObligation): Markup {
  const { id, verdict, statement, message, toSee, known, doubtful } = result;
  const doubt = verdict === 'not-seen' ? doubtful : undefined;
  const mark = doubt ? 'in doubt' : marks[verdict];
  const said = verdict === 'fail' ? message : (doubt?.message ?? toSee);
  return row(
    verdict,
    known ? `${mark}, known` : mark,
    html`${prose(statement)}<small><code>${id}</code>${said === undefined ? '' : html`: ${prose(said)}`}</small>`,
  );
}

function verification(digest: string): Markup {
  return section('Verification', undefined, [
    html`<p>Run the exams again, with the same seed, exams and dialect, and compare:</p>
      <p class="command"><code>npx --no-install teebox certify --verify CERTIFICATE.json -- COMMAND</code></p>
      <p>The certificate is confirmed if the digest is again <code>${digest.slice(0, 16)}...</code></p>`,
  ]);
}

/** The style of the certificate: a sheet of paper on a screen, and the same sheet from a printer. */
const CERTIFICATE_STYLE = `
:root {
  --desk: #eef1ee; --paper: #fff; --ink: #16211b; --soft: #55635b; --line: #d5ddd7; --frame: #1b7340;
  --pass: #1b7340; --fail: #b3261e; --unsure: #8f5a00;
}
@media (prefers-color-scheme: dark) {
  :root { --desk: #0d1210; --paper: #151c18; --ink: #e5ebe7; --soft: #9fada5; --line: #2f3a34; --frame: #7bd49c;
    --pass: #7bd49c; --fail: #ff8a80; --unsure: #f2b84b; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--desk); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { display: flow-root; max-width: 52rem; margin: 0 auto; padding: 0 3rem;
  background: var(--paper); }
header { padding-top: 3rem; border-top: 8px solid var(--tone); border-radius: 6px 6px 0 0; text-align: center; }
footer { padding-bottom: 3rem; border-radius: 0 0 6px 6px; color: var(--soft); font-size: 0.875rem; }
.good { --tone: var(--pass); } .bad { --tone: var(--fail); } .unsure { --tone: var(--unsure); }
.kind { margin: 0; color: var(--soft); font-size: 0.8125rem; letter-spacing: 0.16em; text-transform: uppercase; }
h1 { margin: 0.5rem 0 0; font-size: 2.25rem; line-height: 1.15; }
.client { margin: 0.75rem 0 0; color: var(--soft); }
.seal { width: 6rem; height: 6rem; margin: 1.5rem auto 0; color: var(--tone); }
.verdict { margin: 0.5rem 0 0; color: var(--tone); font-size: 1.5rem; font-weight: 650; }
.lead { margin: 0.25rem auto 0; max-width: 36rem; }
.figures { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem 2.5rem; margin: 1.75rem 0 0; padding: 0;
  list-style: none; }
.figures b { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures li { color: var(--soft); font-size: 0.875rem; }
.figures b { color: var(--ink); }
h2 { margin: 2.5rem 0 0.75rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); font-size: 1.125rem; }
h3 { margin: 1.25rem 0 0.25rem; font-size: 0.9375rem; }
code { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.count { color: var(--soft); font-weight: 400; }
dl { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
ul.rows { margin: 0; padding: 0; list-style: none; }
ul.rows li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.75rem; padding: 0.4rem 0;
  border-bottom: 1px solid var(--line); }
ul.rows small { display: block; color: var(--soft); font-size: 0.875rem; }
.mark { color: var(--tone); font-size: 0.8125rem; font-weight: 650; line-height: 1.85; white-space: nowrap; }
.mark.pass { --tone: var(--pass); } .mark.fail { --tone: var(--fail); } .mark.not-seen { --tone: var(--unsure); }
.command { margin: 0.5rem 0; padding: 0.6rem 0.75rem; border: 1px solid var(--line); border-radius: 4px; }
p { margin: 0.5rem 0; }
@media (max-width: 40rem) {
  body { padding: 0; }
  header, main, footer { padding-left: 1.1rem; padding-right: 1.1rem; border-radius: 0; }
  h1 { font-size: 1.75rem; }
  dl { display: block; }
  dd { margin: 0 0 0.5rem; }
}
@page { margin: 16mm; }
@media print {
  :root { color-scheme: light; --desk: #fff; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --pass: #155c33;
    --fail: #b3261e; --unsure: #7a4d00; }
  body { padding: 0; font-size: 10pt; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  header { padding-top: 8mm; border-top-width: 3mm; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2, h3 { break-after: avoid; }
  ul.rows li, dl, .figures { break-inside: avoid; }
}
`;
